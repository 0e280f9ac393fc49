/*
 * source.c - replay: packets become hook firings on the virtual machine.
 *
 * Only the hooks that the program has units for are prepared: a packet costs
 * what the program looks at.  All the ksim objects are one struct, filled anew
 * for each packet, so that a packet allots nothing.
 */
#include "replay/source.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/xalloc.h"
#include "engine/source.h"
#include "engine/vm.h"
#include "replay/capture.h"
#include "replay/dissect.h"
#include "replay/ksim_c.h"
#include "replay/leap.h"
#include "replay/local.h"
#include "replay/place.h"
#include "replay/progress.h"
#include "replay/reassemble.h"
#include "replay/tcp_track.h"
#include "replay/tick.h"

#define BATCH 4096
#define NARGS 10        /* arg0 ... arg9 */
#define NO_HEADER 65535

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

enum { KSIM_AF_INET = 2, KSIM_AF_INET6 = 10, KSIM_TCP_CLOSE = 7, KSIM_SOCK_STREAM = 1,
       KSIM_SOCK_DGRAM = 2, KSIM_SOCK_RAW = 3 };
enum { PACKET_HOST = 0, PACKET_OUTGOING = 4, PACKET_TYPES = 5 };

/* The hooks, in the order in which a packet fires them; then those of TCP connections. */
enum hook_id {
	TCP_SEND, UDP_SEND, UDPLITE_SEND, SEND, EGRESS, NET_DEV_QUEUE,
	NETIF_RECEIVE_SKB, INGRESS, TCP_RECEIVE, UDP_RECEIVE, UDPLITE_RECEIVE, RECEIVE,
	CONNECT_REQUEST, CONNECT_ESTABLISHED, CONNECT_REFUSED, ACCEPT_ESTABLISHED, ACCEPT_REFUSED,
	SET_STATE, RECEIVE_RESET, RETRANSMIT, DESTROY,
	NHOOK
};

/* What a hook needs, and how it sees the packet. */
enum hook_flags {
	AT_SENDER = 1,
	AT_RECEIVER = 2,
	AT_IP = 4,        /* data is at the network header, not at the link layer's */
	WITH_SOCKET = 8,  /* skb->sk is set */
	TRANSPORT = 16,   /* wants to know the transport protocol */
	WHOLE = 32,       /* is of whole datagrams only */
	FOLLOW = 64,      /* comes of following TCP connections */
	TCPS = 128,       /* its socket may be a TCP connection's */
	WHOLE_SENT = AT_SENDER | AT_IP | WITH_SOCKET | TRANSPORT | WHOLE,
	WHOLE_RECEIVED = AT_RECEIVER | AT_IP | WITH_SOCKET | TRANSPORT | WHOLE,
	OF_TCP = AT_SENDER | AT_RECEIVER | TRANSPORT | WHOLE | FOLLOW,
};

static const struct hook_def {
	enum hook_kind kind;
	const char *target;
	unsigned flags;   /* enum hook_flags */
	unsigned narg;    /* words of context */
} hook_defs[NHOOK] = {
	[TCP_SEND] = { HOOK_REPLAY, "tcp_send", WHOLE_SENT | TCPS, 2 },
	[UDP_SEND] = { HOOK_REPLAY, "udp_send", WHOLE_SENT, 2 },
	[UDPLITE_SEND] = { HOOK_REPLAY, "udplite_send", WHOLE_SENT, 2 },
	[SEND] = { HOOK_REPLAY, "send", WHOLE_SENT | TCPS, 2 },
	[EGRESS]  = { HOOK_CGROUP_SKB, "egress", AT_SENDER | AT_IP | WITH_SOCKET | TRANSPORT, 1 },
	[NET_DEV_QUEUE] = { HOOK_RAWTP, "net_dev_queue", AT_SENDER | WITH_SOCKET, 1 },
	[NETIF_RECEIVE_SKB] = { HOOK_RAWTP, "netif_receive_skb", AT_RECEIVER | AT_IP, 1 },
	[INGRESS] = { HOOK_CGROUP_SKB, "ingress",
		      AT_RECEIVER | AT_IP | WITH_SOCKET | TRANSPORT | WHOLE, 1 },
	[TCP_RECEIVE] = { HOOK_REPLAY, "tcp_receive", WHOLE_RECEIVED | TCPS, 2 },
	[UDP_RECEIVE] = { HOOK_REPLAY, "udp_receive", WHOLE_RECEIVED, 2 },
	[UDPLITE_RECEIVE] = { HOOK_REPLAY, "udplite_receive", WHOLE_RECEIVED, 2 },
	[RECEIVE] = { HOOK_REPLAY, "receive", WHOLE_RECEIVED | TCPS, 2 },
	[CONNECT_REQUEST] = { HOOK_REPLAY, "connect_request", OF_TCP, 2 },
	[CONNECT_ESTABLISHED] = { HOOK_REPLAY, "connect_established", OF_TCP, 2 },
	[CONNECT_REFUSED] = { HOOK_REPLAY, "connect_refused", OF_TCP, 2 },
	[ACCEPT_ESTABLISHED] = { HOOK_REPLAY, "accept_established", OF_TCP, 2 },
	[ACCEPT_REFUSED] = { HOOK_REPLAY, "accept_refused", OF_TCP, 2 },
	[SET_STATE] = { HOOK_RAWTP, "inet_sock_set_state", OF_TCP, 3 },
	[RECEIVE_RESET] = { HOOK_RAWTP, "tcp_receive_reset", OF_TCP, 1 },
	[RETRANSMIT] = { HOOK_RAWTP, "tcp_retransmit_skb", OF_TCP, 2 },
	[DESTROY] = { HOOK_RAWTP, "tcp_destroy_sock", OF_TCP, 1 },
};

