/*
 * track.h - follows TCP connections through a capture and says what happens to them.
 *
 * RFC 9293's states for the sockets at both ends, each driven by the segments
 * that it sends and gets.  What is told, and in which order, is what Linux tells
 * through its tracepoints.  Per packet:
 *
 *	tcp_track_packet()      which connection
 *	tcp_track_send()        events that come before the sending; the sender's socket
 *	   (the caller fires what a packet fires at its sender)
 *	tcp_track_sent()
 *	tcp_track_receive()     the receiver's socket, as it is before it looks at the segment
 *	   (the caller fires what a packet fires at its receiver)
 *	tcp_track_received()
 *
 * Where a capture does not tell what happened:
 *
 *  - A handshake counts when the opener's ACK is seen, since only then it is
 *    known that the SYN+ACK did not meet a port scanner.  So the opener gets
 *    established at that moment, just before its ACK is sent.
 *  - A connection whose SYN is not in the capture starts established, at its
 *    first segment with data or FIN, without events.
 *  - What an end acknowledges it has got, whether or not it was captured.
 *  - Connections end by FIN or reset; those that just stop stay as they are.
 */
#ifndef REPLAY_TCP_TRACK_H
#define REPLAY_TCP_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/tcp/table.h"

struct diag;

/* Which connection a segment is of, and which end of it has sent it. */
struct tcp_flow {
	struct tcp_key key;
	uint32_t hash;
	unsigned from;
	uint32_t conn; /* the connection's, perhaps; 0: nothing known */
};

/* @saddr, @daddr: as in packets of IP's @version; the ports in host order. */
void tcp_flow_of(struct tcp_flow *w, int version, const unsigned char *saddr,
		 const unsigned char *daddr, uint16_t sport, uint16_t dport);

enum tcp_event {
	TCP_EV_SET_STATE,           /* from oldstate to newstate; the socket has the old one */
	TCP_EV_CONNECT_REQUEST,     /* before the first SYN is sent */
	TCP_EV_CONNECT_ESTABLISHED, /* its packet may be an earlier one: saved */
	TCP_EV_CONNECT_REFUSED,
	TCP_EV_ACCEPT_ESTABLISHED, /* the socket has ESTABLISHED already */
	TCP_EV_ACCEPT_REFUSED,     /* before the RST is sent; no socket */
	TCP_EV_RECEIVE_RESET,
	TCP_EV_RETRANSMIT, /* after it was sent */
	TCP_EV_DESTROY,
	TCP_NEVENT
};

#define TCP_SAVED_MAX 256

/* The head of a packet, from its IP header on. */
struct tcp_saved {
	uint32_t len;     /* bytes in data */
	uint32_t wirelen; /* on the wire */
	uint32_t l4;      /* where TCP starts */
	unsigned char data[TCP_SAVED_MAX];
};

struct tcp_firing {
	enum tcp_event what;
	struct sock *sk;               /* NULL: none */
	int oldstate, newstate;        /* of TCP_EV_SET_STATE */
	const struct tcp_saved *saved; /* the packet it is about; NULL: the present one */
};

typedef void tcp_fire_fn(void *ctx, const struct tcp_firing *f);

struct tcp_track {
	struct tcp_table tab;
	tcp_fire_fn *fire;
	void *ctx;
	uint64_t cookie;   /* of the socket made last */
	bool save;         /* connect-established wants its packet */
	bool no_fast_path; /* no packet is taken for a steady one: for tests */

	/* The present packet. */
	const struct tcp_seg *s;
	struct tcp_conn *c;   /* NULL: not followed */
	unsigned from;        /* which end sends it */
	bool sends, receives; /* that end is local */
	bool refused;         /* it is a reset that refuses a SYN */
	bool told;            /* and the connecting end was told */
	bool answers;         /* it acknowledges the SYN of its receiver */
	bool resets;          /* it ends the sender's socket */
	bool fast_path;       /* it is of two established ends and changes no state */
	enum tcp_send_kind kind;
};

/*
 * Follows up to @max connections; @fire is called with @ctx.  0, or -1 with the
 * error in @d.  @blank: what every socket is like at first.
 */
int tcp_track_init(struct tcp_track *t, uint32_t max, const struct sock *blank, tcp_fire_fn *fire,
		   void *ctx, struct diag *d);
void tcp_track_release(struct tcp_track *t);

/* Is @sk, of an event, that of the end which sends the packet? */
bool tcp_track_is_sender(const struct tcp_track *t, const struct sock *sk);

/*
 * @s must live until tcp_track_received().  @sends, @receives: whether the ends
 * are local.  A packet may be there twice, once for each.
 */
void tcp_track_packet(struct tcp_track *t, const struct tcp_seg *s, bool sends, bool receives);
struct sock *tcp_track_send(struct tcp_track *t);

void tcp_track_sent(struct tcp_track *t);
struct sock *tcp_track_receive(struct tcp_track *t);

void tcp_track_received(struct tcp_track *t);

/*
 * A steady packet: all of the above where nothing is fired, and its receiver's socket.  Most
 * packets are.
 */
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
