/*
 * sock.h - one end of a TCP connection, as the segments show it.
 *
 * Keeps the numbers of a ksim tcp_sock: sequence numbers, windows, options,
 * retransmissions, round trips.  States and events are track.c's.
 *
 * As in the kernel snd_nxt moves when the segment has been sent, so that at
 * its sending a segment below snd_nxt is a repeated one; and
 *
 *	snd_una - bytes_acked         the initial sequence number, one more if passive
 *	rcv_nxt - bytes_received - 1  the peer's
 *
 * For a connection that was open before the capture these are the first numbers seen.
 */
#ifndef REPLAY_TCP_SOCK_H
#define REPLAY_TCP_SOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/ksim_c.h"
#include "engine/replay/tcp/seg.h"

/* The kernel's numbers. */
enum tcp_state {
	TCP_ESTABLISHED = 1,
	TCP_SYN_SENT,
	TCP_SYN_RECV,
	TCP_FIN_WAIT1,
	TCP_FIN_WAIT2,
	TCP_TIME_WAIT,
	TCP_CLOSE,
	TCP_CLOSE_WAIT,
	TCP_LAST_ACK,
	TCP_LISTEN,
	TCP_CLOSING,
};

enum tcp_end_status {
	TCP_END_NONE, /* nothing known of a socket there */
	TCP_END_OPEN, /* tp is a socket */
	TCP_END_GONE, /* it was closed */
};

/* Objects that sockets point to, one of each for all. */
struct tcp_shared {
	struct inet_bind_bucket connected; /* connect() chose the port */
	struct inet_bind_bucket bound;
	struct socket socket;
	struct sock blank; /* what all sockets are like at first */
};

/* The head of a packet, kept. */
struct tcp_saved;

/* The last fields of tp and what is behind it are what every segment has to do with. */
struct tcp_end {
	struct tcp_saved *saved; /* owned */
	struct tcp_syn_opts syn; /* of the SYN that this end sent last, also without a socket */
	uint32_t fin_seq;
	struct tcp_sock tp;
	uint8_t status; /* enum tcp_end_status */
	uint8_t state;  /* enum tcp_state: the socket's */
	uint8_t dups;   /* acknowledgements that only said the last again */
	bool stale : 1; /* a newer attempt has begun: closed as soon as it matters */
	bool active : 1;
	bool announced : 1;  /* passive: it has left LISTEN, as far as events tell */
	bool answered : 1;   /* active: a SYN+ACK has come */
	bool connecting : 1; /* connect-established is due */
	bool accepting : 1;  /* accept-established is due */
	bool crossing : 1;   /* active: its SYN has gone out again with an ACK */
	bool fin_sent : 1;
	bool fin_seen : 1;  /* the peer's, at peer_fin, perhaps behind a gap */
	bool fin_taken : 1; /* and acted on */
	bool timing : 1;
	bool window_known : 1; /* snd_wnd is the peer's word */
	bool timed_out : 1;    /* up to high_seq all is taken for lost */
	uint32_t peer_fin;
	uint32_t timed_seq; /* the round trip is over when this is acknowledged */
	uint64_t timed_at;
	uint64_t sent_at; /* of the last segment with a length */
};

/* How an end sees the segment it is sending. */
enum tcp_send_kind {
	TCP_SEND_OTHER, /* nothing new: an ACK, a keep-alive, a window probe */
	TCP_SEND_NEW,
	TCP_SEND_AGAIN, /* a retransmission */
};

/*
 * A socket is made in state CLOSE.  @s is a segment that it sends (@sends), else
 * one that it gets.
 */
void tcp_end_open(struct tcp_end *e, const struct tcp_shared *sh, const struct tcp_seg *s,
		  bool sends, uint64_t cookie);

/* Its numbers, when @s is the first thing known of it. */
void tcp_end_start_active(struct tcp_end *e, const struct tcp_seg *syn);
void tcp_end_start_passive(struct tcp_end *e, const struct tcp_seg *synack, uint32_t peer_iss,
			   const struct tcp_syn_opts *peer);
void tcp_end_start_midway(struct tcp_end *e, const struct tcp_seg *s, bool sends);

/* Active: the peer's SYN (with or without ACK) has come. */
void tcp_end_peer_syn(struct tcp_end *e, const struct tcp_seg *s);

/* Before and after @e sends @s. */
enum tcp_send_kind tcp_end_sending(struct tcp_end *e, const struct tcp_seg *s);
void tcp_end_sent(struct tcp_end *e, const struct tcp_seg *s, enum tcp_send_kind kind);

/* @e gets @s: its acknowledgement and window, then its data. */
void tcp_end_acked(struct tcp_end *e, const struct tcp_seg *s);
void tcp_end_data(struct tcp_end *e, const struct tcp_seg *s);

/*
 * The same of a segment that has ACK and neither SYN, FIN nor RST, between ends that are
 * established: most of them.
 */
enum tcp_send_kind tcp_end_sent_fast(struct tcp_end *e, const struct tcp_seg *s);
void tcp_end_received_fast(struct tcp_end *e, const struct tcp_seg *s);

/* Has all that @e sent up to its FIN been acknowledged? */
static inline bool tcp_end_fin_acked(const struct tcp_end *e)
{
	return e->fin_sent && e->tp.snd_una == e->fin_seq + 1;
}

static inline struct sock *tcp_end_sk(struct tcp_end *e)
{
	return &e->tp.inet_conn.icsk_inet.sk;
}

static inline int tcp_end_state(const struct tcp_end *e)
{
	return e->state;
}

static inline void tcp_end_set_state(struct tcp_end *e, enum tcp_state state)
{
	e->state = (uint8_t)state;
	tcp_end_sk(e)->__sk_common.skc_state = (unsigned char)state;
}

#endif
