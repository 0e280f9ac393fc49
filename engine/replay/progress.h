/* progress.h - draws the progress of a replay on one line of a terminal. */
#ifndef ENGINE_REPLAY_PROGRESS_H
#define ENGINE_REPLAY_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *to;          /* terminal that shows the reports; NULL if there are none */
	bool shown;        /* the line is on the terminal now */
	uint64_t begin_ns; /* monotonic time of the start, in ns */
	uint64_t due_ns;   /* time of the next report, in ns */
};

/*
 * Starts reports to @to if that is a terminal. Otherwise, or if @to is NULL, there are no reports.
 */
void progress_init(struct progress *p, FILE *to);

/*
 * Draws the line if a quarter of a second has passed since the last time, so the caller may call it
 * often. @packets packets and @pos of @size bytes have been read; @size is 0 if the size is not
 * known.
 */
void progress_update(struct progress *p, uint64_t packets, uint64_t pos, uint64_t size);

void progress_erase(struct progress *p);

#endif
