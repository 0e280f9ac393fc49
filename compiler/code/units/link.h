/*
 * link.h - makes a program of the enabled clauses.
 */
#ifndef COMPILER_CODE_UNITS_LINK_H
#define COMPILER_CODE_UNITS_LINK_H

#include "compiler/compile.h"

struct room;

struct ir_target;

/*
 * Fills in @t, which says what generated code may use on this kernel. Called once, after the
 * libraries are loaded and before code is generated.
 */
void link_target(const struct compiler *c, struct ir_target *t);

/*
 * Generates the program of all enablings (clauses at their probes). @room limits the sizes of maps.
 * The listings are appended to the buffers in @dump, which may be NULL. Returns the program, which
 * the compiler owns, or NULL with the error in c->d.
 */
struct program *link_program(struct compiler *c, const struct room *room,
			     const struct compile_dump *dump);

#endif
