/*
 * cases.h - dtrace --test: scripts against captures, with what must come out.
 */
#ifndef CMD_CASES_H
#define CMD_CASES_H

#include <stdio.h>

/*
 * Runs every case at or below @path with this command, and tells of those that give something else.
 * A case is NAME.d, whose first line may be a comment "args: ...", or NAME.args with all the
 * arguments; beside it NAME.pcap, to be replayed, and NAME.out, NAME.err and NAME.status: what must
 * come out; a file that is not there stands for nothing, or 0.  IDs of probes, and where in its
 * code a fault was, are N on both sides.  Returns the exit status: 0 if there are cases and all
 * are right, else 1.
 */
int cases_run(const char *path, FILE *to);

#endif
