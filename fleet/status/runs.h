/* runs.h - dtrace-fleet runs: the runs of the last day. */
#ifndef FLEET_STATUS_RUNS_H
#define FLEET_STATUS_RUNS_H

#include <stdbool.h>

struct net;

/*
 * Prints the runs whose requests are still on the server, oldest first. Returns false on failure.
 */
bool runs_print(struct net *n);

#endif
