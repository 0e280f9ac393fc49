/*
 * settle.h - sets types that are still unknown.
 */
#ifndef COMPILER_MEANING_TYPING_TYPES_SETTLE_H
#define COMPILER_MEANING_TYPING_TYPES_SETTLE_H

struct compiler;
struct type;

/*
 * Called when a variable or key of type *@t is used as a value of type @is. If *@t is unknown, sets
 * it to @is. If @is is unknown too, *@t becomes the type of a number, unless the clause's probes do
 * not exist on this system.
 */
void settle_type(struct compiler *c, struct type **t, struct type *is);

/*
 * Turns all variables and keys of unknown type into numbers. Only clauses whose probes do not exist
 * here use these variables and keys, so they stay 0. Called when all clauses have been
 * type-checked.
 */
void sema_settle(struct compiler *c);

#endif
