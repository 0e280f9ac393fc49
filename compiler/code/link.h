/*
 * link.h - enablings to a program: units, firings, layout, code.
 */
#ifndef COMPILER_LINK_H
#define COMPILER_LINK_H

#include "compiler/compile.h"
#include "compiler/meaning/sema.h"

struct room;

/* Finds out what code for this target may use; called once, before any typing. */
void link_target(struct compiler *c);

/* NULL with the error in c->d. */
struct program *link_program(struct compiler *c, const struct room *room,
			     const struct compile_dump *dump);

#endif