/* The protocols whose whole datagrams have hooks. */
static const struct protocol {
	uint8_t number;
	uint16_t socket_type;
	bool connects;              /* its sockets are those of TCP connections */
	enum hook_id sent, received; /* its own hooks; SEND and RECEIVE are of all */
} protocols[] = {
	{ 6, KSIM_SOCK_STREAM, true, TCP_SEND, TCP_RECEIVE },
	{ 17, KSIM_SOCK_DGRAM, false, UDP_SEND, UDP_RECEIVE },
	{ 136, KSIM_SOCK_DGRAM, false, UDPLITE_SEND, UDPLITE_RECEIVE },
};

/* Everything of ours that programs may read. */
struct world {
	struct sk_buff skb;
	struct sock sk;
	struct net_device dev;
	struct net net;
	struct task_struct task;
	struct cred cred;
	struct cgroup cgroup;
	struct kernfs_node kn;
	struct tcp_saved saved; /* a packet's head, shown later */
	uint8_t room[REPLAY_ROOM];
};

enum region { REGION_WORLD, REGION_PACKET, REGION_DATAGRAM, REGION_TCP };

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
	struct local local;

	struct units hook[NHOOK];
	bool sender, receiver;    /* any hook of that side has units */
	bool transport;
	unsigned whole;           /* AT_*: the sides that have hooks of whole datagrams */
	bool follow;              /* TCP connections */
	bool sockets;             /* some unit looks at sockets of datagrams */
	struct tick_queue ticks;

	struct tcp_track tcp;
	struct tcp_seg seg;       /* the packet, as the tracker wants it */
	bool following;           /* it was given the packet */
	unsigned sides;           /* AT_*: the packet's ends that are local */

	struct world w;
	const struct link_type *link; /* of the interface w.dev shows */
	uint32_t iface_serial;
	struct dissect d;
	struct packet pkt;
	struct leap leap;         /* packets are read through it */
	uint64_t late_packets;    /* that got the time of one before them ... */
	uint64_t late_ns;         /* ... and by how much at most */
	struct reassembly *frags; /* NULL: no fragment seen yet */
	bool tried;               /* this fragment was reassembled ... */
	struct datagram datagram; /* ... and this came out; data NULL: nothing yet */
	struct diag late;         /* an error that start() met, for wait() to report */

	struct progress progress;
	struct sink *now;         /* where the present packet's records go */
	struct sink *sink;        /* the consumer's, while ours stands in for it */
	struct sink wrap;
};

static struct replay *replay_of(struct source *s)
{
	return (struct replay *)s;
}

bool replay_has_hook(enum hook_kind kind, const char *target)
{
	unsigned i;

	if (kind == HOOK_RUN || kind == HOOK_PROFILE)
		return true;
	for (i = 0; i < NHOOK; i++)
		if (hook_defs[i].kind == kind && !strcmp(hook_defs[i].target, target))
			return true;
	return false;
}

/* ----------------------------------------------------------------- the world */

static void world_init(struct world *w)
{
	w->dev.nd_net.net = &w->net;
	w->skb.dev = &w->dev;
	w->sk.__sk_common.skc_net.net = &w->net;
	w->sk.__sk_common.skc_state = KSIM_TCP_CLOSE;
	w->sk.sk_uid.val = UINT32_MAX;
	w->cgroup.kn = &w->kn;
	w->sk.sk_cgrp_data.cgroup = &w->cgroup;
	w->cred = (struct cred){{UINT32_MAX}, {UINT32_MAX}, {UINT32_MAX}, {UINT32_MAX}};
	w->task.pid = w->task.tgid = -1;
	w->task.real_parent = w->task.group_leader = &w->task;
	w->task.cred = w->task.real_cred = &w->cred;
}

/* The device of an unnamed interface has the file's name. */
static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!strcmp(path, "-"))
		return "stdin";
	return slash ? slash + 1 : path;
}

