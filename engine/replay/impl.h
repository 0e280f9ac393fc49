/*
 * impl.h - what the parts of the replay source share.
 *
 * source.c is the source's life, fire.c decides which hooks a packet fires, in which
 * order and with what, ksim_objects.c makes the objects that programs then see.
 */
#ifndef REPLAY_IMPL_H
#define REPLAY_IMPL_H

#include "base/diag.h"
#include "engine/source.h"
#include "engine/vm/vm.h"
#include "engine/replay/prefetch.h"
#include "engine/replay/capture/capture.h"
#include "engine/replay/dissect.h"
#include "engine/replay/tcp/dns.h"
#include "engine/replay/jobs.h"
#include "engine/replay/ksim_c.h"
#include "engine/replay/clock_outlier.h"
#include "engine/replay/local.h"
#include "engine/replay/iface_addrs.h"
#include "engine/replay/progress.h"
#include "engine/replay/reassemble.h"
#include "engine/replay/capture/pcap_filter.h"
#include "engine/replay/source.h"
#include "engine/replay/tcp/track.h"
#include "engine/replay/tick.h"
#include "engine/replay/capture/sniffer.h"

#define NARGS 10 /* arg0 ... arg9 */
#define NO_HEADER 65535

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

enum {
	KSIM_AF_INET = 2,
	KSIM_AF_INET6 = 10,
	KSIM_TCP_CLOSE = 7,
	KSIM_SOCK_STREAM = 1,
	KSIM_SOCK_DGRAM = 2,
	KSIM_SOCK_RAW = 3
};

/*
 * The hooks, in the order in which a packet fires them; then those of TCP connections; of all
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

/* What a hook needs, and how it sees the packet. */
enum hook_flags {
	AT_SENDER = 1,
	AT_RECEIVER = 2,
	AT_IP = 4,       /* data is at the network header, not at the link layer's */
	WITH_SOCKET = 8, /* skb->sk is set */
	TRANSPORT = 16,  /* wants to know the transport protocol */
	WHOLE = 32,      /* is of whole datagrams only */
	FOLLOW = 64,     /* comes of following TCP connections */
	TCPS = 128,      /* its socket may be a TCP connection's */
	MESSAGES = 256,  /* is of what connections carry: wants all segments of them */
	WHOLE_SENT = AT_SENDER | AT_IP | WITH_SOCKET | TRANSPORT | WHOLE,
	WHOLE_RECEIVED = AT_RECEIVER | AT_IP | WITH_SOCKET | TRANSPORT | WHOLE,
	OF_TCP = AT_SENDER | AT_RECEIVER | TRANSPORT | WHOLE | FOLLOW,
};

/* Everything of ours that programs may read. */
struct ksim_objects {
	struct sk_buff skb;
	struct sock sk;
	struct net_device dev;
	struct net net;
	struct task_struct task;
	struct task_struct owner;      /* of the packet, as the file says */
	struct replay_names names;     /* its, too */
	struct replay_message message; /* in the packet */
	struct cred cred;
	struct cgroup cgroup;
	struct kernfs_node kn;
	struct tcp_saved saved; /* a packet's head, shown later */
	uint8_t room[REPLAY_READABLE];
};

enum region { REGION_OBJECTS, REGION_PACKET, REGION_DATAGRAM, REGION_TCP };

struct units {
	uint32_t *v; /* indices into program.unit, in program order; owned */
	uint32_t n;
};

/* At a fixed place, for the sake of the world in it. */
struct replay {
	struct source base;
	struct replay_opts opts; /* strings owned */
	const struct program *prog;
	struct vm *vm;
	struct vm_env *env;
	struct capture *cap;
	struct src filter;               /* -x filter */
	struct pcap_filter *pcap_filter; /* NULL: there is none */
	struct sniffer *sniffer;         /* an interface is read; the capture's.  NULL: a file */
	struct iface_addrs *addrs;       /* its addresses, if they are asked for */
	struct local local;

	struct units hook[NHOOK];
	bool sender, receiver; /* any hook of that side has units */
	bool transport;
	unsigned whole; /* AT_*: the sides that have hooks of whole datagrams */
	bool follow;    /* TCP connections */
	/* what is a segment may go a way of its own: nobody asks for owners */
	bool segments;
	unsigned quiet; /* AT_*: the sides where packets have no hooks */
	bool sockets;   /* some unit looks at sockets of datagrams */
	struct tick_queue ticks;
	bool over; /* the time of -x duration */

	struct tcp_track tcp;
	struct tcp_seg seg; /* the packet, as the tracker wants it */
	/* owned: two for each connection there can be, by sender; NULL: nobody asks */
	struct dns_stream *dns;
	struct prefetch prefetch;
	bool shown; /* the skb is the packet */
	const struct prefetched_packet
		*prefetched;       /* found out before of the present frame; NULL: nothing */
	bool following;            /* it was given the packet */
	unsigned sides;            /* AT_*: the packet's ends that are local */
	unsigned owned;            /* AT_*: that whose owner the file tells */
	bool told;                 /* an owner, at some time */
	uint64_t ambiguous_owners; /* packets whose owner is that of one end or the other */

