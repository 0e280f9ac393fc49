/*
 * test_tcp.c - checks which events of the TCP tracker a conversation fires, in which order, and the
 * state of the sockets.
 *
 * A conversation is a text. A segment begins with '>' if the client sends it, or with '<' if the
 * server sends it. Then come the flags (S, A, F, R, P, or '.' for none), the relative sequence
 * number, the relative acknowledgement, and the length of the data. Events are written to a log:
 * '>' for the client or '<' for the server, the event, and the states.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "engine/replay/tcp/track.h"
#include "tests/check.h"

#define MS 1000000ull
#define S (1000 * MS)

static struct tcp_track t;
static char text[8192];
static uint64_t now;
static uint32_t iss[2]; /* initial sequence numbers of the client and the server */
static uint16_t client_port;
static bool local[2];                         /* whether the client and the server are local */
static unsigned char opts[2][40], opt_len[2]; /* TCP options of the SYNs */
/* SACK option of the server's segments without SYN */
static unsigned char sack_opt[40], sack_len;
static uint16_t window[2];
/* index of the connection that was prefetched for the next packets, or -1 */
static int guess;

static void add(const char *fmt, ...)
{
	size_t n = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + n, sizeof(text) - n, fmt, ap);
	va_end(ap);
}

static void on_event(void *ctx, const struct tcp_firing *f)
{
	static const char *const names[TCP_NEVENT] = {
		[TCP_EV_CONNECT_REQUEST] = "request", [TCP_EV_CONNECT_ESTABLISHED] = "connected",
		[TCP_EV_CONNECT_REFUSED] = "refused", [TCP_EV_ACCEPT_ESTABLISHED] = "accepted",
		[TCP_EV_ACCEPT_REFUSED] = "refuses",  [TCP_EV_RECEIVE_RESET] = "reset",
		[TCP_EV_RETRANSMIT] = "again",        [TCP_EV_DESTROY] = "destroy",
	};

	(void)ctx;
	if (!f->sk) {
		add(" %s", names[f->what]);
		return;
	}
	add(" %c", f->sk->__sk_common.skc_num == 80 ? '<' : '>');
	if (f->what == TCP_EV_SET_STATE) {
		assert_int_equal(f->sk->__sk_common.skc_state, f->oldstate);
		add("%d-%d", f->oldstate, f->newstate);
	} else {
		add("%s/%d", names[f->what], f->sk->__sk_common.skc_state);
	}
	if (f->saved)
		add("/saved");
}

static struct sock *sk_sent, *sk_received; /* sockets of the previous segment */

static void be32(unsigned char *p, uint32_t v)
{
	v = __builtin_bswap32(v);
	memcpy(p, &v, 4);
}

/* Passes an IPv4 packet to the tracker. @from is the sender: 0 for the client, 1 for the server. */
static void segment(unsigned from, uint8_t flags, uint32_t seq, uint32_t ack, uint32_t len)
{
	bool syn = flags & TCP_SYN;
	unsigned n = syn ? opt_len[from] : from ? sack_len : 0;
	unsigned char p[20 + 60] = {0x45};
	struct tcp_seg s = {.now = now,
			    .ip = p,
			    .ip_len = 40 + n,
			    .ip_wirelen = 40 + n + len,
			    .l4 = 20,
			    .version = 4,
			    .saddr = p + 12,
			    .daddr = p + 16};
	uint16_t ports[2] = {client_port, 80};
	struct tcp_flow flow;

	memcpy(p + 12, from ? "\xc0\0\2\2" : "\xc0\0\2\1", 4);
	memcpy(p + 16, from ? "\xc0\0\2\1" : "\xc0\0\2\2", 4);
	p[20] = (unsigned char)(ports[from] >> 8);
	p[21] = (unsigned char)ports[from];
	p[22] = (unsigned char)(ports[!from] >> 8);
	p[23] = (unsigned char)ports[!from];
	be32(p + 24, iss[from] + seq);
	be32(p + 28, iss[!from] + ack);
	p[32] = (unsigned char)((20 + n) / 4 << 4);
	p[33] = flags;
	p[34] = (unsigned char)(window[from] >> 8);
	p[35] = (unsigned char)window[from];
	memcpy(p + 40, syn ? opts[from] : sack_opt, n);
	assert_true(tcp_seg_parse(&s, p + 20, 20 + n, 20 + n + len));
	assert_int_equal(s.len, len);
	if (guess >= 0) {
		tcp_flow_of(&flow, s.version, s.saddr, s.daddr, s.sport, s.dport);
		flow.conn = (uint32_t)guess;
		s.flow = &flow;
	}
	tcp_track_packet(&t, &s, local[from], local[!from]);
	sk_sent = tcp_track_send(&t);
	tcp_track_sent(&t);
	sk_received = tcp_track_receive(&t);
	tcp_track_received(&t);
	now += MS;
}

static uint8_t flag(char c)
{
	switch (c) {
	case 'S':
		return TCP_SYN;
	case 'A':
		return TCP_ACK;
	case 'F':
		return TCP_FIN;
	case 'R':
		return TCP_RST;
	}
	return 0;
}

