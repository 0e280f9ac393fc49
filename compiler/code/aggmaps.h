/*
 * aggmaps.h - which maps the values of keyed aggregations live in.
 */
#ifndef COMPILER_AGGMAPS_H
#define COMPILER_AGGMAPS_H

struct compiler;
struct init;
struct layout;
struct room;

/* Makes them for all of @l->agg, whose sizes are known; keys may become longer there. */
void agg_maps(struct compiler *c, struct layout *l, const struct room *room);

/* The generations when the program starts; NULL: all are 0. In the arena of @c. */
const struct init *agg_first_generations(struct compiler *c, const struct layout *l);

#endif
