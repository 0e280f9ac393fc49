/*
 * fuzz_http.c - checks that hostile clients of -x listen do not harm the confined process that
 * answers them, and get nothing from it except the text that dtrace supplied.
 *
 * The input is a list of client actions: connect, send bytes, leave. Between these actions, dtrace
 * supplies a new text and time passes. libmicrohttpd parses requests; http_job.c parses their
 * address, method and host. A client must get one of the answers that http_job.c has.
 */
#include <dlfcn.h>

#include "base/clock.h"

static uint64_t fuzz_now(void);

#define now_monotonic fuzz_now
#define rpc_send fuzz_send
#include "consumer/serve/http_job.c"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t now = 1;

static uint64_t fuzz_now(void)
{
	return now;
}

#if !__has_include(<microhttpd.h>)
bool fuzz_send(int sock, uint32_t type, uint32_t serial, const void *body, size_t size, int fd)
{
	(void)sock, (void)type, (void)serial, (void)body, (void)size, (void)fd;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data, (void)size;
	return 0;
}
#else

#define PEERS 72u /* number of clients, more than the server accepts */
#define TEXT "# HELP the text\n"

static int (*add_connection)(struct MHD_Daemon *, MHD_socket, const struct sockaddr *, socklen_t);
static void (*stop_daemon)(struct MHD_Daemon *);

static int peer[PEERS]; /* client ends of the connections, or -1 */
static unsigned asked_dtrace;

/*
 * Receives the job's request for the text. Checks that the job does not ask again before the text
 * has arrived.
 */
bool fuzz_send(int sock, uint32_t type, uint32_t serial, const void *body, size_t size, int fd)
{
	assert(sock == 77 && type == HTTP_WANT && !serial && !body && !size && fd < 0);
	assert(++asked_dtrace == 1);
	return true;
}

static void load_library(void)
{
	void *lib = dlopen(HTTP_LIBRARY, RTLD_NOW);

	load();
	if (!loaded || !lib)
		abort();
	*(void **)&add_connection = dlsym(lib, "MHD_add_connection");
	*(void **)&stop_daemon = dlsym(lib, "MHD_stop_daemon");
	signal(SIGPIPE, SIG_IGN);
	snprintf(host_name, sizeof(host_name), "here");
}

static int listener(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) || listen(fd, 1))
		abort();
	return fd;
}

/*
 * Connects client @i, unless it is connected. @from chooses the client's address, which is in one
 * of a few IPv4 or IPv6 networks.
 */
static void connect_peer(struct MHD_Daemon *daemon, unsigned i, uint8_t from)
{
	struct sockaddr_in four = {.sin_family = AF_INET};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};
	int pair[2];

	if (peer[i] >= 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair))
		return;
	peer[i] = pair[0];
	four.sin_addr.s_addr = from % 4;
	six.sin6_addr.s6_addr[from % 16] = from;
	if (from & 0x80)
		add_connection(daemon, pair[1], (struct sockaddr *)&six, sizeof(six));
	else
		add_connection(daemon, pair[1], (struct sockaddr *)&four, sizeof(four));
}

/*
 * Checks that the answer is one of those in http_job.c. Only an answer with status 200 may have the
 * text, and only after dtrace has supplied one.
 */
static void check_answer(const char *s, size_t n)
{
	static const char *const begins[] = {"HTTP/1.0 ", "HTTP/1.1 "};
	static const char *const ours[] = {"200 ", "403 ", "404 ", "405 ", "503 "};
	bool is_ours = false;

	if (n < 13)
		return;
	assert(!memcmp(s, begins[0], 9) || !memcmp(s, begins[1], 9));
	for (unsigned i = 0; i < 5; i++)
		is_ours |= !memcmp(s + 9, ours[i], 4);
	/*
	 * The library answers a malformed request with an error of its own. libmicrohttpd 1.0
	 * redirects a request whose address contains spaces.
	 */
	assert(is_ours || s[9] == '4' || s[9] == '5' || !memcmp(s + 9, "301 ", 4));
	assert(memcmp(s + 9, "200 ", 4) ? !strstr(s, TEXT) : newest != NULL);
}

static void read_peer(unsigned i)
{
	static char buf[65536];
	ssize_t n = peer[i] < 0 ? -1 : read(peer[i], buf, sizeof(buf) - 1);

	if (n <= 0)
		return;
	buf[n] = '\0';
	if (!memcmp(buf, "HTTP/", n < 5 ? (size_t)n : 5))
		check_answer(buf, (size_t)n);
}

static void read_peers(void)
{
	for (unsigned i = 0; i < PEERS; i++)
		read_peer(i);
}

static void leave(unsigned i)
{
	if (peer[i] >= 0)
		close(peer[i]);
	peer[i] = -1;
}

static void new_text(uint8_t good)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	if (fd < 0 || write(fd, TEXT, strlen(TEXT)) != (ssize_t)strlen(TEXT))
		abort();
	asked_dtrace = 0;
	receive_text(fd, (uint64_t)good << 24);
	close(fd);
}

static void check_clients(void)
{
	unsigned open = 0;

	for (unsigned i = 0; i < CONNECTIONS_MAX; i++)
		open += is_open(&clients[i]);
	assert(open <= CLIENTS_MAX && page_bytes <= PAGE_BYTES_MAX);
}

static const uint8_t *step(struct MHD_Daemon *daemon, const uint8_t *at, const uint8_t *end)
{
	unsigned i = at[1] % PEERS, n = at[2];

	switch (at[0] % 8) {
	case 0:
		connect_peer(daemon, i, at[2]);
		return at + 3;
	case 1:
		leave(i);
		return at + 3;
	case 2:
		now += (uint64_t)at[1] << 28;
		return at + 3;
	case 3:
		new_text(at[1]);
		return at + 3;
	default: /* the action sends bytes, from a client that is connected if necessary */
		connect_peer(daemon, i, at[2]);
		at += 3;
		n = n < (size_t)(end - at) ? n : (unsigned)(end - at);
		if (peer[i] >= 0 && write(peer[i], at, n) < 0)
			leave(i);
		return at + n;
	}
}

/*
 * Ends all connections and stops the server. The library cannot stop while a connection is
 * suspended.
 */
static void end_all(struct MHD_Daemon *daemon, int fd)
{
	unsigned n;

	for (unsigned i = 0; i < PEERS; i++)
		leave(i);
	do {
		n = 0;
		for (struct client *c = clients; c < clients + CONNECTIONS_MAX; c++)
			if (is_open(c)) {
				disconnect(c);
				n++;
			}
		mhd.run(daemon);
	} while (n);
	if (newest)
		mhd.destroy_response(newest->response);
	newest = NULL;
	stop_daemon(daemon);
	close(fd);
	assert(!pages && !page_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *at = data, *end = data + size;
	struct MHD_Daemon *daemon;
	unsigned steps = 0;
	int fd;

	if (!loaded)
		load_library();
	dtrace = 77;
	asked_dtrace = 0;
	requested = false;
	fresh_until = 0;
	memset(clients, 0, sizeof(clients));
	for (unsigned i = 0; i < PEERS; i++)
		peer[i] = -1;
	fd = listener();
	daemon = start(fd);
	if (!daemon)
		abort();
	while (end - at >= 3) {
		at = step(daemon, at, end);
		disconnect_late();
		mhd.run(daemon);
		check_clients();
		if (++steps % 8 == 0)
			read_peers();
	}
	read_peers();
	end_all(daemon, fd);
	return 0;
}
#endif
