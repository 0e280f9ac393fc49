/*
 * target.h - the processes of -c and -p (the targets).
 *
 * ptrace holds a target until the probes are live. dtrace then watches the target until it ends. If
 * dtrace itself ends, even by SIGKILL, the kernel kills the commands of -c and lets the processes
 * of -p run on.
 */
#ifndef CMD_TARGET_TARGET_H
#define CMD_TARGET_TARGET_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/vec.h"

struct diag;

/* Where a command of -c stops until the probes are live (-x evaltime). */
enum target_hold {
	HOLD_EXEC,  /* at its first instruction */
	HOLD_ENTRY, /* at its entry point, after the constructors of its libraries */
	HOLD_MAIN,  /* at main(), or at the entry point if it has no symbol main */
};

/* A thread that this process holds by ptrace. */
struct held {
	pid_t tid;
	/* Signal that stopped the thread, or 0. The thread receives the signal when it resumes. */
	int sig;
	bool stopped;
	/* SIGSTOP had already stopped the thread, for example because a D program called stop() */
	bool by_sigstop;
};

struct target {
	pid_t pid;
	int pidfd;
	bool ours; /* the process is a command that -c started */
	bool gone; /* the process has ended, and its end was reported */
	bool wake; /* send SIGCONT to the process as soon as none of its threads is held */
	enum target_hold at;
	VEC(struct held) held;
};

/* The targets of a run. If all members are zero, there are none. */
struct targets {
	VEC(struct target) v;
	int epoll; /* descriptor that is readable when a target has ended; valid if v.n > 0 */
};

/* Changes of the environment of a command: "NAME=value" sets a variable, "NAME" removes one. */
typedef VEC(const char *) env_changes;

/*
 * Starts the command line @cmd, which is split at white space, and stops the new process at @hold.
 * Returns 0, or -1 with the error in @d.
 */
int targets_start(struct targets *t, const char *cmd, enum target_hold hold, const env_changes *env,
		  struct diag *d);

/*
 * Stops the process whose number is the decimal text @pid. Returns 0, or -1 with the error in @d.
 */
int targets_grab(struct targets *t, const char *pid, struct diag *d);

/*
 * Returns the number of the first process, which is the value of $target. Returns -1 if there are
 * no processes.
 */
pid_t targets_first(const struct targets *t);

/*
 * If the process @pid is a command that is held at its first instruction, lets it run to its entry
 * point.
 */
void targets_settle(struct targets *t, pid_t pid);

/*
 * Lets all processes run. Call this function when the probes are live. A process that SIGSTOP had
 * stopped before receives SIGCONT if @wake is set; otherwise the process stays stopped.
 */
void targets_resume(struct targets *t, bool wake);

/*
 * Returns true if there are processes and all have ended. If @to is not NULL, reports the processes
 * that have ended since the last call, and how each of them ended.
 */
bool targets_ended(struct targets *t, FILE *to);

/* Kills the commands of -c, lets the processes of -p run, and frees all memory of @t. */
void targets_release(struct targets *t);

#endif
