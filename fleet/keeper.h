/*
 * keeper.h - the process that watches one run on a host, also without the agent.
 *
 * A run has a folder:
 *	request   the message as it was signed      agg      the newest snapshot, by dtrace
 *	lock      locked while the keeper lives     out, err what dtrace prints
 *	stop      a request to end, with a reason   end      "STATUS\nREASON" when it has ended
 *	epoch     when it began, ns since 1970      sequence of the last report
 */
#ifndef FLEET_KEEPER_H
#define FLEET_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct keeper_opts {
	const char *self;        /* this program */
	const char *dir;         /* of the run */
	const char *lease;       /* a file: now_boot() when the server was last there */
	uint64_t lease_s;        /* seconds after which it ends without it */
	uint64_t until;          /* seconds since 1970 */
	uint64_t bytes;          /* that out, err and agg may have each */
	const char *const *argv; /* of dtrace */
};

/* Starts the keeper, a process of its own that outlives us.  -1: errno says why. */
pid_t keeper_start(const struct keeper_opts *o);

/* Locks folder @dir for as long as the result is open; -1: somebody has it. */
int folder_lock(const char *dir);

/* Is there one of the run in @dir? */
bool keeper_lives(const char *dir);

/* That process: "keep DIR LEASE SECONDS UNTIL BYTES dtrace ..." */
int keeper_main(int argc, char **argv);

#endif
