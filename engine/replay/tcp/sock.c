/*
 * sock.c - maintains the sequence numbers, windows, options and round-trip times of one end of a
 * TCP connection.
 */
#include "engine/replay/tcp/sock.h"

#include <string.h>

#include "base/xalloc.h"
#include "engine/replay/tcp/sacked.h"

enum { KSIM_AF_INET = 2, KSIM_AF_INET6 = 10, KSIM_SOCK_STREAM = 1, PROTO_TCP = 6 };

#define MSEC 1000000ull /* ns in a millisecond */
#define RTO_MIN 200u    /* in ms, like the next two constants */
#define RTO_INIT 1000u
#define RTO_MAX 120000u
/* longest round-trip time in us; 8 times this number fits in a __u32 */
#define RTT_MAX 500000000
#define UNSEEN_WINDOW 65535u    /* window that is assumed if the peer's window is not known */
#define TSTAMP_ROOM 12          /* number of bytes that a timestamp option takes in each segment */
#define FAST_PATH_FLAGS TCP_ACK /* a fast-path segment has ACK, and none of SYN, FIN and RST */

/*
 * Marks functions that the compiler copies into the fast path. The flags are a constant there, so
 * the copy tests no flags.
 */
#define SPECIALIZED static inline __attribute__((always_inline))

SPECIALIZED uint32_t span(const struct tcp_seg *s, unsigned flags)
{
	return s->len + !!(flags & TCP_SYN) + !!(flags & TCP_FIN);
}

/* --------------------------------------------------------------- new sockets */

static void set_addresses(struct sock_common *c, const struct tcp_seg *s, bool sends)
{
	const unsigned char *own = sends ? s->saddr : s->daddr, *peer = sends ? s->daddr : s->saddr;

	if (s->version == 4) {
		c->skc_family = KSIM_AF_INET;
		memcpy(&c->skc_rcv_saddr, own, 4);
		memcpy(&c->skc_daddr, peer, 4);
	} else {
		c->skc_family = KSIM_AF_INET6;
		memcpy(&c->skc_v6_rcv_saddr, own, 16);
		memcpy(&c->skc_v6_daddr, peer, 16);
	}
	c->skc_num = sends ? s->sport : s->dport;
	c->skc_dport = __builtin_bswap16(sends ? s->dport : s->sport);
}

void tcp_end_open(struct tcp_end *e, const struct tcp_shared *sh, const struct tcp_seg *s,
		  bool sends, uint64_t cookie)
{
	struct inet_connection_sock *icsk = &e->tp.inet_conn;
	struct sock *sk = tcp_end_sk(e);
	struct tcp_syn_opts syn = e->syn;
	struct tcp_saved *saved = e->saved;
	struct tcp_sacked *sacked = e->sacked;

	memset(e, 0, sizeof(*e));
	e->syn = syn;
	e->saved = saved;
	e->sacked = sacked;
	if (sacked)
		sacked->n = 0;
	e->status = TCP_END_OPEN;
	*sk = sh->blank;
	set_addresses(&sk->__sk_common, s, sends);
	tcp_end_set_state(e, TCP_CLOSE);
	sk->__sk_common.skc_cookie.counter = (__s64)cookie;
	sk->sk_type = KSIM_SOCK_STREAM;
	sk->sk_protocol = PROTO_TCP;
	icsk->icsk_inet.inet_saddr = sk->__sk_common.skc_rcv_saddr;
	icsk->icsk_inet.inet_sport = __builtin_bswap16(sk->__sk_common.skc_num);
	icsk->icsk_bind_hash = (struct inet_bind_bucket *)&sh->bound;
	icsk->icsk_rto = RTO_INIT;
}

void tcp_end_release(struct tcp_end *e)
{
	xfree(e->saved);
	xfree(e->sacked);
}