/* Sends one segment, such as ">SA 0 1 5". Numbers at the end may be left out if they are 0. */
static const char *say_one(const char *p)
{
	unsigned from = *p++ == '<';
	uint32_t v[3] = {0};
	uint8_t flags = 0;
	unsigned i;

	while (*p > ' ')
		flags |= flag(*p++);
	for (i = 0; i < 3; i++) {
		char *end;
		long long n = strtoll(p, &end, 10);

		if (end == p)
			break;
		v[i] = (uint32_t)n;
		p = end;
	}
	segment(from, flags, v[0], v[1], v[2]);
	return p;
}

static void say(const char *p)
{
	for (; (p = strpbrk(p, "<>"));)
		p = say_one(p);
}

/* Checks the events since the previous check. */
#define fired(...) \
	do { \
		assert_string_equal(text, "" __VA_ARGS__); \
		*text = '\0'; \
	} while (0)

static int setup(void **state)
{
	static const struct sock blank = {.sk_protocol = 0};
	struct diag d = {0};

	(void)state;
	assert_int_equal(tcp_track_init(&t, 64, &blank, on_event, NULL, &d), 0);
	t.save = true;
	*text = '\0';
	now = S;
	iss[0] = 1000;
	iss[1] = 5000;
	client_port = 40000;
	guess = -1;
	local[0] = local[1] = true;
	opt_len[0] = opt_len[1] = sack_len = 0;
	window[0] = window[1] = 1000;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tcp_track_release(&t);
	return 0;
}

#define HANDSHAKE ">S 0 <SA 0 1 >A 1 1"

static void open_connection(void)
{
	say(HANDSHAKE);
	fired(" >7-2 >request/2 >2-1 >connected/1/saved <10-3 <accepted/1 <3-1");
}

static const struct tcp_sock *end_of(unsigned which)
{
	unsigned client = t.tab.conn[0].end[0].tp.inet_conn.icsk_inet.sk.__sk_common.skc_num == 80;

	return &t.tab.conn[0].end[which ? !client : client].tp;
}

/* -------------------------------------------------------------------- opening */

static void test_handshake(void **state)
{
	(void)state;
	say(">S 0");
	fired(" >7-2 >request/2");
	assert_non_null(sk_sent);
	assert_null(sk_received);
	say("<SA 0 1");
	fired("");
	assert_int_equal(sk_sent->__sk_common.skc_state, TCP_SYN_RECV);
	assert_int_equal(sk_received->__sk_common.skc_state, TCP_SYN_SENT);
	assert_int_not_equal(sk_sent->__sk_common.skc_cookie.counter,
			     sk_received->__sk_common.skc_cookie.counter);
	say(">A 1 1");
	fired(" >2-1 >connected/1/saved <10-3 <accepted/1 <3-1");
	say(">A 1 1 5 <A 1 6 <A 1 6 7 >A 6 8");
	fired("");
}

static void test_handshake_with_data(void **state)
{
	(void)state;
	say(">S 0 <SA 0 1 >AF 1 1 5");
	fired(" >7-2 >request/2 >2-1 >connected/1/saved >1-4 <10-3 <accepted/1 <3-1 <1-8");
}

static void test_each_segment_twice(void **state)
{
	(void)state;
	say(">S 0 >S 0 <SA 0 1 <SA 0 1 >A 1 1 >A 1 1");
	fired(" >7-2 >request/2 >again/2 >2-1 >connected/1/saved <10-3 <accepted/1 <3-1");
	say(">A 1 1 5 >A 1 1 5 <AF 1 6 <AF 1 6 >AF 6 2 >AF 6 2 <A 2 7 <A 2 7");
	fired(" >again/1 <1-4 >1-8 <again/4 >8-9 <4-5 <5-6 <destroy/6 >again/9 >9-7 >destroy/7");
}

static void test_refused(void **state)
{
	(void)state;
	say(">S 0 <RA -5000 1");
	fired(" >7-2 >request/2 refuses >reset/2 >refused/2 >2-7 >destroy/7");
	/*
	 * If a second SYN is refused, the events fire again. A second reset of the same SYN fires
	 * no events.
	 */
	say(">S 0 <RA -5000 1 <RA -5000 1");
	fired(" >7-2 >request/2 refuses >reset/2 >refused/2 >2-7 >destroy/7");
	assert_int_equal(t.tab.inuse, 0);
}

static void test_reset_that_refuses_nothing(void **state)
{
	(void)state;
	say(">S 0 <R 0 0 <RA 0 2 <RA 0 0");
	fired(" >7-2 >request/2");
	say("<SA 0 1 >A 1 1");
	fired(" >2-1 >connected/1/saved <10-3 <accepted/1 <3-1");
}

static void test_half_open(void **state)
{
	(void)state;
	say(">S 0 <SA 0 1 >R 1");
	fired(" >7-2 >request/2 >2-7 >destroy/7");
	/* The earlier SYN-ACK has shown that the port is open. */
	client_port++;
	say(">S 0");
	fired(" >7-2 >request/2");
	assert_int_equal(sk_received->__sk_common.skc_state, TCP_LISTEN);
	assert_int_equal(sk_received->__sk_common.skc_num, 80);
	assert_int_equal(sk_received->__sk_common.skc_dport, 0);
}

static void test_server_gives_up(void **state)
{
	(void)state;
	say(">S 0 <SA 0 1 <RA 1 1");
	fired(" >7-2 >request/2 >reset/2 >2-7 >destroy/7");
}

