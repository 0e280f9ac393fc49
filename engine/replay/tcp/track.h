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
 * If a capture does not show what happened, the tracker assumes the following:
 *
 *  - A handshake completes when the opener's ACK is seen, because only that ACK shows that the
 *    opener is no port scanner. So the opener becomes established just before it sends this ACK.
 *  - A connection whose SYN is not in the capture starts at its SYN+ACK. Without a SYN+ACK it
 *    starts established, at its first segment with data or FIN, without events.
 *  - An end has received everything that it acknowledges, whether or not it was captured. The data
 *    or FIN may come later in the file.
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
	/* number of the connection that the segment probably belongs to; 0 if unknown */
	uint32_t conn;
};

struct tcp_address {
	uint64_t word[2];
};

/* Compares the bytes of two addresses. Returns 1 if @a is greater, -1 if it is less, 0 if equal. */
static inline int tcp_address_order(const struct tcp_address *a, const struct tcp_address *b)
{
	bool second = a->word[0] == b->word[0];
	uint64_t x = __builtin_bswap64(second ? a->word[1] : a->word[0]);
	uint64_t y = __builtin_bswap64(second ? b->word[1] : b->word[0]);

	return (x > y) - (x < y);
}

/*
 * Fills @w for an IPv4 segment. The code does not branch on the order of the ends, which a CPU
 * cannot predict.
 */
static inline void tcp_flow4(struct tcp_flow *w, const unsigned char *saddr,
			     const unsigned char *daddr, uint16_t sport, uint16_t dport)
{
	uint64_t s = tcp_key_end4(saddr, sport), d = tcp_key_end4(daddr, dport);

	w->from = s > d;
	w->key = (struct tcp_key){{{s < d ? s : d, s < d ? d : s}, {0, 0}}, tcp_key_ends(0, 0, 4)};
}

static inline void tcp_flow6(struct tcp_flow *w, const unsigned char *saddr,
			     const unsigned char *daddr, uint16_t sport, uint16_t dport)
{
	struct tcp_address s, d;
	int order;

	memcpy(&s, saddr, sizeof(s));
	memcpy(&d, daddr, sizeof(d));
	order = tcp_address_order(&s, &d);
	w->from = order ? order > 0 : sport > dport;
	w->key = w->from ? (struct tcp_key){{{d.word[0], d.word[1]}, {s.word[0], s.word[1]}},
					    tcp_key_ends(dport, sport, 6)}
			 : (struct tcp_key){{{s.word[0], s.word[1]}, {d.word[0], d.word[1]}},
					    tcp_key_ends(sport, dport, 6)};
}

/*
 * Fills @w. @saddr and @daddr are addresses of IP version @version in network byte order. The ports
 * are in host byte order.
 */
static inline void tcp_flow_of(struct tcp_flow *w, int version, const unsigned char *saddr,
			       const unsigned char *daddr, uint16_t sport, uint16_t dport)
{
	if (__builtin_expect(version == 4, 1))
		tcp_flow4(w, saddr, daddr, sport, dport);
	else
		tcp_flow6(w, saddr, daddr, sport, dport);
	w->hash = tcp_key_hash(&w->key);
	w->conn = 0;
}

enum tcp_event {
	/* the state changes from oldstate to newstate; the socket still has oldstate */
	TCP_EV_SET_STATE,
	TCP_EV_CONNECT_REQUEST,     /* fires before the first SYN is sent */
	TCP_EV_CONNECT_ESTABLISHED, /* may be about an earlier packet; see tcp_firing.saved */
	TCP_EV_CONNECT_REFUSED,
	TCP_EV_ACCEPT_ESTABLISHED, /* the socket already has state ESTABLISHED */
	TCP_EV_ACCEPT_REFUSED,     /* fires before the RST is sent, without a socket */
	TCP_EV_RECEIVE_RESET,
	TCP_EV_RETRANSMIT, /* fires after the segment was sent */
	TCP_EV_DESTROY,
	TCP_NEVENT
};

#define TCP_SAVED_MAX 256

/* The first bytes of a packet, from its IP header on. */
struct tcp_saved {
	uint32_t len;     /* number of bytes in data */
	uint32_t wirelen; /* number of bytes of the packet on the wire */
	uint32_t l4;      /* offset of the TCP header */
	unsigned char data[TCP_SAVED_MAX];
};

