/*
 * launch.h - runs our own binary again, without what this process has open or in memory.
 */
#ifndef SANDBOX_LAUNCH_H
#define SANDBOX_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

/* The only descriptor that the new process gets, besides /dev/null as 0, 1 and 2. */
#define SPAWNER_FD 3

/*
 * Executes this process's binary with @argv, an empty environment and the descriptor @fd as
 * SPAWNER_FD, in a session of its own.  Returns its number, or -1 with errno set.  The caller
 * waits for it.  See execveat(2) and close_range(2).
 */
pid_t launch_self(char *const *argv, int fd);

#endif
