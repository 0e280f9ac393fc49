/*
 * command.h - runs a command that parses input from others, without our rights.
 */
#ifndef SANDBOX_COMMAND_H
#define SANDBOX_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Starts the command @argv (NULL at the end), which is searched for in PATH, with standard input
 * @in and standard output @out. The command's messages go to /dev/null. The command has its own
 * session, and confine_command() limits its rights. If @limited is set, its memory and CPU time are
 * limited, too. If root starts the command, the command gets
 * few of the variables of our environment. The caller closes @in and @out, and waits for *@pid.
 *
 * Returns 0 or a positive errno. After an error, no process is left to wait for. EPERM means that a
 * right could not be given up.
 */
int command_start(pid_t *pid, const char *const *argv, int in, int out, bool limited);

/* Implements -x confine=off: a command runs even if a right could not be given up. */
void commands_allow_unconfined(void);

#endif