static void test_simultaneous_open(void **state)
{
	(void)state;
	say(">S 0 <S 0");
	fired(" >7-2 >request/2 <7-2 <request/2 >2-3");
	say(">SA 0 1 <SA 0 1");
	fired(" <2-1 <connected/1/saved >3-1 >connected/1");
}

static void test_split_handshake(void **state)
{
	(void)state;
	say(">S 0 <S 0 >SA 0 1 <A 1 1");
	fired(" >7-2 >request/2 <7-2 <request/2 >2-3 <2-1 <connected/1/saved >3-1 >connected/1");
}

static void test_fast_open(void **state)
{
	(void)state;
	say(">S 0 0 10 <SA 0 11 <A 1 11 20 >A 11 21");
	fired(" >7-2 >request/2 >2-1 >connected/1/saved <10-3 <accepted/1 <3-1");
	assert_int_equal(end_of(1)->bytes_received, 10);
}

static void test_lost_synack(void **state)
{
	(void)state;
	say(">S 0 >A 1 1 >A 1 1 5 <A 1 6");
	fired(" >7-2 >request/2 >2-1");
	say(">AF 6 1 <AF 1 7 >A 7 2");
	fired(" >1-4 <1-8 <8-9 >4-5 >5-6 >destroy/6 <9-7 <destroy/7");
}

static void test_new_attempt(void **state)
{
	(void)state;
	say(">S 0 >S 100 <SA 0 1");
	fired(" >7-2 >request/2 >2-7 >destroy/7 >7-2 >request/2");
	say("<SA 0 101 >A 101 1");
	fired(" >2-1 >connected/1/saved <10-3 <accepted/1 <3-1");
}

/* -------------------------------------------------------------------- closing */

static void test_close(void **state)
{
	(void)state;
	open_connection();
	say(">AF 1 1 <A 1 2 <AF 1 2 >A 2 2");
	fired(" >1-4 <1-8 >4-5 <8-9 >5-6 >destroy/6 <9-7 <destroy/7");
	/* The ACK that closed the server's socket was lost after the capture. */
	say(">A 2 2 <AF 1 2 >A 2 2");
	fired(" <again/7");
}

static void test_close_by_both(void **state)
{
	(void)state;
	open_connection();
	/* Simultaneous close: neither FIN acknowledges the other. */
	say(">AF 1 1 <AF 1 1");
	fired(" >1-4 <1-8 <8-9 >4-11");
	say(">A 2 2 <A 2 2");
	fired(" <9-7 <destroy/7 >11-6 >destroy/6");
}

/* The acknowledgement of data and FIN comes before them in the file. */
static void test_acknowledged_before_it_is_sent(void **state)
{
	(void)state;
	open_connection();
	say(">A 1 12");
	assert_int_equal(end_of(1)->snd_una, iss[1] + 12);
	say("<A 1 1 10");
	fired("");
	say("<A 1 1 10");
	fired(" <again/1");
	say("<AF 11 1");
	fired(" <1-4 <4-5 >1-8");
	assert_int_equal(end_of(0)->bytes_received, 11); /* with the FIN */
	assert_int_equal(end_of(1)->bytes_acked, 11);
	assert_int_equal(end_of(1)->bytes_sent, 20);
	assert_int_equal(end_of(1)->bytes_retrans, 10);
	say(">AF 1 12 <A 12 2");
	fired(" >8-9 <5-6 <destroy/6 >9-7 >destroy/7");
}

/* Both FINs, and the acknowledgement of the server's, come before the server's segments. */
static void test_one_side_before_the_other(void **state)
{
	(void)state;
	open_connection();
	say(">AF 1 1 >A 2 5");
	fired(" >1-4 <1-8");
	say("<A 1 2 <AF 1 2 3");
	fired(" >4-5 <8-9 <9-7 <destroy/7 >5-6 >destroy/6");
	/* A byte that is new is no keep-alive, although it has been acknowledged. */
	client_port++;
	open_connection();
	say(">A 1 2 <A 1 1 1 <A 1 1 1");
	fired("");
	assert_int_equal(((const struct tcp_sock *)sk_sent)->bytes_sent, 1);
}

static void test_repeated_part(void **state)
{
	(void)state;
	open_connection();
	say(">A 1 1 10 >AF 6 1 10");
	fired(" >1-4 >again/4 <1-8");
	assert_int_equal(end_of(0)->bytes_sent, 20);
	assert_int_equal(end_of(0)->bytes_retrans, 5);
	assert_int_equal(end_of(0)->snd_nxt, iss[0] + 17);
}

static void test_fin_behind_a_gap(void **state)
{
	(void)state;
	open_connection();
	say(">AF 11 1 5");
	fired(" >1-4");
	say(">A 1 1 10");
	fired(" >again/4");
	say("<A 1 17");
	fired(" <1-8 >4-5");
}

static void test_reset(void **state)
{
	(void)state;
	open_connection();
	say("<R 700");
	fired("");
	say("<RA 1 1");
	fired(" <1-7 <destroy/7 >reset/1 >1-7 >destroy/7");
	say(">A 1 1 5 <A 1 6 3 <R 1");
	fired("");
}

