/*
 * snapshots.h - a file that always holds the newest of what is written to it, whole.
 */
#ifndef CONSUMER_AGGS_SNAPSHOTS_H
#define CONSUMER_AGGS_SNAPSHOTS_H

#include <stddef.h>

struct snapshots;

/*
 * From now on @path, as file_to_replace() gave it, is to hold what snapshots_put() is given.  A process is forked that
 * may still open files when we have given that right away: call it before, and before there are threads.  NULL: errno
 * says why.
 */
struct snapshots *snapshots_to(const char *path);

/*
 * Replaces the file (file_replace()): whoever opens it finds the @n bytes at @p, or those of before, even after the
 * power went.  A disk is not waited for, but by the next one.  0, or a positive errno.
 */
int snapshots_put(struct snapshots *s, const void *p, size_t n);

/* Waits until the last one is there.  0, or the positive errno why it is not. */
int snapshots_wait(struct snapshots *s);

/* The file stays.  @s may be NULL. */
void snapshots_end(struct snapshots *s);

#endif
