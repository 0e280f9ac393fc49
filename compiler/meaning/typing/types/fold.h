/*
 * fold.h - constants.
 */
#ifndef COMPILER_MEANING_TYPING_TYPES_FOLD_H
#define COMPILER_MEANING_TYPING_TYPES_FOLD_H

struct expr;

/*
 * Records in @e, whose operands are typed, whether its value is known (is_const, value), and which
 * object it is the address of (object).
 */
void fold_note(struct expr *e);

/* Returns the object that typed pointer @e was written as the address of, or NULL. */
const struct expr *fold_object(const struct expr *e);

#endif
