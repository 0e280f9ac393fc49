/*
 * spawn.h - runs commands.
 */
#ifndef BASE_SPAWN_H
#define BASE_SPAWN_H

#include <sys/types.h>

enum spawn_flag {
	/* the command gets its own process group, so that Ctrl-C does not end it */
	SPAWN_GROUP = 1,
};

/*
 * Starts the command @file, which is searched for in PATH, with the arguments @argv (NULL at the
 * end). Its standard input is @in and its standard output is @out; -1 means the same file as ours.
 * SIGPIPE ends the command, although this process ignores it. Sets @pid, which the caller waits
 * for. Returns 0 or a positive errno.
 */
int spawn_command(pid_t *pid, const char *file, const char *const *argv, int in, int out,
		  unsigned flags);

#endif
