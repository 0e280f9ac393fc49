/*
 * rpc.c - sends, receives and parses messages.
 */
#include "sandbox/rpc.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

union fd_control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static bool send_message(int sock, uint32_t type, uint32_t serial, const void *body, size_t size,
			 int fd, int flags)
{
	struct rpc_head head = {RPC_VERSION, type, serial, (uint32_t)size};
	struct iovec iov[2] = {{&head, sizeof(head)}, {(void *)(uintptr_t)body, size}};
	union fd_control control = {{0}};
	struct msghdr msg = {.msg_iov = iov, .msg_iovlen = size ? 2 : 1};
	ssize_t n;

	if (size > RPC_MAX)
		return false;
	if (fd >= 0) {
		struct cmsghdr *c;

		msg.msg_control = control.bytes;
		msg.msg_controllen = sizeof(control.bytes);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(int));
	}
	do
		n = sendmsg(sock, &msg, MSG_NOSIGNAL | flags);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)(sizeof(head) + size);
}

bool rpc_send(int sock, uint32_t type, uint32_t serial, const void *body, size_t size, int fd)
{
	return send_message(sock, type, serial, body, size, fd, 0);
}

bool rpc_send_now(int sock, uint32_t type, uint32_t serial, const void *body, size_t size, int fd)
{
	return send_message(sock, type, serial, body, size, fd, MSG_DONTWAIT);
}

/*
 * Waits until @sock can be read. Returns false if the time @until passes first. 0 in @until means
 * to wait forever.
 */
static bool wait_readable(int sock, uint64_t until)
{
	struct pollfd p = {.fd = sock, .events = POLLIN};

	for (;;) {
		uint64_t now = now_monotonic();
		int left = until <= now ? 0 : (int)((until - now) / 1000000 + 1), n;

		n = poll(&p, 1, until ? left : -1);
		if (n > 0)
			return true;
		if (n == 0 || errno != EINTR)
			return false;
	}
}

static int received_fd(struct msghdr *msg)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	int fd = -1;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(c), sizeof(int));
	return fd;
}

static bool is_message(const struct rpc_message *m, ssize_t n, int flags)
{
	return !(flags & (MSG_TRUNC | MSG_CTRUNC)) && n >= (ssize_t)sizeof(m->head) &&
	       m->head.version == RPC_VERSION && m->head.size == (size_t)n - sizeof(m->head);
}

enum rpc_result rpc_receive(int sock, struct rpc_message *m, bool take_fd, uint64_t until)
{
	struct iovec iov[2] = {{&m->head, sizeof(m->head)}, {m->body, sizeof(m->body)}};
	union fd_control control;
	struct msghdr msg = {.msg_iov = iov, .msg_iovlen = 2};
	ssize_t n;

	m->fd = -1;
	if (until && !wait_readable(sock, until))
		return RPC_TIMEOUT;
	if (take_fd) {
		msg.msg_control = control.bytes;
		msg.msg_controllen = sizeof(control.bytes);
	}
	do
		n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return RPC_CLOSED;
	if (take_fd)
		m->fd = received_fd(&msg);
	if (is_message(m, n, msg.msg_flags))
		return RPC_OK;
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
	return RPC_BAD;
}

/* ---------------------------------------------------------------------- bodies */

struct rpc_in rpc_open(const struct rpc_message *m)
{
	return (struct rpc_in){m->body, m->body + m->head.size, false};
}

/* Returns the next @n bytes, or NULL if fewer are left. */
static const uint8_t *take(struct rpc_in *in, size_t n)
{
	const uint8_t *p = in->at;

	if (in->bad || (size_t)(in->end - in->at) < n) {
		in->bad = true;
		return NULL;
	}
	in->at += n;
	return p;
}

uint32_t rpc_u32(struct rpc_in *in)
{
	const uint8_t *p = take(in, 4);
	uint32_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return v;
}

uint64_t rpc_u64(struct rpc_in *in)
{
	const uint8_t *p = take(in, 8);
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return v;
}

const uint8_t *rpc_bytes(struct rpc_in *in, size_t most, size_t *n)
{
	uint32_t size = rpc_u32(in);
	const uint8_t *p;

	if (size > most)
		in->bad = true;
	p = take(in, size);
	*n = p ? size : 0;
	return p ? p : (const uint8_t *)"";
}

const char *rpc_text(struct rpc_in *in, size_t most, size_t *n)
{
	const uint8_t *p = rpc_bytes(in, most, n);

	if (!memchr(p, '\0', *n))
		return (const char *)p;
	in->bad = true;
	*n = 0;
	return "";
}

bool rpc_ended(const struct rpc_in *in)
{
	return !in->bad && in->at == in->end;
}

void rpc_put_u32(struct strbuf *b, uint32_t v)
{
	strbuf_add(b, &v, sizeof(v));
}

void rpc_put_u64(struct strbuf *b, uint64_t v)
{
	strbuf_add(b, &v, sizeof(v));
}

void rpc_put_bytes(struct strbuf *b, const void *p, size_t n)
{
	rpc_put_u32(b, (uint32_t)n);
	strbuf_add(b, p, n);
}

void rpc_put_text(struct strbuf *b, const char *s)
{
	rpc_put_bytes(b, s, strlen(s));
}
