/*
 * sock.h - one end of a TCP connection, as its segments show it.
 *
 * These functions maintain the members of a struct tcp_sock (ksim.h): sequence numbers, windows,
 * options, retransmissions, and round-trip times. track.c maintains the state of the socket and
 * reports events.
 *
 * As in the kernel, snd_nxt advances after a segment is sent. An acknowledgement of data that the
 * capture has not shown also advances snd_nxt, but not sent_nxt. A segment below sent_nxt is a
 * retransmission. These differences are constant:
 *
 *	snd_una - bytes_acked         this end's initial sequence number (passive: plus 1)
 *	rcv_nxt - bytes_received - 1  the peer's initial sequence number
 *
 * In a connection that was open before the capture began, snd_una - bytes_acked and rcv_nxt -
 * bytes_received are the first sequence numbers seen instead.
 */
#ifndef ENGINE_REPLAY_TCP_SOCK_H
#define ENGINE_REPLAY_TCP_SOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/ksim_c.h"
#include "engine/replay/tcp/seg.h"

/* The kernel's values (include/net/tcp_states.h). */
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
	TCP_END_NONE, /* the capture has not shown a socket at this end */
	TCP_END_OPEN, /* tp is a socket */
	TCP_END_GONE, /* the socket was closed */
};

/* Objects that all sockets share. */
struct tcp_shared {
	struct inet_bind_bucket connected; /* bind bucket of sockets whose port connect() chose */
	struct inet_bind_bucket bound;
	struct socket socket;
	struct sock blank; /* initial contents of every socket */
};

/* A copy of the first bytes of a packet; see track.h. */
struct tcp_saved;

/*
 * One end of a connection. For nearly every segment, the fast path uses only the last members of tp
 * and the members after tp.
 */
struct tcp_end {
	struct tcp_saved *saved;   /* saved first bytes of a packet, owned */
	struct tcp_sacked *sacked; /* data that SACK has acknowledged, owned; NULL if none ever */
	/*
	 * options of the last SYN from this end, even if this end is not local; kept when the
	 * socket is replaced
	 */
	struct tcp_syn_opts syn;
	uint32_t fin_seq;
	uint32_t strange_sum; /* if `strange` is true, identifies that segment (track.c) */
	struct tcp_sock tp;
	uint8_t status; /* enum tcp_end_status */
	uint8_t state;  /* enum tcp_state of the socket */
	uint8_t dups;   /* number of duplicate acknowledgements */
	/*
	 * timed_seq and timed_at are valid. For speed, `timing` and `window_known` are no
	 * bit-fields.
	 */
	bool timing;
	bool window_known; /* snd_wnd comes from a segment of the peer, and is no assumption */
	bool stale : 1;    /* a newer attempt to connect has begun, and will reuse this struct */
	bool active : 1;
	/*
	 * for a passive end: an event has reported that the socket left LISTEN, or the capture
	 * lacks the handshake
	 */
	bool announced : 1;
	bool answered : 1;   /* for an active end: a SYN+ACK has arrived */
	bool connecting : 1; /* the event connect-established is due, and has not been fired yet */
	bool accepting : 1;  /* the event accept-established is due, and has not been fired yet */
	/* for an active end: it has sent its SYN again with an ACK (simultaneous open) */
	bool crossing : 1;
	bool fin_sent : 1;
	/* the peer's FIN is at sequence number peer_fin, possibly after a gap in the data */
	bool fin_seen : 1;
	bool fin_taken : 1; /* the peer's FIN has changed the state */
	/* the retransmission timer expired, so everything up to high_seq is considered lost */
	bool timed_out : 1;
	bool strange : 1; /* tcp_end_is_near() was false for the last segment that this end sent */
	uint32_t peer_fin;
	/*
	 * sequence number after the last one that the capture shows this end sending. Below snd_nxt
	 * if the peer has acknowledged data that the capture lacks, or has later. TCP_NEAR below
	 * snd_nxt if the capture shows none; then the next segment is new, whatever its number.
	 */
	uint32_t sent_nxt;
	/* sequence number whose acknowledgement ends the measurement of a round trip */
	uint32_t timed_seq;
	uint64_t timed_at;
	uint64_t sent_at; /* time in ns of the last segment that used sequence numbers */
};

/* Sequence numbers further away than this are ignored as invalid. */
#define TCP_NEAR (1u << 30)

#define TCP_SURELY 65535u   /* a segment this near is not compared with the windows */
#define TCP_LATE (1u << 28) /* numbers may be this far behind */

