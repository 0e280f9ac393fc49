/*
 * datagram.c - sends a number of UDP or UDP-Lite datagrams of any kind, or receives them.
 *
 * usage: datagram send PROTOCOL FROM PORT TO PORT SIZE COUNT [OPTION=N]...
 *        datagram receive PROTOCOL ADDRESS PORT [OPTION=N]...
 *        datagram rawsend FROM PORT TO PORT SIZE COUNT [OPTION=N]...
 *        datagram rawreceive 4|6
 *
 * "rawsend" makes the UDP headers itself and sends them through a raw socket. "receive" and
 * "rawreceive" (a raw socket for UDP) print "listening" and read until they are killed.
 *
 * PROTOCOL is udp or udplite.  Options: connect=1, segment=BYTES (UDP_SEGMENT), gro=1
 * (UDP_GRO), broadcast=1, cork=1 (two writes make one datagram), coverage=BYTES (UDP-Lite),
 * group=1 (ADDRESS is a multicast group to join), device=INDEX (for multicast),
 * buffer=BYTES (SO_RCVBUF; nothing is read), damaged=1 (rawsend: a bad checksum).
 */
#include <err.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "address.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif
#ifndef SOL_UDPLITE
#define SOL_UDPLITE 136
#endif
#define UDPLITE_SEND_CSCOV 10
#define UDPLITE_RECV_CSCOV 11

static char data[1 << 16];
static char **options;

static int option(const char *name)
{
	size_t n = strlen(name);

	for (char **o = options; *o; o++) {
		if (!strncmp(*o, name, n) && (*o)[n] == '=')
			return atoi(*o + n + 1);
	}
	return 0;
}

static socklen_t fill_in(union address *a, const char *text, const char *port)
{
	socklen_t n = fill(a, text, (uint16_t)atoi(port));

	if (a->any.sa_family == AF_INET6)
		a->v6.sin6_scope_id = option("device");
	return n;
}

static void set(int s, int level, int name, int value, const char *what)
{
	if (value && setsockopt(s, level, name, &value, sizeof(value)))
		err(1, "%s", what);
}

