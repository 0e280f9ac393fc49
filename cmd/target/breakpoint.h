/*
 * breakpoint.h - lets a new process run to its entry point or to main().
 */
#ifndef CMD_TARGET_BREAKPOINT_H
#define CMD_TARGET_BREAKPOINT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Lets the process @pid run to its entry point, or to main() if @to_main is set and the program has
 * a symbol of that name. If this address is not known, the process does not run.
 *
 * This process must trace @pid, which must have stopped at its first instruction. *@sig is a signal
 * that the process receives when it runs, or 0. On return, *@sig is a signal that the process has
 * not received yet, or 0.
 */
void breakpoint_run(pid_t pid, bool to_main, int *sig);

#endif