/* Turns on the options that both SYNs have. @peer has the options of the peer's SYN. */
static void set_options(struct tcp_end *e, const struct tcp_syn_opts *peer)
{
	struct tcp_options_received *rx = &e->tp.rx_opt;
	unsigned both = peer->flags & e->syn.flags;
	uint32_t mss = peer->mss;

	rx->wscale_ok = !!(both & TCP_OPT_WSCALE);
	rx->snd_wscale = (uint16_t)((rx->wscale_ok ? peer->wscale : 0) & 15);
	rx->rcv_wscale = (uint16_t)((rx->wscale_ok ? e->syn.wscale : 0) & 15);
	rx->tstamp_ok = !!(both & TCP_OPT_TSTAMP);
	rx->sack_ok = !!(both & TCP_OPT_SACK_OK);
	rx->mss_clamp = peer->mss;
	if (e->syn.mss && (!mss || e->syn.mss < mss))
		mss = e->syn.mss;
	if (rx->tstamp_ok && mss > TSTAMP_ROOM)
		mss -= TSTAMP_ROOM;
	e->tp.mss_cache = mss;
}

void tcp_end_start_active(struct tcp_end *e, const struct tcp_seg *syn)
{
	struct tcp_sock *tp = &e->tp;

	tcp_seg_syn_opts(syn, &e->syn);
	e->active = true;
	tp->snd_una = tp->snd_nxt = tp->write_seq = tp->snd_up = e->sent_nxt = syn->seq;
	tp->advmss = e->syn.mss;
	tp->mss_cache = e->syn.mss;
	tp->syn_data = tp->syn_fastopen = syn->len > 0;
}

/*
 * snd_una is past the SYN from the start, as in the kernel, where the child socket is created after
 * the SYN+ACK has been sent.
 */
void tcp_end_start_passive(struct tcp_end *e, const struct tcp_seg *synack, uint32_t peer_iss,
			   const struct tcp_syn_opts *peer)
{
	struct tcp_sock *tp = &e->tp;

	tcp_seg_syn_opts(synack, &e->syn);
	tp->snd_nxt = e->sent_nxt = synack->seq;
	tp->snd_una = tp->write_seq = tp->snd_up = synack->seq + 1;
	tp->rcv_nxt = tp->copied_seq = tp->rcv_wup = synack->ack;
	tp->bytes_received = synack->ack - peer_iss - 1; /* the SYN may have data (Fast Open) */
	tp->snd_wl1 = synack->ack - 1;
	tp->advmss = e->syn.mss;
	set_options(e, peer);
}

void tcp_end_start_midway(struct tcp_end *e, const struct tcp_seg *s, bool sends)
{
	struct tcp_sock *tp = &e->tp;
	uint32_t snd = sends ? s->seq : s->ack, rcv = sends ? s->ack : s->seq;

	tp->snd_una = tp->snd_nxt = tp->write_seq = tp->snd_up = snd;
	e->sent_nxt = sends ? snd : snd - TCP_NEAR;
	tp->rcv_nxt = tp->copied_seq = tp->rcv_wup = tp->snd_wl1 = rcv;
}

void tcp_end_peer_syn(struct tcp_end *e, const struct tcp_seg *s)
{
	struct tcp_syn_opts peer;
	struct tcp_sock *tp = &e->tp;
	uint32_t since = tp->rcv_nxt - s->seq - 1;

	tcp_seg_syn_opts(s, &peer);
	set_options(e, &peer);
	if (e->answered && since == (uint32_t)tp->bytes_received)
		return; /* repeated */
	if (tcp_end_state(e) == TCP_SYN_SENT)
		since = 0;
	else if (since >= TCP_NEAR)
		return;
	tcp_end_expect(e, s->seq + 1 + since);
	tp->bytes_received = since;
	tp->snd_wl1 = s->seq;
}

/* ------------------------------------------------------------------- sending */

/* Returns whether @seq is not beyond the window @wnd after @nxt, and not far before it. */
static bool near(uint32_t seq, uint32_t nxt, uint32_t wnd)
{
	return seq - nxt + TCP_LATE <= TCP_LATE + (wnd > TCP_SURELY ? wnd : TCP_SURELY);
}

