/*
 * impl.h - the state of a replay, shared within this folder.
 *
 *	source.c        starts, runs and frees the replay source
 *	plan.c          lists hooks and steps, and selects those that the program needs
 *	fire.c          fires the hooks of each packet
 *	tcp_events.c    fires the hooks of TCP connections and of DNS messages
 *	ends.c          finds which ends of a packet are local, and who owns them
 *	ksim_objects.c  fills the kernel objects that programs see
 */
#ifndef ENGINE_REPLAY_IMPL_H
#define ENGINE_REPLAY_IMPL_H

#include "base/diag.h"
#include "base/strbuf.h"
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

#define NARGS 10 /* number of arguments of a hook, arg0 to arg9 */
#define NO_HEADER 65535

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Marks functions that the compiler copies for each constant argument. */
#define INLINE static inline __attribute__((always_inline))

/*
 * Constants with Linux's values. The headers that define them cannot be included together with
 * ksim.h.
 */
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

/* Areas of memory that programs may read. Each value is the index of a region for vm_region(). */
enum region { REGION_OBJECTS, REGION_PACKET, REGION_DATAGRAM, REGION_TCP };

/*
 * Replay's own objects that programs may read. Each packet overwrites the members that depend on
 * the packet.
 */
struct ksim_objects {
	struct sk_buff skb;
	struct sock sk; /* the placeholder socket, for packets without a socket of their own */
	struct net_device dev;
	struct net net;
	struct task_struct task;
	struct task_struct owner;      /* the packet's owner according to the capture */
	struct replay_names names;     /* the owner's names */
	struct replay_message message; /* a DNS message in the packet */
	/* the message, if its header is in several segments */
	unsigned char message_text[DNS_TEXT];
	struct cred cred;
	struct cgroup cgroup;
	struct kernfs_node kn;
	/* first bytes of an earlier packet, while an event about that packet fires */
	struct tcp_saved saved;
	uint8_t room[REPLAY_READABLE];
};

/* The capture or interface that packets come from, with its filters. */
struct input {
	struct capture *cap; /* the capture, owned */
	/* text of -x filter; its member text is NULL if there is no filter */
	struct src filter_text;
	/* compiled filter, owned; NULL if there is none, or if the sniffer filters */
	struct pcap_filter *filter;
	/* sniffer of the interface, owned by cap; NULL if a file is read */
	struct sniffer *sniffer;
	/* current addresses of the interface, owned; NULL if the run does not need them */
	struct iface_addrs *addrs;
	struct local local; /* the list of hosts that are local */
	/* holds back a packet with a wild timestamp; every packet passes through this check */
	struct clock_outlier outlier;
	/* error of start() or wait(), which wait() reports at the end */
	struct diag error;
};

/* The current packet. */
struct current {
	struct packet pkt;
	struct dissect d;
	const struct link_type *link; /* link type of the interface in ksim.dev */
	/* value of ksim.skb.mac_header: 0, or NO_HEADER if the link type has no link layer */
	uint16_t mac_header;
	uint32_t iface_serial; /* serial of the interface in ksim.dev */

	const struct prefetched_packet *prefetched; /* state from prefetch.h, or NULL */
	/* the segment in the packet, as the TCP tracker needs it */
	struct tcp_seg seg;
	/* sockets that hooks may show; enum step_socket has the indexes */
	struct sock *socket[NSOCKET];
	uint64_t ctx[2]; /* arguments of packet hooks: the sk_buff and its socket */
	/* sink for the records of the TCP events that this packet causes */
	struct record_sink *sink;

	unsigned ends; /* ends (AT_*) of the packet that are local */
	/*
	 * end (AT_*) whose socket belongs to the packet's owner, by find_owned_end(); 0 if there is
	 * none
	 */
	unsigned owned_end;
	bool shown;        /* ksim.skb describes this packet */
	bool following;    /* the packet has been given to the TCP tracker */
	bool reassembled;  /* the packet is a fragment, and reassemble() has got it */
	bool new_datagram; /* the fragment completed a datagram that was not shown yet */
	/* datagram that this fragment completed; data is NULL if it completed none */
	struct datagram datagram;
};

