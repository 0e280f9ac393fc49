/*
 * net.h - the server: the one place that knows NATS.
 */
#ifndef FLEET_NET_H
#define FLEET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

#define STREAM_RUNS "FLEET_RUNS" /* fleet.run.ID: the last message of the viewer */
#define STREAM_STATE \
	"FLEET_STATE" /* fleet.state.ID.HOST, fleet.hello.HOST: the last word of each host */
#define STREAM_OUT "FLEET_OUT" /* fleet.out.ID.HOST: all printed output */

struct net_opts {
	const char *url;             /* nats://HOST:PORT, several with commas between them */
	const char *ca, *cert, *key; /* files; NULL: no TLS of our own */
	const char *name;            /* of this client */
	/* where answers come in, which its permissions name; NULL: anywhere */
	const char *inbox;
};

struct net;
struct net_sub;

/* @fn gets the subject and the message, which lives until @fn returns. */
typedef void net_fn(void *ctx, const char *subject, const void *data, size_t n);

/*
 * Connects, and again whenever that is lost.  @wait: not to return before there was a first time.
 * NULL: @wrong says why.
 */
struct net *net_open(const struct net_opts *o, bool wait, struct strbuf *wrong);
void net_close(struct net *n);

bool net_connected(struct net *n);

/*
 * It will never connect again by itself: so it is when the server dies while the first connection
 * is made.  Close it, and open another.
 */
bool net_is_over(struct net *n);

/* How often it has connected: when that is more than it was, something may have been missed. */
uint64_t net_connections(struct net *n);

/* Into its stream; true: the server has it, on its disk. */
bool net_put(struct net *n, const char *subject, const void *p, size_t size);

/* The same for many messages: whether they arrived net_drain() tells, by then. */
bool net_put_async(struct net *n, const char *subject, const void *p, size_t size);
bool net_drain(struct net *n, int64_t ms);

/* Bytes that a message may have; 0: that is not known now. */
uint64_t net_max(struct net *n);

/* Creates the streams, if they are not there; false: @wrong says why. */
bool net_setup(struct net *n, struct strbuf *wrong);

/* Subscribes to messages from now on; NULL: impossible at the moment. */
struct net_sub *net_listen(struct net *n, const char *subject);
void net_unlisten(struct net_sub *s);

/* All that has come, waiting for the first for up to @ms. */
void net_hear(struct net_sub *s, int64_t ms, net_fn *fn, void *ctx);

/*
 * Reads a stream: the last message of each subject, or all messages. False: the stream was cut
 * short.
 */
bool net_recall(struct net *n, const char *stream, const char *subject, bool last, net_fn *fn,
		void *ctx);

#endif
