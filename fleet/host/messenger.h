/*
 * messenger.h - the agent's connection to the server, in a process without rights.
 *
 * The agent is root, and starts a second process, the messenger. The messenger speaks TLS and NATS,
 * and parses requests. It runs as another user, without capabilities, with a filter of its system
 * calls, and with a root folder that has only the files for looking up names. The agent reads no
 * byte from the server. It gets the members of a request from the messenger, writes the request
 * anew from them, and checks the signature of this new text. So an attacker who controls the
 * messenger can do no more than an attacker who controls the server.
 */
#ifndef FLEET_HOST_MESSENGER_H
#define FLEET_HOST_MESSENGER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "fleet/host/log.h"
#include "fleet/nats/net.h"
#include "fleet/request.h"
#include "fleet/sign.h"
#include "sandbox/rpc.h"

struct messenger;

/*
 * Starts a messenger, which connects to the server in the background. It ends when the agent ends.
 * When *@stop is set, functions stop waiting for the messenger. @host is the name of this host, and
 * @log gets texts for the agent's log. Returns NULL, with the reason in @wrong, if the process
 * cannot be started or cannot give up its rights. The caller calls messenger_close().
 */
struct messenger *messenger_open(const struct net_opts *o, const char *host,
				 const volatile sig_atomic_t *stop, log_fn *log, void *ctx,
				 struct strbuf *wrong);
void messenger_close(struct messenger *m);

/*
 * Returns whether the process has ended, or its connection is over (net_is_over()). The caller then
 * closes this messenger and opens another one.
 */
bool messenger_is_over(const struct messenger *m);

/* These functions return what the messenger reported last (net.h). */
bool messenger_connected(const struct messenger *m);
uint64_t messenger_max(const struct messenger *m);

/* Returns the number of connections so far, of this messenger and the earlier ones. */
uint64_t messenger_connections(const struct messenger *m);

/* Does what net_try() does. */
bool messenger_put(struct messenger *m, const char *subject, const void *p, size_t size,
		   bool *answered);

/* Creates the streams of this host (net_admit()). */
void messenger_admit(struct messenger *m);

/* A signed request. All pointers are valid until the function that gets it returns. */
struct signed_request {
	struct request q;
	uint8_t key[KEY_SIZE]; /* public key of the signer */
	const void *sealed;    /* the signed message (sign.h) */
	size_t size;
};

/*
 * Gets the request @r; or NULL, for a message that is no request, with the reason in @bad. May call
 * messenger_put().
 */
typedef void request_fn(void *ctx, const struct signed_request *r, const char *bad);

/*
 * Waits up to @ms for requests, and gives them to @fn in the order in which the server has stored
 * them. After each connection, all requests to end runs come first.
 */
void messenger_receive(struct messenger *m, int64_t ms, request_fn *fn, void *ctx);

/* The main program of the messenger, for "dtrace-fleet messenger". Never returns. */
void messenger_main(void) __attribute__((noreturn));

/* ----------------------------------------------------- messages between both processes */

enum {
	MESSENGER_OPEN = 16,
	MESSENGER_READY,
	MESSENGER_REFUSED, /* the messenger cannot start; the body is the reason */
	MESSENGER_RECEIVE,
	MESSENGER_DATA, /* a piece of the message that MESSENGER_PUT publishes */
	MESSENGER_PUT,
	MESSENGER_ADMIT,
	MESSENGER_READS,   /* the messenger parses the message with this number next */
	MESSENGER_REQUEST, /* a request (request_put()) */
	MESSENGER_BAD,     /* a message that is no request */
	MESSENGER_NEXT,    /* the agent has handled MESSENGER_REQUEST or MESSENGER_BAD */
	MESSENGER_DONE,    /* the answer is complete */
};

/* maximum number of messages that are skipped because they killed a messenger */
enum { MESSENGER_SKIPS = 32 };

/*
 * Appends the members of a request to the body of a message. @head is the head of the signed
 * message: the public key and the signature, SIGNED_HEAD bytes.
 */
void request_put(struct strbuf *b, const void *head, const struct request *q);

/*
 * Reads what request_put() has written. The result's texts are in @mem, and r->sealed is in
 * @sealed, which the caller releases. Writes the signed message anew from the members, so it is
 * exactly what request_write() would write. The result has only what the signed message says, which
 * is parsed again. Returns false if @in is malformed, or if the signature
 * does not fit this message.
 */
bool request_take(struct rpc_in *in, struct arena *mem, struct signed_request *r,
		  struct strbuf *sealed);

#endif
