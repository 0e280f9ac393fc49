/*
 * merge.h - the tasks --merge and --diff.
 */
#ifndef CMD_MERGE_MERGE_H
#define CMD_MERGE_MERGE_H

struct diag;
struct outputs;
struct arguments;

/*
 * --merge: shows the aggregations of the files that the operands name, added up, as if they were
 * those of one run.  Nothing is traced.  Returns the exit status.
 */
int merge_files(struct arguments *args, struct outputs *out, struct diag *d);

/* --diff: shows what differs between two files.  Returns the exit status. */
int diff_files(struct arguments *args, struct diag *d);

#endif
