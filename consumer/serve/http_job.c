/*
 * http_job.c - parses and answers HTTP in a reader, a confined process. http_rpc.h describes its
 * messages.
 *
 * A connection has one request. If the text with metrics is no longer fresh, the client waits for
 * the next text, and all waiting clients get the same text. Clients cannot use up memory or time.
 * The duration of a connection, the number of connections and the size of the texts are limited.
 */
#include "consumer/serve/http_job.h"

#include <arpa/inet.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/library.h"
#include "base/xalloc.h"
#include "consumer/serve/http_rpc.h"
#include "sandbox/syscall_filter.h"

static void fail(int sock, uint32_t why)
{
	rpc_send(sock, HTTP_FAILED, 0, &why, sizeof(why), -1);
}

#if __has_include(<microhttpd.h>)
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define CLIENTS_MAX 64u /* maximum number of connections; another connection evicts a client */

/*
 * Limit of the number of connections in the library. It is higher than CLIENTS_MAX, because the
 * library closes a connection only some time after disconnect().
 */
#define CONNECTIONS_MAX 128u

#define REQUEST_NS 10000000000u /* time within which a request must be complete, in ns */
/* a request that takes longer than this is late (see evicted_before()); in ns */
#define PROMPT_NS 100000000u
#define ANSWER_NS 60000000000u /* time within which an answer must be sent, in ns */
#define REQUEST_BYTES 8192u
/* limit of the size of all texts that are being sent, in bytes */
#define PAGE_BYTES_MAX (64u << 20)

/* The functions of the library that are used here, without their prefix MHD_. */
#define FUNCTIONS(X) \
	X(start_daemon) \
	X(run) \
	X(get_daemon_info) \
	X(get_timeout) \
	X(get_connection_info) \
	X(lookup_connection_value) \
	X(suspend_connection) \
	X(resume_connection) \
	X(create_response_from_buffer) \
	X(create_response_from_buffer_with_free_callback) \
	X(add_response_header) \
	X(queue_response) \
	X(destroy_response)

static struct {
#define X(name) __typeof__(MHD_##name) *name;
	FUNCTIONS(X)
#undef X
} mhd;

static bool loaded;

static void load(void)
{
	static const struct library_symbol names[] = {
#define X(name) {"MHD_" #name, (void **)&mhd.name},
		FUNCTIONS(X)
#undef X
	};

	loaded = library_load(HTTP_LIBRARY, names, sizeof(names) / sizeof(*names));
}

/*
 * A text with metrics, which may be sent to several clients. It is freed when a newer text has come
 * and no client needs this one any more.
 */
struct page {
	struct page *next; /* the next older text */
	void *map;
	size_t size;
	struct MHD_Response *response;
};

struct client {
	struct MHD_Connection *connection; /* connection, or NULL if the entry is unused */
	int fd;
	uint8_t net[16]; /* network of the client's address; see net_of() */
	/* time of the last progress: the client connected, sent its request, or was resumed */
	uint64_t since;
	uint64_t until;          /* deadline; by now_monotonic(), as @since */
	bool asked;              /* the client's request is complete */
	bool waiting;            /* the client is suspended until the next text */
	bool waited;             /* the client was resumed with a new text */
	bool disconnected;       /* disconnect() was called for the client */
	const struct page *page; /* the text that is being sent to the client, or NULL */
};

static struct client clients[CONNECTIONS_MAX];
static struct page *pages;   /* all texts, the newest first */
static struct page *newest;  /* the text to send next */
static size_t page_bytes;    /* size of all texts in bytes */
static uint64_t fresh_until; /* time until which @newest is fresh, by now_monotonic() */
static bool requested;       /* a text was requested and has not arrived yet */
static int dtrace = -1;      /* the socket to dtrace */
static char host_name[HTTP_NAME_MAX + 1];

/* --------------------------------------------------------------------- clients */

/*
 * Sets @net to the network that stands for the client's host: the IPv4 address, or the /64 network
 * of an IPv6 address. One host may have all addresses of a /64 network.
 */