static int unknown_link(const struct replay *r, const struct capture_iface *ifc,
			const struct link_type *lt, struct diag *d)
{
	return diag_error(d, D_SYS, NOLOC, "%s: packet %" PRIu64 " has link type %u%s%s%s, which "
			  "replay does not know", capture_name(r->cap), capture_count(r->cap),
			  ifc->linktype, lt ? " (" : "", lt ? lt->name : "", lt ? ")" : "");
}

/* Makes w.dev and link those of interface @ifc. */
static int set_iface(struct replay *r, const struct capture_iface *ifc, struct diag *d)
{
	const struct link_type *lt = link_type_find(ifc->linktype);
	const char *name = ifc->name && *ifc->name ? ifc->name : file_name(r->opts.path);

	if (!lt || !lt->dissect)
		return unknown_link(r, ifc, lt, d);
	r->link = lt;
	r->iface_serial = ifc->serial;
	memset(r->w.dev.name, 0, sizeof(r->w.dev.name));
	memcpy(r->w.dev.name, name, strnlen(name, sizeof(r->w.dev.name) - 1));
	r->w.dev.ifindex = (int)ifc->index + 1;
	r->w.dev.type = lt->arphrd;
	return 0;
}

static uint16_t to_be16(uint16_t v)
{
	return __builtin_bswap16(v);
}

/* NULL: one whose datagrams have no hooks. */
static const struct protocol *protocol_find(uint8_t number)
{
	for (size_t i = 0; i < sizeof(protocols) / sizeof(*protocols); i++)
		if (protocols[i].number == number)
			return &protocols[i];
	return NULL;
}

static uint16_t socket_type(uint8_t number)
{
	const struct protocol *p = protocol_find(number);

	return p ? p->socket_type : KSIM_SOCK_RAW;
}

static void fill_transport(struct replay *r)
{
	struct sock *sk = &r->w.sk;

	dissect_transport(r->pkt.data, r->pkt.caplen, r->pkt.wirelen, &r->d);
	r->w.skb.transport_header = r->d.l4 ? (uint16_t)r->d.l4 : NO_HEADER;
	sk->__sk_common.skc_family = r->d.version == 4 ? KSIM_AF_INET : KSIM_AF_INET6;
	sk->sk_protocol = r->d.proto;
	sk->sk_type = socket_type(r->d.proto);
}

/* What all hooks of the packet share. */
static inline void fill_skb(struct replay *r)
{
	struct sk_buff *skb = &r->w.skb;

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
		fill_transport(r);
}

/* ------------------------------------------------------------------- firing */


/* Runs the units in order; the first that ends the run is the last. */
static void run_units(struct replay *r, const struct units *u, const uint64_t *ctx, unsigned nctx,
		      struct sink *k)
{
	uint32_t i;

	for (i = 0; i < u->n && !k->done; i++)
		vm_run(r->vm, u->v[i], ctx, nctx, k);
}

/* @ctx: the hook's arguments. */
static void fire_hook(struct replay *r, enum hook_id id, const uint64_t *ctx, struct sink *k)
{
	if (r->hook[id].n)
		run_units(r, &r->hook[id], ctx, hook_defs[id].narg, k);
}

/* The skb is the present packet from @off on. */
static struct sk_buff *show_packet(struct replay *r, uint32_t off)
{
	struct sk_buff *skb = &r->w.skb;

	skb->data = skb->head + off;
	skb->len = r->pkt.wirelen - off;
	skb->data_len = r->pkt.wirelen - r->pkt.caplen;
	return skb;
}

/* A hook whose arguments are the packet and its socket, or only the packet. */
static inline void fire_skb(struct replay *r, enum hook_id id, struct sock *sk, struct sink *k)
{
	unsigned flags = hook_defs[id].flags;
	struct sk_buff *skb;

	if (!r->hook[id].n)
		return;
	skb = show_packet(r, flags & AT_IP ? r->d.net : 0);
	skb->skb_iif = flags & AT_RECEIVER ? r->w.dev.ifindex : 0;
	skb->sk = flags & WITH_SOCKET ? sk : NULL;
	fire_hook(r, id, (uint64_t[]){(uintptr_t)skb, (uintptr_t)skb->sk}, k);
}

/* ---------------------------------------------------------- TCP connections */

static const enum hook_id hook_of[TCP_NEVENT] = {
	[TCP_EV_SET_STATE] = SET_STATE,
	[TCP_EV_CONNECT_REQUEST] = CONNECT_REQUEST,
	[TCP_EV_CONNECT_ESTABLISHED] = CONNECT_ESTABLISHED,
	[TCP_EV_CONNECT_REFUSED] = CONNECT_REFUSED,
	[TCP_EV_ACCEPT_ESTABLISHED] = ACCEPT_ESTABLISHED,
	[TCP_EV_ACCEPT_REFUSED] = ACCEPT_REFUSED,
	[TCP_EV_RECEIVE_RESET] = RECEIVE_RESET,
	[TCP_EV_RETRANSMIT] = RETRANSMIT,
	[TCP_EV_DESTROY] = DESTROY,
};

