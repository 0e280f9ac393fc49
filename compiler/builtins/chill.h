/*
 * chill.h - functions for the row of chill() in actions.c.
 */
#ifndef COMPILER_BUILTINS_CHILL_H
#define COMPILER_BUILTINS_CHILL_H

struct compiler;
struct expr;
struct fire;

/*
 * The functions `check` and `act` of chill() in the table of actions. struct action_def describes
 * them.
 */
int chill_check(struct compiler *c, struct expr *call);
void chill_act(struct fire *g, const struct expr *call);

#endif
