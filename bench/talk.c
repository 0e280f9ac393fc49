/*
 * talk.c - makes a network namespace, and a limited amount of TCP traffic over its loopback device.
 *
 * usage: talk [-n rounds] [-k connections] [-c cpu] [-p port] [-w]
 *
 * -n: uses 16 connections in turn, four of them IPv6; in each round, sends a hundred bytes and
 *     gets an answer of ten. Prints each remote port and the bytes sent to it.
 * -k: opens, accepts and closes connections, one after the other.
 *
 * This program plays both ends, so segments and changes of state come one at a time. -p is the
 * first port, so that several runs on one machine can have different ports. -w uses other ports, to
 * test whether a tracer is ready without changing its counts.
 */
#include <arpa/inet.h>
#include <err.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "place.h"

#define PAIRS 16
#define ASK 100
#define ANSWER 10
/* number of addresses for -k; with only one, connections in TIME_WAIT would use up all ports */
#define HOSTS 20

static int first_port = 9001;

union address {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

static union address address(int family, int host, int port)
{
	union address a = {.sa.sa_family = family};

	if (family == AF_INET) {
		a.in.sin_port = htons(port);
		a.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK + host);
	} else {
		a.in6.sin6_port = htons(port);
		a.in6.sin6_addr = in6addr_loopback;
	}
	return a;
}

static int listener(const union address *a)
{
	int s = socket(a->sa.sa_family, SOCK_STREAM, 0), on = 1;

	if (s < 0)
		err(1, "socket");
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(s, &a->sa, sizeof(*a)) || listen(s, 1))
		err(1, "listen");
	return s;
}

/*
 * Opens a connection to @to, from address @from unless that is NULL. Returns the socket that
 * connected, and stores the accepted socket in *@other. The kernel completes the handshake before
 * accept(2) is called.
 */
static int opened(int listening, const union address *from, const union address *to, int *other)
{
	int s = socket(to->sa.sa_family, SOCK_STREAM, 0), on = 1;

	if (s < 0)
		err(1, "socket");
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (from && bind(s, &from->sa, sizeof(*from)))
		err(1, "bind");
	if (connect(s, &to->sa, sizeof(*to)))
		err(1, "connect");
	*other = accept(listening, NULL, NULL);
	if (*other < 0)
		err(1, "accept");
	return s;
}

static void pass(int from, int to, size_t n)
{
	char text[ASK] = {0};

	if (send(from, text, n, 0) != (ssize_t)n || recv(to, text, n, MSG_WAITALL) != (ssize_t)n)
		err(1, "cannot send and receive %zu bytes", n);
}

static void talk(long rounds)
{
	int asks[PAIRS], answers[PAIRS];
	long turns[PAIRS] = {0};

	for (int i = 0; i < PAIRS; i++) {
		int family = i % 4 ? AF_INET : AF_INET6;
		union address to = address(family, 0, first_port + i);
		union address from = address(family, 0, first_port + 100 + i);
		int l = listener(&to);

		asks[i] = opened(l, &from, &to, &answers[i]);
		close(l);
	}
	for (long i = 0; i < rounds; i++) {
		pass(asks[i % PAIRS], answers[i % PAIRS], ASK);
		pass(answers[i % PAIRS], asks[i % PAIRS], ANSWER);
		turns[i % PAIRS]++;
	}
	for (int i = 0; i < PAIRS; i++)
		printf("%d %ld\n%d %ld\n", first_port + i, turns[i] * ASK, first_port + 100 + i,
		       turns[i] * ANSWER);
}

static void connections(long n)
{
	union address to[HOSTS];
	int l[HOSTS];

	for (int i = 0; i < HOSTS; i++) {
		to[i] = address(AF_INET, i, first_port + 200);
		l[i] = listener(&to[i]);
	}
	for (long i = 0; i < n; i++) {
		int there, here = opened(l[i % HOSTS], NULL, &to[i % HOSTS], &there);

		close(here);
		close(there);
	}
}

int main(int argc, char **argv)
{
	long rounds = 0, n = 0;
	int opt;

	while ((opt = getopt(argc, argv, "n:k:c:p:w")) != -1) {
		switch (opt) {
		case 'n':
			rounds = atol(optarg);
			break;
		case 'k':
			n = atol(optarg);
			break;
		case 'c':
			pin(atoi(optarg));
			break;
		case 'p':
			first_port = atoi(optarg);
			break;
		case 'w':
			first_port = 19001;
			break;
		default:
			errx(2, "usage: talk [-n rounds] [-k connections] [-c cpu] [-p port] "
				"[-w]");
		}
	}
	if (unshare(CLONE_NEWNET))
		err(1, "cannot make a network namespace");
	loopback_up();
	if (rounds)
		talk(rounds);
	if (n)
		connections(n);
	return 0;
}