/* The skb is an earlier packet, of which only the head was kept. */
static void show_saved(struct replay *r, const struct tcp_saved *saved)
{
	struct sk_buff *skb = &r->w.skb;

	r->w.saved = *saved;
	skb->head = skb->data = r->w.saved.data;
	skb->len = saved->wire;
	skb->data_len = saved->wire - saved->len;
	skb->network_header = 0;
	skb->transport_header = (uint16_t)saved->l4;
	skb->mac_header = NO_HEADER;
	skb->mac_len = 0;
}

static void fire_event(struct replay *r, const struct tcp_firing *f)
{
	uint64_t skb = (uintptr_t)&r->w.skb, sk = (uintptr_t)f->sk;

	switch (f->what) {
	case TCP_EV_SET_STATE:
		fire_hook(r, SET_STATE, (uint64_t[]){sk, (uint64_t)f->oldstate, (uint64_t)f->newstate},
			  r->now);
		break;
	case TCP_EV_RECEIVE_RESET:
	case TCP_EV_DESTROY:
		fire_hook(r, hook_of[f->what], (uint64_t[]){sk}, r->now);
		break;
	case TCP_EV_RETRANSMIT:
		fire_hook(r, RETRANSMIT, (uint64_t[]){sk, skb}, r->now);
		break;
	case TCP_EV_CONNECT_REQUEST:
	case TCP_EV_CONNECT_ESTABLISHED:
	case TCP_EV_CONNECT_REFUSED:
	case TCP_EV_ACCEPT_ESTABLISHED:
	case TCP_EV_ACCEPT_REFUSED:
		fire_hook(r, hook_of[f->what], (uint64_t[]){skb, sk}, r->now);
		break;
	case TCP_NEVENT:
		break;
	}
}

static void on_tcp_event(void *ctx, const struct tcp_firing *f)
{
	struct replay *r = ctx;
	struct sk_buff *skb, was;

	if (!r->hook[hook_of[f->what]].n)
		return;
	skb = show_packet(r, r->d.net);
	skb->sk = f->sk;
	was = *skb;
	if (f->saved)
		show_saved(r, f->saved);
	fire_event(r, f);
	*skb = was;
}

/* What the IP header says the packet's length is; what it cannot say, the wire's. */
static uint32_t ip_length(const struct replay *r)
{
	const unsigned char *ip = r->pkt.data + r->d.net;
	uint32_t wire = r->pkt.wirelen - r->d.net, len;

	if (r->d.version == 4)
		len = (uint32_t)(ip[2] << 8 | ip[3]);
	else
		len = (uint32_t)(ip[4] << 8 | ip[5]) + 40;
	return len > wire || len == (r->d.version == 4 ? 0 : 40) ? wire : len;
}

/* Once for a packet, however many sides ask. */
static void follow(struct replay *r, struct sink *k)
{
	const unsigned char *ip = r->pkt.data + r->d.net;
	uint32_t at = r->d.l4 - r->d.net, len = ip_length(r), cap = r->pkt.caplen - r->d.net;
	struct tcp_seg *s = &r->seg;

	r->now = k;
	if (r->following || len < at)
		return;
	if (cap > len)
		cap = len;
	*s = (struct tcp_seg){.now = r->env->time_ns, .ip = ip, .ip_len = cap, .ip_wire = len,
			      .l4 = at, .version = r->d.version,
			      .saddr = ip + (r->d.version == 4 ? 12 : 8),
			      .daddr = ip + (r->d.version == 4 ? 16 : 24)};
	if (!tcp_seg_parse(s, ip + at, cap - at, len - at))
		return;
	r->following = true;
	tcp_track_packet(&r->tcp, s, r->sides & AT_SENDER, r->sides & AT_RECEIVER);
}

/* ---------------------------------------------------------------- datagrams */

/*
 * The socket of a UDP datagram: a capture knows it by its address and port, which
 * are its number if they are short enough.  Bit 62 keeps that apart from TCP's.
 */
static struct sock *datagram_socket(struct replay *r, bool out)
{
	struct sock *sk = &r->w.sk;
	const unsigned char *ip = r->pkt.data + r->d.net, *port = r->pkt.data + r->d.l4 + (out ? 0 : 2);
	bool v4 = r->d.version == 4;
	unsigned char name[19] = {r->d.proto}; /* port, address */
	uint64_t n = 0;

