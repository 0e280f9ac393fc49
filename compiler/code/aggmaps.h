/*
 * aggmaps.h - the maps of keyed aggregations.
 */
#ifndef COMPILER_CODE_AGGMAPS_H
#define COMPILER_CODE_AGGMAPS_H

struct compiler;
struct init;
struct layout;
struct room;

/*
 * Creates the maps of all aggregations in @l->agg. The sizes of keys and values must be known. May
 * enlarge keys, so that aggregations can share maps.
 */
void agg_maps(struct compiler *c, struct layout *l, const struct room *room);

/*
 * Returns the generations of all aggregations at the start of the program, in the arena of @c.
 * Returns NULL if all are 0.
 */
const struct init *agg_first_generations(struct compiler *c, const struct layout *l);

#endif
