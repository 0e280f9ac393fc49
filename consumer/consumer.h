/*
 * consumer.h - runs a source and prints its output.
 */
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
 * Returns a consumer of @src, which was started with @p. Borrows both. Copies @o, since setopt()
 * changes options; the pointers in @o are borrowed. The caller should ignore SIGPIPE, and frees the
 * consumer with consumer_free(), which accepts NULL.
 */
struct consumer *consumer_new(const struct program *p, struct source *src,
			      const struct consumer_opts *o);
void consumer_free(struct consumer *c);

/*
 * Runs BEGIN, traces, runs END, and prints aggregations and losses. Tracing ends at exit(), at the
 * end of the source or of the followed processes, or when *@interrupted is not 0. *@interrupted
 * counts the user's interrupts: after the second, aggregations are not printed, which is an error.
 * Returns 0, or -1 with the error in @d. If tracing had begun, all other output was still printed.
 */
int consumer_run(struct consumer *c, struct diag *d, volatile sig_atomic_t *interrupted);

/*
 * Returns whether @p has a record that -x count can count: one of a probe other than BEGIN, END,
 * ERROR and tick-N.
 */
bool consumer_can_count(const struct program *p);

/*
 * Returns the exit status of the run: that of exit(), else 0; 3 if -x strict is set and the output
 * is incomplete (loss_any()).
 */
int consumer_status(const struct consumer *c);

#endif
