/*
 * waiting.h - decides when a relay stops waiting for the answers of its hosts to a run.
 *
 * A viewer, or an upper relay, stops waiting for a relay that reports the end of the run. So a
 * relay that has stopped waiting for missing hosts must not begin again.
 */
#ifndef FLEET_WAITING_H
#define FLEET_WAITING_H

#include <stdbool.h>
#include <stdint.h>

#include "fleet/viewer/newest.h"

struct waiting {
	uint64_t until;   /* end of the run, in seconds since 1970 */
	uint64_t grace_s; /* as in struct relay_opts */
	/*
	 * When the wait for missing hosts began, ns since boot. The relay sets this when it knows
	 * the expected hosts. Unless @late is true, the first answer of each host begins the wait
	 * again.
	 */
	uint64_t heard;
	bool late; /* the wait for missing hosts has ended; never becomes false again */
	bool over; /* the relay does not wait for more answers */
};

/* Notes that the host @h has sent a report at the time @now, in ns since boot. */
void waiting_note(struct waiting *w, struct host_state *h, uint64_t now);

/*
 * Sets w->over at the time @now (ns since boot), which is @seconds since 1970. It is true if all
 * hosts have ended and sent their output, or the time to wait for them is over. @expected is true
 * if @hosts has all hosts that are expected to answer. A host that begins the run later makes
 * w->over false until this host has ended. Returns whether w->over has changed.
 */
bool waiting_update(struct waiting *w, const struct hosts *hosts, bool expected, uint64_t now,
		    uint64_t seconds);

#endif
