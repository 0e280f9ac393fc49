/*
 * launch.h - executes our own binary again, without our open files and memory.
 */
#ifndef SANDBOX_LAUNCH_H
#define SANDBOX_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * The descriptor that the new process receives. Descriptors 0, 1 and 2 of that process are
 * /dev/null.
 */
#define SPAWNER_FD 3

/*
 * Executes this process's binary in a new process, with the arguments @argv, an empty environment
 * and its own session. The new process has @fd as its descriptor SPAWNER_FD. Returns the process
 * number; the caller waits for the process. On failure, returns -1 and sets errno. Source:
 * execveat(2), close_range(2).
 */
pid_t launch_self(char *const *argv, int fd);

#endif
