/*
 * peer.c - plays the other end of TCP connections by a script.
 *
 * usage: peer DEVICE LOCAL REMOTE FIRST <SCRIPT
 *
 * DEVICE is a tun device of this network namespace; LOCAL is the kernel's address on it, REMOTE
 * this program's address. The first scenario has the number FIRST. Connections of scenario number N
 * have the local port 1000 + N, or a port that the kernel chooses, and the remote port 9000 + 100 *
 * I + N. `with` sets I. A line of the script is one of:
 *
 *	scenario NAME
 *	with I                        go on with connection I; 0 at first
 *	listen S [BACKLOG]            S, A, B ...: one letter, a socket of this process
 *	connect S [bound]             starts to connect; bound: from port 1000 + N
 *	fastopen S BYTES              connects with BYTES bytes of data in the SYN
 *	accept S FROM
 *	write S BYTES | read S BYTES  the call must transfer exactly BYTES
 *	end S | error S               a read must find the end of the data; a read must fail
 *	close S | linger S SECONDS | shutdown S rd|wr|rdwr | option S NAME VALUE
 *	> FLAGS [BYTES]               the kernel must send this next; FLAGS of FSRPAUEW, or 0
 *	> none MILLISECONDS           the kernel must send nothing for this time
 *	< FLAGS [BYTES] [seq=N] [ack=N] [win=N] [mss=N] [badsum]
 *	                              the peer sends; seq and ack are added to the usual
 *	                              numbers, and do not change those of later segments
 *	skip N                        adds N to the peer's sequence numbers
 *	sleep MILLISECONDS
 *	= ANYTHING                    this program ignores the line (see peer.bash)
 *
 * Each segment without a bad checksum is printed, "out" if the kernel sends it and "in" if the
 * kernel receives it:
 *	out FROM PORT TO PORT FLAGS SEQ ACK WINDOW BYTES
 * The exit status is 1 if anything differed from the script.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "address.h"

#define WAIT_MS 4000
#define CONNECTIONS 8
#define MAX_WORDS 8

static const char flag_names[] = "FSRPAUEW";

struct segment {
	uint16_t sport, dport;
	uint32_t seq, ack; /* in host byte order, like the ports */
	uint8_t flags;
	uint16_t window;
	int bytes;
};

struct connection {
	uint16_t local, remote;
	/*
	 * next sequence number of the peer, and next sequence number that is expected from the
	 * kernel
	 */
	uint32_t next, expected;
};

static union address local, remote;
static char local_text[64], remote_text[64];
static int tun, sockets[128], number, failed;
static char scenario[256];
static struct connection connections[CONNECTIONS], *now;

/* ------------------------------------------------------------------- addresses */

static const void *bytes_of(const union address *a, size_t *n)
{
	*n = a->any.sa_family == AF_INET ? 4 : 16;
	return a->any.sa_family == AF_INET ? (const void *)&a->v4.sin_addr : &a->v6.sin6_addr;
}

static void wrong(const char *line, const char *why)
{
	printf("FAIL: %s: \"%s\": %s\n", scenario, line, why);
	failed = 1;
}

/* -------------------------------------------------------------------- segments */

static uint64_t words(const void *p, size_t n)
{
	uint64_t sum = 0;
	uint16_t w;

	for (size_t i = 0; i < n; i += 2) {
		w = 0;
		memcpy(&w, (const char *)p + i, n - i < 2 ? 1 : 2);
		sum += w;
	}
	return sum;
}

static uint16_t fold(uint64_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static void put16(uint8_t *p, uint16_t v)
{
	p[0] = v >> 8;
	p[1] = v;
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v);
}

static uint32_t get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static void flags_text(uint8_t flags, char *to)
{
	char *start = to;

	for (int i = 0; i < 8; i++) {
		if (flags >> i & 1)
			*to++ = flag_names[i];
	}
	if (to == start)
		*to++ = '0';
	*to = 0;
}

static void tell(const char *way, const struct segment *s)
{
	bool out = !strcmp(way, "out");
	char flags[9];

	flags_text(s->flags, flags);
	printf("%s %s %u %s %u %s %u %u %u %d\n", way, out ? local_text : remote_text, s->sport,
	       out ? remote_text : local_text, s->dport, flags, s->seq, s->ack, s->window,
	       s->bytes);
}

