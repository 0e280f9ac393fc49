/*
 * impl.h - the state of a replay, shared within this folder.
 *
 *	source.c        the life of the source
 *	plan.c          hooks, steps, and which of them the program needs
 *	fire.c          fires the hooks of each packet
 *	tcp_events.c    fires the hooks of TCP connections and of DNS messages
 *	ends.c          which ends of a packet are local, and who owns them
 *	ksim_objects.c  the kernel objects that programs see
 */
#ifndef ENGINE_REPLAY_IMPL_H
#define ENGINE_REPLAY_IMPL_H

#include "base/diag.h"
#include "engine/source.h"
#include "engine/vm/vm.h"
#include "engine/replay/capture/capture.h"
#include "engine/replay/capture/pcap_filter.h"
#include "engine/replay/capture/sniffer.h"
#include "engine/replay/clock_outlier.h"
#include "engine/replay/dissect.h"
#include "engine/replay/iface_addrs.h"
#include "engine/replay/jobs.h"
#include "engine/replay/ksim_c.h"
#include "engine/replay/local.h"
#include "engine/replay/plan.h"
#include "engine/replay/prefetch.h"
#include "engine/replay/progress.h"
#include "engine/replay/reassemble.h"
#include "engine/replay/source.h"
#include "engine/replay/tcp/dns.h"
#include "engine/replay/tcp/track.h"
#include "engine/replay/tick.h"

#define NARGS 10 /* arg0 ... arg9 */
#define NO_HEADER 65535

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Linux's values. Its headers cannot be included together with ksim.h. */
enum {
	KSIM_AF_INET = 2,
	KSIM_AF_INET6 = 10,
	KSIM_TCP_CLOSE = 7,
	KSIM_SOCK_STREAM = 1,
	KSIM_SOCK_DGRAM = 2,
	KSIM_SOCK_RAW = 3,
	PACKET_HOST = 0,
	PACKET_OUTGOING = 4,
	PACKET_TYPES = 5,
};

/* Areas of memory that programs may read; slots of vm_region(). */
enum region { REGION_OBJECTS, REGION_PACKET, REGION_DATAGRAM, REGION_TCP };

/* Replay's own objects that programs may read. Each packet overwrites those that depend on it. */
struct ksim_objects {
	struct sk_buff skb;
	struct sock sk; /* the placeholder socket */
	struct net_device dev;
	struct net net;
	struct task_struct task;
	struct task_struct owner;      /* the packet's owner according to the capture */
	struct replay_names names;     /* the owner's names */
	struct replay_message message; /* a DNS message in the packet */
	struct cred cred;
	struct cgroup cgroup;
	struct kernfs_node kn;
	struct tcp_saved saved; /* the head of an earlier packet, for its event */
	uint8_t room[REPLAY_READABLE];
};

/* The source of packets. */
struct input {
	struct capture *cap;        /* owned */
	struct src filter_text;     /* -x filter; text NULL: none */
	struct pcap_filter *filter; /* owned; NULL: none, or the sniffer filters */
	struct sniffer *sniffer;    /* owned by cap; NULL: a file is read */
	struct iface_addrs *addrs; /* owned; current addresses of the interface; NULL: not needed */
	struct local local;        /* hosts that are local */
	struct clock_outlier outlier; /* every packet passes through it */
	/* error of start() or wait(), which wait() reports at the end */
	struct diag error;
};

/* The current packet. */
struct current {
	struct packet pkt;
	struct dissect d;
	const struct link_type *link; /* link type of the interface in ksim.dev */
	/* ksim.skb.mac_header: 0, or NO_HEADER without a link layer */
	uint16_t mac_header;
	uint32_t iface_serial; /* serial of the interface in ksim.dev */

	const struct prefetched_packet *prefetched; /* prefetched state of the packet; NULL: none */
	struct tcp_seg seg;                         /* for the TCP tracker */
	/* sockets that hooks show, by enum step_socket */
	struct sock *socket[NSOCKET];
	uint64_t ctx[2];          /* arguments of packet hooks: the sk_buff and its socket */
	struct record_sink *sink; /* sink of the records of TCP events */

