/*
 * carry.h - state passed between the programs of one firing, when its clauses do not fit in one
 * program.
 */
#ifndef COMPILER_CODE_UNITS_CARRY_H
#define COMPILER_CODE_UNITS_CARRY_H

#include <stdbool.h>

struct compiler;
struct fire;
struct hook;
struct layout;

/*
 * Returns the map for the state of firings, which all parts of hook @h share: an index in
 * program.map, or 0 if no firing has state.
 */
int carry_map(struct compiler *c, struct layout *l, const struct hook *h);

/*
 * Returns whether firings at @h have state to pass on. @hidden: the state of hidden clauses, which
 * have variables of their own.
 */
bool carry_wanted(const struct compiler *c, const struct hook *h, bool hidden);

/* Stores the firing's this-> variables in @map, for the next part. */
void carry_put(struct fire *g, int map);

/*
 * Restores the this-> variables that the previous part stored in @map. Replaces this_init() in
 * later parts. Jumps to @skip if @map has none, because the firing did not begin or has ended.
 */
void carry_take(struct fire *g, int map, int skip);

#endif