bool tcp_end_is_near(const struct tcp_end *e, const struct tcp_seg *s, bool sends)
{
	const struct tcp_sock *tp = &e->tp;

	return near(sends ? s->seq : s->ack, tp->snd_nxt, tp->snd_wnd) &&
	       near(sends ? s->ack : s->seq, tp->rcv_nxt, tp->rcv_wnd);
}

/*
 * Records that @e has all data up to @seq: the data was captured, or @e has acknowledged it.
 * Acknowledged data may be missing in the capture, or come later in it.
 */
static inline void receive_up_to(struct tcp_end *e, uint32_t seq)
{
	struct tcp_sock *tp = &e->tp;
	uint32_t more = seq - tp->rcv_nxt;

	more = more < TCP_NEAR ? more : 0;
	tp->bytes_received += more;
	tp->rcv_nxt = tp->copied_seq = tp->rcv_nxt + more;
}

SPECIALIZED enum tcp_send_kind send_kind(const struct tcp_end *e, const struct tcp_seg *s,
					 unsigned flags)
{
	const struct tcp_sock *tp = &e->tp;

	if (!span(s, flags))
		return TCP_SEND_OTHER;
	if (flags & TCP_SYN && flags & TCP_ACK && e->active && !e->crossing)
		/* the answer to a SYN of the peer that crossed the SYN of this end */
		return TCP_SEND_OTHER;
	if (!seq_before(s->seq, e->sent_nxt) || tp->snd_nxt - e->sent_nxt >= TCP_NEAR)
		return TCP_SEND_NEW;
	if (!(flags & (TCP_SYN | TCP_FIN)) && s->len == 1) {
		if (s->seq + 1 == tp->snd_nxt && tp->snd_una == tp->snd_nxt)
			return TCP_SEND_OTHER; /* a keep-alive with one byte */
		if (e->window_known && !tp->snd_wnd)
			return TCP_SEND_OTHER; /* a window probe */
	}
	return TCP_SEND_AGAIN;
}

/*
 * Reasons of a retransmission. The values are TCP_RETRANS_* of translators/tcp.d, except
 * WHY_UNKNOWN. In icsk_pending, 0 means that the socket retransmits nothing.
 */
enum { WHY_UNKNOWN = 255, WHY_TIMEOUT = 3, WHY_LOSS, WHY_FAST, WHY_PROBE };

/*
 * Guesses why @e retransmits @s, from the rules of Linux. If an acknowledgement shows a gap, Linux
 * retransmits immediately. Otherwise Linux waits until its retransmission timer expires or, for the
 * very last segment, a shorter time. The capture does not show the timer, so this function
 * estimates it; the estimate is sometimes a little late.
 */
static uint8_t why_again(const struct tcp_end *e, const struct tcp_seg *s)
{
	const struct tcp_sock *tp = &e->tp;
	const struct inet_connection_sock *icsk = &tp->inet_conn;
	uint64_t idle = s->now - e->sent_at, timer = icsk->icsk_rto * (MSEC / 8) * 7;
	bool first = s->seq == tp->snd_una, last = s->seq + tcp_seg_span(s) == tp->snd_nxt;

	if (tp->sacked_out || e->dups)
		return first && idle >= timer ? WHY_TIMEOUT : e->timed_out ? WHY_LOSS : WHY_FAST;
	if (last && tp->srtt_us && !e->timed_out && idle < timer)
		return WHY_PROBE;
	if (first && idle >= RTO_MIN * MSEC)
		return WHY_TIMEOUT;
	return e->timed_out ? WHY_LOSS : WHY_UNKNOWN;
}

/*
 * Does the work of tcp_end_sending(). @flags are the flags of @s, or a constant on the fast path.
 */
