/*
 * carry.h - state passed between the programs of one firing (one run of a probe's clauses), when
 * its clauses do not fit in one program. The clauses are then split over several programs, the
 * parts of the unit. A unit is the eBPF program of one hook.
 */
#ifndef COMPILER_CODE_UNITS_CARRY_H
#define COMPILER_CODE_UNITS_CARRY_H

#include <stdbool.h>

struct compiler;
struct fire;
struct hook;
struct layout;

/*
 * Returns the index in program.map of the map that holds the state of firings at hook @h. All parts
 * of the hook's unit share this map. Returns 0 if no firing at @h has state to pass on.
 */
int carry_map(struct compiler *c, struct layout *l, const struct hook *h);

/*
 * Returns whether firings at @h have state to pass on, or must pass on that exit() was not called.
 * Answers for hidden clauses (clauses of library texts) if @hidden, else for the user's clauses.
 * The two kinds share no variables.
 */
bool carry_wanted(const struct compiler *c, const struct hook *h, bool hidden);

/*
 * Stores the firing's this-> variables and its state of strtok() in @map, for the program that
 * continues the firing.
 */
void carry_put(struct fire *g, int map);

/*
 * Restores the this-> variables and the state of strtok() that the previous part of the firing
 * stored in @map. Every part but the first calls this instead of this_init(). Jumps to @skip if
 * @map has no entry for this firing, because the firing did not begin or has already ended.
 */
void carry_take(struct fire *g, int map, int skip);

#endif