	if (r->d.l4 + 4 <= r->pkt.caplen)
		memcpy(name + 1, port, 2);
	memcpy(name + 3, ip + (v4 ? (out ? 12 : 16) : (out ? 8 : 24)), v4 ? 4 : 16);
	if (v4)
		memcpy(&n, name, 7);
	else
		n = hash_bytes_known(name, sizeof(name)) >> 2 | 1ull << 61;
	sk->__sk_common.skc_cookie.counter = (int64_t)(n | 1ull << 62);
	return sk;
}

static struct sock *connection(struct replay *r, bool out, struct sink *k)
{
	if (!r->follow)
		return &r->w.sk;
	follow(r, k);
	if (!r->following)
		return NULL;
	return out ? tcp_track_send(&r->tcp) : tcp_track_receive(&r->tcp);
}

/* The socket at one end; units that do not look at it get any. */
static struct sock *socket_of(struct replay *r, const struct protocol *p, bool out, struct sink *k)
{
	if (p->connects)
		return connection(r, out, k);
	return r->sockets ? datagram_socket(r, out) : &r->w.sk;
}

/* What a whole datagram fires at either end. */
static void fire_sent(struct replay *r, const struct protocol *p, struct sink *k)
{
	struct sock *sk = socket_of(r, p, true, k);

	fire_skb(r, p->sent, sk, k);
	fire_skb(r, SEND, sk, k);
	r->w.sk.__sk_common.skc_cookie.counter = 0;
}

static void fire_received(struct replay *r, const struct protocol *p, struct sink *k)
{
	struct sock *sk;

	fire_skb(r, INGRESS, &r->w.sk, k);
	sk = socket_of(r, p, false, k);
	fire_skb(r, p->received, sk, k);
	fire_skb(r, RECEIVE, sk, k);
	r->w.sk.__sk_common.skc_cookie.counter = 0;
	if (r->following)
		tcp_track_received(&r->tcp);
}

static void fire_whole(struct replay *r, unsigned side, struct sink *k)
{
	const struct protocol *p = protocol_find(r->d.proto);

	if (!p || !r->d.l4 || r->d.frag)
		return;
	if (side == AT_SENDER)
		fire_sent(r, p, k);
	else
		fire_received(r, p, k);
}

/* Once for a fragment, however many sides ask. */
static bool made_whole(struct replay *r)
{
	const struct dissect *d = &r->d;
	const struct fragment f = {
		.ip = r->pkt.data + d->net,
		.captured = r->pkt.caplen - d->net,
		.wire = r->pkt.wirelen - d->net,
		.version = d->version,
		.at = (uint16_t)(d->frag_at - d->net),
		.next = (uint16_t)(d->frag_next - d->net),
	};

	if (r->tried)
		return r->datagram.data;
	if (!r->frags)
		r->frags = reassembly_new();
	r->tried = true;
	if (!reassemble(r->frags, &f, r->env->time_ns, &r->datagram))
		r->datagram.data = NULL;
	return r->datagram.data;
}

/* The hooks see the reassembled datagram in place of its last fragment. */
static void fire_reassembled(struct replay *r, unsigned side, struct sink *k)
{
	const struct dissect d = r->d;
	const struct packet pkt = r->pkt;

	r->pkt.data = r->datagram.data;
	r->pkt.caplen = r->datagram.captured;
	r->pkt.wirelen = r->datagram.wire;
	r->d = (struct dissect){.ethertype = d.ethertype, .version = d.version, .vlan = d.vlan,
				.vlan_tci = d.vlan_tci, .pkt_type = d.pkt_type};
	vm_region(r->vm, REGION_DATAGRAM, r->pkt.data, r->pkt.caplen);
	fill_skb(r);
	r->w.skb.mac_header = NO_HEADER;
	fire_whole(r, side, k);
	if (side == AT_SENDER && r->following)
		tcp_track_sent(&r->tcp);
	vm_region(r->vm, REGION_DATAGRAM, NULL, 0);
	r->pkt = pkt;
	r->d = d;
	fill_skb(r);
}

static void fire_datagram(struct replay *r, unsigned side, struct sink *k)
{
	if (!(r->whole & side))
		return;
	if (likely(!r->d.frag))
		fire_whole(r, side, k);
	else if (made_whole(r))
		fire_reassembled(r, side, k);
}

/* ------------------------------------------------------------------ packets */

static void fire_sender(struct replay *r, struct sink *k)
{
	r->w.skb.pkt_type = PACKET_HOST;
	fire_datagram(r, AT_SENDER, k);
	if (r->d.version)
		fire_skb(r, EGRESS, &r->w.sk, k);
	fire_skb(r, NET_DEV_QUEUE, &r->w.sk, k);
	if (r->following && !r->d.frag)
		tcp_track_sent(&r->tcp);
}

