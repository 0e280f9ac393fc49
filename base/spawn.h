/*
 * spawn.h - commands that are run.
 */
#ifndef BASE_SPAWN_H
#define BASE_SPAWN_H

#include <sys/types.h>

enum spawn_flag {
	SPAWN_GROUP = 1,     /* in a process group of its own: Ctrl-C is not for it */
	SPAWN_NO_STDERR = 2, /* what it says on standard error nobody hears */
};

/*
 * Starts @file, looked for in PATH, with standard input from @in and output to @out (-1: ours).  A
 * pipe that nobody reads, of which we want to hear, ends it as it does others.  0 with its number
 * in @pid, or a positive errno.
 */
int spawn_command(pid_t *pid, const char *file, const char *const *argv, int in, int out,
		  unsigned flags);

#endif
