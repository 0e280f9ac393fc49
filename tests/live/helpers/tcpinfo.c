/*
 * tcpinfo.c - opens TCP connections, and prints the kernel's state of each end.
 *
 * usage: tcpinfo serve ADDRESS PORT BACKLOG COUNT	COUNT connections, one after another
 *        tcpinfo connect ADDRESS PORT HOW	one connection; HOW: free, port=N or address=A
 *
 * HOW is what the client binds its socket to before it connects: nothing, a port, or an address
 * (and the kernel chooses the port). The ends exchange data; then each prints a line and closes at
 * once:
 *	ROLE LOCAL-PORT MSS RTO RTT RTTVAR SSTHRESH CWND SND-WND RCV-WND SND-WSCALE
 *	    RCV-WSCALE WRITE-SEQ RCV-NXT
 * Most numbers are from TCP_INFO (RTO, RTT and RTTVAR in microseconds). The last two are read in
 * repair mode (TCP_REPAIR).
 */
#include <err.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "address.h"

static char block[1 << 16];

static void set(int s, int name, int value)
{
	if (setsockopt(s, IPPROTO_TCP, name, &value, sizeof(value)))
		err(1, "setsockopt %d", name);
}

static uint32_t sequence(int s, int queue)
{
	uint32_t n = 0;
	socklen_t len = sizeof(n);

	set(s, TCP_REPAIR, 1);
	set(s, TCP_REPAIR_QUEUE, queue);
	if (getsockopt(s, IPPROTO_TCP, TCP_QUEUE_SEQ, &n, &len))
		err(1, "TCP_QUEUE_SEQ");
	set(s, TCP_REPAIR, -1); /* -1 ends repair mode without sending a window probe */
	return n;
}

static void tell(int s, const char *role)
{
	uint32_t written = sequence(s, TCP_SEND_QUEUE), next = sequence(s, TCP_RECV_QUEUE), window;
	union address me;
	socklen_t len = sizeof(me);
	char info[512] = {0};
	struct tcp_info *i = (struct tcp_info *)info;

	if (getsockname(s, &me.any, &len))
		err(1, "getsockname");
	len = sizeof(info);
	if (getsockopt(s, IPPROTO_TCP, TCP_INFO, info, &len))
		err(1, "TCP_INFO");
	/* Reads tcpi_rcv_wnd, which some headers lack. It follows tcpi_snd_wnd. */
	memcpy(&window, info + offsetof(struct tcp_info, tcpi_snd_wnd) + 4, sizeof(window));
	printf("%s %u %u %u %u %u %u %u %u %u %u %u %u %u\n", role, ntohs(me.v4.sin_port),
	       i->tcpi_snd_mss, i->tcpi_rto, i->tcpi_rtt, i->tcpi_rttvar, i->tcpi_snd_ssthresh,
	       i->tcpi_snd_cwnd, i->tcpi_snd_wnd, window, i->tcpi_snd_wscale, i->tcpi_rcv_wscale,
	       written, next);
	fflush(stdout);
	close(s);
}

static void read_all(int s, size_t bytes)
{
	while (bytes) {
		ssize_t n = read(s, block, bytes < sizeof(block) ? bytes : sizeof(block));

		if (n <= 0)
			err(1, "read");
		bytes -= n;
	}
}

static void write_all(int s, size_t bytes)
{
	while (bytes) {
		ssize_t n = write(s, block, bytes < sizeof(block) ? bytes : sizeof(block));

		if (n <= 0)
			err(1, "write");
		bytes -= n;
	}
}

static void serve(char **arg)
{
	union address at;
	socklen_t len = fill(&at, arg[0], atoi(arg[1]));
	int l = socket(at.any.sa_family, SOCK_STREAM, 0), s;

	if (l < 0 || bind(l, &at.any, len) || listen(l, atoi(arg[2])))
		err(1, "listen");
	puts("listening");
	fflush(stdout);
	for (int i = atoi(arg[3]); i > 0; i--) {
		s = accept(l, NULL, NULL);
		if (s < 0)
			err(1, "accept");
		read_all(s, 200000);
		write_all(s, 50000);
		if (read(s, block, 1) != 1 || read(s, block, 1) != 0)
			errx(1, "no end");
		tell(s, "server");
	}
}

static void connect_to(char **arg)
{
	union address to, from;
	socklen_t len = fill(&to, arg[0], atoi(arg[1]));
	int s = socket(to.any.sa_family, SOCK_STREAM, 0);

	if (s < 0)
		err(1, "socket");
	if (!strncmp(arg[2], "port=", 5))
		fill(&from, to.any.sa_family == AF_INET ? "0.0.0.0" : "::", atoi(arg[2] + 5));
	else if (!strncmp(arg[2], "address=", 8))
		fill(&from, arg[2] + 8, 0);
	if (strcmp(arg[2], "free") && bind(s, &from.any, len))
		err(1, "bind");
	if (connect(s, &to.any, len))
		err(1, "connect");
	write_all(s, 200000);
	read_all(s, 50000);
	/* A single byte gets a delayed ACK, so the measured RTT is not zero. */
	write_all(s, 1);
	usleep(250000);
	tell(s, "client");
}

int main(int argc, char **argv)
{
	if (argc == 6 && !strcmp(argv[1], "serve"))
		serve(argv + 2);
	else if (argc == 5 && !strcmp(argv[1], "connect"))
		connect_to(argv + 2);
	else
		errx(2, "usage: see the top of tcpinfo.c");
	return 0;
}
