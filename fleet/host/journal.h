/*
 * journal.h - what a host does with its entries of the audit stream (audit.h).
 *
 * The agent accepts a request only after the server has stored the entry about it. Entries about
 * refusals, stops and ends are kept in the folder DIR/audit until the server has them:
 *
 *	RUN.WHAT   the entry; empty once the server has it
 *
 * The empty file stays. So an agent that was started again, and reads the same request again, does
 * not send the entry twice.
 */
#ifndef FLEET_HOST_JOURNAL_H
#define FLEET_HOST_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "fleet/host/log.h"

struct journal;
struct request;
struct run;
struct strbuf;

struct journal_opts {
	const char *dir;       /* folder of the agent */
	const char *host, *id; /* name and ID of this host */
	/* Publishes a message. Returns whether the server has stored it. */
	bool (*put)(void *ctx, const struct strbuf *subject, const struct strbuf *b);
	log_fn *log;
	void *ctx;
};

/* The strings of @o must outlive the result. The caller frees it with journal_free(). */
struct journal *journal_new(const struct journal_opts *o);
void journal_free(struct journal *j);

/*
 * Sends the entry that the host accepts @q at once. Returns whether the server has stored it; if
 * not, appends the reason to @why. @sealed is the signed request, and @owner the name of its key's
 * owner.
 *
 * One key may start @daily runs at once, and then one in each @daily'th part of a day. Each run has
 * up to three entries, and without this bound one key could fill the host's part of the stream,
 * after which the host refuses all requests.
 */
bool journal_accept(struct journal *j, const struct request *q, const char *owner,
		    const void *sealed, uint64_t daily, struct strbuf *why);

/*
 * Keeps an entry until journal_serve() has sent it: that the host refuses @q for the reason @why,
 * or takes it as a request to end a run. @runs: the host has that run. @owner is NULL if the policy
 * does not list the key. Does nothing if there is such an entry of the run already.
 *
 * Requests that start or end no run cost their sender nothing. So only a few entries at once, and
 * 100 a day, are kept of those of one listed key, and half as many of those of all other keys. Each
 * of these entries has the number of requests before it that have none.
 */
void journal_refuse(struct journal *j, const struct request *q, const char *owner,
		    const void *sealed, const char *why);
void journal_stop(struct journal *j, const struct request *q, const char *owner, const void *sealed,
		  bool runs);

/* Keeps the entry that run @r has ended. @owner may be NULL. */
void journal_end(struct journal *j, const struct run *r, const char *owner);

/* Sends kept entries. The caller calls this often while there is a connection to the server. */
void journal_serve(struct journal *j);

#endif
