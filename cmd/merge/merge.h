/*
 * merge.h - the tasks --merge and --diff.
 */
#ifndef CMD_MERGE_MERGE_H
#define CMD_MERGE_MERGE_H

struct diag;
struct outputs;
struct arguments;

/*
 * Implements --merge: shows the sum of the aggregations of the files that the operands name, as if
 * they came from one run. Nothing is traced. Returns the exit status.
 */
int merge_files(struct arguments *args, struct outputs *out, struct diag *d);

/* Implements --diff: shows the differences between two files. Returns the exit status. */
int diff_files(struct arguments *args, struct diag *d);

#endif
