/*
 * serve.c - metrics by HTTP: -x listen.
 *
 * One thread: whoever waits for records waits for this descriptor too, and then has it answer.
 * So nothing changes while an answer is made.  libmicrohttpd is loaded when it is wanted.
 */
#include "consumer/serve.h"

#include <errno.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/library.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

#if __has_include(<microhttpd.h>)
#include <microhttpd.h>

#define LIBRARY     "libmicrohttpd.so.12"
#define CONNECTIONS 64u
#define TIMEOUT     10u /* seconds without a word */

static const char type[] = "text/plain; version=0.0.4; charset=utf-8";

/* The library's functions, by their names. */
#define LIB(name) __typeof__(MHD_##name) *name
static struct {
	LIB(start_daemon);
	LIB(stop_daemon);
	LIB(run);
	LIB(get_daemon_info);
	LIB(create_response_from_buffer);
	LIB(add_response_header);
	LIB(queue_response);
	LIB(destroy_response);
} mhd;

static bool load(void)
{
	static const struct library_name names[] = {
		{"MHD_start_daemon", (void **)&mhd.start_daemon},
		{"MHD_stop_daemon", (void **)&mhd.stop_daemon},
		{"MHD_run", (void **)&mhd.run},
		{"MHD_get_daemon_info", (void **)&mhd.get_daemon_info},
		{"MHD_create_response_from_buffer", (void **)&mhd.create_response_from_buffer},
		{"MHD_add_response_header", (void **)&mhd.add_response_header},
		{"MHD_queue_response", (void **)&mhd.queue_response},
		{"MHD_destroy_response", (void **)&mhd.destroy_response},
	};

	return library_load(LIBRARY, names, sizeof(names) / sizeof(*names));
}

struct serve {
	struct MHD_Daemon *daemon;
	char *url;
	void (*text)(void *ctx, struct strbuf *out);
	void *ctx;
};

/* ---------------------------------------------------------------------- answers */

static enum MHD_Result answer(struct MHD_Connection *c, unsigned status, const struct strbuf *b)
{
	struct MHD_Response *r = mhd.create_response_from_buffer(b->len, b->s, MHD_RESPMEM_MUST_COPY);
	enum MHD_Result res;

	mhd.add_response_header(r, "Content-Type", status == MHD_HTTP_OK ? type : "text/plain");
	res = mhd.queue_response(c, status, r);
	mhd.destroy_response(r);
	return res;
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *c, const char *url, const char *method,
				  const char *version, const char *data, size_t *size, void **state)
{
	struct serve *s = ctx;
	struct strbuf b = {0};
	unsigned status = MHD_HTTP_OK;
	enum MHD_Result res;

	(void)version, (void)data, (void)state;
	if (*size) { /* what is posted is not read */
		*size = 0;
		return MHD_YES;
	}
	strbuf_adds(&b, "");
	if (strcmp(method, "GET") && strcmp(method, "HEAD"))
		status = MHD_HTTP_METHOD_NOT_ALLOWED;
	else if (!strcmp(url, "/metrics"))
		s->text(s->ctx, &b);
	else
		status = MHD_HTTP_NOT_FOUND;
	if (status != MHD_HTTP_OK)
		strbuf_adds(&b, "GET /metrics\n");
	res = answer(c, status, &b);
	strbuf_release(&b);
	return res;
}

/* ---------------------------------------------------------------------- listening */

/* "[::1]:80" to its two parts, in @copy.  False: it is not of that form. */
static bool split(char *copy, char **host, char **port)
{
	char *colon = strrchr(copy, ':');

	if (!colon || !colon[1])
		return false;
	*colon = '\0';
	*port = colon + 1;
	if (strlen(*port) > 5 || strspn(*port, "0123456789") != strlen(*port) || atoi(*port) > UINT16_MAX)
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

/* A descriptor, or a negative errno. */
static int listen_at(const struct addrinfo *ai)
{
	int fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, err;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, ai->ai_addr, ai->ai_addrlen) && !listen(fd, (int)CONNECTIONS))
		return fd;
	err = errno;
	close(fd);
	return -err;
}

static int open_socket(const char *where, struct diag *d)
{
	const struct addrinfo want = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
	char *copy = xstrdup(where), *host, *port;
	struct addrinfo *ai = NULL;
	int fd = -EINVAL;

	if (!split(copy, &host, &port) || getaddrinfo(*host ? host : "127.0.0.1", port, &want, &ai))
		diag_error(d, D_SYS, NOLOC, "cannot listen at %s: ADDRESS:PORT is wanted, in numbers", where);
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
	strbuf_addf(&b, a.ss_family == AF_INET6 ? "http://[%s]:%s/metrics" : "http://%s:%s/metrics", host, port);
	return b.s;
}

struct serve *serve_new(const char *where, struct diag *d)
{
	struct serve *s;
	int fd = open_socket(where, d);

	if (fd < 0)
		return NULL;
	if (!load()) {
		struct strbuf what = {0};

		strbuf_addf(&what, "cannot listen at %s", where);
		library_missing(d, D_SYS, NOLOC, what.s, LIBRARY);
		strbuf_release(&what);
		close(fd);
		return NULL;
	}
	s = xcalloc(1, sizeof(*s));
	s->url = url_of(fd);
	s->daemon = mhd.start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, on_request, s, MHD_OPTION_LISTEN_SOCKET, fd,
				     MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT,
				     MHD_OPTION_END);
	if (s->daemon)
		return s;
	diag_error(d, D_SYS, NOLOC, "cannot listen at %s: libmicrohttpd does not start", where);
	close(fd);
	xfree(s->url);
	xfree(s);
	return NULL;
}

void serve_free(struct serve *s)
{
	if (!s)
		return;
	mhd.stop_daemon(s->daemon);
	xfree(s->url);
	xfree(s);
}

const char *serve_url(const struct serve *s)
{
	return s->url;
}

int serve_fd(const struct serve *s)
{
	return mhd.get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

void serve_answer(struct serve *s, void (*text)(void *ctx, struct strbuf *out), void *ctx)
{
	s->text = text;
	s->ctx = ctx;
	mhd.run(s->daemon);
}

#else /* built without the header: libmicrohttpd-dev */

struct serve *serve_new(const char *where, struct diag *d)
{
	diag_error(d, D_SYS, NOLOC, "cannot listen at %s: this dtrace was built without libmicrohttpd-dev", where);
	return NULL;
}

void serve_free(struct serve *s)
{
	(void)s;
}

const char *serve_url(const struct serve *s)
{
	(void)s;
	return "";
}

int serve_fd(const struct serve *s)
{
	(void)s;
	return -1;
}

void serve_answer(struct serve *s, void (*text)(void *ctx, struct strbuf *out), void *ctx)
{
	(void)s, (void)text, (void)ctx;
}
#endif
