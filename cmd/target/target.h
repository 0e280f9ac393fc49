/*
 * target.h - the processes of -c and -p.
 *
 * Each is held from the moment it is named until the probes are live, and watched
 * until it ends.  What -c started ends with us, however we end; what -p named is let
 * go, SIGKILL of us included: the kernel does both.
 */
#ifndef CMD_TARGET_TARGET_H
#define CMD_TARGET_TARGET_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/vec.h"

struct diag;

/* How far a command gets before it is held: -x evaltime. */
enum target_hold {
	HOLD_EXEC,  /* to its first instruction */
	HOLD_ENTRY, /* to its entry point: the libraries are there, their constructors have run */
	HOLD_MAIN,  /* to main(); to the entry point if it has no symbol of that name */
};

/* One thread that we hold. */
struct held {
	pid_t tid;
	int sig; /* that came when it was to stop: it gets it when it goes on; 0: none */
	bool stopped;
	/* as all of its process did, by SIGSTOP: stop() of a program may have sent it */
	bool stood;
};

struct target {
	pid_t pid;
	int pidfd;
	bool ours; /* -c */
	bool gone;
	/*
	 * a thread of it stood: it is sent SIGCONT when all have been let go and the probes are
	 * live
	 */
	bool stands;
	enum target_hold at; /* where it is held */
	VEC(struct held) held;
};

/* All zero: none. */
struct targets {
	VEC(struct target) v;
	int epoll; /* readable when one has ended; valid if v.n */
};

/* What a command of -c finds in its environment: "NAME=value", or "NAME" to take it out. */
typedef VEC(const char *) env_changes;

/*
 * Starts @cmd, which is split at white space alone, and holds it at @hold.  0, or -1
 * with the error in @d.
 */
int targets_start(struct targets *t, const char *cmd, enum target_hold hold, const env_changes *env,
		  struct diag *d);

/* Holds process @pid, decimal text.  0, or -1 with the error in @d. */
int targets_grab(struct targets *t, const char *pid, struct diag *d);

/* The first one's, $target; -1: there is none. */
pid_t targets_first(const struct targets *t);

/* Process @pid, if it is a command that is held where it begins, goes on to its entry point. */
void targets_settle(struct targets *t, pid_t pid);

/*
 * The probes are live: all go on; what SIGSTOP (stop(), say) had stopped before if @wake says so,
 * else it stands on.
 */
void targets_go(struct targets *t, bool wake);

/*
 * Have all ended?  Tells @to, if it is not NULL, how each did that has ended since the
 * last call.
 */
bool targets_over(struct targets *t, FILE *to);

/* Lets go of what still runs; ends what -c started. */
void targets_release(struct targets *t);

#endif
