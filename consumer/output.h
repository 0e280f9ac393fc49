/*
 * output.h - the data stream of a run: buffered, written in batches.
 */
#ifndef CONSUMER_OUTPUT_H
#define CONSUMER_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"

/* A stream; all zero except @f at first. @f is borrowed. */
struct output {
	FILE *f;
	struct strbuf buf; /* text not yet written: append here */
	bool broken;       /* a write failed; later ones are skipped */
	int error;         /* errno of the failed write */
	/* -x view has the screen: text is discarded */
	bool hidden;
	bool reopened; /* freopen() redirected the output */
	int before;    /* duplicate of the original descriptor of @f, while redirected; 0: none */
};

/* Writes the whole buffer, and waits for a slow reader. */
void output_flush(struct output *o);

/* Writes the buffer if it has enough for a batch. Call it between two lines. */
void output_spill(struct output *o);

/*
 * Redirects the output to the file of descriptor @fd, which the caller keeps. @fd -1: back to the
 * original file. The caller flushes first. Returns 0 or an errno.
 */
int output_redirect(struct output *o, int fd);

/* Truncates the output, if it is a regular file. */
void output_truncate(struct output *o);

/* Frees the buffer and closes the duplicate descriptor.  Does not flush. */
void output_release(struct output *o);

#endif
