/*
 * impl.h - the state of a replay, which the files of this folder share.
 *
 *	source.c        the life of the source
 *	plan.c          hooks, steps, and which of them the program needs
 *	fire.c          fires the hooks of each packet
 *	tcp_events.c    fires the hooks of TCP connections and of DNS messages
 *	ends.c          which ends of a packet are local, and who owns them
 *	ksim_objects.c  the kernel objects that programs see
 */
#ifndef REPLAY_IMPL_H
#define REPLAY_IMPL_H

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

/* The numbers of Linux, whose headers ksim.h excludes. */
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

/* The objects of replay's own that programs may read; filled anew for each packet. */
struct ksim_objects {
	struct sk_buff skb;
	struct sock sk; /* the placeholder socket */
	struct net_device dev;
	struct net net;
	struct task_struct task;
	struct task_struct owner;      /* the packet's owner, as the capture says */
	struct replay_names names;     /* the owner's names */
	struct replay_message message; /* a DNS message in the packet */
	struct cred cred;
	struct cgroup cgroup;
	struct kernfs_node kn;
	struct tcp_saved saved; /* an earlier packet's head, shown again */
	uint8_t room[REPLAY_READABLE];
};

/* Where packets come from. */
struct input {
	struct capture *cap;        /* owned */
	struct src filter_text;     /* -x filter; text NULL: none */
	struct pcap_filter *filter; /* owned; NULL: none, or the sniffer has it */
	struct sniffer *sniffer;    /* cap's; NULL: a file is read */
	struct iface_addrs
		*addrs;     /* owned; follows the interface's addresses; NULL: not asked for */
	struct local local; /* the hosts that are local */
	struct clock_outlier outlier; /* every packet passes through it */
	struct diag error;            /* start() or wait() met it; wait() reports it at the end */
};

/* The packet that is being fired. */
struct current {
	struct packet pkt;
	struct dissect d;
	const struct link_type *link; /* of the interface that ksim.dev shows */
	uint16_t mac_header;          /* ksim.skb's: 0, or NO_HEADER without a link layer */
	uint32_t iface_serial;        /* that interface's */

	const struct prefetched_packet *prefetched; /* what is known of it; NULL: nothing */
	struct tcp_seg seg;                         /* as the TCP tracker sees it */
	struct sock *socket[NSOCKET];               /* what hooks show, by enum step_socket */
	uint64_t ctx[2];          /* arguments of a hook of packets: the sk_buff and its socket */
	struct record_sink *sink; /* gets the records of TCP events */

	unsigned ends;            /* AT_*: ends that are local */
	unsigned owned_end;       /* AT_*: the end whose owner the capture tells; 0: none */
	bool shown;               /* ksim.skb is this packet */
	bool following;           /* the TCP tracker has it */
	bool reassembled;         /* this fragment was given to the reassembly ... */
	struct datagram datagram; /* ... which completed this; data NULL: nothing yet */
};

/* At a fixed address, because programs may print pointers to the objects in it. */
struct replay {
	struct source base;
	struct replay_opts opts; /* strings owned */
	const struct program *prog;
	struct vm *vm;
	struct vm_env *env; /* vm's; env->time_ns is the time of the replay */

	struct input in;
	struct plan plan;
	struct current now;
	struct ksim_objects ksim;

	struct tcp_track tcp;
	struct dns_stream *dns; /* owned: two for each connection, by sender; NULL: not needed */
	struct prefetch prefetch;
	struct reassembly *frags; /* NULL: no fragment seen yet */

	struct tick_queue ticks;
	bool over;                 /* the time of -x duration has passed */
	uint64_t late_packets;     /* packets older than one before them, whose time they got ... */
	uint64_t late_ns;          /* ... and by how much at most */
	bool owner_seen;           /* the capture told the owner of a packet */
	uint64_t ambiguous_owners; /* packets with an owner that could be either end's */

	struct jobs *jobs; /* processes that share the capture; NULL: this one replays it, ... */
	bool resting;      /* ... or what the jobs have left */

	struct progress progress;
	struct record_sink *consumer; /* the consumer's sink, while `wrap` stands in for it */
	struct record_sink wrap;
};

/* ------------------------------------------------------------------ ksim_objects.c */

/* Links the objects to each other, without facts of a packet. */
void ksim_init(struct ksim_objects *w);

