/*
 * consumer.h - runs a source and prints what comes out of it.
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
 * A consumer of @src, which was started with @p.  Both must outlive it.  @o is
 * copied: setopt() changes the copy.  SIGPIPE should be ignored.
 */
struct consumer *consumer_new(const struct program *p, struct source *src,
			      const struct consumer_opts *o);
void consumer_free(struct consumer *c);

/*
 * The whole run: BEGIN, tracing until exit(), the end of the source or of whom it
 * follows or *@interrupted, END, the aggregations, the accounting.  *@interrupted counts how often
 * the user asked for the end: at the second time it leaves without printing aggregations, which is
 * an error.  0, or -1 with the reason in @d: what could be printed was printed even then.
 */
int consumer_run(struct consumer *c, struct diag *d, volatile sig_atomic_t *interrupted);

/*
 * Does @p record anything that -x count could count: at another probe than BEGIN, END, ERROR and
 * tick-N?
 */
bool consumer_can_count(const struct program *p);

/* What exit() said, or that something was lost; 0 if it was not called. */
int consumer_status(const struct consumer *c);

#endif