static void fire_receiver(struct replay *r, uint8_t pkt_type, struct sink *k)
{
	r->w.skb.pkt_type = pkt_type;
	fire_skb(r, NETIF_RECEIVE_SKB, NULL, k);
	fire_datagram(r, AT_RECEIVER, k);
}

/* -x local=auto: a packet that the file says nothing about counts as both. */
static unsigned sides_by_file(const struct replay *r)
{
	enum capture_dir dir = r->pkt.dir;
	uint8_t type = r->d.pkt_type;

	if (dir == CAPTURE_DIR_UNKNOWN && type < PACKET_TYPES)
		dir = type == PACKET_OUTGOING ? CAPTURE_DIR_OUT : CAPTURE_DIR_IN;
	return dir == CAPTURE_DIR_OUT ? AT_SENDER : dir == CAPTURE_DIR_IN ? AT_RECEIVER : AT_SENDER | AT_RECEIVER;
}

/* -x local=ADDR,... */
static unsigned sides_by_address(const struct replay *r)
{
	const unsigned char *ip = r->pkt.data + r->d.net;
	int v = r->d.version;

	if (!v)
		return AT_SENDER | AT_RECEIVER;
	return (local_has(&r->local, v, ip + (v == 4 ? 12 : 8)) ? AT_SENDER : 0) |
	       (local_has(&r->local, v, ip + (v == 4 ? 16 : 24)) ? AT_RECEIVER : 0);
}

/* The AT_* of the packet's ends that are local. */
static unsigned local_sides(const struct replay *r)
{
	switch (r->local.mode) {
	case LOCAL_ALL:
		break;
	case LOCAL_AUTO:
		return sides_by_file(r);
	case LOCAL_LIST:
		return sides_by_address(r);
	}
	return AT_SENDER | AT_RECEIVER;
}

static void fire_packet(struct replay *r, struct sink *k)
{
	uint8_t type = r->local.mode == LOCAL_AUTO && r->d.pkt_type < PACKET_OUTGOING ? r->d.pkt_type
										       : PACKET_HOST;

	r->sides = local_sides(r);
	if (r->sender && r->sides & AT_SENDER)
		fire_sender(r, k);
	if (r->receiver && r->sides & AT_RECEIVER)
		fire_receiver(r, type, k);
	if (r->following)
		tcp_track_received(&r->tcp);
	r->following = false;
}

/* Fires the ticks that are due up to @now. */
static void fire_ticks(struct replay *r, uint64_t now, struct sink *k)
{
	static const uint64_t zeros[NARGS];
	uint32_t unit;
	uint64_t due;

	tick_gap(&r->ticks);
	while (!k->done && tick_next(&r->ticks, now, &unit, &due)) {
		if (due > r->env->time_ns)
			r->env->time_ns = due;
		vm_run(r->vm, unit, zeros, NARGS, k);
	}
}

/* Time does not go back: the packet has that of the latest before it. */
static uint64_t late_time(struct replay *r)
{
	uint64_t by = r->env->time_ns - r->pkt.ts_ns;

	r->late_packets++;
	if (by > r->late_ns)
		r->late_ns = by;
	return r->env->time_ns;
}

/* The packet in r->pkt: ticks before it, then its hooks. */
static int one_packet(struct replay *r, struct sink *k, struct diag *d)
{
	uint64_t now = r->pkt.ts_ns;

	if (unlikely(now < r->env->time_ns))
		now = late_time(r);
	if (unlikely(r->ticks.due <= now)) {
		fire_ticks(r, now, k);
		if (k->done)
			return 0;
	}
	r->env->time_ns = now;
	if (unlikely(r->pkt.iface->serial != r->iface_serial) && set_iface(r, r->pkt.iface, d))
		return -1;
	if (!r->sender && !r->receiver)
		return 0;
	dissect_network(r->link, r->pkt.data, r->pkt.caplen, &r->d);
	r->tried = false;
	fill_skb(r);
	vm_region(r->vm, REGION_PACKET, r->pkt.data, r->pkt.caplen);
	fire_packet(r, k);
	return 0;
}

/* ------------------------------------------------------------------ starting */

/* TCP connections are followed if a unit is of them, or may look at the socket of a segment. */
static bool wants_tcp(enum hook_id h, const struct unit *u)
{
	return hook_defs[h].flags & FOLLOW || (hook_defs[h].flags & TCPS && u->socket);
}

