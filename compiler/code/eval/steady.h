/*
 * steady.h - expressions that have one value throughout a firing (one run of a probe's clauses).
 */
#ifndef COMPILER_CODE_EVAL_STEADY_H
#define COMPILER_CODE_EVAL_STEADY_H

struct expr;
struct fire;

/*
 * Returns one expression that represents all equal copies of @e, if @e is library text and has one
 * value throughout the firing. The caller can therefore memoize the value under the returned
 * expression. Returns NULL if the value of @e may change during the firing.
 */
const struct expr *steady_copy(struct fire *g, const struct expr *e);

#endif
