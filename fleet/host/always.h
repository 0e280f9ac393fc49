/*
 * always.h - programs that always run on a host: the files NAME.d of a folder.
 *
 * Each program has a folder DIR/always/NAME, with the files of a run (keeper.h), and
 *
 *	script            the program as it runs
 *	at.EPOCH.NUMBER   the snapshot at the end of an interval: when the program began, ns since
 *	                  1970, and the number of the interval
 *	sent              name of the last snapshot whose interval the server has
 *
 * The difference of two snapshots is what was counted in the interval between them. A snapshot
 *stays until the interval after it was sent, so neither a restart nor an absent server loses
 *anything.
 */
#ifndef FLEET_HOST_ALWAYS_H
#define FLEET_HOST_ALWAYS_H

#include <stdbool.h>
#include <stdint.h>

struct always;
struct policy;
struct strbuf;

struct always_opts {
	const char *folder;    /* of the programs; it need not exist */
	const char *dir;       /* folder of the agent */
	const char *host, *id; /* of this host */
	const char *dtrace, *self;
	uint64_t interval_ns;
	/* Publishes a message. Returns whether the server has stored it. */
	bool (*put)(void *ctx, const struct strbuf *subject, const struct strbuf *b);
	uint64_t (*max)(void *ctx); /* maximum size of a message in bytes; 0: unknown */
	void (*log)(void *ctx, const char *text);
	void *ctx;
};

/* The strings of @o must outlive the result. The caller calls always_free(). */
struct always *always_new(const struct always_opts *o);

/*
 * Starts and ends programs as the folder says, takes a snapshot of each at the end of an interval,
 * and, if @connected, sends the intervals that the server does not have. @p bounds the programs,
 * but not their duration. To be called about once a second.
 */
void always_serve(struct always *a, const struct policy *p, bool connected);

/* The programs go on for KEPT_S seconds (always.c), in which another agent may take over. */
void always_free(struct always *a);

#endif
