/*
 * traffic.c - sends or receives a limited amount of traffic for the live tests, from one known
 * process.
 *
 * usage: traffic udp ADDRESS PORT SIZE COUNT [SEGMENT]   sends datagrams; SEGMENT: UDP_SEGMENT
 *        traffic sink ADDRESS PORT                       holds a UDP port open till killed
 *        traffic serve ADDRESS PORT                      takes a TCP connection, counts bytes
 *        traffic tcp ADDRESS PORT BYTES                  sends BYTES to `serve`
 *        traffic ping ADDRESS PORT COUNT                 sends COUNT bytes, each answered, over TCP
 *        traffic echo ADDRESS PORT                       answers `ping`
 *        traffic stray ADDRESS PORT COUNT                sends ACKs of no connection to a listener
 *        traffic twice ADDRESS PORT                      retransmits a FIN to a socket in TIME_WAIT
 *
 * `sink`, `serve` and `echo` print "listening" when a client may begin. `serve` and `echo` end with
 * the connection.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

static char block[1 << 16];

/* Opens a socket of type @type for @address and @port, and stores the addrinfo in *@a. */
static int open_socket(int type, const char *address, const char *port, struct addrinfo **a)
{
	struct addrinfo hints = {.ai_socktype = type, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
	int s, on = 1, bad = getaddrinfo(address, port, &hints, a);

	if (bad)
		errx(1, "%s: %s", address, gai_strerror(bad));
	s = socket((*a)->ai_family, type, 0);
	if (s < 0)
		err(1, "socket");
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	return s;
}

static void send_udp(char **arg, int narg)
{
	long size = atol(arg[2]), count = atol(arg[3]);
	struct addrinfo *a;
	int s = open_socket(SOCK_DGRAM, arg[0], arg[1], &a);
	int segment = narg > 4 ? atoi(arg[4]) : 0;

	if (size > (long)sizeof(block))
		errx(1, "a datagram of %ld bytes", size);
	if (segment && setsockopt(s, IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof(segment)))
		err(1, "UDP_SEGMENT");
	while (count--) {
		if (sendto(s, block, size, 0, a->ai_addr, a->ai_addrlen) != size)
			err(1, "sendto");
	}
	close(s);
	freeaddrinfo(a);
}

static void sink(char **arg)
{
	struct addrinfo *a;
	int s = open_socket(SOCK_DGRAM, arg[0], arg[1], &a);

	if (bind(s, a->ai_addr, a->ai_addrlen))
		err(1, "bind");
	freeaddrinfo(a);
	puts("listening");
	fflush(stdout);
	while (recv(s, block, sizeof(block), 0) >= 0)
		;
}

static int accept_one(char **arg)
{
	struct addrinfo *a;
	int s = open_socket(SOCK_STREAM, arg[0], arg[1], &a), c;

	if (bind(s, a->ai_addr, a->ai_addrlen) || listen(s, 1))
		err(1, "listen");
	puts("listening");
	fflush(stdout);
	c = accept(s, NULL, NULL);
	if (c < 0)
		err(1, "accept");
	close(s);
	freeaddrinfo(a);
	return c;
}

static int connect_to(char **arg)
{
	struct addrinfo *a;
	int s = open_socket(SOCK_STREAM, arg[0], arg[1], &a);

	if (connect(s, a->ai_addr, a->ai_addrlen))
		err(1, "connect");
	freeaddrinfo(a);
	return s;
}

/*
 * Accepts one connection, and prints the number of bytes received. Fails unless these are the bytes
 * that send_tcp() sends.
 */
static void serve(char **arg)
{
	int c = accept_one(arg);
	unsigned long long total = 0;
	ssize_t n;

	while ((n = read(c, block, sizeof(block))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if ((unsigned char)block[i] != (unsigned char)((total + i) % 251))
				errx(1, "byte %llu is damaged", total + i);
		}
		total += n;
	}
	if (n < 0)
		err(1, "read");
	printf("%llu\n", total);
	close(c);
}

static void send_tcp(char **arg)
{
	unsigned long long left = strtoull(arg[2], NULL, 10), at = 0;
	/* A multiple of 251, so that the pattern continues when the block is sent again. */
	size_t chunk = sizeof(block) / 251 * 251;
	int s = connect_to(arg);

	for (size_t i = 0; i < sizeof(block); i++)
		block[i] = (char)(i % 251);
	while (left) {
		size_t n = left < chunk - at ? left : chunk - at;
		ssize_t done = write(s, block + at, n);

		if (done < 0)
			err(1, "write");
		left -= done;
		at = (at + done) % chunk;
	}
	shutdown(s, SHUT_WR);
	while (read(s, block, sizeof(block)) > 0)
		;
	close(s);
}

static void echo(char **arg)
{
	int c = accept_one(arg);
	ssize_t n;

	while ((n = read(c, block, sizeof(block))) > 0) {
		if (write(c, block, n) != n)
			err(1, "write");
	}
	close(c);
}

static void ping(char **arg)
{
	long count = atol(arg[2]);
	int s = connect_to(arg), on = 1;

	setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	while (count--) {
		if (write(s, block, 1) != 1 || read(s, block, 1) != 1)
			err(1, "no answer");
	}
	close(s);
}

struct segment {
	uint16_t sport, dport;
	uint32_t seq, ack;
	uint8_t offset, flags;
	uint16_t window, check, urgent;
} __attribute__((packed));

static uint16_t fold(uint64_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static uint64_t words(const void *p, size_t n)
{
	uint64_t sum = 0;
	uint16_t w;

	for (size_t i = 0; i < n; i += 2) {
		memcpy(&w, (const char *)p + i, 2);
		sum += w;
	}
	return sum;
}

/* Returns the checksum of a segment. For IPv6 it is 0, because the kernel fills it in. */
static uint16_t checksum(const struct addrinfo *a, const struct segment *s)
{
	const struct sockaddr_in *in = (const void *)a->ai_addr;

	if (a->ai_family == AF_INET6)
		return 0;
	return fold(2 * words(&in->sin_addr, 4) + htons(IPPROTO_TCP) + htons(sizeof(*s)) +
		    words(s, sizeof(*s)));
}

/* Sends a single segment; source and destination address are the same. */
static void send_segment(struct addrinfo *a, struct segment s)
{
	int raw = socket(a->ai_family, SOCK_RAW, IPPROTO_TCP), at = offsetof(struct segment, check);

	if (raw < 0)
		err(1, "raw socket");
	if (a->ai_family == AF_INET6) {
		setsockopt(raw, IPPROTO_IPV6, IPV6_CHECKSUM, &at, sizeof(at));
		((struct sockaddr_in6 *)a->ai_addr)->sin6_port = 0;
	}
	s.offset = sizeof(s) / 4 << 4;
	s.window = htons(1000);
	s.check = checksum(a, &s);
	if (sendto(raw, &s, sizeof(s), 0, a->ai_addr, a->ai_addrlen) != sizeof(s))
		err(1, "sendto");
	close(raw);
}

static void stray(char **arg)
{
	long count = atol(arg[2]);
	struct addrinfo *a;
	int s = open_socket(SOCK_STREAM, arg[0], arg[1], &a);

	if (bind(s, a->ai_addr, a->ai_addrlen) || listen(s, 1))
		err(1, "listen");
	for (long i = 0; i < count; i++)
		send_segment(a, (struct segment){.sport = htons(4000 + i),
						 .dport = htons(atoi(arg[1])),
						 .seq = htonl(1),
						 .ack = htonl(1),
						 .flags = 0x10});
	close(s);
	freeaddrinfo(a);
}

/*
 * Opens a connection to itself and closes it. Then sends the last FIN again, so that the end in
 * TIME_WAIT answers with an ACK.
 */
static void twice(char **arg)
{
	uint16_t port = htons(atoi(arg[1]));
	struct sockaddr_storage me;
	socklen_t len = sizeof(me);
	uint32_t seq[2], q;
	struct addrinfo *a;
	int s = open_socket(SOCK_STREAM, arg[0], arg[1], &a), c, p, on = 1,
	    off = TCP_REPAIR_OFF_NO_WP;

	if (bind(s, a->ai_addr, a->ai_addrlen) || listen(s, 1))
		err(1, "listen");
	c = connect_to(arg);
	p = accept(s, NULL, NULL);
	if (p < 0 || getsockname(c, (struct sockaddr *)&me, &len))
		err(1, "accept");
	/* The sequence numbers of both directions can only be read in repair mode. */
	for (int i = 0; i < 2; i++) {
		q = i ? TCP_SEND_QUEUE : TCP_RECV_QUEUE;
		len = sizeof(seq[i]);
		if (setsockopt(p, IPPROTO_TCP, TCP_REPAIR, &on, sizeof(on)) ||
		    setsockopt(p, IPPROTO_TCP, TCP_REPAIR_QUEUE, &q, sizeof(q)) ||
		    getsockopt(p, IPPROTO_TCP, TCP_QUEUE_SEQ, &seq[i], &len) ||
		    setsockopt(p, IPPROTO_TCP, TCP_REPAIR, &off, sizeof(off)))
			err(1, "TCP_REPAIR");
	}
	close(c);
	if (read(p, block, 1) != 0)
		err(1, "no end");
	close(p);
	close(s);
	usleep(20000);
	/* The ACK number is one higher, because the side that closed first has sent a FIN. */
	send_segment(a, (struct segment){.sport = port,
					 .dport = ((struct sockaddr_in *)&me)->sin_port,
					 .seq = htonl(seq[1]),
					 .ack = htonl(seq[0] + 1),
					 .flags = 0x11});
	freeaddrinfo(a);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	char **arg = argv + 2;
	int narg = argc - 2;

	if (!strcmp(what, "udp") && narg >= 4)
		send_udp(arg, narg);
	else if (!strcmp(what, "sink") && narg == 2)
		sink(arg);
	else if (!strcmp(what, "serve") && narg == 2)
		serve(arg);
	else if (!strcmp(what, "tcp") && narg == 3)
		send_tcp(arg);
	else if (!strcmp(what, "echo") && narg == 2)
		echo(arg);
	else if (!strcmp(what, "ping") && narg == 3)
		ping(arg);
	else if (!strcmp(what, "stray") && narg == 3)
		stray(arg);
	else if (!strcmp(what, "twice") && narg == 2)
		twice(arg);
	else
		errx(2, "usage: see the top of traffic.c");
	return 0;
}