static void net_of(const struct sockaddr *a, uint8_t net[16])
{
	const struct sockaddr_in6 *six = (const void *)a;

	memset(net, 0, 16);
	if (a->sa_family == AF_INET)
		memcpy(net, &((const struct sockaddr_in *)(const void *)a)->sin_addr, 4);
	else if (a->sa_family == AF_INET6)
		memcpy(net, &six->sin6_addr, IN6_IS_ADDR_V4MAPPED(&six->sin6_addr) ? 16 : 8);
}

/*
 * Shuts a connection down. The library closes the connection the next time that the library runs.
 */
static void disconnect(struct client *c)
{
	c->disconnected = true;
	shutdown(c->fd, SHUT_RDWR);
	if (c->waiting) {
		c->waiting = false;
		mhd.resume_connection(c->connection);
	}
}

static bool is_open(const struct client *c)
{
	return c->connection && !c->disconnected;
}

static unsigned connections_of(const uint8_t net[16])
{
	unsigned n = 0;

	for (unsigned i = 0; i < CONNECTIONS_MAX; i++)
		n += is_open(&clients[i]) && !memcmp(clients[i].net, net, 16);
	return n;
}

static bool is_late(const struct client *c, uint64_t now)
{
	return !c->asked && now > c->since + PROMPT_NS;
}

/*
 * Returns whether client @a is evicted before client @b. The order of eviction is:
 * - clients with more connections from their network come first;
 * - of these, clients whose request is late;
 * - of these, the client that has made no progress for the longest time.
 * So a client that has just connected is evicted last, even if the others send a request and then
 * do not read the answer.
 */
static bool evicted_before(const struct client *a, const struct client *b, uint64_t now)
{
	unsigned na = connections_of(a->net), nb = connections_of(b->net);

	if (na != nb)
		return na > nb;
	if (is_late(a, now) != is_late(b, now))
		return is_late(a, now);
	return a->since < b->since;
}

/* Evicts a client if there are too many clients, so that slow clients cannot keep others out. */
static void evict_client(void)
{
	struct client *worst = NULL;
	uint64_t now = now_monotonic();
	unsigned n = 0;

	for (struct client *c = clients; c < clients + CONNECTIONS_MAX; c++)
		if (is_open(c)) {
			n++;
			if (!worst || evicted_before(c, worst, now))
				worst = c;
		}
	if (n > CLIENTS_MAX)
		disconnect(worst);
}

static void *begin_client(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info;
	struct client *c = clients;

	while (c < clients + CONNECTIONS_MAX && c->connection)
		c++;
	if (c == clients + CONNECTIONS_MAX)
		return NULL;
	*c = (struct client){.connection = connection, .since = now_monotonic()};
	c->until = c->since + REQUEST_NS;
	/* libmicrohttpd 1.0 has one union for all results: the next call overwrites this result */
	info = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	c->fd = info->connect_fd;
	info = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	net_of(info->client_addr, c->net);
	evict_client();
	return c;
}

static void on_connection(void *ctx, struct MHD_Connection *connection, void **client,
			  enum MHD_ConnectionNotificationCode what)
{
	(void)ctx;
	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		*client = begin_client(connection);
	else if (*client)
		memset(*client, 0, sizeof(struct client));
}

static void disconnect_late(void)
{
	uint64_t now = now_monotonic();

	for (struct client *c = clients; c < clients + CONNECTIONS_MAX; c++)
		if (is_open(c) && now > c->until)
			disconnect(c);
}

/* ----------------------------------------------------------------------- texts */

/*
 * Unmaps and frees a text. The library calls this function when no client needs the text any more.
 */
static void free_page(void *map)
{
	for (struct page **at = &pages; *at; at = &(*at)->next) {
		struct page *p = *at;

		if (p->map != map)
			continue;
		*at = p->next;
		page_bytes -= p->size;
		munmap(p->map, p->size);
		xfree(p);
		return;
	}
}