static void test_reset_with_bad_number(void **state)
{
	(void)state;
	/* The opener answers an old SYN+ACK by a reset, and waits for the right one. */
	say(">S 0 <SA 900 -9 >R -9");
	fired(" >7-2 >request/2");
	say("<SA 0 1 >R 2 >R 0 >A 1 1"); /* in the window of the SYN+ACK, and before it */
	fired(" >2-1 >connected/1/saved <10-3 <accepted/1 <3-1");
	/* Half-open: the opener has crashed. Its reset closes the old socket, and no new one. */
	say(">S 7000 <A 1 1 >R 1");
	fired(" >1-7 >destroy/7 >7-2 >request/2 <reset/1 <1-7 <destroy/7");
	say(">S 7000 <SA 8000 7001 >A 7001 8001");
	fired(" >again/2 >2-1 >connected/1/saved <10-3 <accepted/1 <3-1");
}

/* The capture may lack data before a reset, so the handshake ends; but the sockets live on. */
static void test_reset_after_a_gap(void **state)
{
	(void)state;
	say(">S 0 <SA 0 1 <R 500 >A 1 1");
	fired(" >7-2 >request/2 >2-1 <10-3 <3-1");
}

static void test_reset_without_counting_the_fin(void **state)
{
	(void)state;
	open_connection();
	say(">AF 1 1 >RA 1 1");
	fired(" >1-4 <1-8 >4-7 >destroy/7 <reset/8 <8-7 <destroy/7");
}

static void test_port_reuse(void **state)
{
	(void)state;
	open_connection();
	say(">AF 1 1 <AF 1 2 >A 2 2");
	fired(" >1-4 <1-8 <8-9 >4-5 >5-6 >destroy/6 <9-7 <destroy/7");
	iss[0] = 900000;
	iss[1] = 100;
	open_connection();
	/*
	 * A new connection uses the same ports, although the capture lacks the end of the first
	 * connection.
	 */
	iss[0] = 100;
	iss[1] = 900000;
	say(HANDSHAKE);
	fired(" >1-7 >destroy/7 >7-2 >request/2 <1-7 <destroy/7 >2-1 >connected/1/saved"
	      " <10-3 <accepted/1 <3-1");
}

static void test_late_syn(void **state)
{
	(void)state;
	open_connection();
	say(">AF 1 1 <AF 1 2 >A 2 2");
	*text = '\0';
	now += 600 * S;
	say(">S 0 <SA 0 1 >A 1 1");
	fired("");
	/* A reset removes the connection, so the same ports are a new connection. */
	iss[0]++;
	open_connection();
	say(">R 1");
	fired(" >1-7 >destroy/7 <reset/1 <1-7 <destroy/7");
	open_connection();
}

static void test_time_wait_is_not_for_ever(void **state)
{
	(void)state;
	open_connection();
	say(">AF 1 1 <AF 1 2 >A 2 2");
	*text = '\0';
	assert_non_null(tcp_table_time_wait_oldest(&t.tab));
	now += 61 * S;
	client_port++;
	say(">A 1 1 5");
	assert_null(tcp_table_time_wait_oldest(&t.tab));
}

static void test_repeated_fin_restarts_time_wait(void **state)
{
	(void)state;
	open_connection();
	say(">AF 1 1 <AF 1 1 >A 2 2 <A 2 2");
	*text = '\0';
	for (unsigned i = 0; i < 3; i++) {
		now += 50 * S;
		say("<AF 1 2 >AF 1 2");
		fired(" <again/7 >again/6");
	}
	now += 61 * S;
	say("<AF 1 2");
	fired("");
}

/* ------------------------------------------------------------------ mid-stream */

static void test_synack_without_syn(void **state)
{
	(void)state;
	say("<SA 0 1 <SA 0 1");
	fired("");
	assert_int_equal(end_of(1)->total_retrans, 1);
	say(">A 1 1");
	fired(" <10-3 <3-1");
	say("<SA 0 1");
	fired(" <again/1");
	/* A reset instead of the ACK: no socket has existed. */
	client_port++;
	say("<SA 0 1 >R 1");
	fired("");
	/* The SYN and the options of both come late. */
	client_port++;
	memcpy(opts[0], ((unsigned char[]){3, 3, 7, 0}), opt_len[0] = 4);
	memcpy(opts[1], ((unsigned char[]){3, 3, 2, 0}), opt_len[1] = 4);
	say("<SA 0 1 >S 0 >A 1 1 >A 1 1 5");
	fired(" >7-2 >request/2 >2-1 <10-3 <3-1");
	assert_int_equal(((const struct tcp_sock *)sk_received)->rx_opt.snd_wscale, 7);
	client_port++;
	say(">S 0 >A 1 1 >A 1 4 <SA 0 1 <A 1 1 3");
	fired(" >7-2 >request/2 >2-1");
	assert_int_equal(((const struct tcp_sock *)sk_received)->rx_opt.snd_wscale, 2);
	assert_int_equal(((const struct tcp_sock *)sk_received)->bytes_received, 3);
}

static void test_midstream(void **state)
{
	(void)state;
	say(">A 1 1 100");
	fired("");
	assert_int_equal(sk_sent->__sk_common.skc_state, TCP_ESTABLISHED);
	assert_int_equal(sk_received->__sk_common.skc_state, TCP_ESTABLISHED);
	say("<AF 1 101 >AF 101 2 <A 2 102");
	fired(" <1-4 >1-8 >8-9 <4-5 <5-6 <destroy/6 >9-7 >destroy/7");
}