static int open_socket(const char *protocol, int family)
{
	bool lite = !strcmp(protocol, "udplite");
	int s = socket(family, SOCK_DGRAM, lite ? IPPROTO_UDPLITE : 0);

	if (s < 0)
		err(77, "%s", protocol);
	set(s, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");
	set(s, SOL_SOCKET, SO_BROADCAST, option("broadcast"), "SO_BROADCAST");
	set(s, SOL_SOCKET, SO_RCVBUF, option("buffer"), "SO_RCVBUF");
	set(s, IPPROTO_UDP, UDP_SEGMENT, option("segment"), "UDP_SEGMENT");
	set(s, IPPROTO_UDP, UDP_GRO, option("gro"), "UDP_GRO");
	if (lite) {
		set(s, SOL_UDPLITE, UDPLITE_SEND_CSCOV, option("coverage"), "coverage");
		set(s, SOL_UDPLITE, UDPLITE_RECV_CSCOV, option("coverage"), "coverage");
	}
	return s;
}

static void multicast_out(int s, int family)
{
	struct ip_mreqn m = {.imr_ifindex = option("device")};

	if (!m.imr_ifindex)
		return;
	if (family == AF_INET
		    ? setsockopt(s, IPPROTO_IP, IP_MULTICAST_IF, &m, sizeof(m))
		    : setsockopt(s, IPPROTO_IPV6, IPV6_MULTICAST_IF, &m.imr_ifindex, sizeof(int)))
		err(1, "multicast device");
}

static void send_all(char **arg)
{
	union address from, to;
	socklen_t from_len = fill_in(&from, arg[1], arg[2]), len = fill_in(&to, arg[3], arg[4]);
	int s = open_socket(arg[0], from.any.sa_family), size = atoi(arg[5]);
	bool joined = option("connect"), two = option("cork");

	if (bind(s, &from.any, from_len) || (joined && connect(s, &to.any, len)))
		err(1, "bind or connect");
	multicast_out(s, from.any.sa_family);
	for (int i = atoi(arg[6]); i > 0; i--) {
		if (two && sendto(s, data, 1, MSG_MORE, &to.any, len) != 1)
			err(1, "send");
		if (joined ? send(s, data, size, 0) != size
			   : sendto(s, data, size - two, 0, &to.any, len) != size - two)
			err(1, "send");
	}
}

static void join(int s, const union address *group)
{
	struct ip_mreqn m4 = {.imr_ifindex = option("device")};
	struct ipv6_mreq m6 = {.ipv6mr_interface = option("device")};

	if (group->any.sa_family == AF_INET) {
		m4.imr_multiaddr = group->v4.sin_addr;
		if (setsockopt(s, IPPROTO_IP, IP_ADD_MEMBERSHIP, &m4, sizeof(m4)))
			err(1, "join");
	} else {
		m6.ipv6mr_multiaddr = group->v6.sin6_addr;
		if (setsockopt(s, IPPROTO_IPV6, IPV6_JOIN_GROUP, &m6, sizeof(m6)))
			err(1, "join");
	}
}

static void drain(int s, bool read_them)
{
	puts("listening");
	fflush(stdout);
	if (!read_them)
		pause();
	while (recv(s, data, sizeof(data), 0) >= 0)
		;
}

static void receive(char **arg)
{
	union address at;
	socklen_t len = fill_in(&at, arg[1], arg[2]);
	int s = open_socket(arg[0], at.any.sa_family);

	if (bind(s, &at.any, len))
		err(1, "bind");
	if (option("group"))
		join(s, &at);
	drain(s, !option("buffer"));
}

static uint32_t words(const void *p, size_t n)
{
	uint32_t sum = 0;
	uint16_t w;

	for (size_t i = 0; i < n; i += 2) {
		w = 0;
		memcpy(&w, (const char *)p + i, n - i < 2 ? 1 : 2);
		sum += w;
	}
	return sum;
}

static uint16_t checksum(const union address *from, const union address *to, const struct udphdr *u,
			 size_t n)
{
	bool v4 = from->any.sa_family == AF_INET;
	size_t size = v4 ? 4 : 16;
	uint32_t sum = words(v4 ? (const void *)&from->v4.sin_addr : &from->v6.sin6_addr, size) +
		       words(v4 ? (const void *)&to->v4.sin_addr : &to->v6.sin6_addr, size) +
		       htons(IPPROTO_UDP) + htons(n) + words(u, n);

	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static void raw_send(char **arg)
{
	union address from, to;
	socklen_t from_len = fill_in(&from, arg[0], "0"), len = fill_in(&to, arg[2], "0");
	int s = socket(from.any.sa_family, SOCK_RAW, IPPROTO_UDP), n = 8 + atoi(arg[4]);
	struct udphdr *u = (struct udphdr *)data;

	if (s < 0 || bind(s, &from.any, from_len))
		err(1, "raw socket");
	u->source = htons(atoi(arg[1]));
	u->dest = htons(atoi(arg[3]));
	u->len = htons(n);
	u->check = checksum(&from, &to, u, n);
	if (option("damaged"))
		u->check ^= 0x5555;
	for (int i = atoi(arg[5]); i > 0; i--) {
		if (sendto(s, data, n, 0, &to.any, len) != n)
			err(1, "send");
	}
}

static void raw_receive(char **arg)
{
	int s = socket(*arg[0] == '4' ? AF_INET : AF_INET6, SOCK_RAW, IPPROTO_UDP);

	if (s < 0)
		err(1, "raw socket");
	drain(s, true);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	options = argv + 1;
	if (!strcmp(what, "send") && argc >= 9)
		send_all(argv + 2);
	else if (!strcmp(what, "receive") && argc >= 5)
		receive(argv + 2);
	else if (!strcmp(what, "rawsend") && argc >= 8)
		raw_send(argv + 2);
	else if (!strcmp(what, "rawreceive") && argc >= 3)
		raw_receive(argv + 2);
	else
		errx(2, "usage: see the top of datagram.c");
	return 0;
}
