/*
 * merge.h - aggregation files as a source of the consumer, for dtrace --merge.
 *
 * To the consumer, all files together look like one CPU of a live run.
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
 * Makes a program that has the aggregations of the @n files.  @n is at least 1, and the files agree
 * (aggfile_agree()).  Its only clause takes samples.  The program is allocated in @mem and borrows
 * from the files.
 */
const struct program *merge_program(struct arena *mem, struct aggfile *const *file, uint32_t n);

/* How a run with -x follow reads its files again. */
struct merge_refresh {
	/*
	 * Returns the current files, and their number in @n, which is at least 1.  They stay valid
	 * until the next call.  Returns NULL with the error in @d if they do not agree.
	 */
	struct aggfile *const *(*files)(void *ctx, uint32_t *n, struct diag *d);
	void *ctx;
	uint64_t rate; /* ns between two calls of files() */
	int wake_fd;   /* descriptor that ends the wait early when it is readable; -1: none */
};

/*
 * Makes a source that has the rows of the @n files.  @mem is the arena of merge_program(): the
 * source enlarges the program's keys there when files with longer keys come.  With @refresh, which
 * must outlive the source, the source reads the files again until the run ends.  If @refresh is
 * NULL, the source ends at once.  The caller frees the source with its ops->free().
 */
struct source *merge_source_new(struct arena *mem, struct aggfile *const *file, uint32_t n,
				const struct merge_refresh *refresh);

#endif
