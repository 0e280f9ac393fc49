/*
 * spec.h - speculations, as the program sees them.
 */
#ifndef BUILTINS_SPEC_H
#define BUILTINS_SPEC_H

#include <stdint.h>

struct expr;
struct fire;

/*
 * speculation(): takes a free speculation; returns the register with its number, 0 if none is free.
 */
int emit_speculation(struct fire *g, struct expr **arg, uint32_t narg);

/* speculate(id): what the clause records is the speculation's; if that is not in use, it ends. */
void act_speculate(struct fire *g, const struct expr *call);

/* commit(id), discard(id): tells the consumer, and frees it.  Nothing if it is not in use. */
void act_commit(struct fire *g, const struct expr *call);
void act_discard(struct fire *g, const struct expr *call);

#endif