/* Writes an IP header before @tcp, a segment of @n bytes. Returns the start of the header. */
static uint8_t *ip_header(uint8_t *tcp, size_t n)
{
	size_t size;
	const void *from = bytes_of(&remote, &size), *to = bytes_of(&local, &size);
	uint8_t *h = tcp - (size == 4 ? 20 : 40);

	memset(h, 0, tcp - h);
	if (size == 4) {
		h[0] = 0x45;
		put16(h + 2, n + 20);
		h[8] = 64;
		h[9] = IPPROTO_TCP;
		memcpy(h + 12, from, 4);
		memcpy(h + 16, to, 4);
		uint16_t sum = fold(words(h, 20));
		memcpy(h + 10, &sum, 2);
	} else {
		h[0] = 0x60;
		put16(h + 4, n);
		h[6] = IPPROTO_TCP;
		h[7] = 64;
		memcpy(h + 8, from, 16);
		memcpy(h + 24, to, 16);
	}
	return h;
}

static void send_segment(const struct segment *s, int mss, bool damaged)
{
	uint8_t packet[4096] = {0}, *tcp = packet + 64;
	size_t head = mss ? 24 : 20, n = head + s->bytes, size;
	const void *from = bytes_of(&remote, &size), *to = bytes_of(&local, &size);
	uint16_t sum;

	put16(tcp, s->sport);
	put16(tcp + 2, s->dport);
	put32(tcp + 4, s->seq);
	put32(tcp + 8, s->ack);
	tcp[12] = head / 4 << 4;
	tcp[13] = s->flags;
	put16(tcp + 14, s->window);
	if (mss) {
		tcp[20] = 2;
		tcp[21] = 4;
		put16(tcp + 22, mss);
	}
	memset(tcp + head, 'x', s->bytes);
	sum = fold(words(from, size) + words(to, size) + htons(IPPROTO_TCP) + htons(n) +
		   words(tcp, n));
	if (damaged)
		sum ^= 0x5555;
	memcpy(tcp + 16, &sum, 2);

	uint8_t *start = ip_header(tcp, n);
	ssize_t whole = tcp + n - start;

	if (write(tun, start, whole) != whole)
		err(1, "write to the device");
}

/*
 * Gets the next segment from the kernel, of any connection. Returns false if none comes in @ms
 * milliseconds.
 */
static bool get_segment(struct segment *s, int ms)
{
	uint8_t packet[70000], *tcp;
	struct pollfd p = {.fd = tun, .events = POLLIN};
	ssize_t n;

	while (poll(&p, 1, ms) > 0) {
		n = read(tun, packet, sizeof(packet));
		if (n < 40)
			continue;
		if (packet[0] >> 4 == 4 && packet[9] == IPPROTO_TCP)
			tcp = packet + (packet[0] & 15) * 4;
		else if (packet[0] >> 4 == 6 && packet[6] == IPPROTO_TCP)
			tcp = packet + 40;
		else
			continue;
		*s = (struct segment){.sport = tcp[0] << 8 | tcp[1],
				      .dport = tcp[2] << 8 | tcp[3],
				      .seq = get32(tcp + 4),
				      .ack = get32(tcp + 8),
				      .flags = tcp[13],
				      .window = tcp[14] << 8 | tcp[15],
				      .bytes = packet + n - tcp - (tcp[12] >> 4) * 4};
		tell("out", s);
		return true;
	}
	return false;
}

static uint8_t flags_of(const char *text)
{
	uint8_t flags = 0;

	for (; *text && *text != '0'; text++) {
		const char *at = strchr(flag_names, *text);

		if (!at)
			errx(1, "no flag: %s", text);
		flags |= 1 << (at - flag_names);
	}
	return flags;
}

static uint32_t length(const struct segment *s)
{
	return s->bytes + (s->flags & 1) + (s->flags >> 1 & 1);
}

