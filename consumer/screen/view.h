/*
 * view.h - -x view=top: aggregations on the screen, sorted, as they grow.
 *
 * The view is beside the output format.  Output to the same terminal is dropped while the view is
 * there, and messages wait until its end.  In replay the view waits within the delivery of a
 * sample, so that a capture is shown at its own speed.
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

/* Finds a terminal, but does not take it yet.  NULL: the error is in @d. */
struct view *view_new(struct diag *d);
void view_free(struct view *v);

/*
 * Where messages go instead of standard error, if that is a terminal, until view_free().  NULL: it
 * is not.
 */
FILE *view_messages(struct view *v);

/* What can be waited for: a key. */
int view_fd(const struct view *v);

/*
 * Takes the terminal.  @replay: what is shown is a capture's, at the speed at which it was taken;
 * @interrupted ends every wait.
 */
void view_begin(struct view *v, const struct program *p, const struct consumer_opts *o, bool replay,
		volatile sig_atomic_t *interrupted);

/*
 * Shows a sample; in replay waits until it is due.  @time: of it, as walltimestamp; the first call
 * is without @s.
 */
void view_sample(struct view *v, const struct aggs *a, const struct series *s, uint64_t time);

/* Acts on keys that were pressed.  False: the user wants the end. */
bool view_keys(struct view *v);

/* A capture is over: shows it until the user wants the end. */
void view_wait_for_quit(struct view *v);

/* Gives the terminal back. */
void view_end(struct view *v);

#endif
