/*
 * spawn.h - runs commands.
 */
#ifndef BASE_SPAWN_H
#define BASE_SPAWN_H

#include <sys/types.h>

enum spawn_flag {
	SPAWN_GROUP = 1, /* own process group, so that Ctrl-C does not end it */
};

/*
 * Starts the command @file, searched for in PATH, with the arguments @argv (NULL at the end).
 * Standard input is @in and standard output is @out; -1 means our own. SIGPIPE ends the command,
 * although we ignore it. Sets @pid, which the caller waits for. Returns 0 or a positive errno.
 */
int spawn_command(pid_t *pid, const char *file, const char *const *argv, int in, int out,
		  unsigned flags);

#endif