static long long millis(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Carries out a line that begins with ">". Ignores segments of other connections. */
static void expect(const char *line, char **word, int n)
{
	bool none = !strcmp(word[1], "none");
	long long until = millis() + (none ? atoi(word[2]) : WAIT_MS);
	struct segment s;
	char got[64], flags[9];

	do {
		long long left = until - millis();

		if (!get_segment(&s, left < 0 ? 0 : left)) {
			if (!none)
				wrong(line, "nothing came");
			return;
		}
	} while (s.dport != now->remote);
	flags_text(s.flags, flags);
	snprintf(got, sizeof(got), "got %s %d", flags, s.bytes);
	if (none || s.flags != flags_of(word[1]) || s.bytes != (n > 2 ? atoi(word[2]) : 0))
		wrong(line, got);
	now->local = s.sport;
	if (!(s.flags & 4) && (s.flags & 2 || (int32_t)(s.seq + length(&s) - now->expected) > 0))
		now->expected = s.seq + length(&s);
}

static void inject(char **word, int n)
{
	struct segment s = {.sport = now->remote,
			    .dport = now->local,
			    .flags = flags_of(word[1]),
			    .seq = now->next,
			    .window = 65000};
	bool moved = false, damaged = false;
	int mss = 0;

	s.ack = s.flags & 16 ? now->expected : 0;
	for (int i = 2; i < n; i++) {
		if (isdigit((unsigned char)word[i][0])) {
			s.bytes = atoi(word[i]);
		} else if (!strncmp(word[i], "seq=", 4)) {
			s.seq += atoi(word[i] + 4);
			moved = true;
		} else if (!strncmp(word[i], "ack=", 4)) {
			s.ack += atoi(word[i] + 4);
		} else if (!strncmp(word[i], "win=", 4)) {
			s.window = atoi(word[i] + 4);
		} else if (!strncmp(word[i], "mss=", 4)) {
			mss = atoi(word[i] + 4);
		} else if (!strcmp(word[i], "badsum")) {
			damaged = moved = true;
		} else {
			errx(1, "what is %s?", word[i]);
		}
	}
	if (!moved && !(s.flags & 4))
		now->next = s.seq + length(&s);
	if (!damaged)
		tell("in", &s);
	fflush(stdout);
	send_segment(&s, mss, damaged);
}

/* --------------------------------------------------------------------- sockets */

static int open_socket(bool named, uint16_t port)
{
	int on = 1, s = socket(local.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
	union address a;
	socklen_t len = fill(&a, local_text, port);

	if (s < 0)
		err(1, "socket");
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (named && bind(s, &a.any, len))
		err(1, "bind");
	return s;
}

static int begin_connect(bool named, int data)
{
	static const char block[4096];
	int s = open_socket(named, 1000 + number);
	union address a;
	socklen_t len = fill(&a, remote_text, now->remote);

	if (data) {
		if (sendto(s, block, data, MSG_FASTOPEN, &a.any, len) < 0 && errno != EINPROGRESS)
			err(1, "sendto");
	} else if (connect(s, &a.any, len) && errno != EINPROGRESS) {
		err(1, "connect");
	}
	return s;
}

static bool ready(int s, short events)
{
	struct pollfd p = {.fd = s, .events = events};

	return poll(&p, 1, WAIT_MS) > 0;
}

static void transfer(const char *line, char **word, int s)
{
	static char block[1 << 16];
	ssize_t n, want = !strcmp(word[0], "end") || !strcmp(word[0], "error") ? 0 : atoi(word[2]);

	if (!strcmp(word[0], "write")) {
		n = ready(s, POLLOUT) ? send(s, block, want, MSG_NOSIGNAL) : -1;
	} else {
		n = ready(s, POLLIN) ? recv(s, block, want ? want : 1, 0) : -1;
		if (!strcmp(word[0], "error")) {
			if (n >= 0 || errno == EAGAIN)
				wrong(line, "no error");
			return;
		}
	}
	if (n != want)
		wrong(line, n < 0 ? strerror(errno) : "another length");
}

static void set_option(const char *name, int s, int value)
{
	if (!strcmp(name, "fastopen"))
		setsockopt(s, IPPROTO_TCP, TCP_FASTOPEN, &value, sizeof(value));
	else if (!strcmp(name, "defer"))
		setsockopt(s, IPPROTO_TCP, TCP_DEFER_ACCEPT, &value, sizeof(value));
	else if (!strcmp(name, "nodelay"))
		setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &value, sizeof(value));
	else if (!strcmp(name, "linger2"))
		setsockopt(s, IPPROTO_TCP, TCP_LINGER2, &value, sizeof(value));
	else if (!strcmp(name, "keepalive") &&
		 !setsockopt(s, IPPROTO_TCP, TCP_KEEPIDLE, &value, sizeof(value)))
		setsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &(int){1}, sizeof(int));
	else
		errx(1, "no option: %s", name);
}