static void test_probes_begin_nothing(void **state)
{
	(void)state;
	say(">A 1 1 <R 1 >. 1 1 5 >F 1 <RA 1 1 >SF 0 <RA 0 1 >SR 0");
	fired("");
	assert_int_equal(t.tab.inuse, 0);
}

/* --------------------------------------------------------------------- numbers */

static void test_wrap_around(void **state)
{
	(void)state;
	iss[0] = UINT32_MAX - 2;
	iss[1] = UINT32_MAX;
	open_connection();
	say(">A 1 1 100 <A 1 101 <A 1 101 100 >A 101 101");
	fired("");
	assert_int_equal(end_of(0)->snd_una, iss[0] + 101);
	assert_int_equal(end_of(0)->bytes_acked, 101);
	assert_int_equal((uint32_t)(end_of(0)->snd_una - end_of(0)->bytes_acked), iss[0]);
	assert_int_equal((uint32_t)(end_of(1)->snd_una - end_of(1)->bytes_acked - 1), iss[1]);
	assert_int_equal((uint32_t)(end_of(1)->rcv_nxt - end_of(1)->bytes_received - 1), iss[0]);
	assert_int_equal((uint32_t)(end_of(0)->rcv_nxt - end_of(0)->bytes_received - 1), iss[1]);
	say(">AF 101 101 <AF 101 102 >A 102 102");
	fired(" >1-4 <1-8 <8-9 >4-5 >5-6 >destroy/6 <9-7 <destroy/7");
}

static void test_keep_alive_and_window_probe(void **state)
{
	(void)state;
	open_connection();
	say(">A 1 1 10 <A 1 11 >A 10 1 <A 1 11 >A 10 1 1 <A 1 11");
	fired("");
	window[1] = 0;
	say("<A 1 11");
	assert_int_equal(end_of(0)->snd_wnd, 0);
	say(">A 11 1 1 >A 11 1 1 <A 1 11 >A 11 1 1");
	fired("");
	window[1] = 1000;
	say("<A 1 12 >A 12 1 5 >A 12 1 5");
	fired(" >again/1");
	assert_int_equal(end_of(0)->total_retrans, 1);
}

static void test_options(void **state)
{
	static const unsigned char a[] = {2, 4, 5, 0xb4, 4, 2, 8, 10, 0, 0,
					  0, 9, 0, 0,    0, 0, 1, 3,  3, 7};
	static const unsigned char b[] = {2, 4, 5, 0x78, 4, 2, 8, 10, 0, 0,
					  0, 7, 0, 0,    0, 9, 1, 3,  3, 2};

	(void)state;
	memcpy(opts[0], a, opt_len[0] = sizeof(a));
	memcpy(opts[1], b, opt_len[1] = sizeof(b));
	open_connection();
	say("<A 1 1");
	assert_int_equal(end_of(0)->rx_opt.snd_wscale, 2);
	assert_int_equal(end_of(0)->rx_opt.rcv_wscale, 7);
	assert_int_equal(end_of(0)->snd_wnd, 4000);
	assert_int_equal(end_of(0)->rcv_wnd, 128000);
	assert_int_equal(end_of(1)->snd_wnd, 128000);
	assert_int_equal(end_of(0)->rx_opt.sack_ok, 1);
	assert_int_equal(end_of(0)->rx_opt.tstamp_ok, 1);
	assert_int_equal(end_of(0)->advmss, 1460);
	assert_int_equal(end_of(0)->rx_opt.mss_clamp, 1400);
	assert_int_equal(end_of(0)->mss_cache, 1388);
	assert_int_equal(end_of(1)->mss_cache, 1388);
	assert_int_equal(end_of(1)->rx_opt.mss_clamp, 1460);
}

static void test_no_options_on_one_side(void **state)
{
	static const unsigned char a[] = {2, 4, 5, 0xb4, 1, 3, 3, 7};

	(void)state;
	memcpy(opts[0], a, opt_len[0] = sizeof(a));
	open_connection();
	say("<A 1 1");
	assert_int_equal(end_of(0)->rx_opt.wscale_ok, 0);
	assert_int_equal(end_of(0)->rcv_wnd, 1000);
	assert_int_equal(end_of(1)->snd_wnd, 1000);
}

/*
 * The server acknowledges 100 bytes, and by SACK the @n blocks of @edge, which has the start and
 * end of each block.
 */
static void acknowledge(unsigned n, const uint32_t (*edge)[2])
{
	sack_len = (unsigned char)(n ? 4 + 8 * n : 0);
	memcpy(sack_opt, ((unsigned char[]){1, 1, 5, (unsigned char)(2 + 8 * n)}), 4);
	for (unsigned i = 0; i < 2 * n; i++)
		be32(sack_opt + 4 + 4 * i, iss[0] + edge[i / 2][i % 2]);
	say("<A 1 101");
}