SPECIALIZED enum tcp_send_kind sending(struct tcp_end *e, const struct tcp_seg *s, unsigned flags)
{
	struct tcp_sock *tp = &e->tp;
	uint32_t end = s->seq + span(s, flags);
	enum tcp_send_kind kind;

	if (flags & TCP_RST)
		return TCP_SEND_OTHER;
	if (flags & TCP_ACK && tcp_end_state(e) != TCP_SYN_SENT) {
		receive_up_to(e, s->ack);
		if (seq_after(s->ack, tp->rcv_wup) && s->ack - tp->rcv_wup < TCP_NEAR)
			tp->rcv_wup = s->ack;
	}
	tp->rcv_wnd = flags & TCP_SYN ? s->window : (uint32_t)s->window << tp->rx_opt.rcv_wscale;
	if (s->flags & TCP_URG)
		tp->snd_up = s->seq + s->urg_ptr;
	if (seq_after(end, tp->write_seq))
		tp->write_seq = end;
	kind = send_kind(e, s, flags);
	if (kind == TCP_SEND_AGAIN)
		tp->inet_conn.icsk_pending = why_again(e, s);
	return kind;
}

enum tcp_send_kind tcp_end_kind(const struct tcp_end *e, const struct tcp_seg *s)
{
	return s->flags & TCP_RST ? TCP_SEND_OTHER : send_kind(e, s, s->flags);
}

enum tcp_send_kind tcp_end_sending(struct tcp_end *e, const struct tcp_seg *s)
{
	return sending(e, s, s->flags);
}

/* Counts an expiry of the retransmission timer, if @s was sent for this reason. */
static void count_timeout(struct tcp_end *e, const struct tcp_seg *s)
{
	struct inet_connection_sock *icsk = &e->tp.inet_conn;

	if (s->seq != e->tp.snd_una && !(s->flags & TCP_SYN))
		return;
	if (s->now - e->sent_at < RTO_MIN * MSEC)
		return;
	if (icsk->icsk_retransmits < UINT8_MAX)
		icsk->icsk_retransmits++;
	if (icsk->icsk_backoff < UINT8_MAX)
		icsk->icsk_backoff++;
	icsk->icsk_rto = icsk->icsk_rto > RTO_MAX / 2 ? RTO_MAX : icsk->icsk_rto * 2;
}

static void sent_again(struct tcp_end *e, const struct tcp_seg *s, unsigned flags)
{
	struct tcp_sock *tp = &e->tp;
	uint32_t old = e->sent_nxt - s->seq - !!(flags & TCP_SYN);

	tp->bytes_retrans += old < s->len ? old : s->len;
	/* as in Karn's algorithm, because an acknowledgement could be for either copy */
	e->timing = false;
	if (!tp->retrans_out || tp->inet_conn.icsk_pending == WHY_TIMEOUT)
		tp->high_seq = tp->snd_nxt;
	e->timed_out |= tp->inet_conn.icsk_pending == WHY_TIMEOUT;
	tp->retrans_out++;
	tp->total_retrans++;
	count_timeout(e, s);
}

SPECIALIZED void sent(struct tcp_end *e, const struct tcp_seg *s, enum tcp_send_kind kind,
		      unsigned flags)
{
	struct tcp_sock *tp = &e->tp;
	uint32_t end = s->seq + span(s, flags);

	if (flags & TCP_SYN && flags & TCP_ACK)
		e->crossing = true;
	if (kind == TCP_SEND_OTHER)
		return;
	tp->bytes_sent += s->len;
	if (kind == TCP_SEND_AGAIN) {
		sent_again(e, s, flags);
	} else if (!e->timing && seq_after(end, tp->snd_nxt)) {
		e->timing = true;
		e->timed_seq = end;
		e->timed_at = s->now;
	}
	if (kind == TCP_SEND_NEW || seq_after(end, e->sent_nxt))
		e->sent_nxt = end;
	if (seq_after(end, tp->snd_nxt))
		tp->snd_nxt = end;
	e->sent_at = s->now;
	if (flags & TCP_FIN && !seq_before(end, tp->snd_una)) {
		e->fin_sent = true;
		e->fin_seq = end - 1;
	}
}

