/*
 * settle.h - unknown types.
 */
#ifndef COMPILER_MEANING_TYPING_TYPES_SETTLE_H
#define COMPILER_MEANING_TYPING_TYPES_SETTLE_H

struct compiler;
struct type;

/*
 * A variable or key of type *@t is used as a value of type @is: sets an unknown type to @is. If @is
 * is unknown too and the clause runs, the type becomes a number.
 */
void settle_type(struct compiler *c, struct type **t, struct type *is);

/*
 * Turns all variables and keys of unknown type into numbers. Only clauses of absent probes use
 * them, so they stay 0. Call it when all clauses are typed.
 */
void sema_settle(struct compiler *c);

#endif