static void set_headers(struct MHD_Response *r, const char *type)
{
	mhd.add_response_header(r, "Content-Type", type);
	mhd.add_response_header(r, "Connection", "close");
}

static struct page *page_new(void *map, size_t size)
{
	struct page *p = xcalloc(1, sizeof(*p));

	*p = (struct page){pages, map, size, NULL};
	pages = p;
	page_bytes += size;
	p->response = mhd.create_response_from_buffer_with_free_callback(size, map, free_page);
	if (!p->response) {
		free_page(map);
		return NULL;
	}
	set_headers(p->response, "text/plain; version=0.0.4; charset=utf-8");
	return p;
}

static const struct page *oldest_page(void)
{
	const struct page *p = pages;

	while (p && p->next)
		p = p->next;
	return p;
}

/*
 * If all texts together take too much memory, disconnects the clients that receive the oldest text.
 */
static void bound_pages(void)
{
	const struct page *p = page_bytes > PAGE_BYTES_MAX ? oldest_page() : NULL;

	for (struct client *c = clients; p && p != newest && c < clients + CONNECTIONS_MAX; c++)
		if (is_open(c) && c->page == p)
			disconnect(c);
}

static void resume_all(void)
{
	for (struct client *c = clients; c < clients + CONNECTIONS_MAX; c++)
		if (c->waiting) {
			c->waiting = false;
			c->waited = true;
			c->since = now_monotonic();
			mhd.resume_connection(c->connection);
		}
}

static void receive_text(int fd, uint64_t fresh_ns)
{
	struct stat st;
	void *map;
	struct page *p;

	requested = false;
	fresh_until = now_monotonic() + fresh_ns;
	if (fstat(fd, &st) || st.st_size <= 0)
		return;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	p = map == MAP_FAILED ? NULL : page_new(map, (size_t)st.st_size);
	if (p) {
		if (newest)
			mhd.destroy_response(newest->response);
		newest = p;
	}
	bound_pages();
	resume_all();
}

static void request_text(void)
{
	if (requested)
		return;
	if (!rpc_send(dtrace, HTTP_WANT, 0, NULL, 0, -1))
		_exit(0);
	requested = true;
}

/* --------------------------------------------------------------------- answers */

/* Copies the part NAME of "NAME", "NAME:PORT" or "[NAME]:PORT" to @name. */
static void name_in(const char *host, char *name, size_t size)
{
	size_t n = *host == '[' ? strcspn(++host, "]") : strcspn(host, ":");

	n = n < size ? n : 0;
	memcpy(name, host, n);
	name[n] = '\0';
}

/*
 * Returns whether the Host header is missing, or has an IP address, "localhost" or the name of this
 * host. Other names are refused to prevent DNS rebinding: a web page can make its own name resolve
 * to this host, and the browser then sends that name.
 */
static bool is_for_us(const char *host)
{
	char name[HTTP_NAME_MAX + 1];
	struct in6_addr a;

	if (!host)
		return true; /* the request is not from a browser */
	name_in(host, name, sizeof(name));
	return inet_pton(AF_INET, name, &a) == 1 || inet_pton(AF_INET6, name, &a) == 1 ||
	       !strcasecmp(name, "localhost") || (*host_name && !strcasecmp(name, host_name));
}

static enum MHD_Result reply(struct MHD_Connection *connection, unsigned status, const char *text)
{
	struct MHD_Response *r = mhd.create_response_from_buffer(strlen(text),
								 (void *)(uintptr_t)text,
								 MHD_RESPMEM_PERSISTENT);
	enum MHD_Result res;

	if (!r)
		return MHD_NO;
	set_headers(r, "text/plain");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		mhd.add_response_header(r, "Allow", "GET, HEAD");
	res = mhd.queue_response(connection, status, r);
	mhd.destroy_response(r);
	return res;
}