/* Frees what @e owns. */
void tcp_end_release(struct tcp_end *e);

/* Kinds of segments, as their sender sees them. */
enum tcp_send_kind {
	/* any other segment, such as an ACK, a keep-alive, a window probe or a reset */
	TCP_SEND_OTHER,
	TCP_SEND_NEW,
	TCP_SEND_AGAIN, /* a retransmission */
};

/*
 * Makes a socket in state CLOSE at end @e. @s is a segment that this end sends if @sends is true,
 * else a segment that it receives. @cookie is the socket's cookie. @sh must outlive the socket.
 */
void tcp_end_open(struct tcp_end *e, const struct tcp_shared *sh, const struct tcp_seg *s,
		  bool sends, uint64_t cookie);

/*
 * Set the sequence numbers and options of a new socket:
 *
 *   start_active   from the SYN @syn that @e sends
 *   start_passive  from the SYN+ACK @synack that @e sends
 *   start_midway   from the first captured segment @s of a connection that was already open
 *
 * @peer_iss and @peer are the sequence number and the options of the peer's SYN.
 */
void tcp_end_start_active(struct tcp_end *e, const struct tcp_seg *syn);
void tcp_end_start_passive(struct tcp_end *e, const struct tcp_seg *synack, uint32_t peer_iss,
			   const struct tcp_syn_opts *peer);
void tcp_end_start_midway(struct tcp_end *e, const struct tcp_seg *s, bool sends);

/*
 * Processes segment @s, the peer's SYN with or without ACK, which @e receives. Before it, @e may
 * have received data of the peer.
 */
void tcp_end_peer_syn(struct tcp_end *e, const struct tcp_seg *s);

/*
 * Process @s before and after @e sends it. tcp_end_kind() and tcp_end_sending() return the kind of
 * segment, which the caller passes to tcp_end_sent(). If @s is a retransmission, icsk_pending has
 * its reason until the caller calls tcp_end_retransmitted().
 */
enum tcp_send_kind tcp_end_kind(const struct tcp_end *e, const struct tcp_seg *s);
enum tcp_send_kind tcp_end_sending(struct tcp_end *e, const struct tcp_seg *s);
void tcp_end_sent(struct tcp_end *e, const struct tcp_seg *s, enum tcp_send_kind kind);

static inline void tcp_end_retransmitted(struct tcp_end *e)
{
	e->tp.inet_conn.icsk_pending = 0;
}

/*
 * Update @e, which receives segment @s. The caller calls tcp_end_acked() first, which uses the
 * acknowledgement and window of @s, and then tcp_end_data(), which uses the data of @s.
 */
void tcp_end_acked(struct tcp_end *e, const struct tcp_seg *s);
void tcp_end_data(struct tcp_end *e, const struct tcp_seg *s);

/*
 * Do the work of the functions above on the fast path, for a segment between established ends that
 * has ACK and none of SYN, FIN and RST.
 */
enum tcp_send_kind tcp_end_sent_fast(struct tcp_end *e, const struct tcp_seg *s);
void tcp_end_received_fast(struct tcp_end *e, const struct tcp_seg *s);

/*
 * Returns whether @s, which @e sends, has new data or none, and so is no retransmission, and has
 * numbers for which tcp_end_is_near() is true. @s has ACK, and none of SYN, FIN and RST.
 */
static inline bool tcp_end_is_next(const struct tcp_end *e, const struct tcp_seg *s)
{
	return s->seq - e->tp.snd_nxt <= TCP_SURELY &&
	       s->ack - e->tp.rcv_nxt + TCP_SURELY <= 2 * TCP_SURELY;
}

/*
 * Returns whether @e can have sent (@sends) or can accept the segment @s. Nobody sends data beyond
 * the window of its peer, or acknowledges data beyond its own window.
 */
bool tcp_end_is_near(const struct tcp_end *e, const struct tcp_seg *s, bool sends);

/*
 * Does the work of tcp_end_sent_fast() and tcp_end_received_fast() for segment @s, which @from
 * sends to @to. tcp_end_is_next() must be true for @s.
 */
void tcp_end_exchange(struct tcp_end *restrict from, struct tcp_end *restrict to,
		      const struct tcp_seg *restrict s);

/* Sets the sequence number of the first data that @e receives. */
static inline void tcp_end_expect(struct tcp_end *e, uint32_t seq)
{
	e->tp.rcv_nxt = e->tp.copied_seq = e->tp.rcv_wup = seq;
}

/* Returns whether everything that @e sent, including its FIN, has been acknowledged. */
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
