/*
 * aggmaps.h - the maps of keyed aggregations.
 */
#ifndef COMPILER_CODE_AGGMAPS_H
#define COMPILER_CODE_AGGMAPS_H

struct compiler;
struct layout;
struct room;

/* Creates the maps of all aggregations in @l->agg. The sizes of keys and values must be known. */
void agg_maps(struct compiler *c, struct layout *l, const struct room *room);

#endif
