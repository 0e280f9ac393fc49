/*
 * settle.h - types that are not known yet.
 */
#ifndef COMPILER_MEANING_TYPING_SETTLE_H
#define COMPILER_MEANING_TYPING_SETTLE_H

struct compiler;
struct type;

/*
 * A variable or key of type *@t is used as a value of type @is: an unknown type becomes @is.  A
 * clause that runs leaves no type unknown: there it becomes a number.
 */
void settle_type(struct compiler *c, struct type **t, struct type *is);

/*
 * Call it when all clauses are typed: variables and keys that only clauses of absent probes use
 * become numbers, which stay 0.
 */
void sema_settle(struct compiler *c);

#endif
