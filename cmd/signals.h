/*
 * signals.h - Ctrl-C and the other signals that end a run.
 */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

#include <signal.h>
#include <stdio.h>

/*
 * How often the user has asked for the end.  1: the run ends and prints its aggregations.  2: the
 * run ends without them.  A third signal ends the process at once.
 */
extern volatile sig_atomic_t interrupted;

/* The first signal that was counted; 0: no signal yet. */
extern volatile sig_atomic_t interrupted_by;

/*
 * Opens /dev/null, which takes the place of the output when a write to it blocks and the user
 * presses Ctrl-C again.  Call it before rights are given up; a second call does nothing.
 */
void signals_prepare(void);

/*
 * Has SIGINT, SIGTERM and SIGHUP count in `interrupted`.  SIGHUP stays ignored if it was, as
 * nohup(1) wants.  SIGPIPE is ignored, so that a closed pipe is an error of a write.  @out is the
 * stream that the run prints to.
 */
void signals_catch(FILE *out);

#endif
