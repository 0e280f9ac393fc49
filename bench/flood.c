/*
 * flood.c - makes a network namespace, and sends a limited flood of UDP packets over its loopback
 * device.
 *
 * usage: flood [-n packets] [-c cpu] [-i microseconds] [-b byte] [-w]
 *
 * Every packet is received once. Nine of ten packets are from 100 IPv4 sources, and the tenth from
 * one of 10 IPv6 sources, so that a count by source has different keys. No process reads the
 * receiving sockets. When their buffers are full, the stack drops the payload, long after the
 * packet was counted. Prints each source and its number of packets. The namespace ends with this
 * program. -i waits between packets. -b is the second byte of the sources' addresses, so that
 * several floods on one machine can have different sources. -w uses other sources, to test whether
 * a tracer is ready without changing its counts.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "place.h"

#define PORT 9999
#define N4 100
#define N6 10
#define PAYLOAD 64

static char base4[32], base6[32];

/*
 * The same struct as in6_ifreq of linux/ipv6.h. That header cannot be included together with
 * netinet/in.h.
 */
struct addr6_request {
	struct in6_addr addr;
	uint32_t prefixlen;
	int ifindex;
};

static struct sockaddr_in addr4(const char *text, int host, int port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};

	inet_pton(AF_INET, text, &a.sin_addr);
	a.sin_addr.s_addr = htonl(ntohl(a.sin_addr.s_addr) + host);
	return a;
}

static struct sockaddr_in6 addr6(const char *text, int host, int port)
{
	struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_port = htons(port)};

	inet_pton(AF_INET6, text, &a.sin6_addr);
	a.sin6_addr.s6_addr[15] += host;
	return a;
}

static void add_addr6(int s, struct in6_addr addr)
{
	struct addr6_request r = {addr, 128, if_nametoindex("lo")};

	if (ioctl(s, SIOCSIFADDR, &r))
		err(1, "cannot add an IPv6 address");
}

static int bound(const struct sockaddr *a, socklen_t len)
{
	int s = socket(a->sa_family, SOCK_DGRAM, 0);

	if (s < 0)
		err(1, "socket");
	if (a->sa_family == AF_INET6)
		add_addr6(s, ((const struct sockaddr_in6 *)a)->sin6_addr);
	/*
	 * An IPv6 address cannot be used until a kernel thread has checked it, which takes a
	 * moment.
	 */
	for (int i = 0; bind(s, a, len); i++) {
		if (errno != EADDRNOTAVAIL || i == 500)
			err(1, "bind");
		usleep(2000);
	}
	return s;
}

static int source4(int host)
{
	struct sockaddr_in from = addr4(base4, host, 0), to = addr4("127.0.0.1", 0, PORT);
	int s = bound((struct sockaddr *)&from, sizeof(from));

	if (connect(s, (struct sockaddr *)&to, sizeof(to)))
		err(1, "connect");
	return s;
}

static int source6(int host)
{
	struct sockaddr_in6 from = addr6(base6, host, 0), to = addr6("fd77::ff", 0, PORT);
	int s = bound((struct sockaddr *)&from, sizeof(from));

	if (connect(s, (struct sockaddr *)&to, sizeof(to)))
		err(1, "connect");
	return s;
}

static void sinks(void)
{
	struct sockaddr_in a4 = addr4("127.0.0.1", 0, PORT);
	struct sockaddr_in6 a6 = addr6("fd77::ff", 0, PORT);

	bound((struct sockaddr *)&a4, sizeof(a4));
	bound((struct sockaddr *)&a6, sizeof(a6));
}

static void report(const long *sent)
{
	char text[INET6_ADDRSTRLEN];

	for (int i = 0; i < N4; i++) {
		struct sockaddr_in a = addr4(base4, i, 0);

		printf("%s %ld\n", inet_ntop(AF_INET, &a.sin_addr, text, sizeof(text)), sent[i]);
	}
	for (int i = 0; i < N6; i++) {
		struct sockaddr_in6 a = addr6(base6, i, 0);

		printf("%s %ld\n", inet_ntop(AF_INET6, &a.sin6_addr, text, sizeof(text)),
		       sent[N4 + i]);
	}
}

int main(int argc, char **argv)
{
	static const char payload[PAYLOAD];
	long n = 200000, wait = 0, sent[N4 + N6] = {0};
	int sock[N4 + N6], opt, second = 77;

	while ((opt = getopt(argc, argv, "n:c:i:b:w")) != -1) {
		switch (opt) {
		case 'n':
			n = atol(optarg);
			break;
		case 'c':
			pin(atoi(optarg));
			break;
		case 'i':
			wait = atol(optarg);
			break;
		case 'w':
			second = 255;
			break;
		case 'b':
			second = atoi(optarg);
			break;
		default:
			errx(2, "usage: flood [-n packets] [-c cpu] [-i microseconds] "
				"[-b byte] [-w]");
		}
	}
	snprintf(base4, sizeof(base4), "127.%d.0.1", second & 255);
	snprintf(base6, sizeof(base6), "fd%02x::1", second & 255);
	if (unshare(CLONE_NEWNET))
		err(1, "cannot make a network namespace");
	loopback_up();
	sinks();
	for (int i = 0; i < N4 + N6; i++)
		sock[i] = i < N4 ? source4(i) : source6(i - N4);

	for (long i = 0; i < n; i++) {
		int to = i % 10 ? (i / 10 * 9 + i % 10) % N4 : N4 + i / 10 % N6;

		if (send(sock[to], payload, sizeof(payload), 0) < 0)
			err(1, "send");
		sent[to]++;
		if (wait)
			usleep(wait);
	}
	report(sent);
	return 0;
}
