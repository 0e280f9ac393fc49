/*
 * fold.h - constants.
 */
#ifndef COMPILER_MEANING_TYPING_TYPES_FOLD_H
#define COMPILER_MEANING_TYPING_TYPES_FOLD_H

struct expr;

/*
 * Records in @e, whose operands are typed, the value if it is known (is_const, value), and the
 * object whose address @e is (object).
 */
void fold_note(struct expr *e);

/* Returns the object if typed pointer @e is written as its address (&x, or an array), else NULL. */
const struct expr *fold_object(const struct expr *e);

#endif
