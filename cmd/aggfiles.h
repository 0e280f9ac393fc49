/*
 * aggfiles.h - dtrace --merge and --diff: files that -x aggout wrote.
 */
#ifndef CMD_AGGFILES_H
#define CMD_AGGFILES_H

#include <stddef.h>

struct consumer_opts;
struct diag;

/*
 * Shows the aggregations of the @n files together, as @o says, as if one run had found all.  Of several
 * snapshots of one run the latest counts.  The exit status; -1 with the error in @d.
 */
int aggfiles_merge(const char *const *path, size_t n, const struct consumer_opts *o, struct diag *d);

/* Shows what is not the same in both. */
int aggfiles_diff(const char *const *path, size_t n, const struct consumer_opts *o, struct diag *d);

#endif
