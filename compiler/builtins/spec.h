/*
 * spec.h - speculations, in programs.
 */
#ifndef COMPILER_BUILTINS_SPEC_H
#define COMPILER_BUILTINS_SPEC_H

#include <stdint.h>

struct expr;
struct fire;

/* speculation(): takes a free speculation. Returns a register with its number, or 0. */
int emit_speculation(struct fire *g, struct expr **arg, uint32_t narg);

/*
 * speculate(id): moves the clause's record to the speculation. Leaves the clause if the speculation
 * is not in use.
 */
void act_speculate(struct fire *g, const struct expr *call);

/*
 * commit(id), discard(id): send the record that ends the speculation, and free its number. They do
 * nothing if the speculation is not in use.
 */
void act_commit(struct fire *g, const struct expr *call);
void act_discard(struct fire *g, const struct expr *call);

#endif