/* Sends the newest text if it is fresh. Otherwise suspends the client until the next text comes. */
static enum MHD_Result send_text(struct client *c)
{
	if (!c->waited && (!newest || now_monotonic() > fresh_until)) {
		c->waiting = true;
		mhd.suspend_connection(c->connection);
		request_text();
		return MHD_YES;
	}
	if (!newest)
		return reply(c->connection, MHD_HTTP_SERVICE_UNAVAILABLE, "no metrics yet\n");
	c->page = newest;
	return mhd.queue_response(c->connection, MHD_HTTP_OK, newest->response);
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *data,
				  size_t *size, void **state)
{
	struct client *c = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
				   ->socket_context;

	(void)ctx, (void)version, (void)data, (void)state;
	*size = 0; /* ignore the body of the request */
	if (!c || c->disconnected)
		return MHD_NO;
	if (!c->asked) {
		c->since = now_monotonic();
		c->until = c->since + ANSWER_NS;
	}
	c->asked = true;
	if (!is_for_us(mhd.lookup_connection_value(connection, MHD_HEADER_KIND, "Host")))
		return reply(connection, MHD_HTTP_FORBIDDEN,
			     "use an IP address, localhost or the name of this host in the URL\n");
	if (strcmp(method, "GET") && strcmp(method, "HEAD"))
		return reply(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			     "only GET /metrics is possible here\n");
	if (strcmp(url, "/metrics"))
		return reply(connection, MHD_HTTP_NOT_FOUND,
			     "only GET /metrics is possible here\n");
	return send_text(c);
}

/* --------------------------------------------------------------------- the loop */

static struct rpc_message message;

/* Receives the socket to listen at, and returns it. Exits if no socket comes. */
static int receive_socket(void)
{
	struct rpc_in in;
	const char *name;
	size_t n;

	if (rpc_receive(dtrace, &message, true, 0) != RPC_OK || message.head.type != HTTP_LISTEN)
		_exit(0);
	in = rpc_open(&message);
	name = rpc_text(&in, HTTP_NAME_MAX, &n);
	memcpy(host_name, name, n);
	return message.fd;
}

static void receive_message(void)
{
	struct rpc_in in;
	uint64_t fresh_ns;

	if (rpc_receive(dtrace, &message, true, 0) != RPC_OK)
		_exit(0);
	in = rpc_open(&message);
	fresh_ns = rpc_u64(&in);
	if (message.head.type == HTTP_TEXT && rpc_ended(&in) && message.fd >= 0)
		receive_text(message.fd, fresh_ns);
	if (message.fd >= 0)
		close(message.fd);
}

static struct MHD_Daemon *start(int fd)
{
	return mhd.start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request,
				NULL, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
				CONNECTIONS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
				(size_t)REQUEST_BYTES, MHD_OPTION_NOTIFY_CONNECTION, on_connection,
				NULL, MHD_OPTION_END);
}

static void loop(struct MHD_Daemon *daemon)
{
	int epoll = mhd.get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
	struct pollfd p[] = {{.fd = dtrace, .events = POLLIN}, {.fd = epoll, .events = POLLIN}};

	for (;;) {
		MHD_UNSIGNED_LONG_LONG ms;

		if (mhd.get_timeout(daemon, &ms) != MHD_YES || ms > 1000)
			ms = 1000; /* deadlines are checked once a second */
		poll(p, 2, (int)ms);
		if (p[0].revents)
			receive_message();
		disconnect_late();
		mhd.run(daemon);
	}
}

static void run(int sock)
{
	struct MHD_Daemon *daemon;
	int fd;

	dtrace = sock;
	signal(SIGPIPE, SIG_IGN);
	fd = receive_socket();
	if (!loaded) {
		fail(sock, HTTP_NO_LIBRARY);
		return;
	}
	daemon = start(fd);
	if (!daemon) {
		fail(sock, HTTP_NO_START);
		return;
	}
	rpc_send(sock, HTTP_READY, 0, NULL, 0, -1);
	loop(daemon);
}

#else /* built without the header of libmicrohttpd-dev */

static void load(void)
{
}

static void run(int sock)
{
	fail(sock, HTTP_NOT_BUILT);
}
#endif

const struct job http_job = {.name = "http", .calls = CALLS_SERVE, .load = load, .run = run};
