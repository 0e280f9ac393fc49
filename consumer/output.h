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
};

/* Writes all that is there, however long that takes. */
void output_flush(struct output *o);

/* Between two lines: writes if there is a piece worth it. */
void output_spill(struct output *o);

void output_release(struct output *o);

#endif