	unsigned ends;      /* AT_*: local ends */
	unsigned owned_end; /* AT_*: the end of the process that the capture names as owner; 0: none
			     */
	bool shown;         /* ksim.skb is this packet */
	bool following;     /* the TCP tracker has this packet */
	bool reassembled;   /* this fragment was given to the reassembly ... */
	struct datagram datagram; /* ... and completed this datagram; data NULL: none */
};

/*
 * The state of a replay. It is at a fixed address, because programs may print pointers to its
 * objects.
 */
struct replay {
	struct source base;
	struct replay_opts opts; /* strings owned */
	const struct program *prog;
	struct vm *vm;
	struct vm_env *env; /* owned by vm; env->time_ns is the time of the replay */

	struct input in;
	struct plan plan;
	struct current now;
	struct ksim_objects ksim;

	struct tcp_track tcp;
	struct dns_stream *dns; /* owned: two for each connection, by sender; NULL: not needed */
	struct prefetch prefetch;
	struct reassembly *frags; /* NULL: no fragment has been seen */

	struct tick_queue ticks;
	bool over;                 /* the time of -x duration has passed */
	uint64_t late_packets;     /* packets that got the time of an earlier packet ... */
	uint64_t late_ns;          /* ... and the largest difference, ns */
	bool owner_seen;           /* the capture had the owner of a packet */
	uint64_t ambiguous_owners; /* packets whose owner could be at either end */

	struct jobs *jobs; /* processes that share the capture; NULL: this process replays it */
	bool replays_rest; /* the jobs have ended early; this process replays the rest */

	struct progress progress;
	struct record_sink *consumer; /* the consumer's sink, while `wrap` replaces it */
	struct record_sink wrap;
};

/* ------------------------------------------------------------------ ksim_objects.c */

/* Links the objects to each other. Sets nothing that depends on a packet. */
void ksim_init(struct ksim_objects *w);

/*
 * Makes ksim.dev and now.link those of interface @ifc. Returns 0, or -1 with the error in @d if
 * replay does not support its link type.
 */
int ksim_set_iface(struct replay *r, const struct capture_iface *ifc, struct diag *d);

static inline uint16_t to_be16(uint16_t v)
{
	return __builtin_bswap16(v);
}

/* Returns the type of sockets of IP protocol @protocol. */
static inline uint16_t socket_type(uint8_t protocol)
{
	switch (datagram_is(protocol)) {
	case IS_TCP:
		return KSIM_SOCK_STREAM;
	case IS_UDP:
	case IS_UDPLITE:
		return KSIM_SOCK_DGRAM;
	}
	return KSIM_SOCK_RAW;
}

/* Sets the members of ksim.skb and the placeholder socket that depend on the transport header. */
static inline void ksim_set_transport(struct replay *r)
{
	struct sock *sk = &r->ksim.sk;

	r->ksim.skb.transport_header = r->now.d.l4 ? (uint16_t)r->now.d.l4 : NO_HEADER;
	sk->__sk_common.skc_family = r->now.d.version == 4 ? KSIM_AF_INET : KSIM_AF_INET6;
	sk->sk_protocol = r->now.d.proto;
	sk->sk_type = socket_type(r->now.d.proto);
}

/*
 * Fills ksim.skb from the current packet, except members that depend on the hook. Inline, because
 * it runs for every packet.
 */
static inline void ksim_set_packet(struct replay *r)
{
	const struct current *now = &r->now;
	struct sk_buff *skb = &r->ksim.skb;

	skb->head = (unsigned char *)now->pkt.data;
	skb->tstamp = (ktime_t)now->pkt.ts_ns;
	skb->protocol = to_be16(now->d.ethertype);
	skb->network_header = (uint16_t)now->d.net;
	skb->mac_header = now->mac_header;
	skb->mac_len = (uint16_t)now->d.net;
	skb->transport_header = NO_HEADER;
	skb->vlan_tci = now->d.vlan_tci;
	skb->vlan_proto = now->d.vlan ? to_be16(0x8100) : 0;
	skb->data_len = now->pkt.wirelen - now->pkt.caplen;
	if (r->plan.transport && now->d.version)
		ksim_set_transport(r);
}