/*
 * Makes ksim.dev and now.link those of interface @ifc.  0, or -1 with the error in @d: replay
 * does not know its link type.
 */
int ksim_set_iface(struct replay *r, const struct capture_iface *ifc, struct diag *d);

/* Fills what the transport header tells into ksim.skb and the placeholder socket. */
void ksim_set_transport(struct replay *r);

static inline uint16_t to_be16(uint16_t v)
{
	return __builtin_bswap16(v);
}

/* Fills ksim.skb from the current packet, but for what depends on the hook.  Inline: hot. */
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

/* Makes ksim.skb's data begin at byte @off of the current packet. */
static inline struct sk_buff *ksim_show(struct replay *r, uint32_t off)
{
	struct sk_buff *skb = &r->ksim.skb;

	skb->data = skb->head + off;
	skb->len = r->now.pkt.wirelen - off;
	return skb;
}

/* Makes ksim.owner and ksim.names those of the current packet, or nobody's.  Returns the task. */
struct task_struct *ksim_set_owner(struct replay *r);
struct task_struct *ksim_clear_owner(struct replay *r);

/* Makes ksim.skb an earlier packet, of which only the head was saved. */
void ksim_show_saved(struct replay *r, const struct tcp_saved *saved);

/*
 * The placeholder socket, with a cookie for the socket at one end of the current datagram (@out:
 * the sender's).
 */
struct sock *ksim_datagram_socket(struct replay *r, bool out);

/* ------------------------------------------------------------------------ source.c */

/* Opens the capture, makes the machine, reads the first packet.  0, or -1 with the error in @d. */
int replay_prepare(struct replay *r, struct diag *d);

/* Starts tick-N, profile-N and -x duration at the current time, which is the first packet's. */
void replay_start_ticks(struct replay *r);

/* -------------------------------------------------------------------------- ends.c */

/* As local_ends(), for -x local=auto and -x local=ADDR. */
unsigned local_ends_of_packet(const struct replay *r);

/* AT_*: the ends of the current packet that are local hosts. */
static inline unsigned local_ends(const struct replay *r)
{
	return r->in.local.mode == LOCAL_ALL ? AT_BOTH : local_ends_of_packet(r);
}

/* pkt_type at the receiver, with -x local=auto: what the capture says, or PACKET_HOST. */
static inline uint8_t received_type(const struct dissect *d)
{
	return d->pkt_type < PACKET_OUTGOING ? d->pkt_type : PACKET_HOST;
}

/* AT_*: the local end whose owner the capture tells; 0: none, or nobody asks. */
unsigned find_owned_end(struct replay *r);

/* Fires the owner hook for socket @sk at @end, if the capture tells its owner.  @sk may be NULL. */
void tell_owner(struct replay *r, unsigned end, struct sock *sk, struct record_sink *k);

/* Fires the owner hook with nobody: @sk is closed, or the placeholder that packets share. */
void clear_owner(struct replay *r, struct sock *sk, struct record_sink *k);

/* -------------------------------------------------------------------------- fire.c */

/* Runs the units at hook @id with arguments @ctx, in program order, until one ends the run. */
void run_hook(struct replay *r, enum hook_id id, const uint64_t *ctx, struct record_sink *k);

/* Makes ksim.skb, and what programs may read, the current packet. */
void show_packet(struct replay *r);

/*
 * Fires a batch of packets.  1: there may be more; 0: the capture or -x duration ended; -1 with
 * the error in @d.
 */
int fire_batch(struct replay *r, struct record_sink *k, struct diag *d);

/* Fires the ticks that are due up to @now (ns). */
void fire_ticks(struct replay *r, uint64_t now, struct record_sink *k);

/*
 * When the run stops: fires the packet that is held back because of its clock, and what an
 * interface has seen until now.  0, or -1 with the error in @d.
 */
int fire_held(struct replay *r, struct record_sink *k, struct diag *d);

/* -------------------------------------------------------------------- tcp_events.c */

/* The tracker's callback (tcp_fire_fn): fires the hook of an event; @ctx is the replay. */
void fire_tcp_event(void *ctx, const struct tcp_firing *f);

/* Fires hook @id for each DNS message in the current segment, which @sk sends or receives. */
void run_message_hook(struct replay *r, enum hook_id id, struct sock *sk, struct record_sink *k);

#endif
