/*
 * cases.h - dtrace --test: runs scripts and compares their output with files.
 */
#ifndef CMD_CASES_H
#define CMD_CASES_H

#include <stdio.h>

/*
 * Runs each test case in the file or folder @path with this command, and prints the failures to
 * @to. A case is a script NAME.d or a file NAME.args. The first line of a script may be a comment
 * with more arguments, "args: ...". The first line of a file NAME.args contains all the arguments.
 * More files of the case are in the same folder:
 *
 * 	NAME.pcap    a capture, which the case replays
 * 	NAME.out     the expected stdout; without this file, stdout must be empty
 * 	NAME.err     the expected stderr; without this file, stderr must be empty
 * 	NAME.status  the expected exit status; without this file, the status must be 0
 *
 * A case needs at least one of the last three files. All IDs of probes compare equal, and so do
 * all code offsets of faults, because these numbers change with every build. Returns the exit
 * status: 0 if there are cases and all pass, else EXIT_FATAL.
 */
int cases_run(const char *path, FILE *to);

#endif