/*
 * The state of a replay. The struct is at a fixed address, because programs may print pointers to
 * its objects.
 */
struct replay {
	struct source base;
	struct replay_opts opts; /* options; this struct owns their strings */
	const struct program *prog;
	struct vm *vm;
	struct vm_env *env; /* owned by vm; env->time_ns is the time of the replay */

	struct input in;
	struct plan plan;
	struct current now;
	struct ksim_objects ksim;
	/*
	 * prefetch.c may mark a TCP segment of this interface as NEEDS_FAST: its frames are
	 * Ethernet, every host is local, and the program sees no DNS messages
	 */
	bool fast_segments;
	struct vm_region *packet_region; /* the bytes of the packet that ksim.skb describes */

	struct tcp_track tcp;
	/*
	 * array of two streams for each connection, one for each sender, owned; NULL if no program
	 * needs it
	 */
	struct dns_stream *dns;
	struct prefetch prefetch;
	struct reassembly *frags; /* reassembly of fragments; NULL until the first fragment */

	struct tick_queue ticks;
	bool over;                 /* the time of -x duration has passed */
	struct odd odd;            /* counts of what is odd about packets */
	struct strbuf odd_list[2]; /* text for source_loss, [1] for `impossible`; owned */
	uint64_t late_packets;     /* number of packets that got the time of an earlier packet */
	uint64_t late_ns;          /* largest change of a late packet's time, in ns */
	/* find_owned_end() has found the end of a packet's owner at least once */
	bool owner_seen;
	uint64_t ambiguous_owners; /* number of packets whose owner may be at either end */

	/* processes that share the work; NULL if this process replays the whole capture */
	struct jobs *jobs;
	bool replays_rest; /* the jobs have ended early; this process replays the rest */

	struct progress progress;
	struct record_sink *consumer; /* the consumer's sink, while `wrap` replaces it */
	struct record_sink wrap;
};

/* Returns the kind of a packet that is no fragment. */
static inline enum packet_kind kind_of_packet(const struct dissect *d)
{
	if (!d->version)
		return KIND_FRAME;
	return d->l4 ? kind_of_datagram(d->proto) : KIND_IP;
}

/* ------------------------------------------------------------------ ksim_objects.c */

/*
 * Sets the pointers between the kernel objects, and other members that do not depend on a packet.
 */
void ksim_init(struct ksim_objects *w);

/*
 * Sets ksim.dev and now.link for interface @ifc. Returns 0, or -1 with the error in @d if replay
 * does not support its link type.
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

/* Sets the members of the placeholder socket that depend on the packet. */
static inline void ksim_set_placeholder(struct replay *r)
{
	struct sock *sk = &r->ksim.sk;

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
	skb->vlan_tci = now->d.vlan_tci;
	skb->vlan_proto = now->d.vlan ? to_be16(0x8100) : 0;
	skb->data_len = now->pkt.wirelen - now->pkt.caplen;
	skb->transport_header = now->d.l4 ? (uint16_t)now->d.l4 : NO_HEADER;
	if (r->plan.transport && now->d.version)
		ksim_set_placeholder(r);
}

/* Makes ksim.skb.data begin at byte @off of the current packet. */
static inline struct sk_buff *ksim_show(struct replay *r, uint32_t off)
{
	struct sk_buff *skb = &r->ksim.skb;

	skb->data = skb->head + off;
	skb->len = r->now.pkt.wirelen - off;
	return skb;
}

/*
 * Set ksim.owner and ksim.names. ksim_set_owner() describes the current packet's owner;
 * ksim_clear_owner() describes nobody. Both return the task.
 */
struct task_struct *ksim_set_owner(struct replay *r);
struct task_struct *ksim_clear_owner(struct replay *r);

/* Makes ksim.skb describe an earlier packet, whose first bytes were saved. */
void ksim_show_saved(struct replay *r, const struct tcp_saved *saved);

