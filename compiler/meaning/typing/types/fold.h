/*
 * fold.h - computes the values of constant expressions.
 */
#ifndef COMPILER_MEANING_TYPING_TYPES_FOLD_H
#define COMPILER_MEANING_TYPING_TYPES_FOLD_H

struct expr;

/*
 * Records the value of @e in is_const and value, if the value is known. If @e is the address of an
 * object, records the object in e->object. The operands of @e have been type-checked.
 */
void fold_note(struct expr *e);

/*
 * If pointer @e is written as the address of an object (&x, or the name of an array), returns the
 * object, else NULL. @e is type-checked already.
 */
const struct expr *fold_object(const struct expr *e);

#endif
