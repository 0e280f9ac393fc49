/*
 * plan.h - the plan of a replay: which hooks (places where programs run) a packet fires, and in
 * which order.
 *
 * Two tables describe what replay can fire. hook_defs[] has a row for each hook. The table of steps
 * in plan.c gives the order in which a packet fires hooks at its sender and then at its receiver,
 * as in a kernel. plan_make() selects the rows that the D program has units (code) for, so that a
 * packet costs only what the program uses.
 */
#ifndef ENGINE_REPLAY_PLAN_H
#define ENGINE_REPLAY_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/program.h"

struct diag;

/* The ends of a packet, as bits. */
enum packet_end {
	AT_SENDER = 1,
	AT_RECEIVER = 2,
	AT_BOTH = AT_SENDER | AT_RECEIVER,
};

/* ------------------------------------------------------------------------- hooks */

/*
 * Numbers of the hooks, in three groups: hooks of packets, of TCP connections, and of the owners of
 * sockets.
 */
enum hook_id {
	TCP_SEND,
	DNS_SEND,
	UDP_SEND,
	UDPLITE_SEND,
	SEND,
	EGRESS,
	NET_DEV_QUEUE,
	NETIF_RECEIVE_SKB,
	INGRESS,
	TCP_RECEIVE,
	DNS_RECEIVE,
	UDP_RECEIVE,
	UDPLITE_RECEIVE,
	RECEIVE,
	CONNECT_REQUEST,
	CONNECT_ESTABLISHED,
	CONNECT_REFUSED,
	ACCEPT_ESTABLISHED,
	ACCEPT_REFUSED,
	SET_STATE,
	RECEIVE_RESET,
	RETRANSMIT,
	DESTROY,
	OWNER,
	NHOOK
};

/* Work that replay must do so that a hook can fire, as bits. */
enum hook_flags {
	NEEDS_TRANSPORT = 1,  /* find the transport header */
	NEEDS_TCP = 2,        /* follow TCP connections */
	NEEDS_TCP_SOCKET = 4, /* follow TCP connections if a unit uses the hook's socket */
};

struct hook_def {
	enum hook_kind kind;
	const char *target;
	unsigned flags; /* enum hook_flags */
	unsigned narg;  /* number of words of context, the arguments of the hook's units */
};

extern const struct hook_def hook_defs[NHOOK];

/* Returns the hook of that kind and target, or NHOOK if replay does not have it. */
enum hook_id hook_find(enum hook_kind kind, const char *target);

/* ------------------------------------------------------------------------- steps */

/* Kinds of packets, as bits. A fragment is IS_FRAME and IS_IP, but no kind of datagram. */
enum packet_is {
	IS_FRAME = 1,
	IS_IP = 2,
	/*
	 * an unfragmented or reassembled TCP packet; IS_UDP and IS_UDPLITE are the same for UDP and
	 * UDP-Lite
	 */
	IS_TCP = 4,
	IS_UDP = 8,
	IS_UDPLITE = 16,
	/* a TCP segment that changes no state of its connection; such a segment is not IS_TCP */
	IS_TCP_FAST = 32,
	IS_TCP_ANY = IS_TCP | IS_TCP_FAST,
	IS_DATAGRAM = IS_TCP_ANY | IS_UDP | IS_UDPLITE,
};

/* Kinds of packets that are no fragments: a packet is of exactly one kind. */
enum packet_kind {
	KIND_FRAME, /* a frame without IP header */
	KIND_IP,    /* an IP packet without a datagram of the protocols below */
	KIND_TCP,
	KIND_UDP,
	KIND_UDPLITE,
	KIND_TCP_FAST, /* a segment that changes no state of its connection, see IS_TCP_FAST */
	NKINDS
};

/*
 * For each kind of packet (the index, an enum packet_kind), what a packet of this kind is: bits of
 * enum packet_is.
 */
extern const uint8_t kind_is[NKINDS];

/*
 * Returns the kind (enum packet_is) of an unfragmented datagram of IP protocol @protocol, or 0 if
 * no row of the table of steps (struct step) handles that protocol.
 */
static inline unsigned datagram_is(uint8_t protocol)
{
	switch (protocol) {
	case 6:
		return IS_TCP;
	case 17:
		return IS_UDP;
	case 136:
		return IS_UDPLITE;
	}
	return 0;
}

