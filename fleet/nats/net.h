/*
 * net.h - the connection to the NATS server. Other folders include this header only, and do not
 * call the NATS library.
 */
#ifndef FLEET_NATS_NET_H
#define FLEET_NATS_NET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * The stream of requests. The request for a run has the subject fleet.run.RUN, and a request to end
 * it has the subject fleet.stop.RUN.RANDOM. The stream keeps the first message of each subject, so
 * nobody can replace a request. Nobody can guess RANDOM.
 */
#define STREAM_RUNS "FLEET_RUNS"
/*
 * When the server has stored a message of STREAM_RUNS, it publishes the message's headers to the
 * subject NEWS, followed by "." and the message's subject.
 */
#define NEWS "fleet.news"
/*
 * Each host has two streams of its own, with a limit of bytes. So a host that sends too much loses
 * only its own older messages. The name of such a stream is one of these two prefixes, followed by
 * the host's name as subject_host() writes it.
 */
/* The last report of each run. The subjects are fleet.state.RUN.HOST.ID.EPOCH. */
#define STREAM_STATE "FLEET_STATE_"
/* All printed output. The subjects are fleet.out.RUN.HOST.ID.EPOCH. */
#define STREAM_OUT "FLEET_OUT_"
/* The history (history.h). The subjects are fleet.history.PROGRAM.HOST.ID. */
#define STREAM_HISTORY "FLEET_HISTORY"
/*
 * The subjects of the inventory (inventory.h) begin with BUCKET_HOSTS, like the keys of a bucket of
 * the key-value store. The stream STREAM_HOSTS has only the plans. The entry of a host is in the
 * host's own stream STREAM_STATE.
 */
#define STREAM_HOSTS "KV_FLEET_HOSTS"
#define BUCKET_HOSTS "$KV.FLEET_HOSTS."

/*
 * The audit stream (audit.h). The subjects are fleet.audit.HOST. The stream keeps all entries until
 * they are too old. While the stream, or the part of one host, is full, the server refuses new
 * entries.
 */
#define STREAM_AUDIT "FLEET_AUDIT"

/* The contents of the files of TLS certificates and the key. A text is "" if there is no file. */
struct net_files {
	struct strbuf ca, cert, key;
};

struct net_opts {
	/* nats://HOST:PORT, or tls://HOST:PORT to require TLS; commas separate several addresses */
	const char *url;
	const char *ca, *cert, *key; /* files of TLS certificates and the key, or NULL for none */
	/* Contents of these files, which the caller owns, or NULL: net_open() reads the files. */
	const struct net_files *files;
	const char *name; /* name of this client */
	/*
	 * Prefix of the subjects for replies, which the user's permissions must allow. NULL for the
	 * default of NATS.
	 */
	const char *inbox;
	/*
	 * Prefix of requests to JetStream, for a client that may not create consumers (direct.h).
	 * If requests with this prefix fail, the client uses API_DEFAULT. NULL is for clients that
	 * may create consumers, and use API_DEFAULT only.
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
	uint64_t time; /* when the server stored the message, ns since 1970; 0 if it did not */
	uint64_t seq;  /* number of the message in its stream; 0 if the server did not store it */
};

typedef void net_fn(void *ctx, const struct net_message *m);

/*
 * Reads the files of certificates and the key that @o names, for a process that cannot open them
 * later. Without a file of certificate authorities, reads those of the system. Returns false, with
 * the reason in @wrong, on failure. The caller calls net_files_release() in both cases.
 */
bool net_files_read(struct net_files *f, const struct net_opts *o, struct strbuf *wrong);
void net_files_release(struct net_files *f);

/*
 * Connects to the server, and connects again after each lost connection. If @wait is set, waits for
 * the first connection; otherwise returns at once and connects in the background. Returns NULL,
 * with the reason in @wrong, on failure. The caller calls net_close().
 */
struct net *net_open(const struct net_opts *o, bool wait, struct strbuf *wrong);
void net_close(struct net *n);

bool net_connected(struct net *n);

/*
 * Returns whether @n has stopped reconnecting, as after a failure of the server during the first
 * connection. The caller must then close @n and open another connection.
 */
bool net_is_over(struct net *n);

/*
 * Returns the number of connections so far. If this number has grown, the connection was lost in
 * between, and messages may have been missed.
 */
uint64_t net_connections(struct net *n);

/* Publishes a message to its stream. Returns true when the server has stored it. */
bool net_put(struct net *n, const char *subject, const void *p, size_t size);

/*
 * Publishes a message as net_put() does. Also sets *@answered to whether the server has answered,
 * even if the answer is a refusal.
 */
bool net_try(struct net *n, const char *subject, const void *p, size_t size, bool *answered);

enum { TOKEN_SIZE = 17 };

