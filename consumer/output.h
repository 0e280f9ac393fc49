/*
 * output.h - the stream for the data of a run. The data is collected in a buffer and written in
 * batches.
 */
#ifndef CONSUMER_OUTPUT_H
#define CONSUMER_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"

/* An output stream. All members except @f are zero at first. @f is borrowed. */
struct output {
	FILE *f;
	struct strbuf buf; /* text that is not written yet; append to it */
	bool broken;       /* a write has failed, so nothing more is written */
	int error;         /* errno of the failed write */
	/* the screen of -x view is open and @f is a terminal, so text is discarded */
	bool hidden;
	bool reopened; /* freopen() has redirected the output */
	/* duplicate of the original descriptor of @f if the output was redirected, else 0 */
	int before;
};

/*
 * Writes the whole buffer, and waits for a slow reader. If o->broken or o->hidden is set, discards
 * it instead.
 */
void output_flush(struct output *o);

/* Writes the buffer if it is large enough for a batch. Call this function between two lines. */
void output_spill(struct output *o);

/*
 * Redirects the output to the file of the descriptor @fd, which the caller still closes. If @fd is
 * -1, redirects the output back to the original file. The caller must flush first. Returns 0 or a
 * positive errno.
 */
int output_redirect(struct output *o, int fd);

/* Truncates the output file, if it is a regular file. */
void output_truncate(struct output *o);

/* Frees the buffer and closes the duplicate descriptor. Does not write the buffer. */
void output_release(struct output *o);

#endif
