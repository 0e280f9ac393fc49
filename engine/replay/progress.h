/* progress.h - the progress of a replay, on one line of a terminal. */
#ifndef ENGINE_REPLAY_PROGRESS_H
#define ENGINE_REPLAY_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *to;          /* NULL: no reports */
	bool shown;        /* a line is on the terminal */
	uint64_t begin_ns; /* monotonic time of the start, ns */
	uint64_t due_ns;   /* time of the next report, ns */
};

/*
 * Starts reports to @to if that is a terminal. Otherwise, or if @to is NULL, there are no reports.
 */
void progress_init(struct progress *p, FILE *to);

/*
 * Draws the line about four times a second; call it often. @packets have been read, and @pos of
 * @size bytes (0: unknown size).
 */
void progress_update(struct progress *p, uint64_t packets, uint64_t pos, uint64_t size);

/* Erases the line. */
void progress_erase(struct progress *p);

#endif
