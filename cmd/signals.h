/*
 * signals.h - Ctrl-C and the other signals that end a run.
 */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

#include <signal.h>
#include <stdio.h>

/*
 * Number of times the user has asked for the end of the run. At 1, the run ends and prints its
 * aggregations. At 2, the run ends without printing its aggregations. A third signal ends the
 * process immediately.
 */
extern volatile sig_atomic_t interrupted;

/* The first signal that was counted, or 0 if there was none yet. */
extern volatile sig_atomic_t interrupted_by;

/*
 * Opens /dev/null, which replaces the output if a write to the output blocks and the user presses
 * Ctrl-C again. Call this function before rights are given up. A second call does nothing.
 */
void signals_prepare(void);

/*
 * Makes SIGINT, SIGTERM and SIGHUP increment interrupted. But if SIGHUP is ignored, as under
 * nohup(1), it stays ignored. SIGPIPE is ignored, so that writing to a closed pipe fails with an
 * error. @out is the stream that the run prints to.
 */
void signals_catch(FILE *out);

#endif
