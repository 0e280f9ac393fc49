/*
 * outputs.h - opens the outputs of a run: the file of -o, -x capture, -x aggout, -x listen, -x
 * view.
 *
 * All outputs are opened before rights are given up. A function that opens an output sets the
 * member of the consumer's options that the consumer writes to. The function returns 0. On failure,
 * it prints a message and returns the exit status.
 */
#ifndef CMD_OUTPUTS_H
#define CMD_OUTPUTS_H

#include <stdio.h>

struct diag;
struct program;
struct arguments;
struct serve;

struct outputs {
	FILE *out;           /* the file of -o, or stdout */
	struct serve *serve; /* answers requests for metrics (-x listen), or NULL */
};

/* Opens the file of -o for appending, and finds the width of the output. */
int outputs_open(struct outputs *o, struct arguments *args);

/* Opens the files of -x capture and -x aggout for @p. */
int outputs_open_files(struct arguments *args, const struct program *p);

/* Opens the port of -x listen, if it is not open yet. */
int outputs_listen(struct outputs *o, struct arguments *args, struct diag *d);

/*
 * Opens the screen of -x view, if it is not open yet. From then on, messages are held back until
 * the screen is closed. Rejects the program @p if it has no aggregations. @p is NULL if the program
 * is not known yet.
 */
int outputs_view(struct arguments *args, const struct program *p, struct diag *d);

/* Closes what outputs_listen() and outputs_view() opened, if they were called. */
void outputs_stop(struct outputs *o, struct arguments *args);

/*
 * Flushes and closes the file of -o. Returns @status, the exit status so far. But if @status is 0
 * and some output could not be written, prints a message and returns EXIT_FATAL.
 */
int outputs_close(struct outputs *o, const struct arguments *args, int status);

/*
 * Prints one line as a message to stderr. While a screen is open, the message is held back until
 * the screen is closed.
 */
void outputs_report(const char *line);

#endif
