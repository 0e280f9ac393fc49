/*
 * cases.h - dtrace --test: runs scripts and compares their output with files.
 */
#ifndef CMD_CASES_H
#define CMD_CASES_H

#include <stdio.h>

/*
 * Runs each case in the file or folder @path with this command, and prints the failures to @to.  A
 * case is a script NAME.d, whose first line may be a comment with more arguments, "args: ...", or a
 * file NAME.args with all the arguments.  Beside it are:
 *
 *	NAME.pcap    a capture, which the case replays
 *	NAME.out     the expected stdout; without the file: none
 *	NAME.err     the expected stderr; without the file: none
 *	NAME.status  the expected exit status; without the file: 0
 *
 * A case with none of the last three files fails.  IDs of probes and code offsets of faults compare
 * equal, as they change with every build.  Returns the exit status: 0 if there are cases and all
 * pass, else EXIT_FATAL.
 */
int cases_run(const char *path, FILE *to);

#endif
