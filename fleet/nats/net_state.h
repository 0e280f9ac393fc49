/*
 * net_state.h - struct net, for the files that call the NATS library: net.c, collect.c and
 * direct.c.
 */
#ifndef FLEET_NATS_NET_STATE_H
#define FLEET_NATS_NET_STATE_H

#include <nats/nats.h>

#include "fleet/nats/net.h"

#define API_DEFAULT "$JS.API"

struct net {
	natsOptions *opts;
	natsConnection *conn;
	jsCtx *js;
	char *inbox;     /* net_opts.inbox */
	const char *api; /* prefix of requests to JetStream: either API_DEFAULT or other_api */
	const char *other_api; /* net_opts.api */
};

/*
 * Returns a new subject for replies to this client, which nobody can guess. The caller frees it
 * with xfree().
 */
char *inbox_new(const struct net *n);

struct messages {
	natsMsg **v;
	size_t n, cap;
};

/*
 * A queue of received messages (collect.c). A thread of the library fills it, and may add messages
 * even after the subscription has ended. So the last user of the mailbox frees it: the thread or
 * the reader. A synchronous subscription would need no mailbox, but with it the library would hide
 * stored messages that look like the server's "no responders" message.
 */
struct mailbox;

struct mailbox *mailbox_new(void);

/*
 * Subscribes to @subject. Returns NULL on failure. The caller ends and destroys the subscription
 * before mailbox_free().
 */
natsSubscription *mailbox_subscribe(struct mailbox *b, natsConnection *conn, const char *subject);

/* Appends all messages that have come to @all, waiting up to @ms for the first. */
void mailbox_take(struct mailbox *b, int64_t ms, struct messages *all);
void mailbox_free(struct mailbox *b);

/*
 * Reads the answer to JetStream's direct get. Returns false if the answer has no message. The
 * strings in @m borrow from @msg.
 */
bool direct_message(natsMsg *msg, struct net_message *m);

/*
 * Returns the last value of the header @key, or NULL. The sender of a stored message may have set
 * headers that are named like the server's. The server appends its headers, so the last value is
 * the server's.
 */
const char *last_header(natsMsg *msg, const char *key);

#endif
