/*
 * spawn.c - see spawn.h.
 */
#include "consumer/spawn.h"

#include <signal.h>
#include <stdint.h>

extern char **environ;

int spawn_command(pid_t *pid, const char *file, const char *const *argv, const posix_spawn_file_actions_t *fa,
		  short flags)
{
	posix_spawnattr_t attr;
	sigset_t usual;
	int err;

	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setflags(&attr, (short)(flags | POSIX_SPAWN_SETSIGDEF));
	err = posix_spawnp(pid, file, fa, &attr, (char *const *)(uintptr_t)argv, environ);
	posix_spawnattr_destroy(&attr);
	return err;
}
