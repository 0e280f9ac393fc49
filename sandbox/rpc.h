/*
 * rpc.h - messages between dtrace and the processes that parse for it (readers).
 *
 * A message is one packet of a SOCK_SEQPACKET socket pair: struct rpc_head, then a body of at
 * most RPC_MAX bytes.  Numbers are in the machine's byte order, as both ends are one binary.
 * Neither end trusts the other: a body is read through struct rpc_in, which never reads
 * beyond its end and remembers that it was asked to.
 */
#ifndef SANDBOX_RPC_H
#define SANDBOX_RPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define RPC_VERSION 1u
#define RPC_MAX (72u << 10) /* bytes of a body */

struct rpc_head {
	uint32_t version; /* RPC_VERSION */
	uint32_t type;    /* of the message: see who sends it */
	uint32_t serial;  /* of the request; an answer repeats it */
	uint32_t size;    /* bytes of the body */
};

struct rpc_message {
	struct rpc_head head;
	uint8_t body[RPC_MAX];
	int fd; /* a descriptor that came along, owned by the receiver; -1: none */
};

/*
 * Sends one message.  @fd: a descriptor to send along, or -1; the caller keeps its own.
 * False: the other end is gone, or the body is longer than RPC_MAX.
 */
bool rpc_send(int sock, uint32_t type, uint32_t serial, const void *body, size_t size, int fd);

/*
 * As rpc_send(), but false as well if the other end has so much to read that the message would
 * wait: a process that answers without reading must not stop the one that asks.
 */
bool rpc_send_now(int sock, uint32_t type, uint32_t serial, const void *body, size_t size, int fd);

enum rpc_result { RPC_OK, RPC_CLOSED, RPC_BAD, RPC_TIMEOUT };

/*
 * Receives one message into @m.  @until: when to give up, by now_monotonic(); 0: never.
 * @take_fd: whether a descriptor may come along; if one comes all the same it is closed.
 * RPC_CLOSED: the other end is gone.  RPC_BAD: the packet is no message.  RPC_TIMEOUT: @until
 * has passed.
 */
enum rpc_result rpc_receive(int sock, struct rpc_message *m, bool take_fd, uint64_t until);

/* ---------------------------------------------------------------------- bodies */

/* A body that is being read.  @bad is set once something did not fit, and stays set. */
struct rpc_in {
	const uint8_t *at, *end;
	bool bad;
};

struct rpc_in rpc_open(const struct rpc_message *m);
uint32_t rpc_u32(struct rpc_in *in);
uint64_t rpc_u64(struct rpc_in *in);

/*
 * Text of at most @most bytes, without a NUL in it and without one behind it.  It points into the
 * body.  *@n: its length.  "" and 0 if it is longer, has a NUL, or is not all there.
 */
const char *rpc_text(struct rpc_in *in, size_t most, size_t *n);

/* Bytes, any; otherwise as rpc_text(). */
const uint8_t *rpc_bytes(struct rpc_in *in, size_t most, size_t *n);

/* Whether all of the body was read, and no more than that. */
bool rpc_ended(const struct rpc_in *in);

void rpc_put_u32(struct strbuf *b, uint32_t v);
void rpc_put_u64(struct strbuf *b, uint64_t v);
void rpc_put_bytes(struct strbuf *b, const void *p, size_t n);
void rpc_put_text(struct strbuf *b, const char *s);

#endif