void tcp_end_sent(struct tcp_end *e, const struct tcp_seg *s, enum tcp_send_kind kind)
{
	sent(e, s, kind, s->flags);
}

/*
 * Records that @e sent @s, which has new data or none (tcp_end_is_next()). Does not branch on
 * whether @s has data: a CPU cannot predict this, and a wrong guess takes longer than the whole
 * function. The one branch starts to measure a round-trip time, which is rare.
 */
SPECIALIZED void sent_next(struct tcp_end *e, const struct tcp_seg *s)
{
	struct tcp_sock *tp = &e->tp;
	uint32_t end = s->seq + s->len, acks = s->ack - tp->rcv_wup;
	bool new = s->len > 0;

	receive_up_to(e, s->ack);
	tp->rcv_wup += acks < TCP_NEAR ? acks : 0;
	tp->rcv_wnd = (uint32_t)s->window << tp->rx_opt.rcv_wscale;
	tp->bytes_sent += s->len;
	tp->write_seq = seq_after(end, tp->write_seq) ? end : tp->write_seq;
	tp->snd_nxt = new ? end : tp->snd_nxt;
	e->sent_nxt = new ? end : e->sent_nxt;
	e->sent_at = new ? s->now : e->sent_at;
	if (!e->timing && new) {
		e->timing = true;
		e->timed_seq = end;
		e->timed_at = s->now;
	}
}

enum tcp_send_kind tcp_end_sent_fast(struct tcp_end *e, const struct tcp_seg *s)
{
	enum tcp_send_kind kind;

	if (__builtin_expect(tcp_end_is_next(e, s) && !(s->flags & TCP_URG), 1)) {
		sent_next(e, s);
		return s->len ? TCP_SEND_NEW : TCP_SEND_OTHER;
	}
	kind = sending(e, s, FAST_PATH_FLAGS);
	sent(e, s, kind, FAST_PATH_FLAGS);
	return kind;
}

/* ------------------------------------------------------------------ receiving */

/*
 * Adds a measured round-trip time of @ns, by RFC 6298 as in Linux (tcp_rtt_estimator()). srtt_us is
 * 8 times the smoothed round-trip time, and mdev_us is 4 times its mean deviation.
 */
static void round_trip(struct tcp_sock *tp, uint64_t ns)
{
	int64_t m = ns / 1000 > RTT_MAX ? RTT_MAX : (int64_t)(ns / 1000), dev;
	const uint32_t least = RTO_MIN * 1000;

	if (m == 0)
		m = 1;
	if (!tp->srtt_us || (uint32_t)m < tp->rtt_min.s[0].v)
		tp->rtt_min.s[0].v = (uint32_t)m;
	if (!tp->srtt_us) {
		tp->srtt_us = (uint32_t)m << 3;
		tp->mdev_us = (uint32_t)m << 1;
		tp->rttvar_us = tp->mdev_us > least ? tp->mdev_us : least;
		tp->mdev_max_us = tp->rttvar_us;
		tp->rtt_seq = tp->snd_nxt;
		return;
	}
	m -= tp->srtt_us >> 3;
	tp->srtt_us = (uint32_t)(tp->srtt_us + m);
	dev = (m < 0 ? -m : m) - (tp->mdev_us >> 2);
	if (m < 0 && dev > 0)
		dev >>= 3;
	tp->mdev_us = (uint32_t)(tp->mdev_us + dev);
	if (tp->mdev_us > tp->mdev_max_us) {
		tp->mdev_max_us = tp->mdev_us;
		if (tp->mdev_max_us > tp->rttvar_us)
			tp->rttvar_us = tp->mdev_max_us;
	}
	if (!seq_after(tp->snd_una, tp->rtt_seq))
		return;
	if (tp->mdev_max_us < tp->rttvar_us)
		tp->rttvar_us -= (tp->rttvar_us - tp->mdev_max_us) >> 2;
	tp->rtt_seq = tp->snd_nxt;
	tp->mdev_max_us = least;
}

