/*
 * carry.h - what a firing takes along when its clauses go over several programs.
 */
#ifndef COMPILER_CARRY_H
#define COMPILER_CARRY_H

#include <stdbool.h>

struct compiler;
struct fire;
struct hook;
struct layout;

/*
 * The map for it, which all parts of a hook share: an index into program.map, 0 if nothing need
 * be taken along by any firing.
 */
int carry_map(struct compiler *c, struct layout *l, const struct hook *h);

/* Need this one's?  @hidden: of hidden clauses, which have variables of their own. */
bool carry_wanted(const struct compiler *c, const struct hook *h, bool hidden);

/* The firing goes on in the next part: leaves its this-> variables there. */
void carry_put(struct fire *g, int map);

/*
 * In place of this_init(): the variables as the part before left them.  It has left none if
 * the firing has not been, or has ended: to @skip.
 */
void carry_take(struct fire *g, int map, int skip);

#endif
