/*
 * output.h - what goes to stdout: gathered, and written in pieces.
 */
#ifndef CONSUMER_OUTPUT_H
#define CONSUMER_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"

/* All zero but @f: empty. */
struct output {
	FILE *f;
	struct strbuf buf; /* not yet written: append here */
	bool broken;       /* writing failed, and is not tried again */
	int error;         /* why: errno */
	/* something else is shown there now: what is to be written is thrown away */
	bool hidden;
	bool reopened; /* it is another file than at first */
	int before;    /* descriptor of what @f was before freopen(); 0: it is that still */
};

/* Writes all that is there, however long that takes. */
void output_flush(struct output *o);

/* Between two lines: writes if there is a piece worth it. */
void output_spill(struct output *o);

/*
 * What is written to @f goes to the file of descriptor @fd from now on, which the caller keeps; -1:
 * to where it went at first.  Flush before.  0, or an errno.
 */
int output_redirect(struct output *o, int fd);

/* Cuts the file that @f is to nothing, if it is one. */
void output_truncate(struct output *o);

void output_release(struct output *o);

#endif
