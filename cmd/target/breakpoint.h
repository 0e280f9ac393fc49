/*
 * breakpoint.h - lets a new process run to its entry point or to main().
 */
#ifndef CMD_TARGET_BREAKPOINT_H
#define CMD_TARGET_BREAKPOINT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Lets process @pid, which this process traces and which has stopped at its first instruction, run
 * to its entry point.  With @to_main it runs to main() if the program has a symbol of that name. If
 * the address is not known, the process stays where it is.  *@sig is set to a signal that the
 * process was sent meanwhile and has not received yet; 0: none.
 */
void breakpoint_run(pid_t pid, bool to_main, int *sig);

#endif
