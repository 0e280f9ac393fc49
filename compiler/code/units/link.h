/*
 * link.h - enablings to a program: units, firings, layout, code.
 */
#ifndef COMPILER_LINK_H
#define COMPILER_LINK_H

#include "compiler/compile.h"

struct room;

struct ir_target;

/* Finds out what code for this machine may use: fills in @t.  Called once, before any typing. */
void link_target(const struct compiler *c, struct ir_target *t);

/* NULL with the error in c->d. */
struct program *link_program(struct compiler *c, const struct room *room,
			     const struct compile_dump *dump);

#endif
