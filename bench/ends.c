/*
 * ends.c - makes two network namespaces, joined by a pair of veth devices, and measures the CPU
 * time of traffic between them.
 *
 * usage: ends [-c cpu]
 *
 * Reads commands, one per line, and answers each with a line that has the nanoseconds of CPU time.
 *   udp N           N datagrams of 64 bytes; N is rounded up to a multiple of 32
 *   connections N   N TCP connections: connect, accept, close at both ends
 *   tcp N           N bytes over one TCP connection, written in pieces of 128 KiB
 *   small N         as tcp, but in pieces of 100 bytes, each a segment of its own
 *
 * One thread plays both ends. The kernel handles a packet of a veth device within the sender's
 * system call, so the CPU time of this thread covers both ends.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "place.h"

#define NEAR "198.18.0.1"
#define FAR "198.18.0.2"
#define PORT 9700
#define DATAGRAM 64
#define BATCH 32 /* number of datagrams that are sent before they are read */
#define PIECE (128 << 10)
#define SMALL 100

enum { HERE, THERE };

static int netns[2]; /* descriptors of the two network namespaces */

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void enter(int end)
{
	if (setns(netns[end], CLONE_NEWNET))
		err(1, "setns");
}

static void run(const char *command)
{
	if (system(command))
		errx(1, "failed: %s", command);
}

static int new_netns(void)
{
	int fd;

	if (unshare(CLONE_NEWNET))
		err(1, "cannot make a network namespace");
	loopback_up();
	fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(1, "/proc/self/ns/net");
	return fd;
}

static void make_devices(void)
{
	char command[200];

	netns[THERE] = new_netns();
	netns[HERE] = new_netns();
	snprintf(command, sizeof(command),
		 "ip link add near type veth peer name far netns /proc/%d/fd/%d", getpid(),
		 netns[THERE]);
	run(command);
	run("ip address add " NEAR "/24 dev near && ip link set near up");
	enter(THERE);
	run("ip address add " FAR "/24 dev far && ip link set far up");
	enter(HERE);
}

static struct sockaddr_in address(const char *text)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PORT)};

	inet_pton(AF_INET, text, &a.sin_addr);
	return a;
}

/* Returns a socket of the far end, which is bound to the far end's port. */
static int far_socket(int type)
{
	struct sockaddr_in a = address(FAR);
	int s, on = 1;

	enter(THERE);
	s = socket(AF_INET, type, 0);
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (s < 0 || bind(s, (struct sockaddr *)&a, sizeof(a)))
		err(1, "bind");
	if (type == SOCK_STREAM && listen(s, 8))
		err(1, "listen");
	enter(HERE);
	return s;
}

/* Returns a socket of the near end that is connected to the far end's port. */
static int near_socket(int type)
{
	struct sockaddr_in a = address(FAR);
	int s = socket(AF_INET, type, 0);

	if (s < 0 || connect(s, (struct sockaddr *)&a, sizeof(a)))
		err(1, "connect");
	return s;
}

static int accepted(int listening)
{
	int s = accept(listening, NULL, NULL);

	if (s < 0)
		err(1, "accept");
	return s;
}

static void udp(long n)
{
	char text[DATAGRAM] = {0};
	int to = far_socket(SOCK_DGRAM), from = near_socket(SOCK_DGRAM);

	for (long i = 0; i < n; i += BATCH) {
		for (int k = 0; k < BATCH; k++)
			if (send(from, text, sizeof(text), 0) != sizeof(text))
				err(1, "send");
		for (int k = 0; k < BATCH; k++)
			if (recv(to, text, sizeof(text), 0) != sizeof(text))
				err(1, "recv");
	}
	close(from);
	close(to);
}

/*
 * Opens and closes @n connections. The far end closes first, so that the port of the near end is
 * free again immediately.
 */
static void connections(long n)
{
	int listening = far_socket(SOCK_STREAM);
	struct linger reset = {1, 0};

	for (long i = 0; i < n; i++) {
		int from = near_socket(SOCK_STREAM), to = accepted(listening);

		shutdown(to, SHUT_WR);
		close(from);
		/*
		 * If the near end's FIN has not arrived yet, this close sends a reset, which frees
		 * the port. Otherwise the far end is in TIME_WAIT, and a SYN from the same port may
		 * open a connection again.
		 */
		setsockopt(to, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
		close(to);
	}
	close(listening);
}

/* Reads until the socket is empty.  Returns the number of bytes. */
static long drain(int s)
{
	static char text[PIECE];
	long sum = 0;
	ssize_t got;

	while ((got = recv(s, text, sizeof(text), MSG_DONTWAIT)) > 0)
		sum += got;
	if (got < 0 && errno != EAGAIN)
		err(1, "recv");
	return sum;
}

static void tcp(long n, size_t piece)
{
	static char text[PIECE];
	int listening = far_socket(SOCK_STREAM), from = near_socket(SOCK_STREAM),
	    to = accepted(listening), on = piece == SMALL, unread = 0;
	long sent = 0, received = 0;

	setsockopt(from, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	while (received < n) {
		size_t more = n - sent < (long)piece ? (size_t)(n - sent) : piece;
		ssize_t put = more ? send(from, text, more, MSG_DONTWAIT) : 0;

		if (put < 0 && errno != EAGAIN)
			err(1, "send");
		sent += put > 0 ? put : 0;
		if (put <= 0 || ++unread == (on ? BATCH : 1)) {
			received += drain(to);
			unread = 0;
		}
	}
	close(from);
	close(to);
	close(listening);
}

int main(int argc, char **argv)
{
	char line[100], what[20];
	uint64_t before;
	long n;
	int opt;

	while ((opt = getopt(argc, argv, "c:")) != -1) {
		if (opt != 'c')
			errx(2, "usage: ends [-c cpu]");
		pin(atoi(optarg));
	}
	make_devices();
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%19s %ld", what, &n) != 2)
			errx(1, "bad command: %s", line);
		before = cpu_ns();
		if (!strcmp(what, "udp"))
			udp(n);
		else if (!strcmp(what, "connections"))
			connections(n);
		else if (!strcmp(what, "tcp"))
			tcp(n, PIECE);
		else if (!strcmp(what, "small"))
			tcp(n, SMALL);
		else
			errx(1, "bad command: %s", line);
		printf("%llu\n", (unsigned long long)(cpu_ns() - before));
	}
	return 0;
}
