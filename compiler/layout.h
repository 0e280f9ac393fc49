/*
 * layout.h - where everything is kept at run time.
 */
#ifndef COMPILER_LAYOUT_H
#define COMPILER_LAYOUT_H

#include "compiler/irgen.h"

struct layout {
	VEC(struct map_def) map;
	struct agg_info *agg;
	uint32_t global_size, percpu_size;
	uint32_t zeros, zeros_off; /* zero bytes in the MAP_GLOBAL value: first value of a key */
};

/* Places variables and aggregations; string classes are final afterwards. */
void layout_make(struct compiler *c, struct layout *l, uint32_t max_keys);

/* Called when all units are generated: @scratch bytes of scratch in all. */
void layout_finish(struct layout *l, uint32_t scratch);

#endif
