/*
 * chill.h - the action chill(): the row of actions.c is made of these.
 */
#ifndef BUILTINS_CHILL_H
#define BUILTINS_CHILL_H

#include "compiler/code/irgen.h"

/* struct action_def: check and act. */
int chill_check(struct compiler *c, struct expr *call);
void chill_act(struct fire *g, const struct expr *call);

#endif
