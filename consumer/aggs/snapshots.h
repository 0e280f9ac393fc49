/*
 * snapshots.h - a file that is replaced as a whole each time it is written.
 */
#ifndef CONSUMER_AGGS_SNAPSHOTS_H
#define CONSUMER_AGGS_SNAPSHOTS_H

#include <stddef.h>

struct snapshots;

/*
 * Prepares the file at @path for snapshots_put(). @path must be a result of file_resolve_output().
 *
 * This function forks a process that keeps the right to open files. So call the function before
 * rights are given up and before threads are started. Returns NULL and sets errno on failure. The
 * caller frees the result with snapshots_stop().
 */
struct snapshots *snapshots_start(const char *path);

/*
 * Replaces the contents of the file by the @n bytes at @p, as file_replace() does. A reader finds
 * either these bytes or the previous ones, even after a power failure. Does not wait until the
 * bytes are on the disk; the next call waits for that. Returns 0 or a positive errno.
 */
int snapshots_put(struct snapshots *s, const void *p, size_t n);

/*
 * Waits until the bytes of the last snapshots_put() are on the disk. Returns 0 or a positive errno.
 */
int snapshots_wait(struct snapshots *s);

/* Ends the process that writes the file, and frees @s, which may be NULL. The file is kept. */
void snapshots_stop(struct snapshots *s);

#endif
