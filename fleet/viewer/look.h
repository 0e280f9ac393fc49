/* look.h - dtrace-fleet show NAME --from TIME: shows the history of a program that always runs. */
#ifndef FLEET_VIEWER_LOOK_H
#define FLEET_VIEWER_LOOK_H

#include <stdbool.h>
#include <stdint.h>

struct view_opts;

/*
 * Shows the history of program o->ask.id on the hosts that o->ask.hosts selects, from @from to @to,
 * in ns since 1970. If o->interval_ms is set, shows one sum for each period of that length. If
 * follow_asked() is true for an option, ignores @to, and shows the growing sum since @from until
 * the user ends the command. Returns the exit status, which is 0 only if nothing is missing from
 * any expected host.
 */
int look_main(const struct view_opts *o, uint64_t from, uint64_t to);

#endif
