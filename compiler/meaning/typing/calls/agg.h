/*
 * agg.h - type-checks aggregations.
 */
#ifndef COMPILER_MEANING_TYPING_CALLS_AGG_H
#define COMPILER_MEANING_TYPING_CALLS_AGG_H

struct compiler;
struct expr;

/*
 * Type-checks statement @e, "@name[keys] = function(args)". Returns 0, or -1 with the error
 * recorded.
 */
int sema_agg(struct compiler *c, struct expr *e);

#endif