/* Lists the units of each hook; a hook that replay does not have is the program's fault. */
static int sort_units(struct replay *r, struct diag *d)
{
	const struct program *p = r->prog;
	uint32_t i;
	unsigned h;

	for (i = 0; i < p->nunit; i++) {
		const struct unit *u = &p->unit[i];

		if (u->hook == HOOK_RUN || u->hook == HOOK_PROFILE)
			continue;
		for (h = 0; h < NHOOK; h++)
			if (hook_defs[h].kind == u->hook && !strcmp(hook_defs[h].target, u->target))
				break;
		if (h == NHOOK)
			return diag_error(d, D_HOOK_NONE, NOLOC, "replay does not have the hook "
					  "'%s'", u->target);
		r->hook[h].v = xrealloc(r->hook[h].v, (r->hook[h].n + 1) * sizeof(uint32_t));
		r->hook[h].v[r->hook[h].n++] = i;
		r->transport |= hook_defs[h].flags & TRANSPORT;
		r->sender |= hook_defs[h].flags & AT_SENDER;
		r->receiver |= hook_defs[h].flags & AT_RECEIVER;
		if (hook_defs[h].flags & WHOLE)
			r->whole |= hook_defs[h].flags & (AT_SENDER | AT_RECEIVER);
		r->follow |= wants_tcp(h, u);
		r->sockets |= u->socket;
	}
	if (r->follow) {
		r->sender = r->receiver = true;
		r->whole = AT_SENDER | AT_RECEIVER;
	}
	return 0;
}

static int start_following(struct replay *r, struct diag *d)
{
	uint32_t max = r->opts.conns ? r->opts.conns : TCP_CONNS_DEFAULT;

	if (!r->follow)
		return 0;
	if (tcp_track_init(&r->tcp, max, &r->w.sk, on_tcp_event, r, d))
		return -1;
	r->tcp.save = r->hook[CONNECT_ESTABLISHED].n;
	vm_region(r->vm, REGION_TCP, r->tcp.tab.region, r->tcp.tab.region_len);
	return 0;
}

/* tick-N and profile-N, with the first packet as their start. */
static void start_ticks(struct replay *r)
{
	const struct program *p = r->prog;
	uint32_t i;

	for (i = 0; i < p->nunit; i++) {
		const struct unit *u = &p->unit[i];

		if (u->hook == HOOK_PROFILE || (u->hook == HOOK_RUN && u->run == RUN_TICK))
			tick_add(&r->ticks, i, u->period_ns, r->env->time_ns);
	}
}

/*
 * BEGIN has the first packet's time, so that is read first.  If it cannot be
 * read BEGIN still fires: the error is kept for wait().
 */
static int peek(struct replay *r, struct diag *d)
{
	enum capture_result res;

	do {
		errno = 0;
		res = capture_next(r->cap, &r->pkt, &r->late);
	} while (res == CAPTURE_LATER && errno != EINTR);
	if (res == CAPTURE_LATER)
		return diag_error(d, D_SYS, NOLOC, "interrupted while waiting for %s",
				  capture_name(r->cap));
	if (res == CAPTURE_PACKET) {
		leap_unread(&r->leap, &r->pkt);
		r->env->time_ns = r->pkt.ts_ns;
	}
	return 0;
}

static void release_run(struct replay *r)
{
	unsigned h;

	progress_erase(&r->progress);
	for (h = 0; h < NHOOK; h++) {
		xfree(r->hook[h].v);
		r->hook[h] = (struct units){0};
	}
	tick_release(&r->ticks);
	reassembly_free(r->frags);
	r->frags = NULL;
	tcp_track_release(&r->tcp);
	if (r->vm)
		vm_free(r->vm);
	leap_release(&r->leap);
	capture_close(r->cap);
	local_release(&r->local);
	diag_release(&r->late);
	r->vm = NULL;
	r->cap = NULL;
}

static int try_start(struct replay *r, struct diag *d)
{
	if (local_init(&r->local, r->opts.local, d) || sort_units(r, d))
		return -1;
	r->cap = capture_open(r->opts.path, d);
	if (!r->cap)
		return -1;
	r->vm = vm_new(r->prog, r->opts.checked, d);
	if (!r->vm)
		return -1;
	r->env = vm_env(r->vm);
	r->env->cpu = 0;
	r->env->task = &r->w.task;
	vm_region(r->vm, REGION_WORLD, &r->w, sizeof(r->w));
	if (start_following(r, d))
		return -1;
	return peek(r, d);
}

static int replay_start(struct source *s, const struct program *p, struct diag *d)
{
	struct replay *r = replay_of(s);

	r->prog = p;
	s->ncpu = 1;
	world_init(&r->w);
	if (!try_start(r, d))
		return 0;
	release_run(r);
	return -1;
}

/* -------------------------------------------------------------------- running */

static int replay_fire(struct source *s, enum run_kind kind, const uint64_t *args, struct sink *k)
{
	static const uint64_t zeros[NARGS];
	struct replay *r = replay_of(s);
	const struct program *p = r->prog;
	uint32_t i;

	for (i = 0; i < p->nunit; i++)
		if (p->unit[i].hook == HOOK_RUN && p->unit[i].run == kind)
			vm_run(r->vm, i, args ? args : zeros, NARGS, k);
	return 0;
}

