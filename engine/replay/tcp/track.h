/*
 * track.h - follows TCP connections through a capture and reports their events.
 *
 * The tracker keeps RFC 9293's states for the sockets at both ends, driven by the segments that
 * each end sends and receives. It reports the events that Linux reports through its tracepoints, in
 * the same order. For each packet:
 *
 *	tcp_track_packet()      finds the connection
 *	tcp_track_send()        events before the packet is sent; returns the sender's socket
 *	   (the caller fires the sender's hooks)
 *	tcp_track_sent()
 *	tcp_track_receive()     the receiver's socket, before it processes the segment
 *	   (the caller fires the receiver's hooks)
 *	tcp_track_received()
 *
 * Where a capture does not show what happened:
 *
 *  - A handshake completes when the opener's ACK is seen, because only that ACK shows that the
 *    opener is no port scanner. So the opener gets established then, just before its ACK is sent.
 *  - A connection whose SYN is not in the capture starts established, at its first segment with
 *    data or FIN, without events.
 *  - An end has received everything that it acknowledges, whether or not it was captured.
 *  - A connection ends by FIN or reset. Without either, it keeps its state until the end of the
 *    capture.
 */
#ifndef ENGINE_REPLAY_TCP_TRACK_H
#define ENGINE_REPLAY_TCP_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/tcp/table.h"

struct diag;

/* The connection that a segment belongs to, and the end that sent it. */
struct tcp_flow {
	struct tcp_key key;
	uint32_t hash;
	unsigned from;
	uint32_t conn; /* number of the likely connection; 0: unknown */
};

/* Fills @w. @saddr and @daddr are as in packets of IP's @version; the ports are in host order. */
void tcp_flow_of(struct tcp_flow *w, int version, const unsigned char *saddr,
		 const unsigned char *daddr, uint16_t sport, uint16_t dport);

enum tcp_event {
	/* from oldstate to newstate; the socket still has the old one */
	TCP_EV_SET_STATE,
	TCP_EV_CONNECT_REQUEST,     /* before the first SYN is sent */
	TCP_EV_CONNECT_ESTABLISHED, /* may be about an earlier packet: see saved */
	TCP_EV_CONNECT_REFUSED,
	TCP_EV_ACCEPT_ESTABLISHED, /* the socket already has state ESTABLISHED */
	TCP_EV_ACCEPT_REFUSED,     /* before the RST is sent; no socket */
	TCP_EV_RECEIVE_RESET,
	TCP_EV_RETRANSMIT, /* after the segment was sent */
	TCP_EV_DESTROY,
	TCP_NEVENT
};

#define TCP_SAVED_MAX 256

/* The first bytes of a packet, from its IP header on. */
struct tcp_saved {
	uint32_t len;     /* bytes in data */
	uint32_t wirelen; /* bytes on the wire */
	uint32_t l4;      /* offset of the TCP header */
	unsigned char data[TCP_SAVED_MAX];
};

struct tcp_firing {
	enum tcp_event what;
	struct sock *sk;               /* NULL: none */
	int oldstate, newstate;        /* for TCP_EV_SET_STATE */
	const struct tcp_saved *saved; /* the packet of the event; NULL: the current one */
};

typedef void tcp_fire_fn(void *ctx, const struct tcp_firing *f);

struct tcp_track {
	struct tcp_table tab;
	tcp_fire_fn *fire;
	void *ctx;
	uint64_t cookie;   /* cookie of the newest socket */
	bool save;         /* save packets for connect-established */
	bool no_fast_path; /* for tests: no packet takes the fast path */

	/* The current packet. */
	const struct tcp_seg *s;
	struct tcp_conn *c;   /* NULL: its connection is not followed */
	unsigned from;        /* index of the end that sends the packet */
	bool sends, receives; /* whether the sending and the receiving end are local */
	bool refused;         /* the packet is a reset that refuses a SYN */
	bool refusal_fired;   /* connect-refused has been fired for the packet */
	bool answers;         /* the packet acknowledges the SYN of its receiver */
	bool resets;          /* the packet is a reset that ends the sender's socket */
	bool fast_path;       /* the packet is between two established ends and changes no state */
	enum tcp_send_kind kind;
};

/*
 * Initialises @t for @max connections. @fire gets each event, with @ctx. @blank: initial contents
 * of every socket. Returns 0, or -1 with the error in @d.
 */
int tcp_track_init(struct tcp_track *t, uint32_t max, const struct sock *blank, tcp_fire_fn *fire,
		   void *ctx, struct diag *d);
void tcp_track_release(struct tcp_track *t);

/* Returns whether @sk, the socket of an event, is the sending end of the packet. */
bool tcp_track_is_sender(const struct tcp_track *t, const struct sock *sk);

/*
 * Process a packet in the order given above. @s must live until tcp_track_received(). @sends,
 * @receives: whether the sending and the receiving end are local; a packet that was captured at
 * both may come twice, once for each. tcp_track_send() and tcp_track_receive() return the socket,
 * or NULL.
 */
void tcp_track_packet(struct tcp_track *t, const struct tcp_seg *s, bool sends, bool receives);
struct sock *tcp_track_send(struct tcp_track *t);
void tcp_track_sent(struct tcp_track *t);
struct sock *tcp_track_receive(struct tcp_track *t);
void tcp_track_received(struct tcp_track *t);

/* Fires the event of a retransmission on the fast path. */
void tcp_track_retransmitted(struct tcp_track *t);

static inline void tcp_track_sent_fast(struct tcp_track *t)
{
	if (!t->sends)
		return;
	t->kind = tcp_end_sent_fast(&t->c->end[t->from], t->s);
	if (t->kind == TCP_SEND_AGAIN)
		tcp_track_retransmitted(t);
}

static inline struct sock *tcp_track_receiver_fast(struct tcp_track *t)
{
	return tcp_end_sk(&t->c->end[!t->from]);
}

static inline void tcp_track_received_fast(struct tcp_track *t)
{
	if (t->receives)
		tcp_end_received_fast(&t->c->end[!t->from], t->s);
	t->c = NULL;
}

#endif