/* An option has no room for all blocks, so the blocks of earlier options count too. */
static void test_sack(void **state)
{
	static const unsigned char permitted[] = {2, 4, 0, 100, 1, 1, 4, 2}; /* and an MSS of 100 */

	(void)state;
	iss[0] = UINT32_MAX - 400; /* the numbers wrap around in the middle */
	for (int i = 0; i < 2; i++)
		memcpy(opts[i], permitted, opt_len[i] = sizeof(permitted));
	open_connection();
	say(">A 1 1 100 >A 101 1 100 >A 201 1 100 >A 301 1 100 >A 401 1 100 >A 501 1 100");
	acknowledge(1, (const uint32_t[][2]){{201, 301}});
	assert_int_equal(end_of(0)->highest_sack_end, iss[0] + 301);
	acknowledge(2, (const uint32_t[][2]){{401, 501}, {201, 301}});
	assert_int_equal(end_of(0)->highest_sack_end, iss[0] + 501);
	assert_int_equal(end_of(0)->sacked_out, 2);
	acknowledge(1, (const uint32_t[][2]){{201, 301}});
	assert_int_equal(end_of(0)->highest_sack_end, iss[0] + 501);
	assert_int_equal(end_of(0)->sacked_out, 2);
	/* nothing new: data below snd_una, data that was never sent, and D-SACK (RFC 2883) */
	acknowledge(3, (const uint32_t[][2]){{1, 601}, {100000, 100100}, {301, 201}});
	acknowledge(2, (const uint32_t[][2]){{201, 301}, {201, 301}});
	acknowledge(0, NULL);
	assert_int_equal(end_of(0)->sacked_out, 2);
	assert_int_equal(end_of(0)->highest_sack_end, iss[0] + 501);
	acknowledge(2, (const uint32_t[][2]){{201, 301}, {301, 401}});
	assert_int_equal(end_of(0)->sacked_out, 3);
	sack_len = 0;
	say("<A 1 251"); /* within a block */
	assert_int_equal(end_of(0)->sacked_out, 3);
	say("<A 1 601");
	assert_int_equal(end_of(0)->sacked_out, 0);
}

/* Far more blocks than an option has room for, in any order. */
static void test_many_sacks(void **state)
{
	static const unsigned char permitted[] = {2, 4, 0, 100, 1, 1, 4, 2};

	(void)state;
	for (int i = 0; i < 2; i++)
		memcpy(opts[i], permitted, opt_len[i] = sizeof(permitted));
	open_connection();
	for (unsigned i = 0; i < 600; i++)
		segment(0, TCP_ACK, 1 + i * 100, 1, 100);
	for (unsigned i = 0, at = 0; i < 200; i++, at = (at + 77) % 200)
		acknowledge(1, (const uint32_t[][2]){{301 + at * 200, 401 + at * 200}});
	assert_int_equal(end_of(0)->sacked_out, 200);
	assert_int_equal(end_of(0)->highest_sack_end, iss[0] + 401 + 199 * 200);
	acknowledge(1, (const uint32_t[][2]){{301, 401 + 199 * 200}});
	assert_int_equal(end_of(0)->sacked_out, 399);
	for (unsigned i = 0; i < 290; i++) /* 256 blocks are remembered */
		acknowledge(1, (const uint32_t[][2]){{40301 + i * 20, 40302 + i * 20}});
	assert_int_equal(end_of(0)->sacked_out, 399 + 255);
}

/* Without SACK, each duplicate acknowledgement stands for a segment, as in Linux. */
static void test_duplicates_without_sack(void **state)
{
	(void)state;
	open_connection();
	say(">A 1 1 100 >A 101 1 100 >A 201 1 100 >A 301 1 100 <A 1 101 <A 1 101 <A 1 101 <A 1 "
	    "101");
	assert_int_equal(end_of(0)->sacked_out, 3);
	assert_int_equal(end_of(0)->highest_sack_end, end_of(0)->snd_una);
	say("<A 1 101 5"); /* with data, so no duplicate */
	assert_int_equal(end_of(0)->sacked_out, 3);
	say("<A 6 401");
	assert_int_equal(end_of(0)->sacked_out, 0);
}

static void test_round_trips(void **state)
{
	(void)state;
	open_connection();
	assert_int_equal(end_of(0)->srtt_us >> 3, 1000);
	say(">A 1 1 10");
	now += 80 * MS;
	say("<A 1 11");
	assert_int_equal(end_of(0)->srtt_us >> 3, 1000 + (81000 - 1000) / 8);
	/* By Karn's algorithm, no round-trip time is measured with a repeated segment. */
	say(">A 11 1 10");
	now += 300 * MS;
	say(">A 11 1 10");
	assert_int_equal(end_of(0)->inet_conn.icsk_retransmits, 1);
	assert_int_equal(end_of(0)->retrans_out, 1);
	now += 900 * MS;
	say("<A 1 21");
	assert_int_equal(end_of(0)->srtt_us >> 3, 1000 + (81000 - 1000) / 8);
	assert_int_equal(end_of(0)->inet_conn.icsk_retransmits, 0);
	assert_int_equal(end_of(0)->retrans_out, 0);
}

static void test_syn_backs_off(void **state)
{
	(void)state;
	say(">S 0");
	now += S;
	say(">S 0");
	now += 2 * S;
	say(">S 0");
	fired(" >7-2 >request/2 >again/2 >again/2");
	assert_int_equal(end_of(0)->inet_conn.icsk_retransmits, 2);
	assert_int_equal(end_of(0)->inet_conn.icsk_rto, 4000);
}

/* ------------------------------------------------------------------- one side */

static void test_client_only(void **state)
{
	(void)state;
	local[1] = false;
	say(HANDSHAKE " >AF 1 1 <AF 1 2 >A 2 2");
	fired(" >7-2 >request/2 >2-1 >connected/1/saved >1-4 >4-5 >5-6 >destroy/6");
}

