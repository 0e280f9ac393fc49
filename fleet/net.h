/*
 * net.h - the connection to the NATS server. Only net.c and collect.c call the NATS library.
 */
#ifndef FLEET_NET_H
#define FLEET_NET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/*
 * fleet.run.RUN: the request; fleet.stop.RUN.RANDOM: a request to end it. The first message of a
 * subject stays, so nobody can replace a request. Nobody can guess the subject of a stop.
 */
#define STREAM_RUNS "FLEET_RUNS"
/*
 * Each host has two streams of its own, with a limit of bytes. Their names are these prefixes and
 * the host (subject_host()). A host that sends too much loses only what it sent before.
 */
#define STREAM_STATE "FLEET_STATE_" /* fleet.state.RUN.HOST.ID.EPOCH: last report of each run */
#define STREAM_OUT "FLEET_OUT_"     /* fleet.out.RUN.HOST.ID.EPOCH: all printed output */
/*
 * The inventory (inventory.h) has the keys of a bucket of the key-value store. The bucket's stream
 * has the plans. The stream of a host's states has the host's own entry.
 */
#define STREAM_HISTORY "FLEET_HISTORY" /* fleet.history.PROGRAM.HOST.ID: history.h */
#define STREAM_HOSTS "KV_FLEET_HOSTS"
#define BUCKET_HOSTS "$KV.FLEET_HOSTS."

struct net_opts {
	const char *url;             /* nats://HOST:PORT; several are separated by commas */
	const char *ca, *cert, *key; /* files; NULL: no TLS certificates */
	const char *name;            /* name of this client */
	/* prefix of subjects for replies, which the user's permissions allow; NULL: the default */
	const char *inbox;
	/*
	 * prefix of JetStream's requests about consumers, for a client whose account has no
	 * JetStream; NULL: the default. Tried first, and the default if it fails.
	 */
	const char *api;
};

#define API_HOSTS "fleet.api" /* net_opts.api of hosts (permit.h) */

struct net;
struct net_reader;

/* A message, valid until the function that gets it returns. */
struct net_message {
	const char *subject;
	const void *data;
	size_t size;
	uint64_t time; /* when the server stored it, ns since 1970; 0: it came from no stream */
	uint64_t seq;  /* its number in the stream */
};

typedef void net_fn(void *ctx, const struct net_message *m);

/*
 * Connects, and reconnects after each loss. With @wait, returns after the first connection. Returns
 * NULL, with the reason in @wrong, on failure. The caller calls net_close().
 */
struct net *net_open(const struct net_opts *o, bool wait, struct strbuf *wrong);
void net_close(struct net *n);

bool net_connected(struct net *n);

/*
 * Returns whether @n has stopped reconnecting, which happens if the server fails during the first
 * connection. The caller must then close @n and open another connection.
 */
bool net_is_over(struct net *n);

/* Returns the number of connections so far. If it has grown, messages may have been missed. */
uint64_t net_connections(struct net *n);

/* Publishes a message to its stream. Returns true when the server has stored it. */
bool net_put(struct net *n, const char *subject, const void *p, size_t size);

/*
 * Publishes a message as net_put() does. Sets *@answered to whether the server has answered, also
 * if the answer is that the server cannot store the message.
 */
bool net_try(struct net *n, const char *subject, const void *p, size_t size, bool *answered);

enum { TOKEN_SIZE = 17 };

/* Writes a part of a subject that nobody can guess, with its NUL. */
void net_token(char token[TOKEN_SIZE]);

/* Publishes a message without waiting. net_drain() waits until the server has stored all of them.
 */
bool net_put_async(struct net *n, const char *subject, const void *p, size_t size);
bool net_drain(struct net *n, int64_t ms);

/* Returns the maximum size of a message in bytes; 0: unknown. */
uint64_t net_max(struct net *n);

/*
 * Creates the stream of the history, which keeps messages for @days, or changes that time. If @days
 * is 0, creates the stream for a week if it is missing. Returns false, with the reason in @wrong,
 * on failure.
 */
bool net_setup_history(struct net *n, unsigned days, struct strbuf *wrong);

/* Creates missing streams, but not that of the history. Returns false, with the reason in @wrong,
 * on failure. */
bool net_setup(struct net *n, struct strbuf *wrong);

/* Creates the streams of a host if they are missing. Errors as for net_setup(). */
bool net_admit(struct net *n, const char *host, struct strbuf *wrong);

/*
 * Sets the number of servers that have a copy of each stream, and waits until the copies are
 * complete. @replicas 0: three, or as many as the cluster has servers. Returns the number, or 0
 * with the reason in @wrong on failure.
 */
int net_replicate(struct net *n, int replicas, struct strbuf *wrong);

/*
 * Reads a stream, from its beginning and as it grows: the last message of each subject (@last), or
 * all messages. The reader asks the server for a few messages at a time, so a slow connection is
 * never flooded. A message that is replaced before it was read is skipped. After a lost connection
 * the reader may begin anew, so messages may come twice. The caller frees the reader with
 * net_reader_free(). If @stream is STREAM_STATE or STREAM_OUT, reads the streams of all hosts, and
 * @subject is not NULL.
 */
struct net_reader *net_reader_new(struct net *n, const char *stream, const char *subject,
				  bool last);
void net_reader_free(struct net_reader *r);

/*
 * Reads each message of a stream once, from the first on, and waits for new ones. After a lost
 * connection, the reader continues behind the last message that it gave. If the stream was made
 * anew, the reader begins with its first message.
 */
struct net_reader *net_reader_follow(struct net *n, const char *stream);

/*
 * Reads the messages that the server stores at time @since, ns since 1970, or later. After a lost
 * connection, the reader continues behind the last message that it gave.
 */
struct net_reader *net_reader_since(struct net *n, const char *stream, const char *subject,
				    uint64_t since);

/* Returns the number of the next message of net_reader_follow(). */
uint64_t net_reader_at(const struct net_reader *r);

/* Gives messages to @fn, waiting up to @ms for the first. Returns their number. */
size_t net_reader_receive(struct net_reader *r, int64_t ms, net_fn *fn, void *ctx);

/*
 * Returns whether everything that the stream has at this moment was received. Asks the server, so
 * it takes up to a second.
 */
bool net_reader_is_done(struct net_reader *r);

/*
 * A reader of the streams of all hosts stops reading the stream of a host that sends far too many
 * messages, so that the others are read. Returns whether there is one, and appends a line for each.
 */
bool net_reader_cut(const struct net_reader *r, struct strbuf *out);

/*
 * Reads the messages that a stream has now and that match @subject, in at most @ms: those with the
 * number @from or a later one, or, if @from is 0, the last one of each subject. Stops if *@stop is
 * set (may be NULL). Returns false if it did not get everything. If the server has no such stream,
 * returns false after about 3 seconds.
 */
bool net_read_stream(struct net *n, const char *stream, const char *subject, uint64_t from,
		     int64_t ms, const volatile sig_atomic_t *stop, net_fn *fn, void *ctx);

#endif