	struct jobs *jobs; /* who replay the capture; NULL: this process does, */
	bool resting;      /* or what they have left */

	struct ksim_objects ksim;
	const struct link_type *link; /* of the interface ksim.dev shows */
	uint32_t iface_serial;
	struct dissect d;
	struct packet pkt;
	struct clock_outlier outlier; /* packets are read through it */
	uint64_t late_packets;        /* that got the time of one before them ... */
	uint64_t late_ns;             /* ... and by how much at most */
	struct reassembly *frags;     /* NULL: no fragment seen yet */
	bool tried;                   /* this fragment was reassembled ... */
	struct datagram datagram;     /* ... and this came out; data NULL: nothing yet */
	struct diag late;             /* an error that start() met, for wait() to report */

	struct progress progress;
	struct record_sink *now;  /* where the present packet's records go */
	struct record_sink *sink; /* the consumer's, while ours stands in for it */
	struct record_sink wrap;
};

/* ----------------------------------------------------------------- ksim_objects.c */

/* The objects, leading to each other and telling nothing yet. */
void ksim_init(struct ksim_objects *w);

/* Makes ksim.dev and link those of interface @ifc. */
int ksim_set_iface(struct replay *r, const struct capture_iface *ifc, struct diag *d);

/* What the transport header says. */
void ksim_set_transport(struct replay *r);

static inline uint16_t to_be16(uint16_t v)
{
	return __builtin_bswap16(v);
}

/* The skb gets what the packet's hooks share.  Here, as the next, since every packet does it. */
static inline void ksim_set_packet(struct replay *r)
{
	struct sk_buff *skb = &r->ksim.skb;

	skb->head = (unsigned char *)r->pkt.data;
	skb->tstamp = (ktime_t)r->pkt.ts_ns;
	skb->protocol = to_be16(r->d.ethertype);
	skb->network_header = (uint16_t)r->d.net;
	skb->mac_header = r->link->bare ? NO_HEADER : 0;
	skb->mac_len = (uint16_t)r->d.net;
	skb->transport_header = NO_HEADER;
	skb->vlan_tci = r->d.vlan_tci;
	skb->vlan_proto = r->d.vlan ? to_be16(0x8100) : 0;
	if (r->transport && r->d.version)
		ksim_set_transport(r);
}

/* ... and is the present packet from @off on. */
static inline struct sk_buff *ksim_show(struct replay *r, uint32_t off)
{
	struct sk_buff *skb = &r->ksim.skb;

	skb->data = skb->head + off;
	skb->len = r->pkt.wirelen - off;
	skb->data_len = r->pkt.wirelen - r->pkt.caplen;
	return skb;
}

/* Whoever the file says the packet's owner is; nobody, if it does not. */
struct task_struct *ksim_set_owner(struct replay *r);
struct task_struct *ksim_clear_owner(struct replay *r);

/* The skb is an earlier packet, of which only the head was kept. */
void ksim_show_saved(struct replay *r, const struct tcp_saved *saved);

/* The socket at one end of a datagram, when somebody looks at it. */
struct sock *ksim_datagram_socket(struct replay *r, bool out);

/* ---------------------------------------------------------------- source.c */

/* Opens the capture, makes the machine, reads the first packet.  0, or -1 with @d. */
int replay_prepare(struct replay *r, struct diag *d);

/* tick-N, profile-N and the end of -x duration begin now: at the first packet. */
void replay_start_ticks(struct replay *r);

/* ------------------------------------------------------------------ fire.c */

struct hook_def {
	enum hook_kind kind;
	const char *target;
	unsigned flags; /* enum hook_flags */
	unsigned narg;  /* words of context */
};

extern const struct hook_def hook_defs[NHOOK];

/* A protocol whose whole datagrams have hooks. */
struct protocol {
	uint8_t number;
	uint16_t socket_type;
	bool connects;               /* its sockets are those of TCP connections */
	enum hook_id sent, received; /* its own hooks; SEND and RECEIVE are of all */
};

/* NULL: one whose datagrams have no hooks. */
const struct protocol *protocol_find(uint8_t number);

/* Some packets.  1: there may be more; 0: that was all; -1 with the error in @d. */
int fire_batch(struct replay *r, struct record_sink *k, struct diag *d);

/* The ticks that are due up to @now. */
void fire_ticks(struct replay *r, uint64_t now, struct record_sink *k);

/*
 * At the end: the packet that is held back, if there is one; of an interface what has come until
 * now.
 */
int fire_held(struct replay *r, struct record_sink *k, struct diag *d);

/* struct tcp_track's */
void fire_tcp_event(void *ctx, const struct tcp_firing *f);

#endif
