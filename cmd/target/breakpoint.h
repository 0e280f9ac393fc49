/*
 * breakpoint.h - lets a new process run to its entry point or to main().
 */
#ifndef CMD_TARGET_BREAKPOINT_H
#define CMD_TARGET_BREAKPOINT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Lets the process @pid run to its entry point, or to main() if @to_main is set and the program has
 * a symbol of that name. This process must trace @pid, and @pid must have stopped at its first
 * instruction. If the address to run to is not known, the process does not run. *@sig is a signal
 * for the process, or 0. The process receives it when it runs. Afterwards, *@sig is a signal that
 * the process has not received yet, or 0.
 */
void breakpoint_run(pid_t pid, bool to_main, int *sig);

#endif
