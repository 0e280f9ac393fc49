/*
 * merge.h - files of aggregations as a source: what they have together is to the consumer what a CPU has.
 */
#ifndef CONSUMER_AGGS_MERGE_H
#define CONSUMER_AGGS_MERGE_H

#include <stdint.h>

#include "ir/program.h"

struct aggfile;
struct arena;
struct diag;
struct source;

/*
 * A program that has the aggregations of @file, @n of them (at least one, which agree), and nothing that runs but
 * a probe at which samples are taken.  It lives in @mem, and refers to the files.
 */
const struct program *merge_program(struct arena *mem, struct aggfile *const *file, uint32_t n);

/* Where files come from that are followed. */
struct merge_more {
	/*
	 * Those that there are now, at least one; they stay until it is asked again.  NULL: they cannot be added up,
	 * @d says why.
	 */
	struct aggfile *const *(*files)(void *ctx, uint32_t *n, struct diag *d);
	void *ctx;
	uint64_t rate; /* ns: so often it is asked */
	int wake_fd;   /* what ends a wait for that sooner when it can be read; -1: nothing */
};

/*
 * All the files' rows, now or, with @more (which outlives it), as they are until somebody ends it; its program is
 * that of merge_program(), which has lived in @mem and is changed when keys get longer.  To be freed through its ops.
 */
struct source *merge_source_new(struct arena *mem, struct aggfile *const *file, uint32_t n,
				const struct merge_more *more);

#endif