/* Makes ksim.skb.data begin at byte @off of the current packet. */
static inline struct sk_buff *ksim_show(struct replay *r, uint32_t off)
{
	struct sk_buff *skb = &r->ksim.skb;

	skb->data = skb->head + off;
	skb->len = r->now.pkt.wirelen - off;
	return skb;
}

/* Set ksim.owner and ksim.names: to the current packet's owner, or to nobody. Return the task. */
struct task_struct *ksim_set_owner(struct replay *r);
struct task_struct *ksim_clear_owner(struct replay *r);

/* Makes ksim.skb an earlier packet, whose first bytes were saved. */
void ksim_show_saved(struct replay *r, const struct tcp_saved *saved);

/*
 * Returns the placeholder socket, with the cookie of the socket at one end of the current datagram:
 * the sender's if @out, else the receiver's.
 */
struct sock *ksim_datagram_socket(struct replay *r, bool out);

/* ------------------------------------------------------------------------ source.c */

/*
 * Opens the capture, creates the machine, and reads the first packet. Returns 0, or -1 with the
 * error in @d.
 */
int replay_prepare(struct replay *r, struct diag *d);

/*
 * Starts tick-N, profile-N and -x duration at the current time. For a file, this is the time of the
 * first packet.
 */
void replay_start_ticks(struct replay *r);

/* -------------------------------------------------------------------------- ends.c */

/* The part of local_ends() for -x local=auto and -x local=ADDR. */
unsigned local_ends_of_packet(const struct replay *r);

/* Returns the local ends (AT_*) of the current packet. */
static inline unsigned local_ends(const struct replay *r)
{
	return r->in.local.mode == LOCAL_ALL ? AT_BOTH : local_ends_of_packet(r);
}

/* Returns pkt_type at the receiver, with -x local=auto: the capture's value, or PACKET_HOST. */
static inline uint8_t received_type(const struct dissect *d)
{
	return d->pkt_type < PACKET_OUTGOING ? d->pkt_type : PACKET_HOST;
}

/*
 * Returns the local end (AT_*) whose owner the capture has. 0: none, or the program does not need
 * it.
 */
unsigned find_owned_end(struct replay *r);

/* Fires the owner hook for socket @sk at @end if that is the owned end. @sk may be NULL. */
void fire_owner(struct replay *r, unsigned end, struct sock *sk, struct record_sink *k);

/* Fires the owner hook without an owner, because @sk was closed or is the shared placeholder. */
void clear_owner(struct replay *r, struct sock *sk, struct record_sink *k);

/* -------------------------------------------------------------------------- fire.c */

/* Runs the units at hook @id with arguments @ctx, in program order, until one ends the run. */
void run_hook(struct replay *r, enum hook_id id, const uint64_t *ctx, struct record_sink *k);

/* Makes the current packet ksim.skb, and readable for programs. */
void show_packet(struct replay *r);

/*
 * Fires the hooks of a batch of packets. Returns 1: there may be more; 0: the capture or -x
 * duration has ended; -1 with the error in @d.
 */
int fire_batch(struct replay *r, struct record_sink *k, struct diag *d);

/* Fires the ticks that are due up to time @now (ns). */
void fire_ticks(struct replay *r, uint64_t now, struct record_sink *k);

/*
 * When the run stops: fires the packet that was held back because of its clock, and the packets
 * that an interface has received until now. Returns 0, or -1 with the error in @d.
 */
int fire_held(struct replay *r, struct record_sink *k, struct diag *d);

/* -------------------------------------------------------------------- tcp_events.c */

/* The tracker's callback (tcp_fire_fn): fires the hook of an event. @ctx is the replay. */
void fire_tcp_event(void *ctx, const struct tcp_firing *f);

/* Fires hook @id for each DNS message in the current segment, which @sk sends or receives. */
void run_message_hook(struct replay *r, enum hook_id id, struct sock *sk, struct record_sink *k);

#endif