static void on_socket(const char *line, char **word, int n)
{
	int *s = &sockets[(unsigned char)word[1][0] & 127];
	const char *how = n > 2 ? word[2] : "";

	if (!strcmp(word[0], "listen")) {
		*s = open_socket(true, 1000 + number);
		if (listen(*s, n > 2 ? atoi(how) : 10))
			err(1, "listen");
	} else if (!strcmp(word[0], "connect")) {
		*s = begin_connect(n > 2, 0);
	} else if (!strcmp(word[0], "fastopen")) {
		*s = begin_connect(false, atoi(how));
	} else if (!strcmp(word[0], "accept")) {
		int from = sockets[(unsigned char)how[0] & 127];

		*s = ready(from, POLLIN) ? accept4(from, NULL, NULL, SOCK_NONBLOCK) : -1;
		if (*s < 0)
			wrong(line, "no connection");
	} else if (!strcmp(word[0], "close")) {
		close(*s);
		*s = -1;
	} else if (!strcmp(word[0], "linger")) {
		struct linger l = {.l_onoff = 1, .l_linger = atoi(how)};

		setsockopt(*s, SOL_SOCKET, SO_LINGER, &l, sizeof(l));
	} else if (!strcmp(word[0], "shutdown")) {
		shutdown(*s, !strcmp(how, "rd")   ? SHUT_RD
			     : !strcmp(how, "wr") ? SHUT_WR
						  : SHUT_RDWR);
	} else if (!strcmp(word[0], "option")) {
		set_option(how, *s, atoi(word[3]));
	} else {
		transfer(line, word, *s);
	}
}

/* ---------------------------------------------------------------------- script */

static void new_scenario(const char *name)
{
	for (int i = 0; i < 128; i++) {
		if (sockets[i] >= 0)
			close(sockets[i]);
		sockets[i] = -1;
	}
	number++;
	snprintf(scenario, sizeof(scenario), "%s", name);
	for (int i = 0; i < CONNECTIONS; i++)
		connections[i] = (struct connection){.local = 1000 + number,
						     .remote = 9000 + 100 * i + number,
						     .next = 1000000 * number + 1000 * i};
	now = connections;
}

static void run(char *line)
{
	char copy[256], *word[MAX_WORDS], *save = NULL, *w;
	int n = 0;

	line[strcspn(line, "\n")] = 0;
	snprintf(copy, sizeof(copy), "%s", line);
	for (w = strtok_r(copy, " \t", &save); w && n < MAX_WORDS; w = strtok_r(NULL, " \t", &save))
		word[n++] = w;
	if (n == 0 || !strcmp(word[0], "=") || word[0][0] == '#')
		return;
	if (n < 2)
		errx(1, "too short: %s", line);
	if (!strcmp(word[0], "scenario"))
		new_scenario(line + 9);
	else if (!strcmp(word[0], "with"))
		now = &connections[atoi(word[1]) % CONNECTIONS];
	else if (!strcmp(word[0], ">"))
		expect(line, word, n);
	else if (!strcmp(word[0], "<"))
		inject(word, n);
	else if (!strcmp(word[0], "skip"))
		now->next += atoi(word[1]);
	else if (!strcmp(word[0], "sleep"))
		usleep(atoi(word[1]) * 1000);
	else
		on_socket(line, word, n);
}

static void open_tun(const char *name)
{
	struct ifreq r = {.ifr_flags = IFF_TUN | IFF_NO_PI};

	tun = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (tun < 0 || ioctl(tun, TUNSETIFF, &r))
		err(77, "tun device");
}

/*
 * Sends datagrams until one arrives at the device, because a newly opened device drops packets for
 * a while.
 */
static void wait_for_device(void)
{
	union address a;
	socklen_t len = fill(&a, remote_text, 9);
	int s = socket(a.any.sa_family, SOCK_DGRAM, 0);
	char packet[2048];
	struct pollfd p = {.fd = tun, .events = POLLIN};
	bool through = false;

	for (int i = 0; i < 500 && !through; i++) {
		sendto(s, "", 0, MSG_DONTWAIT, &a.any, len);
		while (poll(&p, 1, 10) > 0) {
			ssize_t n = read(tun, packet, sizeof(packet));

			through |= n > 40 ? packet[6] == IPPROTO_UDP
					  : n > 9 && packet[9] == IPPROTO_UDP;
		}
	}
	if (!through)
		errx(1, "no packet comes through the device");
	close(s);
}

int main(int argc, char **argv)
{
	char line[256];
	struct segment s;

	if (argc != 5)
		errx(2, "usage: see the top of peer.c");
	open_tun(argv[1]);
	snprintf(local_text, sizeof(local_text), "%s", argv[2]);
	snprintf(remote_text, sizeof(remote_text), "%s", argv[3]);
	fill(&local, local_text, 0);
	fill(&remote, remote_text, 0);
	memset(sockets, -1, sizeof(sockets));
	number = atoi(argv[4]) - 1;
	wait_for_device();
	while (fgets(line, sizeof(line), stdin))
		run(line);
	while (get_segment(&s, 100))
		;
	return failed;
}
