/*
 * keeper.h - the process that watches one run on a host, even without the agent.
 *
 * A run has a folder:
 *	request   the signed message                agg      the newest snapshot, by dtrace
 *	lock      locked while the keeper runs      out, err output of dtrace
 *	stop      "KIND REASON": a request to end   end      "KIND REASON" when it has ended
 *	epoch     when it began, ns since 1970      sequence  number of the last report
 *	probes    probes that dtrace may enable     sent      bytes of output that the server has
 *
 * KIND is a name of enum end (newest.h).
 */
#ifndef FLEET_HOST_KEEPER_H
#define FLEET_HOST_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct keeper_opts {
	const char *self;        /* path of this program */
	const char *dir;         /* the run's folder */
	const char *lease;       /* file with now_boot() of the last contact with the server */
	uint64_t lease_s;        /* seconds without such contact, after which the run ends */
	uint64_t until;          /* end of the run, in seconds since 1970 */
	uint64_t bytes;          /* maximum size of each of out, err and agg */
	const char *const *argv; /* command line of dtrace */
};

/*
 * Starts the keeper, which outlives this process. Returns its process ID, or -1 with the error in
 * errno.
 */
pid_t keeper_start(const struct keeper_opts *o);

/* Locks folder @dir until the returned descriptor is closed. Returns -1 if it is locked already. */
int folder_lock(const char *dir);

/* Returns whether the run in @dir has a keeper. */
bool keeper_lives(const char *dir);

/* The main program of the keeper: "keep DIR LEASE SECONDS UNTIL BYTES dtrace ..." */
int keeper_main(int argc, char **argv);

#endif
