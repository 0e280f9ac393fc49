/* consumer.h - runs a program on a source (live, capture or files) and prints its output. */
#ifndef CONSUMER_CONSUMER_H
#define CONSUMER_CONSUMER_H

#include <signal.h>
#include <stdbool.h>

#include "consumer/options.h"

struct consumer;
struct diag;
struct program;
struct record_sink;
struct source;

/*
 * Returns a consumer of @src, which must have been started with @p. Borrows both. Copies @o,
 * because setopt() changes options, but borrows what the pointers in @o point to. The caller should
 * ignore SIGPIPE. The caller frees the consumer with consumer_free(), which accepts NULL.
 */
struct consumer *consumer_new(const struct program *p, struct source *src,
			      const struct consumer_opts *o);
void consumer_free(struct consumer *c);

/*
 * Runs BEGIN, traces, runs END, and prints aggregations and losses. Tracing ends when
 *
 * - exit() runs, or the source or -x duration ends;
 * - all processes of -c and -p have ended;
 * - the user quits -x view, or the output cannot be written;
 * - *@interrupted, the number of the user's interrupts, is not 0.
 *
 * After the second interrupt, aggregations are not printed, which is an error. Returns 0, or -1
 * with the error in @d. If tracing had begun before an error, all other output is still printed.
 */
int consumer_run(struct consumer *c, struct diag *d, volatile sig_atomic_t *interrupted);

/*
 * Returns whether @p has records that -x count counts. Records of BEGIN, END, ERROR and tick-N do
 * not count.
 */
bool consumer_can_count(const struct program *p);

/*
 * Returns the exit status of the run: the argument of exit(), or 0 without exit(). The status is 3
 * if -x strict is set and the output is incomplete (loss_any()).
 */
int consumer_status(const struct consumer *c);

#endif
