/*
 * serve.c - serves metrics by HTTP, for -x listen.
 *
 * A reader (sandbox/reader.h), a confined process, parses and answers HTTP (http_job.c). When a
 * client wants metrics, the reader requests a text and gets the text in sealed memory. So clients
 * can make this process produce at most one text a second. A client may control the reader. So the
 * reader is ended if it requests texts too often or does not read its socket.
 */
#include "consumer/serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/library.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/serve/http_rpc.h"
#include "sandbox/reader.h"

#define BACKLOG 128
#define RESTART_NS 10000000000u /* minimum time between two starts of a reader, in ns */
#define START_NS 20000000000u   /* maximum time that the first reader needs to start, in ns */
#define FRESH_NS 1000000000u    /* minimum time that a text is fresh, in ns */
#define SHARE 10u               /* making texts takes at most 1/SHARE of this process's time */

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u /* since Linux 6.3 */
#endif

struct serve {
	int listener;
	/*
	 * epoll descriptor for the reader's socket; it stays the same when the reader is restarted
	 */
	int watch;
	char *url;
	void (*report)(const char *line);
	struct reader *reader;
	int sock;             /* socket to the reader, owned by @reader; -1 if no reader runs */
	bool ready;           /* the reader has sent HTTP_READY */
	bool gave_up;         /* a reader could not be restarted */
	uint64_t started;     /* when the reader started, by now_monotonic() */
	uint64_t fresh_until; /* the reader must not request a text before this time */
};

/* ---------------------------------------------------------------------- listening */

/*
 * Splits a text such as "[::1]:80" into host and port, in place. Returns false if the text is
 * malformed.
 */
static bool split(char *copy, char **host, char **port)
{
	char *colon = strrchr(copy, ':');

	if (!colon || !colon[1])
		return false;
	*colon = '\0';
	*port = colon + 1;
	if (strlen(*port) > 5 || strspn(*port, "0123456789") != strlen(*port) ||
	    atoi(*port) > UINT16_MAX)
		return false;
	*host = copy;
	if (*copy == '[' && colon[-1] == ']') {
		colon[-1] = '\0';
		(*host)++;
	} else if (strchr(copy, ':')) {
		return false;
	}
	return true;
}

/* Opens a socket that listens at @ai. Returns its descriptor or a negative errno. */
static int listen_at(const struct addrinfo *ai)
{
	int fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, err;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, ai->ai_addr, ai->ai_addrlen) && !listen(fd, BACKLOG))
		return fd;
	err = errno;
	close(fd);
	return -err;
}

static int open_socket(const char *where, struct diag *d)
{
	const struct addrinfo want = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
				      .ai_socktype = SOCK_STREAM};
	char *copy = xstrdup(where), *host, *port;
	struct addrinfo *ai = NULL;
	int fd = -EINVAL;

	if (!split(copy, &host, &port) || getaddrinfo(*host ? host : "127.0.0.1", port, &want, &ai))
		diag_error(d, D_SYS, NOLOC,
			   "cannot listen at %s: use ADDRESS:PORT, both as numbers", where);
	else if ((fd = listen_at(ai)) < 0)
		diag_error(d, D_SYS, NOLOC, "cannot listen at %s: %s", where, strerror(-fd));
	if (ai)
		freeaddrinfo(ai);
	xfree(copy);
	return fd;
}

static char *url_of(int fd)
{
	struct sockaddr_storage a = {0};
	socklen_t len = sizeof(a);
	char host[64] = "", port[8] = "";
	struct strbuf b = {0};

	getsockname(fd, (struct sockaddr *)&a, &len);
	getnameinfo((struct sockaddr *)&a, len, host, sizeof(host), port, sizeof(port),
		    NI_NUMERICHOST | NI_NUMERICSERV);
	strbuf_addf(&b, a.ss_family == AF_INET6 ? "http://[%s]:%s/metrics" : "http://%s:%s/metrics",
		    host, port);
	return b.s;
}

/* ---------------------------------------------------------------------- reader */

static bool send_listener(struct serve *s)
{
	struct utsname u;
	struct strbuf b = {0};
	bool sent;

	rpc_put_text(&b, uname(&u) ? "" : u.nodename);
	sent = rpc_send(s->sock, HTTP_LISTEN, 0, b.s, b.len, s->listener);
	strbuf_release(&b);
	return sent;
}

static bool start_reader(struct serve *s)
{
	struct epoll_event ev = {.events = EPOLLIN};

	s->started = now_monotonic();
	s->fresh_until = 0;
	s->ready = false;
	s->sock = reader_socket(s->reader);
	if (s->sock < 0)
		return false;
	/* A reader that does not read must not block this process. */
	fcntl(s->sock, F_SETFL, O_NONBLOCK);
	epoll_ctl(s->watch, EPOLL_CTL_ADD, s->sock, &ev);
	return send_listener(s);
}

static void stop_reader(struct serve *s)
{
	if (s->sock >= 0)
		epoll_ctl(s->watch, EPOLL_CTL_DEL, s->sock, NULL);
	s->sock = -1;
	reader_end(s->reader);
}

static void drop_reader(struct serve *s)
{
	stop_reader(s);
	s->report("the process that answers HTTP ended; another one starts within 10 seconds");
}