static void set_gate(struct replay *r, bool open)
{
	((struct globals *)vm_globals(r->vm))->gate = open;
}

static int replay_go(struct source *s, struct diag *d)
{
	struct replay *r = replay_of(s);

	(void)d;
	start_ticks(r);
	progress_init(&r->progress, r->opts.progress);
	set_gate(r, true);
	return 0;
}

/* What ended the capture, as wait() returns it. */
static int at_end(struct replay *r, enum capture_result res, struct diag *d)
{
	reassembly_end(r->frags);
	if (res == CAPTURE_BAD && r->late.msg)
		return diag_error(d, r->late.tag, NOLOC, "%s", r->late.msg);
	return res == CAPTURE_BAD ? -1 : 0;
}

static enum capture_result next_packet(struct replay *r)
{
	if (r->late.nerr && !r->leap.ended)
		return CAPTURE_BAD;
	return leap_next(&r->leap, r->cap, r->env->time_ns, &r->pkt, &r->late);
}

/* Up to BATCH packets. */
static int run_batch(struct replay *r, struct sink *k, struct diag *d)
{
	enum capture_result res;
	unsigned i;

	for (i = 0; i < BATCH && !k->done; i++) {
		res = next_packet(r);
		if (unlikely(res == CAPTURE_LATER))
			break;
		if (unlikely(res != CAPTURE_PACKET))
			return at_end(r, res, d);
		if (unlikely(one_packet(r, k, d)))
			return -1;
	}
	return 1;
}

/* Stands in for the consumer's sink: the progress line must not be written across. */
static void pass_record(void *ctx, const struct record *rec, size_t size)
{
	struct replay *r = ctx;

	progress_erase(&r->progress);
	r->sink->record(r->sink->ctx, rec, size);
	r->wrap.done = r->sink->done;
}

static int replay_wait(struct source *s, struct sink *k, struct diag *d)
{
	struct replay *r = replay_of(s);
	int res;

	if (!r->progress.to)
		return run_batch(r, k, d);
	progress_update(&r->progress, r->cap); /* all that was delivered is written by now */
	r->sink = k;
	r->wrap = (struct sink){.record = pass_record, .ctx = r, .done = k->done};
	res = run_batch(r, &r->wrap, d);
	k->done |= r->wrap.done;
	if (res != 1)
		progress_erase(&r->progress);
	return res;
}

static int replay_stop(struct source *s, struct sink *k)
{
	struct replay *r = replay_of(s);
	struct diag d = {0};

	if (!k->done && leap_flush(&r->leap, &r->pkt))
		one_packet(r, k, &d);
	diag_release(&d);
	set_gate(r, false);
	progress_erase(&r->progress);
	return 0;
}

static int replay_map_each(struct source *s, uint32_t map,
			   bool (*fn)(void *ctx, const void *key, const void *value), void *ctx)
{
	return vm_map_each(replay_of(s)->vm, map, fn, ctx);
}

static const void *replay_percpu(struct source *s)
{
	return vm_percpu(replay_of(s)->vm);
}

static void *replay_globals(struct source *s)
{
	return vm_globals(replay_of(s)->vm);
}

static uint64_t replay_now(struct source *s)
{
	return replay_of(s)->env->time_ns;
}

static void replay_loss(struct source *s, struct source_loss *out)
{
	struct replay *r = replay_of(s);
	struct reassemble_loss lost = reassembly_loss(r->frags);

	*out = (struct source_loss){
		.ticks = r->ticks.skipped,
		.late_packets = r->late_packets,
		.late_ns = r->late_ns,
		.bad_clocks = r->leap.alone,
		.conns = r->tcp.tab.given_up,
		.frag_missing = lost.missing,
		.frag_overlap = lost.overlap,
		.frag_room = lost.room,
	};
}

static void replay_free(struct source *s)
{
	struct replay *r = replay_of(s);

	release_run(r);
	xfree((char *)r->opts.path);
	xfree((char *)r->opts.local);
	place_unmap(r, sizeof(*r));
}

static const struct source_ops replay_ops = {
	.name = "replay",
	.start = replay_start,
	.fire = replay_fire,
	.go = replay_go,
	.wait = replay_wait,
	.stop = replay_stop,
	.map_each = replay_map_each,
	.percpu = replay_percpu,
	.globals = replay_globals,
	.now = replay_now,
	.loss = replay_loss,
	.free = replay_free,
};

struct source *replay_source_new(const struct replay_opts *o)
{
	struct replay *r = place_map(PLACE_WORLD, sizeof(*r));

	r->base.ops = &replay_ops;
	r->base.ncpu = 1;
	r->base.synchronous = true;
	r->opts = *o;
	tick_init(&r->ticks);
	r->opts.path = xstrdup(o->path);
	r->opts.local = o->local ? xstrdup(o->local) : NULL;
	return &r->base;
}
