/*
 * progress.h - how far replay has come, on one line of a terminal.
 */
#ifndef REPLAY_PROGRESS_H
#define REPLAY_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct capture;

struct progress {
	FILE *to;          /* NULL: no reports */
	bool shown;        /* a line is on the screen */
	uint64_t begin_ns; /* wall time */
	uint64_t due_ns;   /* of the next report */
};

/* Reports go to @to if that is a terminal, nowhere otherwise (NULL included). */
void progress_init(struct progress *p, FILE *to);

/* Call often; draws about four times a second. */
void progress_update(struct progress *p, const struct capture *c);

/* Wipes the line away. */
void progress_erase(struct progress *p);

#endif
