/*
 * view.h - implements -x view=top, which shows aggregations as sorted tables on the terminal, like
 * top(1).
 *
 * The view runs in addition to the output format. While the view is active, output to the same
 * terminal is dropped, and messages are held back until the view ends. In a replay, view_sample()
 * waits, so that a capture is shown at the speed at which it was taken.
 */
#ifndef CONSUMER_SCREEN_VIEW_H
#define CONSUMER_SCREEN_VIEW_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct aggs;
struct consumer_opts;
struct diag;
struct program;
struct series;
struct view;

/*
 * Opens the terminal but does not change it yet. Returns NULL with the error in @d on failure. The
 * caller frees the result with view_free().
 */
struct view *view_new(struct diag *d);
void view_free(struct view *v);

/*
 * Returns the stream for messages if standard error is a terminal. view_free() prints these
 * messages to standard error. Returns NULL if standard error is not a terminal: messages do not
 * disturb the screen in this case.
 */
FILE *view_messages(struct view *v);

/* Returns a descriptor that is readable when a key was pressed. */
int view_fd(const struct view *v);

/*
 * Switches the terminal to full-screen mode. @replay means that a capture is shown, at the speed at
 * which it was taken. A nonzero *@interrupted ends every wait.
 */
void view_begin(struct view *v, const struct program *p, const struct consumer_opts *o, bool replay,
		volatile sig_atomic_t *interrupted);

/*
 * Shows the aggregations at a sample. In a replay, first waits until the sample is due. @time is
 * the time of the sample in ns since 1970. In the first call, @s is NULL and @time is the time when
 * tracing began.
 */
void view_sample(struct view *v, const struct aggs *a, const struct series *s, uint64_t time);

/* Handles the keys that were pressed. Returns false if the user has quit. */
bool view_keys(struct view *v);

/* Shows the end of a capture until the user quits or interrupts the run. */
void view_wait_for_quit(struct view *v);

/* Restores the terminal. */
void view_end(struct view *v);

#endif