static void test_server_only(void **state)
{
	(void)state;
	local[0] = false;
	say(HANDSHAKE " >AF 1 1 <AF 1 2 >A 2 2");
	fired(" <10-3 <accepted/1 <3-1 <1-8 <8-9 <9-7 <destroy/7");
	client_port++;
	say(">S 0 <SA 0 1 >R 1 >S 5 <RA 0 6");
	fired(" refuses");
}

/*
 * Follows loopback traffic that was captured on all devices: each packet appears twice, once as
 * sent and once as received.
 */
static void test_out_and_in(void **state)
{
	static const char *const all[] = {">S 0",    "<SA 0 1", ">A 1 1", ">A 1 1 5",
					  "<AF 1 6", ">AF 6 2", "<A 2 7"};
	unsigned i, from;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		from = *all[i] == '<';
		local[from] = true, local[!from] = false;
		say(all[i]);
		local[from] = false, local[!from] = true;
		say(all[i]);
	}
	fired(" >7-2 >request/2 >2-1 >connected/1/saved <10-3 <accepted/1 <3-1 <1-4 >1-8 >8-9"
	      " <4-5 <5-6 <destroy/6 >9-7 >destroy/7");
}

/*
 * Prefetching guesses the connection of a packet. The guess may be right, wrong, or a connection
 * that no longer exists.
 */
static void test_number_that_was_guessed(void **state)
{
	(void)state;
	open_connection();
	say(">A 1 1 5");
	for (guess = 0; guess < 8; guess++) {
		client_port = (uint16_t)(5000 + guess);
		open_connection();
		say(">A 1 1 100 <A 1 101 7 >A 101 8");
		assert_non_null(sk_sent);
		assert_int_equal(((const struct tcp_sock *)sk_sent)->bytes_sent, 100);
		assert_int_equal(((const struct tcp_sock *)sk_received)->bytes_received, 100);
		say(">AF 101 8 <A 8 102 <AF 8 102 >A 102 9");
		fired(" >1-4 <1-8 >4-5 <8-9 >5-6 >destroy/6 <9-7 <destroy/7");
	}
	assert_int_equal(end_of(0)->bytes_sent, 5);
}

/* A connection leaves the fast path when a segment has more than plain data, such as a FIN. */
static void test_end_of_fast_path(void **state)
{
	(void)state;
	guess = 1;
	for (unsigned reset = 0; reset < 2; reset++) {
		open_connection();
		say(">A 1 1 5 <A 1 6 3 >A 6 4");
		assert_true(t.fast_path && t.tab.conn[guess - 1].fast_path_ok);
		say(reset ? ">R 6" : "<AF 4 6");
		assert_false(t.fast_path);
		assert_string_equal(text, reset ? " >1-7 >destroy/7 <reset/1 <1-7 <destroy/7"
						: " <1-4 >1-8");
		*text = '\0';
		say(reset ? ">A 6 4 1" : ">A 6 5");
		assert_false(t.fast_path);
		assert_string_equal(text, reset ? "" : " <4-5");
		*text = '\0';
		client_port++;
		guess = 3; /* the next connection; index 2 of the table is the listener */
	}
}

/* ---------------------------------------------------------------------- limits */

static void test_too_many(void **state)
{
	unsigned i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		client_port = (uint16_t)(1000 + i);
		say(">S 0");
	}
	assert_int_equal(t.tab.evicted, 1000 - 64);
	assert_int_equal(t.tab.inuse, 64);
	for (i = 0; i < 1000; i++) {
		client_port = (uint16_t)(1000 + i);
		say("<SA 0 1 >A 1 1 >R 1");
	}
	*text = '\0';
	for (i = 0; i < 1000; i++) {
		client_port = (uint16_t)(5000 + i);
		open_connection();
		say(">AF 1 1 <AF 1 2 >A 2 2");
		fired(" >1-4 <1-8 <8-9 >4-5 >5-6 >destroy/6 <9-7 <destroy/7");
		now += S;
	}
	assert_true(t.tab.inuse <= 128);
}

static void test_cut_headers(void **state)
{
	unsigned char p[60] = {0};
	struct tcp_seg s = {0};
	unsigned n;

	(void)state;
	p[12] = 0xf0;
	for (n = 0; n < 60; n++) {
		unsigned char *exact = malloc(n ? n : 1);

		memcpy(exact, p, n);
		assert_int_equal(tcp_seg_parse(&s, exact, n, 100), n >= 16);
		if (n >= 16) {
			struct tcp_syn_opts o;
			uint32_t ts;

			assert_int_equal(s.len, 40);
			tcp_seg_syn_opts(&s, &o);
			assert_false(tcp_seg_tstamp(&s, &ts));
		}
		free(exact);
	}
	p[12] = 0x40;
	assert_false(tcp_seg_parse(&s, p, 60, 60));
}

/* ---------------------------------------------------------------- impossible numbers */

/* Opens a connection in which both ends have sent data. */
static void open_with_data(void)
{
	open_connection();
	say(">A 1 1 100 <A 1 101 300 >A 101 301");
	fired("");
}

