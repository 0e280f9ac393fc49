/*
 * steady.h - expressions that have one value throughout a firing.
 */
#ifndef COMPILER_CODE_EVAL_STEADY_H
#define COMPILER_CODE_EVAL_STEADY_H

struct expr;
struct fire;

/*
 * Returns the same expression for all copies of a library's expression that has one value
 * throughout the firing. The caller memoizes the value by that expression. NULL: the value of @e
 * may change.
 */
const struct expr *steady_copy(struct fire *g, const struct expr *e);

#endif
