/*
 * fold.h - constants.
 */
#ifndef COMPILER_MEANING_TYPING_FOLD_H
#define COMPILER_MEANING_TYPING_FOLD_H

struct expr;

/*
 * Notes in @e, whose operands are typed, whether its value is known (is_const, value), and of which
 * object it is the address (object).
 */
void fold_note(struct expr *e);

/* The object of which pointer @e, typed, was written as the address; NULL: of none. */
const struct expr *fold_object(const struct expr *e);

#endif