enum step_action {
	STEP_STOP, /* ends the list of steps */
	/* fires a hook whose arguments are the packet and, for some hooks, its socket */
	STEP_FIRE,
	STEP_FIRE_MESSAGES, /* fires a hook once for each DNS message in the segment */
	/*
	 * finds the socket at this end, and fires the TCP events and the owner hook, which precede
	 * the packet's hooks
	 */
	STEP_FIND_SOCKET,
	STEP_RESET_SOCKET, /* sets the cookie of the placeholder socket to 0 */
	STEP_SENT,         /* reports to the TCP tracker that the segment was sent */
	STEP_RECEIVED,     /* reports to the TCP tracker that the segment was received */
};

/* The sockets that a hook may show as skb->sk. */
enum step_socket {
	NO_SOCKET,
	PLACEHOLDER, /* a socket that belongs to no connection; all packets share it */
	OWN_SOCKET,  /* the socket that STEP_FIND_SOCKET found */
	NSOCKET
};

struct units {
	uint32_t *v; /* indexes in program.unit, in the order of the program; owned */
	uint32_t n;
};

struct step {
	uint8_t end;    /* enum packet_end */
	uint8_t of;     /* enum packet_is: kinds of packets that take the step */
	uint16_t mask;  /* set in a plan only: step_mask() of `end` and `of` */
	uint8_t action; /* enum step_action */
	uint8_t hook;   /* enum hook_id, or NHOOK if the step fires no hook */
	uint8_t socket; /* enum step_socket */
	bool at_ip;     /* skb->data is at the IP header, not at the link layer */
	uint8_t narg;   /* set in a plan only: number of words of the hook's context */
	/* set in a plan only: start and end of the hook's units; there is at least one */
	const uint32_t *first, *end_units;
};

/* -------------------------------------------------------------------------- plan */

enum { STEPS_MAX = 24 }; /* size of an array of steps, including STEP_STOP */

struct plan {
	struct units hook[NHOOK];
	struct step steps[STEPS_MAX]; /* the steps that the program needs */
	/*
	 * list[ends][kind] points to those members of `steps` that a packet of this kind takes if
	 * the ends (AT_*) are local; NULL follows the last pointer
	 */
	const struct step *list[AT_BOTH + 1][NKINDS][STEPS_MAX];
	unsigned ends; /* ends (AT_*) that have any step */
	/* ends (AT_*) that have steps for datagrams; at these ends, fragments are reassembled */
	unsigned datagrams;
	unsigned tcp_hooks; /* ends (AT_*) where a TCP segment fires a packet hook */
	/* a unit at a hook of packets reads the packet or the placeholder socket */
	bool shows_packets;
	bool transport;        /* the transport header is needed */
	bool follow_tcp;       /* TCP connections are followed */
	bool messages;         /* DNS messages are found in TCP segments */
	bool datagram_sockets; /* a unit that is not at TCP_SEND or TCP_RECEIVE uses a socket */
};

/*
 * Fills @plan, whose members are all 0, for program @p. Returns 0, or -1 with the error in @d if a
 * unit is at a hook that replay lacks. The caller calls plan_release(), also after an error.
 */
int plan_make(struct plan *plan, const struct program *p, struct diag *d);
void plan_release(struct plan *plan);

/*
 * Returns a mask with one bit for each kind of packet in @is (enum packet_is) at each of @ends
 * (AT_*). A packet takes a step if the mask of the packet and the mask of the step have a common
 * bit.
 */
static inline unsigned step_mask(unsigned ends, unsigned is)
{
	static const uint16_t shifts[] = {0, 1, 1 << 8, 1 << 8 | 1};

	return is * shifts[ends];
}

/* Returns whether @protocol is ICMP of that IP version, whose errors can close sockets of TCP. */
static inline bool is_icmp(uint8_t protocol, uint8_t version)
{
	return protocol == (version == 4 ? 1 : 58);
}

/* Returns the kind of an unfragmented IP packet that has a transport header of @protocol. */
static inline enum packet_kind kind_of_datagram(uint8_t protocol)
{
	switch (datagram_is(protocol)) {
	case IS_TCP:
		return KIND_TCP;
	case IS_UDP:
		return KIND_UDP;
	case IS_UDPLITE:
		return KIND_UDPLITE;
	}
	return KIND_IP;
}

/* Returns whether a packet of kind @kind takes any step. */
static inline bool plan_sees(const struct plan *plan, enum packet_kind kind)
{
	return plan->list[AT_BOTH][kind][0];
}

/* Returns whether a unit at a packet hook needs the connections of its packets. */
bool unit_needs_connections(const struct unit *u);

#endif
