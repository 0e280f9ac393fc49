/*
 * merge.h - lets the consumer read aggregation files instead of the maps of a run, for
 * dtrace --merge.
 *
 * The consumer takes records and maps from a source (engine/source.h). To the consumer, all files
 * together look like one CPU of a live run.
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
 * Makes a program that has the aggregations of the @n files. @n is at least 1, and the files must
 * agree (aggfile_agree()). The only clause of the program makes the consumer take samples. The
 * program is allocated in @mem and borrows from the files.
 */
const struct program *merge_program(struct arena *mem, struct aggfile *const *file, uint32_t n);

/* How a run with -x follow reads its files again. */
struct merge_refresh {
	/*
	 * Returns the current files and sets @n to their number, which is at least 1. The files are
	 * valid until the next call. If the files do not agree, returns NULL with the error in @d.
	 */
	struct aggfile *const *(*files)(void *ctx, uint32_t *n, struct diag *d);
	void *ctx;
	uint64_t rate; /* ns between two calls of files() */
	int wake_fd;   /* descriptor that ends the wait early when it is readable, or -1 */
};

/*
 * Makes a source that has the rows of the @n files. @mem must be the arena of merge_program(): if
 * files with longer keys come later, the source enlarges the program's keys in that arena. If
 * @refresh is not NULL, the source reads the files again until the run ends; @refresh must outlive
 * the source. If @refresh is NULL, the source ends without waiting. The caller frees the source
 * with its ops->free().
 */
struct source *merge_source_new(struct arena *mem, struct aggfile *const *file, uint32_t n,
				const struct merge_refresh *refresh);

#endif