/* Ends the connection of open_with_data() after more data. Nothing was poisoned before. */
static void goes_on(const char *forged)
{
	const struct tcp_sock *client, *server;

	say("<A 301 101 200 >A 101 501 <A 501 101 200 >A 101 701");
	fired("");
	client = end_of(0);
	server = end_of(1);
	if (server->snd_nxt != iss[1] + 701 || server->snd_una != server->snd_nxt ||
	    server->write_seq != server->snd_nxt || server->bytes_sent != 700 ||
	    server->bytes_acked != 700 || server->bytes_received != 100 || server->total_retrans ||
	    client->snd_nxt != iss[0] + 101 || client->rcv_nxt != iss[1] + 701 ||
	    client->bytes_received != 700 || client->bytes_sent != 100 || client->total_retrans ||
	    client->snd_wnd != 1000 || server->snd_wnd != 1000)
		fail_msg("%s has an effect", forged);
	say("<AF 701 101 >AF 101 702 <A 702 102");
	fired(" <1-4 >1-8 >8-9 <4-5 <5-6 <destroy/6 >9-7 >destroy/7");
	client_port++;
	now += 100 * S;
	tcp_track_expire(&t, now);
}

/*
 * A segment whose numbers are outside of all windows is ignored, whichever end seems to send it and
 * however often the capture has it. Each is forged after data of its sender, and after data of its
 * peer, on the fast path and beside it.
 */
static void test_forged(void **state)
{
	static const char *const forged[] = {
		"<A 536870912 305419896 1",
		"<AF 536870912 305419896",
		"<A 536870912 101 1000",
		"<AF 100301 101",
		"<AF 536870912 101",
		"<AF -536870912 101",
		"<A -2147483000 7777 1",
		"<A 301 536870912",
		"<A 301 1048576 1",
		"<A 301 2000000000",
		">A 305419896 536870912",
		">A 101 536870912",
		">A 101 1048576",
		">A 101 134217728 1",
		">A 536870912 301 50",
		">AF 536870912 301",
		">AF 305419896 -1600000000",
		"<A 1000000 1000000 1",
		"<. 301 101 50",
		">F 101 301",
	};

	(void)state;
	window[0] = window[1] = 1000;
	for (unsigned i = 0; i < 4 * sizeof(forged) / sizeof(*forged); i++) {
		t.no_fast_path = i & 1;
		open_with_data();
		window[0] = window[1] = 0;
		say(forged[i / 4]);
		if (i & 2)
			say(forged[i / 4]);
		window[0] = window[1] = 1000;
		fired("");
		assert_null(sk_sent);
		assert_null(sk_received);
		goes_on(forged[i / 4]);
		teardown(NULL);
		setup(NULL);
	}
}

/* The capture lacks more than a window: the second segment after the gap shows it. */
static void test_long_gap(void **state)
{
	(void)state;
	open_with_data();
	say("<A 1000301 101 200 >A 101 1000501");
	assert_int_equal(end_of(1)->snd_nxt, iss[1] + 301);
	say("<A 1000501 101 200 >A 101 1000701");
	assert_int_equal(end_of(1)->snd_nxt, iss[1] + 1000701);
	assert_int_equal(end_of(0)->rcv_nxt, iss[1] + 1000701);
	say("<A 1000701 101 200 >A 101 1000901 <AF 1000901 101 >AF 101 1000902 <A 1000902 102");
	fired(" <1-4 >1-8 >8-9 <4-5 <5-6 <destroy/6 >9-7 >destroy/7");
}

/* An end that only acknowledges has passed a gap, and then sends its FIN. */
static void test_long_gap_before_a_fin(void **state)
{
	(void)state;
	open_with_data();
	say(">A 101 1000301 >AF 101 1000301 <A 1000301 102");
	fired(" >1-4 <1-8");
	say("<AF 1000301 102 >A 102 1000302");
	assert_int_equal(end_of(0)->rcv_nxt, iss[1] + 1000302);
}

#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_handshake),
		test(test_handshake_with_data),
		test(test_each_segment_twice),
		test(test_refused),
		test(test_reset_that_refuses_nothing),
		test(test_half_open),
		test(test_server_gives_up),
		test(test_simultaneous_open),
		test(test_split_handshake),
		test(test_fast_open),
		test(test_lost_synack),
		test(test_new_attempt),
		test(test_close),
		test(test_close_by_both),
		test(test_acknowledged_before_it_is_sent),
		test(test_one_side_before_the_other),
		test(test_repeated_part),
		test(test_fin_behind_a_gap),
		test(test_reset),
		test(test_reset_with_bad_number),
		test(test_reset_after_a_gap),
		test(test_reset_without_counting_the_fin),
		test(test_port_reuse),
		test(test_late_syn),
		test(test_time_wait_is_not_for_ever),
		test(test_repeated_fin_restarts_time_wait),
		test(test_synack_without_syn),
		test(test_midstream),
		test(test_probes_begin_nothing),
		test(test_wrap_around),
		test(test_keep_alive_and_window_probe),
		test(test_options),
		test(test_no_options_on_one_side),
		test(test_sack),
		test(test_many_sacks),
		test(test_duplicates_without_sack),
		test(test_round_trips),
		test(test_syn_backs_off),
		test(test_client_only),
		test(test_server_only),
		test(test_out_and_in),
		test(test_number_that_was_guessed),
		test(test_end_of_fast_path),
		test(test_forged),
		test(test_long_gap),
		test(test_long_gap_before_a_fin),
		test(test_too_many),
		test(test_cut_headers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
