/*
 * aggemit.h - the compiler's half of the aggregating functions: their updates.
 *
 * Each emits the update in place of the value at vreg @slot + @off; see
 * agg_fn_def.emit in builtins/agg.h.
 */
#ifndef BUILTINS_AGGEMIT_H
#define BUILTINS_AGGEMIT_H

#include <stdbool.h>
#include <stdint.h>

struct agg_info;
struct irb;

#define AGG_EMIT(name) \
	void agg_emit_##name(struct irb *b, const struct agg_info *ai, int slot, int32_t off, \
			     int value, int incr, bool atomic)

AGG_EMIT(count);
AGG_EMIT(sum);
AGG_EMIT(min);
AGG_EMIT(max);
AGG_EMIT(avg);
AGG_EMIT(stddev);
AGG_EMIT(quantize);
AGG_EMIT(lquantize);
AGG_EMIT(llquantize);

#undef AGG_EMIT

#endif