static void set_rto(struct inet_connection_sock *icsk, const struct tcp_sock *tp)
{
	uint32_t ms = tp->srtt_us ? ((tp->srtt_us >> 3) + tp->rttvar_us) / 1000 : RTO_INIT;

	icsk->icsk_retransmits = icsk->icsk_backoff = 0;
	icsk->icsk_rto = ms > RTO_MAX ? RTO_MAX : ms;
}

/* Updates @e after it has received segment @s, which acknowledges new data of @e. */
static void ack_advances(struct tcp_end *e, const struct tcp_seg *s)
{
	struct tcp_sock *tp = &e->tp;

	tp->bytes_acked += s->ack - tp->snd_una;
	tp->snd_una = s->ack;
	if (seq_after(tp->snd_una, tp->snd_nxt)) {
		/* the capture lacks a segment, or has it later */
		tp->snd_nxt = tp->snd_una;
		if (tp->snd_nxt - e->sent_nxt > TCP_NEAR)
			e->sent_nxt = tp->snd_nxt - TCP_NEAR;
	}
	if (seq_after(tp->snd_una, tp->write_seq))
		tp->write_seq = tp->snd_una;
	set_rto(&tp->inet_conn, tp);
	e->dups = 0;
	tp->sacked_out = 0;
	if (tp->retrans_out && !seq_before(s->ack, tp->high_seq)) {
		tp->retrans_out = 0;
		e->timed_out = false;
	}
}

/* Ends the measurement of a round trip at segment @s. Not inline, because it is rare. */
static __attribute__((noinline)) void end_timing(struct tcp_end *e, const struct tcp_seg *s)
{
	e->timing = false;
	round_trip(&e->tp, s->now - e->timed_at);
	set_rto(&e->tp.inet_conn, &e->tp);
}

/*
 * Measures the round-trip time if @s acknowledges the timed segment. The timed segment may be a
 * SYN+ACK, which is below snd_una from the start.
 */
static void time_ack(struct tcp_end *e, const struct tcp_seg *s)
{
	struct tcp_sock *tp = &e->tp;

	if (!e->timing || seq_before(s->ack, e->timed_seq) || seq_after(s->ack, tp->snd_nxt))
		return;
	end_timing(e, s);
}

/*
 * Returns the highest sequence number that the peer may acknowledge. The capture may lack some of
 * the data that @e has sent.
 */
static uint32_t ack_limit(const struct tcp_end *e)
{
	const struct tcp_sock *tp = &e->tp;

	return tp->snd_nxt + (tp->snd_wnd > UNSEEN_WINDOW ? tp->snd_wnd : UNSEEN_WINDOW);
}

static bool ack_is_news(const struct tcp_end *e, uint32_t ack)
{
	const struct tcp_sock *tp = &e->tp;

	return seq_after(ack, tp->snd_una) && ack - tp->snd_una <= ack_limit(e) - tp->snd_una;
}

/* Counts the segments that the blocks of this and of earlier SACK options acknowledge. */
static __attribute__((noinline)) void count_sacked(struct tcp_end *e, const struct tcp_seg *s)
{
	struct tcp_sock *tp = &e->tp;

	tp->sacked_out = 0;
	tcp_sacked_forget(e->sacked, tp->snd_una);
	if (s->opt_len)
		tcp_sacked_add(&e->sacked, s, tp->snd_una, ack_limit(e));
	if (!e->sacked || !e->sacked->n)
		return;
	tp->sacked_out = tcp_sacked_segments(e->sacked, tp->mss_cache ? tp->mss_cache : 1);
	tp->highest_sack_end = e->sacked->block[e->sacked->n - 1].right;
}

/*
 * Counts a duplicate acknowledgement. Without SACK, each of them stands for a segment that the peer
 * has received, as in Linux (tcp_add_reno_sack()).
 */
