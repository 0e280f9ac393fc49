/*
 * chill.h - the action chill(): the row of actions.c is made of these.
 */
#ifndef BUILTINS_CHILL_H
#define BUILTINS_CHILL_H

struct compiler;
struct expr;
struct fire;

/* struct action_def: check and act. */
int chill_check(struct compiler *c, struct expr *call);
void chill_act(struct fire *g, const struct expr *call);

#endif
