/*
 * fuzz_tcp.c - passes any segments to the TCP tracker. There must be no crash and no impossible
 * state.
 *
 * The input is a list of segments between 32 ports and port 0, eight bytes each: sender, flags,
 * sequence numbers, lengths and time. The test checks that TCP allows each change of state, that no
 * event follows the end of a socket, and that the tracker keeps at most the allowed number of
 * connections. A second tracker, without the fast path, must report the same events and keep the
 * same data.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "engine/replay/tcp/track.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SOCKETS 4096
#define MAX 16

static struct {
	uint8_t state; /* last state of the socket; 0 before its first event */
	bool destroyed;
} seen[SOCKETS];

/* Hashes of the events that two trackers reported. */
static uint64_t told[2];
static struct tcp_track track[2];

static void demand(bool truth)
{
	if (!truth)
		abort();
}

static void note(uint64_t *sum, uint64_t v)
{
	*sum = (*sum ^ v) * 0x100000001b3 + 1;
}

static void tell(uint64_t *sum, const struct tcp_firing *f)
{
	note(sum, f->what);
	note(sum, (uint64_t)f->oldstate << 32 | (uint64_t)f->newstate);
	note(sum, f->sk ? (uint64_t)f->sk->__sk_common.skc_cookie.counter : 0);
	note(sum, f->saved ? f->saved->wirelen : 0);
}

static void on_event(void *ctx, const struct tcp_firing *f)
{
	uint64_t cookie;

	tell(ctx, f);
	if (ctx != &told[0])
		return;
	demand(f->sk || f->what == TCP_EV_ACCEPT_REFUSED);
	if (!f->sk)
		return;
	demand(f->what == TCP_EV_CONNECT_ESTABLISHED || !f->saved);
	cookie = (uint64_t)f->sk->__sk_common.skc_cookie.counter;
	demand(cookie);
	if (cookie >= SOCKETS)
		return;
	if (f->what == TCP_EV_DESTROY) {
		demand(!seen[cookie].destroyed);
		seen[cookie].destroyed = true;
	}
	if (f->what != TCP_EV_SET_STATE)
		return;
	demand(!seen[cookie].destroyed);
	demand(f->oldstate != f->newstate && f->newstate >= TCP_ESTABLISHED &&
	       f->newstate <= TCP_CLOSING);
	demand(f->sk->__sk_common.skc_state == f->oldstate);
	demand(!seen[cookie].state || seen[cookie].state == f->oldstate);
	seen[cookie].state = (uint8_t)f->newstate;
}

static void put32(unsigned char *p, uint32_t v)
{
	v = __builtin_bswap32(v);
	memcpy(p, &v, 4);
}

/*
 * Passes a segment that takes the fast path. If both ends are local, and the segment is the next
 * one without urgent data, one step handles both ends.
 */
static void pass_fast(struct tcp_track *t, const struct tcp_seg *s)
{
	struct tcp_end *from = &t->c->end[t->from], *to = &t->c->end[!t->from];

	if (t->sends && t->receives && !(s->flags & TCP_URG) && tcp_end_is_next(from, s)) {
		tcp_end_exchange(from, to, s);
		t->c = NULL;
		return;
	}
	tcp_track_sent_fast(t);
	tcp_track_received_fast(t);
}

/*
 * Passes a segment to the tracker. The bytes of @d choose the ends and ports, flags, sequence
 * number, acknowledgement, length, header, time and options.
 */
static void segment(struct tcp_track *t, const uint8_t *d, uint64_t *now)
{
	static const uint32_t start[4] = {0, 0xfffffffd, 0x7fffffff, 5000};
	unsigned from = d[0] & 1, port = d[0] >> 1 & 31, n = d[5] & 3 ? 0 : 20, v6 = d[0] >> 7;
	unsigned head = v6 ? 40 : 20;
	unsigned char p[40 + 60] = {0}, *tcp = p + head;
	struct tcp_flow flow;
	struct tcp_seg s = {.now = *now,
			    .ip = p,
			    .ip_len = head + 20 + n,
			    .ip_wirelen = head + 20 + n + d[4],
			    .l4 = head,
			    .version = v6 ? 6 : 4,
			    .saddr = p + (v6 ? 8 : 12),
			    .daddr = p + (v6 ? 24 : 16)};

	p[from ? (v6 ? 39 : 19) : (v6 ? 23 : 15)] = d[0] >> 6 & 1;
	tcp[from ? 3 : 1] = (unsigned char)port;
	put32(tcp + 4, start[d[0] >> 4 & 3] + (uint32_t)(int8_t)d[2]);
	put32(tcp + 8, start[d[0] >> 5 & 3] + (uint32_t)(int8_t)d[3]);
	tcp[12] = (unsigned char)((20 + n) / 4 << 4);
	tcp[13] = d[1];
	tcp[15] = d[5] & 0x10 ? 0 : 100;
	memset(tcp + 20, d[7], n);
	memcpy(tcp + 20, d, n ? 8 : 0);
	if (!tcp_seg_parse(&s, tcp, 20 + n, 20 + n + d[4]))
		abort();
	*now += (uint64_t)d[6] * d[6] * 10000000;
	if (d[5] & 0x20) {
		tcp_flow_of(&flow, s.version, s.saddr, s.daddr, s.sport, s.dport);
		flow.conn = d[5] & 0x02 ? tcp_table_prefetch_conn(&t->tab, flow.hash, flow.from)
					: d[7] % (MAX + 1);
		s.flow = &flow;
	}
	tcp_track_packet(t, &s, !(d[5] & 0x40), !(d[5] & 0x80));
	if (t->fast_path && d[5] & 0x08) {
		pass_fast(t, &s);
		return;
	}
	if (t->fast_path && d[5] & 0x04) {
		tcp_track_sent_fast(t);
	} else {
		tcp_track_send(t);
		tcp_track_sent(t);
	}
	tcp_track_receive(t);
	tcp_track_received(t);
	demand(t->tab.inuse <= 2 * MAX);
}

/* Checks that two ends have the same status and, if they are open, the same numbers. */
static void compare_ends(const struct tcp_end *a, const struct tcp_end *b)
{
	const size_t from = offsetof(struct tcp_end, tp.srtt_us);

	demand(a->status == b->status);
	if (a->status != TCP_END_OPEN)
		return;
	demand(!memcmp((const char *)a + from, (const char *)b + from, sizeof(*a) - from));
	demand(!memcmp(&a->tp.inet_conn.icsk_retransmits, &b->tp.inet_conn.icsk_retransmits, 8));
}

static void compare(void)
{
	demand(told[0] == told[1] && track[0].tab.first_unused == track[1].tab.first_unused);
	for (uint32_t i = 0; i < track[0].tab.first_unused; i++) {
		const struct tcp_conn *a = &track[0].tab.conn[i], *b = &track[1].tab.conn[i];

		demand(a->used == b->used);
		for (unsigned e = 0; a->used && e < 2; e++)
			compare_ends(&a->end[e], &b->end[e]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sock blank;
	struct diag d = {0};
	size_t i;

	memset(seen, 0, sizeof(seen));
	for (unsigned k = 0; k < 2; k++) {
		uint64_t now = 1;

		told[k] = 0;
		demand(!tcp_track_init(&track[k], MAX, &blank, on_event, &told[k], &d));
		track[k].save = true;
		track[k].no_fast_path = k;
		for (i = 0; i + 8 <= size; i += 8)
			segment(&track[k], data + i, &now);
	}
	compare();
	tcp_track_release(&track[0]);
	tcp_track_release(&track[1]);
	return 0;
}
