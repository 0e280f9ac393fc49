/* spec.h - the code of speculation(), speculate(), commit() and discard(). */
#ifndef COMPILER_BUILTINS_SPEC_H
#define COMPILER_BUILTINS_SPEC_H

#include <stdint.h>

struct expr;
struct fire;

/*
 * Emits the code of speculation(), which takes a free speculation. Returns a register with the
 * number of that speculation, or with 0 if no speculation is free.
 */
int emit_speculation(struct fire *g, struct expr **arg, uint32_t narg);

/*
 * Emits the code of speculate(id), which makes the clause's record part of the speculation. If the
 * speculation is not in use, the program leaves the clause.
 */
void act_speculate(struct fire *g, const struct expr *call);

/*
 * Emit the code of commit(id) and discard(id): they send the record that ends the speculation, and
 * free its number. They do nothing if the speculation is not in use.
 */
void act_commit(struct fire *g, const struct expr *call);
void act_discard(struct fire *g, const struct expr *call);

#endif
