/*
 * kind.h - the function and parameters of an aggregation. This header is separate from agg.h, so
 * that a new function changes only the files that know the functions.
 */
#ifndef AGG_KIND_H
#define AGG_KIND_H

#include <stdint.h>

#define AGG_PARAMS 4 /* maximum number of constant parameters of a function */

/* The function and parameters of an aggregation, common to all its values. */
struct agg_kind {
	uint32_t fn; /* enum agg_fn of agg.h */
	/*
	 * The constant parameters in the order of the call. lquantize() has base, limit and step;
	 * llquantize() has factor, low, high and nsteps; other functions have none.
	 */
	int64_t param[AGG_PARAMS];
	uint32_t value_size; /* size of one value in bytes, a multiple of 8 */
};

#endif
