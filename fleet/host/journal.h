/*
 * journal.h - sends the host's entries to the audit stream (audit.h), and keeps them until then.
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
 * Sends the entry "accepted" for @q, and waits until the server has stored it. Returns false, with
 * the reason appended to @why, if the server has not stored it. @sealed is the signed request, and
 * @owner the name of its key's owner.
 *
 * A key may start @daily runs at once, and then a run every 24 h / @daily. Each run has up to three
 * entries. So without this limit, one key could fill the host's part of the stream, and the host
 * would refuse all further requests.
 */
bool journal_accept(struct journal *j, const struct request *q, const char *owner,
		    const void *sealed, uint64_t daily, struct strbuf *why);

/*
 * journal_refuse() makes the entry "refused" for @q, with the reason @why. journal_stop() makes the
 * entry "stopped" for @q, a request to end a run; @runs is whether the host has accepted that run.
 * The entry is kept until journal_serve() has sent it. @owner is NULL if the policy does not list
 * the key. Both functions do nothing if the run already has this entry.
 *
 * Requests that start or end no run are cheap for their sender. So they get at most 20 entries at
 * once and 100 a day for each listed key, and half as many for all other keys together. Each such
 * entry has the number of earlier requests that got no entry.
 */
void journal_refuse(struct journal *j, const struct request *q, const char *owner,
		    const void *sealed, const char *why);
void journal_stop(struct journal *j, const struct request *q, const char *owner, const void *sealed,
		  bool runs);

/* Makes the entry "ended" for run @r, and keeps it as journal_refuse() does. @owner may be NULL. */
void journal_end(struct journal *j, const struct run *r, const char *owner);

/* Sends kept entries. The caller calls this often while there is a connection to the server. */
void journal_serve(struct journal *j);

#endif
