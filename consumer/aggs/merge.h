/*
 * merge.h - files of aggregations as a source, for dtrace --merge.
 *
 * To the consumer, all the files together look like one CPU of a live run.
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
 * A program with the aggregations of the @n files, at least one, which agree (aggfile_agree()). All
 * that runs of it is a probe that takes samples.  It is allocated in @mem and refers to the files.
 */
const struct program *merge_program(struct arena *mem, struct aggfile *const *file, uint32_t n);

/* Where a run with -x follow gets its files from. */
struct merge_refresh {
	/*
	 * The files as they are now, at least one; they stay valid until the next call.  NULL if
	 * they cannot be added up; @d then says why.
	 */
	struct aggfile *const *(*files)(void *ctx, uint32_t *n, struct diag *d);
	void *ctx;
	uint64_t rate; /* ns between two calls of files() */
	int wake_fd;   /* ends the wait between two calls when it is readable; -1: none */
};

/*
 * A source that holds the rows of the @n files.  With @more, which must outlive it, it asks for the
 * files again and again until the run is ended.  Its program is that of merge_program(), made in
 * @mem; the source changes it when keys get longer.  The caller frees it through its ops.
 */
struct source *merge_source_new(struct arena *mem, struct aggfile *const *file, uint32_t n,
				const struct merge_refresh *refresh);

#endif
