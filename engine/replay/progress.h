/*
 * progress.h - how far replay has come, on one line of a terminal.
 */
#ifndef REPLAY_PROGRESS_H
#define REPLAY_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *to;          /* NULL: no reports */
	bool shown;        /* a line is on the screen */
	uint64_t begin_ns; /* wall time */
	uint64_t due_ns;   /* of the next report */
};

/* Reports go to @to if that is a terminal, nowhere otherwise (NULL included). */
void progress_init(struct progress *p, FILE *to);

/*
 * Call often; draws about four times a second.  @packets were read, and @pos of @size bytes (0:
 * nobody knows how many there are).
 */
void progress_update(struct progress *p, uint64_t packets, uint64_t pos, uint64_t size);

/* Wipes the line away. */
void progress_erase(struct progress *p);

#endif