/* Writes a random text that nobody can guess, for a subject, with a NUL at its end. */
void net_token(char token[TOKEN_SIZE]);

/*
 * net_put_async() publishes a message without waiting for the server. net_drain() waits up to @ms
 * for the answers to all messages of net_put_async().
 */
bool net_put_async(struct net *n, const char *subject, const void *p, size_t size);
bool net_drain(struct net *n, int64_t ms);

/* Returns the maximum size of a message in bytes, or 0 if it is unknown. */
uint64_t net_max(struct net *n);

/*
 * Creates the stream of the history, which keeps messages for @days. If the stream exists, changes
 * this time. If @days is 0, an existing stream stays as it is, and a new one keeps messages for a
 * week. Returns false, with the reason in @wrong, on failure.
 */
bool net_setup_history(struct net *n, unsigned days, struct strbuf *wrong);

/*
 * Creates the audit stream, which keeps entries for @days, as net_setup_history() does for the
 * history. If @days is 0, a new stream keeps them for 90 days.
 */
bool net_setup_audit(struct net *n, unsigned days, struct strbuf *wrong);

/*
 * Deletes STREAM_RUNS if a former version has created it without NEWS, because NEWS cannot be added
 * later. The requests of the last day are then gone. Returns false, with the reason in @wrong, on
 * failure.
 */
bool net_renew(struct net *n, struct strbuf *wrong);

/*
 * Creates the streams STREAM_RUNS and STREAM_HOSTS if they are missing. Returns false, with the
 * reason in @wrong, on failure.
 */
bool net_setup(struct net *n, struct strbuf *wrong);

/*
 * Creates the two streams of a host, and the audit stream, if they are missing. Returns false, with
 * the reason in @wrong, on failure.
 */
bool net_admit(struct net *n, const char *host, struct strbuf *wrong);

/*
 * Sets the number of servers that have a copy of each stream, and waits until the copies are
 * complete. If @replicas is 0, this number is three, or less if the cluster has fewer servers.
 * Returns the number of copies, or 0 with the reason in @wrong on failure.
 */
int net_replicate(struct net *n, int replicas, struct strbuf *wrong);

/*
 * Returns a reader of a stream. It reads the messages that the stream has, and then new ones. If
 * @last is set, it begins with the last message of each subject, otherwise with the first message
 * of the stream. If @subject is not NULL, it reads only messages with a matching subject. For a
 * client with net_opts.api, @last must not be set, and the reader needs no consumer (direct.h).
 *
 * The reader asks the server for a few messages at a time, so a slow connection is never flooded.
 * It skips a message that is replaced before it was read. After a lost connection it may begin
 * anew, so messages may come twice.
 *
 * If @stream is STREAM_STATE or STREAM_OUT, the reader reads the streams of all hosts, and @subject
 * must not be NULL. The caller frees the reader with net_reader_free().
 */
struct net_reader *net_reader_new(struct net *n, const char *stream, const char *subject,
				  bool last);
void net_reader_free(struct net_reader *r);

/*
 * Returns a reader that reads each message of a stream once, from the first on, and then new ones.
 * After a lost connection, the reader continues behind the last message that was received. If the
 * stream was deleted and created again, the reader begins with the first message of the new stream.
 */
struct net_reader *net_reader_follow(struct net *n, const char *stream);

/*
 * Returns a reader of the messages that the server stored at time @since, ns since 1970, or later.
 * After a lost connection, the reader continues behind the last message that was received.
 */
struct net_reader *net_reader_since(struct net *n, const char *stream, const char *subject,
				    uint64_t since);

/* Returns the number of the next message that a reader made by net_reader_follow() will read. */
uint64_t net_reader_at(const struct net_reader *r);

/* Gives messages to @fn, after waiting up to @ms for the first. Returns the number of messages. */
size_t net_reader_receive(struct net_reader *r, int64_t ms, net_fn *fn, void *ctx);

/*
 * Returns whether everything that the stream has at this moment was received. Asks the server,
 * which may take up to 1.5 seconds.
 */
bool net_reader_is_done(struct net_reader *r);

/*
 * A reader of the streams of all hosts stops reading the stream of a host that sends far too many
 * messages. Appends a line for each such host. Returns whether there is one.
 */
bool net_reader_cut(const struct net_reader *r, struct strbuf *out);

/*
 * Gives to @fn the messages that a stream has now and whose subjects match @subject. If @from is 0,
 * these are the last messages of each subject, otherwise all messages with the number @from or a
 * higher one. Stops after @ms, and when *@stop is set; @stop may be NULL. Returns false if some
 * messages were not read. If the server has no such stream, returns false after about 3 seconds.
 */
bool net_read_stream(struct net *n, const char *stream, const char *subject, uint64_t from,
		     int64_t ms, const volatile sig_atomic_t *stop, net_fn *fn, void *ctx);

#endif
