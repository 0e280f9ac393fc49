/*
 * breakpoint.h - lets a new process run to its entry point or to main().
 */
#ifndef CMD_TARGET_BREAKPOINT_H
#define CMD_TARGET_BREAKPOINT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * @pid is ours to ptrace and has stopped at its first instruction: it runs to its entry
 * point or, with @to_main, to main() if its symbols tell where that is.  It stays where
 * it is if it cannot be found out where to go.  @sig: a signal that came meanwhile and
 * that it has not got yet; 0: none.
 */
void breakpoint_run(pid_t pid, bool to_main, int *sig);

#endif
