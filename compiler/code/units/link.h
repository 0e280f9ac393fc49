/*
 * link.h - makes a program of the enabled clauses.
 */
#ifndef COMPILER_CODE_UNITS_LINK_H
#define COMPILER_CODE_UNITS_LINK_H

#include "compiler/compile.h"

struct room;

struct ir_target;

/* Fills in @t with what code for this kernel may use. Called once, before anything is typed. */
void link_target(const struct compiler *c, struct ir_target *t);

/*
 * Generates the program of all enablings. @room: limits of maps. @dump: texts to append, may be
 * NULL. Returns the program, owned by the compiler, or NULL with the error in c->d.
 */
struct program *link_program(struct compiler *c, const struct room *room,
			     const struct compile_dump *dump);

#endif