static void count_dup(struct tcp_end *e)
{
	if (e->dups < UINT8_MAX)
		e->dups++;
	if (e->tp.rx_opt.sack_ok)
		return;
	e->tp.sacked_out = e->dups;
	e->tp.highest_sack_end = e->tp.snd_una;
}

/*
 * Returns whether @s only repeats the last acknowledgement while data is in flight. While the
 * window is closed, the peer answers window probes in this way.
 */
static bool is_dup(const struct tcp_end *e, const struct tcp_seg *s)
{
	const struct tcp_sock *tp = &e->tp;

	return !tcp_seg_span(s) && s->ack == tp->snd_una && tp->snd_una != tp->snd_nxt &&
	       e->window_known && tp->snd_wnd &&
	       (uint32_t)s->window << tp->rx_opt.snd_wscale == tp->snd_wnd;
}

SPECIALIZED void acked(struct tcp_end *e, const struct tcp_seg *s, unsigned flags)
{
	struct tcp_sock *tp = &e->tp;

	if (!(flags & TCP_ACK) || flags & TCP_RST)
		return;
	if (ack_is_news(e, s->ack))
		ack_advances(e, s);
	else if (is_dup(e, s))
		count_dup(e);
	time_ack(e, s);
	if (tp->rx_opt.sack_ok)
		count_sacked(e, s);
	if (seq_before(s->seq, tp->snd_wl1) || seq_before(s->ack, tp->snd_una))
		return;
	tp->snd_wl1 = s->seq;
	tp->snd_wnd = flags & TCP_SYN ? s->window : (uint32_t)s->window << tp->rx_opt.snd_wscale;
	e->window_known = true;
}

void tcp_end_acked(struct tcp_end *e, const struct tcp_seg *s)
{
	acked(e, s, s->flags);
}

static __attribute__((noinline)) void note_tstamp(struct tcp_sock *tp, const struct tcp_seg *s)
{
	uint32_t ts;

	if (tcp_seg_tstamp(s, &ts))
		tp->rx_opt.ts_recent = ts;
}

/*
 * Records the FIN of the peer at the end of @s. The peer sends nothing after its FIN, so the FIN is
 * not before data that @e has. @e may have acknowledged the FIN earlier in the file.
 */
static void see_fin(struct tcp_end *e, const struct tcp_seg *s)
{
	uint32_t fin = s->seq + tcp_seg_span(s) - 1;

	if (fin + 1 - e->tp.rcv_nxt >= TCP_NEAR)
		return;
	e->fin_seen = true;
	e->peer_fin = fin;
}

SPECIALIZED void data(struct tcp_end *e, const struct tcp_seg *s, unsigned flags)
{
	struct tcp_sock *tp = &e->tp;
	uint32_t start = s->seq + !!(flags & TCP_SYN);

	if (flags & TCP_FIN)
		see_fin(e, s);
	if (seq_after(start, tp->rcv_nxt))
		return;
	if (tp->rx_opt.tstamp_ok && s->opt_len)
		note_tstamp(tp, s);
	/* the sequence number of the last urgent byte, as tcp_check_urg() of Linux reads RFC 793 */
	if (s->flags & TCP_URG)
		tp->urg_seq = s->seq + s->urg_ptr - !!s->urg_ptr;
	receive_up_to(e, start + s->len + !!(flags & TCP_FIN));
}

void tcp_end_data(struct tcp_end *e, const struct tcp_seg *s)
{
	data(e, s, s->flags);
}

SPECIALIZED void received_fast(struct tcp_end *e, const struct tcp_seg *s)
{
	acked(e, s, FAST_PATH_FLAGS);
	data(e, s, FAST_PATH_FLAGS);
}

void tcp_end_received_fast(struct tcp_end *e, const struct tcp_seg *s)
{
	received_fast(e, s);
}

void tcp_end_exchange(struct tcp_end *restrict from, struct tcp_end *restrict to,
		      const struct tcp_seg *restrict s)
{
	sent_next(from, s);
	received_fast(to, s);
}