static void restart_reader(struct serve *s)
{
	if (s->gave_up || now_monotonic() - s->started < RESTART_NS || start_reader(s))
		return;
	stop_reader(s);
	s->gave_up = true;
	s->report(
		"cannot restart the process that answers HTTP: metrics are not available any more");
}

/* ------------------------------------------------------------------------ start */

static void report_failure(const char *where, uint32_t why, struct diag *d)
{
	struct strbuf what = {0};

	strbuf_addf(&what, "cannot listen at %s", where);
	if (why == HTTP_NO_LIBRARY)
		library_missing(d, D_SYS, NOLOC, what.s, HTTP_LIBRARY);
	else
		diag_error(d, D_SYS, NOLOC, "%s: %s", what.s,
			   why == HTTP_NOT_BUILT ? "this dtrace was built without libmicrohttpd-dev"
						 : "libmicrohttpd failed to start");
	strbuf_release(&what);
}

static struct rpc_message message;

/*
 * Starts the first reader and waits until it can answer requests. Returns false with the error in
 * @d on failure.
 */
static bool is_ready(struct serve *s, const char *where, struct diag *d)
{
	struct rpc_in in;
	uint32_t why = HTTP_NO_START;

	if (start_reader(s) &&
	    rpc_receive(s->sock, &message, false, now_monotonic() + START_NS) == RPC_OK) {
		s->ready = message.head.type == HTTP_READY;
		if (message.head.type == HTTP_FAILED) {
			in = rpc_open(&message);
			why = rpc_u32(&in);
		}
	}
	if (!s->ready)
		report_failure(where, why, d);
	return s->ready;
}

static bool has_readers(const char *where, struct diag *d)
{
	struct strbuf why = {0};

	serve_declare();
	if (readers_start(&why))
		return true;
	diag_error(d, D_SYS, NOLOC,
		   "cannot listen at %s: cannot confine the process that answers HTTP: %s "
		   "(-x confine=off runs it without confinement)",
		   where, strbuf_text(&why));
	strbuf_release(&why);
	return false;
}

void serve_declare(void)
{
	readers_declare("http");
}

struct serve *serve_new(const char *where, void (*report)(const char *line), struct diag *d)
{
	struct serve *s;
	int fd = open_socket(where, d);

	if (fd < 0)
		return NULL;
	if (!has_readers(where, d)) {
		close(fd);
		return NULL;
	}
	s = xcalloc(1, sizeof(*s));
	*s = (struct serve){.listener = fd,
			    .watch = epoll_create1(EPOLL_CLOEXEC),
			    .report = report,
			    .url = url_of(fd),
			    .reader = reader_new("http"),
			    .sock = -1};
	if (is_ready(s, where, d))
		return s;
	serve_free(s);
	return NULL;
}

void serve_free(struct serve *s)
{
	if (!s)
		return;
	reader_free(s->reader);
	close(s->watch);
	close(s->listener);
	xfree(s->url);
	xfree(s);
}

const char *serve_url(const struct serve *s)
{
	return s->url;
}

int serve_fd(const struct serve *s)
{
	return s->watch;
}

/* ------------------------------------------------------------------------ texts */

static bool write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

/* Returns a descriptor of memory that contains @b and cannot be changed, or -1 on failure. */
static int sealed_memory(const struct strbuf *b)
{
	int fd = memfd_create("metrics", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("metrics", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd >= 0 && write_all(fd, b->s, b->len) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/*
 * Returns how long a text stays fresh. @began is the time when making the text began. If making the
 * text took long, it stays fresh longer.
 */
static uint64_t fresh_ns(uint64_t began)
{
	uint64_t wait = (now_monotonic() - began) * SHARE;

	return wait > FRESH_NS ? wait : FRESH_NS;
}

static bool give_text(struct serve *s, void (*text)(void *ctx, struct strbuf *out), void *ctx)
{
	uint64_t began = now_monotonic(), ns;
	struct strbuf b = {0}, body = {0};
	int fd;
	bool sent;

	text(ctx, &b);
	fd = sealed_memory(&b);
	ns = fresh_ns(began);
	s->fresh_until = now_monotonic() + ns;
	rpc_put_u64(&body, ns);
	sent = fd >= 0 && rpc_send(s->sock, HTTP_TEXT, 0, body.s, body.len, fd);
	if (fd >= 0)
		close(fd);
	strbuf_release(&body);
	strbuf_release(&b);
	return sent;
}

/*
 * Handles one message of the reader. Returns false if there is no message, or if the message made
 * this function end the reader.
 */
static bool one_message(struct serve *s, void (*text)(void *ctx, struct strbuf *out), void *ctx)
{
	const uint64_t at_once = 1;
	enum rpc_result got = rpc_receive(s->sock, &message, false, at_once);
	bool good = false;

	if (got == RPC_TIMEOUT)
		return false;
	if (got == RPC_OK && message.head.type == HTTP_READY && !s->ready)
		good = s->ready = true;
	else if (got == RPC_OK && message.head.type == HTTP_WANT &&
		 now_monotonic() >= s->fresh_until)
		good = give_text(s, text, ctx);
	if (!good)
		drop_reader(s);
	return good;
}

void serve_answer(struct serve *s, void (*text)(void *ctx, struct strbuf *out), void *ctx)
{
	if (s->sock < 0)
		restart_reader(s);
	while (s->sock >= 0 && one_message(s, text, ctx))
		;
}
