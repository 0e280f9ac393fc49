/*
 * spawn.c - runs commands.
 */
#include "base/spawn.h"

#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <unistd.h>

extern char **environ;

static void set_descriptors(posix_spawn_file_actions_t *fa, int in, int out)
{
	if (in >= 0)
		posix_spawn_file_actions_adddup2(fa, in, STDIN_FILENO);
	if (out >= 0)
		posix_spawn_file_actions_adddup2(fa, out, STDOUT_FILENO);
}

static void set_attributes(posix_spawnattr_t *attr, unsigned flags)
{
	sigset_t defaults;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_setsigdefault(attr, &defaults);
	posix_spawnattr_setflags(attr, (short)(POSIX_SPAWN_SETSIGDEF |
					       (flags & SPAWN_GROUP ? POSIX_SPAWN_SETPGROUP : 0)));
}

int spawn_command(pid_t *pid, const char *file, const char *const *argv, int in, int out,
		  unsigned flags)
{
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t attr;
	int err;

	posix_spawn_file_actions_init(&fa);
	posix_spawnattr_init(&attr);
	set_descriptors(&fa, in, out);
	set_attributes(&attr, flags);
	err = posix_spawnp(pid, file, &fa, &attr, (char *const *)(uintptr_t)argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&fa);
	return err;
}
