/*
 * command.h - runs a command that parses input from others, without our rights.
 */
#ifndef SANDBOX_COMMAND_H
#define SANDBOX_COMMAND_H

#include <sys/types.h>

/*
 * Starts the command @argv (NULL at the end), searched for in PATH, with standard input @in and
 * standard output @out. Its messages go to /dev/null. The command has its own session,
 * confine_command() limits its rights, and a command that root starts gets few of the variables of
 * our environment. The caller closes @in and @out, and waits for *@pid. Returns 0, or, with no
 * process left, a positive errno; EPERM if a right could not be given up.
 */
int command_start(pid_t *pid, const char *const *argv, int in, int out);

/* Implements -x confine=off: commands run although a right could not be given up. */
void commands_allow_unconfined(void);

#endif
