/*
 * rpc.h - messages between dtrace and its readers, the confined processes that parse input from
 * others (reader.h).
 *
 * A message is one packet on a SOCK_SEQPACKET socket pair: struct rpc_head, then a body of up to
 * RPC_MAX bytes. Numbers are in host byte order, since both ends run the same binary. Neither end
 * trusts the other. So a body is read with struct rpc_in, which checks that each read stays within
 * the body.
 */
#ifndef SANDBOX_RPC_H
#define SANDBOX_RPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define RPC_VERSION 1u
#define RPC_MAX (72u << 10) /* maximum size of a body in bytes */

struct rpc_head {
	uint32_t version; /* RPC_VERSION */
	/* type of the message: one of job.h, or one that the job's header defines */
	uint32_t type;
	uint32_t serial; /* number of the request; answers repeat it */
	uint32_t size;   /* size of the body in bytes */
};

struct rpc_message {
	struct rpc_head head;
	uint8_t body[RPC_MAX];
	int fd; /* descriptor that came with the message and that the receiver owns, or -1 */
};

/*
 * Sends a message. @fd is a descriptor to send with the message, or -1; the caller still closes
 * @fd. Returns false if the other end is closed, or if @size exceeds RPC_MAX.
 */
bool rpc_send(int sock, uint32_t type, uint32_t serial, const void *body, size_t size, int fd);

/*
 * Sends a message as rpc_send() does, but never blocks: returns false if the socket's buffer is
 * full. So a reader that does not read its messages cannot stop dtrace.
 */
bool rpc_send_now(int sock, uint32_t type, uint32_t serial, const void *body, size_t size, int fd);

/*
 * Result of rpc_receive(): the other end is closed (RPC_CLOSED), the packet is not a message
 * (RPC_BAD), or the deadline has passed (RPC_TIMEOUT).
 */
enum rpc_result { RPC_OK, RPC_CLOSED, RPC_BAD, RPC_TIMEOUT };

/*
 * Receives a message into @m. @until is the deadline by now_monotonic(), in nanoseconds; 0 means no
 * deadline. If @take_fd is not set, a message with a descriptor is RPC_BAD.
 */
enum rpc_result rpc_receive(int sock, struct rpc_message *m, bool take_fd, uint64_t until);

/* ---------------------------------------------------------------------- bodies */

/* A body being read. A read that fails sets @bad, and all later reads fail too. */
struct rpc_in {
	const uint8_t *at, *end;
	bool bad;
};

/* Starts reading the body of @m, which must outlive the result. */
struct rpc_in rpc_open(const struct rpc_message *m);

/* Read a number. Return 0 and set @in->bad on failure. */
uint32_t rpc_u32(struct rpc_in *in);
uint64_t rpc_u64(struct rpc_in *in);

/*
 * Reads a string of up to @most bytes and sets @n to its length. The string points into the body
 * and has no NUL. If the string is too long, contains a NUL, or is truncated, returns "" and sets
 * @n to 0 and @in->bad.
 */
const char *rpc_text(struct rpc_in *in, size_t most, size_t *n);

/*
 * Reads a sequence of up to @most bytes, which may contain NULs. Apart from that, it works as
 * rpc_text() does.
 */
const uint8_t *rpc_bytes(struct rpc_in *in, size_t most, size_t *n);

/* Returns whether the body was read completely and without errors. */
bool rpc_ended(const struct rpc_in *in);

/* Append a value to a body, in the format that the functions above read. */
void rpc_put_u32(struct strbuf *b, uint32_t v);
void rpc_put_u64(struct strbuf *b, uint64_t v);
void rpc_put_bytes(struct strbuf *b, const void *p, size_t n);
void rpc_put_text(struct strbuf *b, const char *s);

#endif
