/*
 * always.h - programs that always run on a host: the files NAME.d of a folder.
 *
 * Each program has a folder DIR/always/NAME, with the files of a run (keeper.h) and these files:
 *
 *	script            the program as it runs
 *	at.EPOCH.NUMBER   the snapshot at the end of interval NUMBER; EPOCH is the time when the
 *	                  program began, ns since 1970
 *	sent              name of the last snapshot whose interval the server has
 *
 * The difference of two snapshots has the counts of the interval between them. A snapshot is kept
 * until the interval that follows it was sent. So no counts are lost if the agent is started again,
 * or if the server cannot be reached.
 */
#ifndef FLEET_HOST_ALWAYS_H
#define FLEET_HOST_ALWAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "fleet/host/log.h"

struct always;
struct policy;
struct strbuf;

struct always_opts {
	const char *folder;    /* folder of the programs, which need not exist */
	const char *dir;       /* folder of the agent */
	const char *host, *id; /* name and ID of this host */
	const char *dtrace, *self;
	const struct groups *groups; /* where the programs get control groups (group.h) */
	uint64_t interval_ns;
	/* Publishes a message. Returns whether the server has stored it. */
	bool (*put)(void *ctx, const struct strbuf *subject, const struct strbuf *b);
	uint64_t (*max)(
		void *ctx); /* returns the maximum size of a message in bytes; 0 if unknown */
	log_fn *log;
	void *ctx;
};

/* The strings of @o must outlive the result. The caller calls always_free(). */
struct always *always_new(const struct always_opts *o);

/*
 * Starts the programs of the folder, and ends those whose file is gone or has changed. Takes a
 * snapshot of each program at the end of each interval. If @connected is set, sends the intervals
 * that the server does not have. @p bounds the programs, but not their duration. The caller calls
 * this at least once a second.
 */
void always_serve(struct always *a, const struct policy *p, bool connected);

/*
 * Frees @a, but does not end the programs. They continue for KEPT_S seconds (always.c). Another
 * agent that starts in this time takes them over.
 */
void always_free(struct always *a);

#endif
