/*
 * target.h - the processes of -c and -p, which a run is about.
 *
 * A target is held by ptrace until the probes are live, and watched until it ends.  If this process
 * ends, even by SIGKILL, the kernel kills the commands of -c and lets the processes of -p run on.
 */
#ifndef CMD_TARGET_TARGET_H
#define CMD_TARGET_TARGET_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/vec.h"

struct diag;

/* How far a command of -c runs before it is held: -x evaltime. */
enum target_hold {
	HOLD_EXEC,  /* to its first instruction */
	HOLD_ENTRY, /* to its entry point, after the constructors of its libraries */
	HOLD_MAIN,  /* to main(), or to the entry point if it has no symbol of that name */
};

/* A thread that this process traces. */
struct held {
	pid_t tid;
	int sig; /* signal that stopped the thread, which gets it on resuming; 0: none */
	bool stopped;
	bool by_sigstop; /* it was stopped by SIGSTOP already, perhaps by a program's stop() */
};

struct target {
	pid_t pid;
	int pidfd;
	bool ours; /* started by -c */
	bool gone; /* it has ended, and that was reported */
	bool wake; /* send it SIGCONT when no thread is held any more */
	enum target_hold at;
	VEC(struct held) held;
};

/* All zero: no processes. */
struct targets {
	VEC(struct target) v;
	int epoll; /* readable when one of them has ended; valid if v.n > 0 */
};

/* Changes to the environment of a command: "NAME=value" sets, "NAME" removes. */
typedef VEC(const char *) env_changes;

/*
 * Starts the command line @cmd, which is split at white space, and holds the process at @hold.
 * Returns 0, or -1 with the error in @d.
 */
int targets_start(struct targets *t, const char *cmd, enum target_hold hold, const env_changes *env,
		  struct diag *d);

/* Holds the process with the decimal number @pid.  Returns 0, or -1 with the error in @d. */
int targets_grab(struct targets *t, const char *pid, struct diag *d);

/* Returns the number of the first process, which is $target. -1: there is none. */
pid_t targets_first(const struct targets *t);

/* Lets process @pid run to its entry point, if it is a command held at its first instruction. */
void targets_settle(struct targets *t, pid_t pid);

/*
 * Lets all processes run: call it when the probes are live.  A process that SIGSTOP had stopped
 * before is sent SIGCONT if @wake is set, else it stays stopped.
 */
void targets_resume(struct targets *t, bool wake);

/*
 * Returns whether there are processes and all have ended. If @to is not NULL, prints how each
 * target ended that ended since the last call.
 */
bool targets_ended(struct targets *t, FILE *to);

/* Kills the commands of -c, lets the processes of -p run, and frees all. */
void targets_release(struct targets *t);

#endif
