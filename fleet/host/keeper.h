/*
 * keeper.h - the keeper: a process that runs dtrace for one run on a host, and watches it. The
 * keeper outlives the agent.
 *
 * Each run has a folder with these files:
 *
 *	request    the signed request
 *	probes     list of the probes that dtrace may enable
 *	epoch      time when the run began, ns since 1970
 *	group      directories of the run's control group (group.h), if it has one
 *	lock       is locked while the keeper runs
 *	agg        the newest snapshot, which dtrace writes
 *	out, err   standard output and standard error of dtrace
 *	stop       "KIND REASON", which the agent writes to end the run
 *	cost       CPU time of the probes, ns, which the keeper writes when the run has ended
 *	end        "KIND REASON", which the keeper writes when the run has ended
 *	sequence   number of the last report
 *	sent       number of bytes of output that the server has
 *
 * KIND is a name that end_name() returns (newest.h).
 */
#ifndef FLEET_HOST_KEEPER_H
#define FLEET_HOST_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* If the probes of a run used too much CPU time, the REASON in "end" begins with this text. */
#define STOPPED "stopped: "

struct keeper_opts {
	const char *self; /* path of this program */
	const char *dir;  /* the run's folder */
	/* file with the time of the last contact with the server, ns since boot */
	const char *lease;
	/* The run ends if there was no contact with the server for this many seconds. */
	uint64_t lease_s;
	uint64_t until;  /* end of the run, in seconds since 1970 */
	uint64_t bytes;  /* maximum size of each of out, err and agg */
	uint64_t memory; /* maximum bytes of the memory of dtrace */
	uint64_t files;  /* maximum number of open files of dtrace */
	uint64_t cost;   /* maximum CPU time of the probes (cost.h), percent; 0 for a replay */
	const char *const *argv; /* command line of dtrace */
	int input;               /* standard input of dtrace; -1 for an empty one */
};

/*
 * dtrace opens the capture, which is its standard input, under this name. Each open begins at the
 * start of the file.
 */
#define KEEPER_INPUT "/proc/self/fd/0"

/*
 * Starts the keeper, which outlives this process. Returns its process ID, or -1 with the error in
 * errno.
 */
pid_t keeper_start(const struct keeper_opts *o);

/* Locks folder @dir until the returned descriptor is closed. Returns -1 if it is locked already. */
int folder_lock(const char *dir);

/* Returns whether the run in @dir has a keeper. */
bool keeper_lives(const char *dir);

/*
 * Ends the processes in the control group of the run in @dir, and removes the group, if the run has
 * one.
 */
void keeper_remove_group(const char *dir);

/*
 * The main program of the keeper. Its command line is "dtrace-fleet keep DIR LEASE SECONDS UNTIL
 * BYTES MEMORY FILES COST dtrace ...", with the members of struct keeper_opts in this order.
 */
int keeper_main(int argc, char **argv);

#endif
