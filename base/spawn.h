/*
 * spawn.h - commands that are run for what is shown.
 */
#ifndef CONSUMER_SPAWN_H
#define CONSUMER_SPAWN_H

#include <spawn.h>
#include <sys/types.h>

/*
 * Starts @file, looked for in PATH, with its descriptors as @fa says (NULL: ours); @flags: POSIX_SPAWN_*.
 * A pipe that nobody reads, of which we want to hear, ends it as it does others.  0 with its number in
 * @pid, or a positive errno.
 */
int spawn_command(pid_t *pid, const char *file, const char *const *argv, const posix_spawn_file_actions_t *fa,
		  short flags);

#endif
