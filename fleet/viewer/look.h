/* look.h - dtrace-fleet show NAME --from TIME: shows the history of a program that always runs. */
#ifndef FLEET_VIEWER_LOOK_H
#define FLEET_VIEWER_LOOK_H

#include <stdbool.h>
#include <stdint.h>

struct view_opts;

/*
 * Shows the history of program o->ask.id on the hosts that o->ask.hosts selects, from @from to @to
 * (ns since 1970). With o->interval_ms, shows each part of that length; with an option that
 * follow_asked() names, shows the sum since @from until the user ends it. Returns the exit status:
 * 0 only if every expected host has all of it.
 */
int look_main(const struct view_opts *o, uint64_t from, uint64_t to);

#endif
