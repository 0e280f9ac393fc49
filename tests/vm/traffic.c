/*
 * traffic.c - sends the same few packets in each run, from namespace a to namespace b, and inside
 * a.
 *
 * One process holds both ends of every connection, so that the order does not
 * depend on scheduling. After each step it waits for the other end's acknowledgement.
 * Addresses: 10.253.1.1, 10.253.3.3, fd53:1::1 and fd53:3::3 are a's, 10.253.2.2 and fd53:2::2 are
 * b's.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void settle(void)
{
	usleep(150000);
}

static void enter(const char *ns)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", ns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die(path);
	close(fd);
}

struct address {
	struct sockaddr_storage s;
	socklen_t len;
};

static struct address address(const char *text, int port)
{
	struct address a = {0};
	struct sockaddr_in *in = (struct sockaddr_in *)&a.s;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&a.s;

	if (strchr(text, ':')) {
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons(port);
		a.len = sizeof(*in6);
		if (inet_pton(AF_INET6, text, &in6->sin6_addr) != 1)
			die(text);
	} else {
		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		a.len = sizeof(*in);
		if (inet_pton(AF_INET, text, &in->sin_addr) != 1)
			die(text);
	}
	return a;
}

/* Returns a socket in namespace @ns that is bound to @addr and @port. */
static int bound(const char *ns, int type, const char *addr, int port)
{
	struct address a = address(addr, port);
	int one = 1, fd;

	enter(ns);
	fd = socket(a.s.ss_family, type, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(fd, (struct sockaddr *)&a.s, a.len))
		die("bind");
	return fd;
}

static int try_connect(int fd, const char *addr, int port)
{
	struct address a = address(addr, port);

	return connect(fd, (struct sockaddr *)&a.s, a.len);
}

struct route {
	const char *from, *to; /* namespaces */
	const char *from_addr, *to_addr;
	int port; /* first port of the range */
};

/* Opens a connection and stores its two ends in *@client and *@server. */
static void open_pair(const struct route *r, int port, int *client, int *server)
{
	int listener = bound(r->to, SOCK_STREAM, r->to_addr, port);

	if (listen(listener, 4))
		die("listen");
	*client = bound(r->from, SOCK_STREAM, r->from_addr, port + 1000);
	if (try_connect(*client, r->to_addr, port))
		die("connect");
	*server = accept(listener, NULL, NULL);
	if (*server < 0)
		die("accept");
	settle();
	close(listener);
	settle();
}

static void put(int fd, size_t n)
{
	static char data[4096];
	int unacknowledged = 1;

	if (send(fd, data, n, 0) != (ssize_t)n)
		die("send");
	while (unacknowledged) {
		settle();
		if (ioctl(fd, SIOCOUTQ, &unacknowledged))
			die("SIOCOUTQ");
	}
}

static int state(int fd)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
		die("TCP_INFO");
	return info.tcpi_state;
}

/*
 * Sends a FIN, waits until the other end acknowledges it, which may take long, and closes the
 * socket.
 */
static void finish(int fd)
{
	if (shutdown(fd, SHUT_WR))
		die("shutdown");
	do
		settle();
	while (state(fd) == TCP_FIN_WAIT1 || state(fd) == TCP_LAST_ACK);
	close(fd);
	settle();
}

/* Sends data one way, then closes one end after the other. */
static void tcp_orderly(const struct route *r)
{
	char got[4096];
	int client, server;

	open_pair(r, r->port, &client, &server);
	put(client, 100);
	if (read(server, got, sizeof(got)) != 100)
		die("read");
	settle();
	finish(client);
	finish(server);
}

/* Closes the server's end first. */
static void tcp_backwards(const struct route *r)
{
	int client, server;

	open_pair(r, r->port + 1, &client, &server);
	finish(server);
	finish(client);
}

static void tcp_reset(const struct route *r)
{
	struct linger now = {1, 0};
	int client, server;

	open_pair(r, r->port + 2, &client, &server);
	setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(client);
	settle();
	close(server);
	settle();
}

static void tcp_refused(const struct route *r)
{
	int client = bound(r->from, SOCK_STREAM, r->from_addr, r->port + 1003);

	if (!try_connect(client, r->to_addr, r->port + 3) || errno != ECONNREFUSED)
		die("connect to a closed port");
	close(client);
	settle();
}

static void udp(const struct route *r)
{
	struct address to = address(r->to_addr, r->port), closed = address(r->to_addr, r->port + 3);
	int server = bound(r->to, SOCK_DGRAM, r->to_addr, r->port);
	int client = bound(r->from, SOCK_DGRAM, r->from_addr, r->port + 1000);
	static char data[3000];

	for (size_t n = 10; n <= 3000; n = n == 10 ? 200 : n + 2800)
		if (sendto(client, data, n, 0, (struct sockaddr *)&to.s, to.len) != (ssize_t)n)
			die("sendto");
	settle();
	if (sendto(client, data, 20, 0, (struct sockaddr *)&closed.s, closed.len) != 20)
		die("sendto a closed port");
	settle();
	close(server);
	close(client);
}

int main(void)
{
	static const struct route routes[] = {
		{"a", "b", "10.253.1.1", "10.253.2.2", 1000},
		{"a", "b", "fd53:1::1", "fd53:2::2", 1000},
		{"a", "a", "10.253.3.3", "10.253.3.3", 1100},
		{"a", "a", "fd53:3::3", "fd53:3::3", 1100},
	};

	for (size_t i = 0; i < sizeof(routes) / sizeof(*routes); i++) {
		const struct route *r = &routes[i];

		tcp_orderly(r);
		tcp_backwards(r);
		tcp_reset(r);
		tcp_refused(r);
		udp(r);
	}
	return 0;
}
