/*
 * hoard.c - a process that keeps some sockets idle while many others come and go.
 *
 * usage: hoard PORT COMMANDS
 *
 * The program opens a TCP connection to itself and a UDP socket, and prints "listening PID". Then
 * it reads commands from the fifo COMMANDS, one per line, and answers each with a line:
 *
 *	finish N      makes N connections that end in TIME_WAIT
 *	reset N       makes N connections that end in a reset
 *	refused N     makes N attempts to connect to a port without a listener
 *	datagram N    makes N UDP sockets that send one datagram each
 *	speak         sends a byte and its answer over the idle connection, and a datagram
 *	              from the idle UDP socket
 *	hangup        ends the idle connection
 */
#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static uint16_t port;

/*
 * Returns a socket address with port @to and one of 64 loopback addresses, chosen by @n. With
 * several destinations there are more free local ports, because the kernel can use each port once
 * for each destination.
 */
static struct sockaddr_in address(unsigned n, uint16_t to)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(to),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK + n % 64),
	};
}

static int make(int type)
{
	int s = socket(AF_INET, type, 0);

	if (s < 0)
		err(1, "socket");
	return s;
}

static int try_connect(int s, unsigned n, uint16_t to)
{
	struct sockaddr_in a = address(n, to);

	return connect(s, (struct sockaddr *)&a, sizeof(a));
}

static int listen_at(uint16_t at)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(at)};
	int s = make(SOCK_STREAM), on = 1;

	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(s, (struct sockaddr *)&a, sizeof(a)) || listen(s, 16))
		err(1, "listen");
	return s;
}

static void pair(int listener, unsigned n, int end[2])
{
	end[0] = make(SOCK_STREAM);
	if (try_connect(end[0], n, port))
		err(1, "connect");
	end[1] = accept(listener, NULL, NULL);
	if (end[1] < 0)
		err(1, "accept");
}

/*
 * Closes both ends of a connection: first end[0], which goes to TIME_WAIT, and then end[1], after
 * end[1] has received the FIN.
 */
static void end_pair(const int end[2])
{
	char c;

	close(end[0]);
	if (read(end[1], &c, 1) != 0)
		err(1, "no end");
	close(end[1]);
}

static void finish(int listener, unsigned n)
{
	int end[2];

	pair(listener, n, end);
	end_pair(end);
}

static void reset(int listener, unsigned n)
{
	struct linger now = {1, 0};
	int end[2];

	pair(listener, n, end);
	setsockopt(end[0], SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(end[0]);
	close(end[1]);
}

static void refused(unsigned n)
{
	int s = make(SOCK_STREAM);

	if (!try_connect(s, n, port + 1))
		errx(1, "connected to nobody");
	close(s);
}

static void datagram(int s, unsigned n)
{
	struct sockaddr_in a = address(n, port);

	if (sendto(s, "d", 1, 0, (struct sockaddr *)&a, sizeof(a)) != 1)
		err(1, "sendto");
}

static void speak(const int end[2], int udp)
{
	char c;

	for (int i = 0; i < 2; i++)
		if (write(end[i], "x", 1) != 1 || read(end[!i], &c, 1) != 1)
			err(1, "the idle connection is broken");
	datagram(udp, 0);
}

static void one(const char *what, int listener, unsigned n)
{
	int s;

	if (!strcmp(what, "finish")) {
		finish(listener, n);
	} else if (!strcmp(what, "reset")) {
		reset(listener, n);
	} else if (!strcmp(what, "refused")) {
		refused(n);
	} else if (!strcmp(what, "datagram")) {
		s = make(SOCK_DGRAM);
		datagram(s, n);
		close(s);
	} else {
		errx(1, "unknown: %s", what);
	}
}

int main(int argc, char **argv)
{
	int listener, idle[2], udp, sink;
	struct sockaddr_in a;
	char what[16];
	unsigned n;
	FILE *f;

	if (argc != 3)
		errx(2, "usage: hoard PORT COMMANDS");
	port = atoi(argv[1]);
	prctl(PR_SET_NAME, "hoard");
	listener = listen_at(port);
	pair(listener, 0, idle);
	udp = make(SOCK_DGRAM);
	sink = make(SOCK_DGRAM);
	a = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
	if (bind(sink, (struct sockaddr *)&a, sizeof(a)))
		err(1, "bind");
	printf("listening %d\n", getpid());
	fflush(stdout);
	f = fopen(argv[2], "r");
	if (!f)
		err(1, "%s", argv[2]);
	while (fscanf(f, "%15s", what) == 1) {
		if (!strcmp(what, "speak")) {
			speak(idle, udp);
		} else if (!strcmp(what, "hangup")) {
			end_pair(idle);
		} else if (fscanf(f, "%u", &n) == 1) {
			for (unsigned i = 0; i < n; i++)
				one(what, listener, i);
		}
		printf("did %s\n", what);
		fflush(stdout);
	}
	return 0;
}