struct tcp_firing {
	enum tcp_event what;
	struct sock *sk;               /* socket of the event, or NULL */
	int oldstate, newstate;        /* for TCP_EV_SET_STATE */
	const struct tcp_saved *saved; /* packet of the event; NULL for the current packet */
};

typedef void tcp_fire_fn(void *ctx, const struct tcp_firing *f);

struct tcp_track {
	struct tcp_table tab;
	tcp_fire_fn *fire;
	void *ctx;
	uint64_t cookie;   /* cookie of the newest socket */
	bool save;         /* packets must be saved for the event connect-established */
	bool no_fast_path; /* set by tests, so that no packet takes the fast path */

	/* The current packet. */
	const struct tcp_seg *s;
	struct tcp_conn *c;   /* connection of the packet; NULL if the tracker does not follow it */
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
 * Initialises @t for at most @max connections. The tracker calls @fire with @ctx for each event.
 * @blank has the initial contents of every socket. Returns 0, or -1 with the error in @d.
 */
int tcp_track_init(struct tcp_track *t, uint32_t max, const struct sock *blank, tcp_fire_fn *fire,
		   void *ctx, struct diag *d);
void tcp_track_release(struct tcp_track *t);

/* Returns whether @sk, the socket of an event, is the sending end of the packet. */
bool tcp_track_is_sender(const struct tcp_track *t, const struct sock *sk);

/*
 * Process a packet in the order given above. @s must live until tcp_track_received(). @sends and
 * @receives say whether the sending and the receiving end are local. A packet that was captured at
 * both ends may come twice, once for each end. tcp_track_send() and tcp_track_receive() return the
 * socket, or NULL.
 */
static inline void tcp_track_packet(struct tcp_track *t, const struct tcp_seg *s, bool sends,
				    bool receives);
struct sock *tcp_track_send(struct tcp_track *t);
void tcp_track_sent(struct tcp_track *t);
struct sock *tcp_track_receive(struct tcp_track *t);
void tcp_track_received(struct tcp_track *t);

/*
 * Closes the socket that sent the SYN @s, because an ICMP error about @s has arrived. @error is the
 * error that the process gets. Does nothing if the socket does not wait for an answer to @s. Must
 * not be called between tcp_track_packet() and tcp_track_received().
 */
void tcp_track_unreachable(struct tcp_track *t, const struct tcp_seg *s, int error);

/* Fires the event of a retransmission, after the segment was sent. */
void tcp_track_retransmitted(struct tcp_track *t);

/*
 * Looks up the connection of the segment t->s by its key, and follows the handshake.
 * tcp_track_packet() calls this function if tcp_track_takes_fast_path() returned false.
 */
void tcp_track_slow(struct tcp_track *t);

/*
 * Ends TIME_WAIT of connections that have been in it too long. If there are still too many, also
 * ends it for the oldest.
 */
void tcp_track_expire(struct tcp_track *t, uint64_t now);

/*
 * Returns whether the segment takes the fast path, and sets t->c. For most segments this is the
 * whole lookup.
 */
static inline bool tcp_track_takes_fast_path(struct tcp_track *t, const struct tcp_seg *s)
{
	const struct tcp_flow *w = s->flow;

	t->c = w ? tcp_table_at(&t->tab, w->conn, &w->key) : NULL;
	if (!t->c || !t->c->fast_path_ok || !tcp_seg_only_acknowledges(s) ||
	    !tcp_end_is_next(&t->c->end[w->from], s))
		return false;
	t->from = w->from;
	return true;
}

static inline void tcp_track_packet(struct tcp_track *t, const struct tcp_seg *s, bool sends,
				    bool receives)
{
	if (__builtin_expect(t->tab.ntime_wait, 0))
		tcp_track_expire(t, s->now);
	t->s = s;
	t->sends = sends;
	t->receives = receives;
	t->refused = t->refusal_fired = t->answers = t->resets = false;
	t->fast_path = tcp_track_takes_fast_path(t, s);
	if (__builtin_expect(!t->fast_path, 0))
		tcp_track_slow(t);
}

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
