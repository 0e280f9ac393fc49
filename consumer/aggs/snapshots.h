/*
 * snapshots.h - a file that is replaced as a whole each time it is written.
 */
#ifndef CONSUMER_AGGS_SNAPSHOTS_H
#define CONSUMER_AGGS_SNAPSHOTS_H

#include <stddef.h>

struct snapshots;

/*
 * Prepares @path for snapshots_put().  @path comes from file_resolve_output().
 *
 * Forks a process that keeps the right to open files.  So call this function before rights are
 * given up and before threads are started.  Returns NULL and sets errno on failure.  The caller
 * ends the result with snapshots_stop().
 */
struct snapshots *snapshots_start(const char *path);

/*
 * Replaces the file by the @n bytes at @p, as file_replace() does.  A reader finds either these
 * bytes or the previous ones, also after a power failure.  Does not wait for the disk; the next
 * call does.  Returns 0 or a positive errno.
 */
int snapshots_put(struct snapshots *s, const void *p, size_t n);

/* Waits until the last bytes are on the disk.  Returns 0 or a positive errno. */
int snapshots_wait(struct snapshots *s);

/* Ends the process.  The file stays.  @s may be NULL. */
void snapshots_stop(struct snapshots *s);

#endif