/*
 * Returns the placeholder socket, with the cookie of the socket at one end of the current datagram:
 * the sender's if @out, else the receiver's.
 */
struct sock *ksim_datagram_socket(struct replay *r, bool out);

/* ------------------------------------------------------------------------ source.c */

/*
 * Opens the capture and creates the virtual machine. Also reads the first packet, unless the
 * capture is an interface. Returns 0, or -1 with the error in @d.
 */
int replay_prepare(struct replay *r, struct diag *d);

/*
 * Starts tick-N, profile-N and -x duration at the current time. For a file, this is the time of the
 * first packet.
 */
void replay_start_ticks(struct replay *r);

/* -------------------------------------------------------------------------- ends.c */

/* Returns the local ends (AT_*) of the current packet, for -x local=auto and -x local=ADDR. */
unsigned local_ends_of_packet(const struct replay *r);

/* Returns the local ends (AT_*) of the current packet. */
static inline unsigned local_ends(const struct replay *r)
{
	return r->in.local.mode == LOCAL_ALL ? AT_BOTH : local_ends_of_packet(r);
}

/*
 * Returns the pkt_type that the receiver sees with -x local=auto: the value in the capture, or
 * PACKET_HOST if the capture has none or has PACKET_OUTGOING.
 */
static inline uint8_t received_type(const struct dissect *d)
{
	return d->pkt_type < PACKET_OUTGOING ? d->pkt_type : PACKET_HOST;
}

/*
 * Returns the end (AT_*) whose socket belongs to the packet's owner. The capture must name an owner
 * of the current packet. Returns 0 if the owner's end is not local, if both ends could be the
 * owner's, or if the program does not need owners.
 */
unsigned find_owned_end(struct replay *r);

/* Fires the owner hook for socket @sk if @end is r->now.owned_end. @sk may be NULL. */
void fire_owner(struct replay *r, unsigned end, struct sock *sk, struct record_sink *k);

/* Fires the owner hook without an owner, because @sk was closed or is the shared placeholder. */
void clear_owner(struct replay *r, struct sock *sk, struct record_sink *k);

/* -------------------------------------------------------------------------- fire.c */

/* Runs the units at hook @id with arguments @ctx, in program order, until one ends the run. */
void run_hook(struct replay *r, enum hook_id id, const uint64_t *ctx, struct record_sink *k);

/* Makes ksim.skb describe the current packet, and lets programs read the packet's bytes. */
void show_packet(struct replay *r);

/*
 * Fires the hooks of a batch of packets. Returns 1 if more packets may follow, 0 if the capture or
 * -x duration has ended, or -1 with the error in @d.
 */
int fire_batch(struct replay *r, struct record_sink *k, struct diag *d);

/* Fires the ticks that are due up to time @now (ns). */
void fire_ticks(struct replay *r, uint64_t now, struct record_sink *k);

/*
 * Fires the last packets when the run stops: the packet that was held back because of its
 * timestamp, and the packets that an interface has received until now. Returns 0, or -1 with the
 * error in @d.
 */
int fire_held(struct replay *r, struct record_sink *k, struct diag *d);

/* -------------------------------------------------------------------- tcp_events.c */

/*
 * Fires the hook of TCP event @f. The TCP tracker calls this function (tcp_fire_fn); @ctx is the
 * replay.
 */
void fire_tcp_event(void *ctx, const struct tcp_firing *f);

/*
 * If the current packet is an ICMP error that ends an attempt to connect, closes the socket of this
 * attempt, and passes the records of its events to @k.
 */
void fire_icmp_error(struct replay *r, struct record_sink *k);

/*
 * Fires hook @id for each DNS query (DNS_SEND) to port 53, or each response (DNS_RECEIVE) from port
 * 53, in the current segment. @sk sends or receives the segment. If @sk is NULL, fires nothing.
 */
void run_message_hook(struct replay *r, enum hook_id id, struct sock *sk, struct record_sink *k);

#endif
