/*
 * ksim_objects.c - the kernel objects that programs see in a replay.
 *
 * All objects are in one struct (ksim_objects), which is filled again for each packet. So a packet
 * allocates no memory.
 */
#include <inttypes.h>
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "engine/replay/impl.h"

void ksim_init(struct ksim_objects *w)
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

/*
 * Returns the name of the device for an interface that has no name: the name of the capture file.
 */
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
	return diag_error(d, D_SYS, NOLOC,
			  "%s: packet %" PRIu64 " has link type %u%s%s%s, which "
			  "replay does not know",
			  capture_name(r->in.cap), capture_count(r->in.cap), ifc->linktype,
			  lt ? " (" : "", lt ? lt->name : "", lt ? ")" : "");
}

int ksim_set_iface(struct replay *r, const struct capture_iface *ifc, struct diag *d)
{
	const struct link_type *lt = link_type_find(ifc->linktype);
	const char *name = ifc->name && *ifc->name ? ifc->name : file_name(r->opts.path);

	if (!lt || !lt->dissect)
		return unknown_link(r, ifc, lt, d);
	r->now.link = lt;
	r->fast_segments = lt->number == LINK_ETHERNET && r->in.local.mode == LOCAL_ALL &&
			   !r->plan.messages;
	r->now.mac_header = lt->bare ? NO_HEADER : 0;
	r->now.iface_serial = ifc->serial;
	memset(r->ksim.dev.name, 0, sizeof(r->ksim.dev.name));
	memcpy(r->ksim.dev.name, name, strnlen(name, sizeof(r->ksim.dev.name) - 1));
	r->ksim.dev.ifindex = (int)ifc->index + 1;
	r->ksim.dev.type = lt->arphrd;
	return 0;
}

struct task_struct *ksim_set_owner(struct replay *r)
{
	struct task_struct *t = &r->ksim.owner;

	t->pid = t->tgid = (int)r->now.pkt.owner.pid;
	memcpy(t->comm, *r->now.pkt.owner.name ? r->now.pkt.owner.name : "<unknown>\0\0\0\0\0\0",
	       sizeof(t->comm));
	memcpy(r->ksim.names.user, r->now.pkt.owner.user, sizeof(r->ksim.names.user));
	memcpy(r->ksim.names.cgroup, r->now.pkt.owner.cgroup, sizeof(r->ksim.names.cgroup));
	memcpy(r->ksim.names.container, r->now.pkt.owner.container,
	       sizeof(r->ksim.names.container));
	memcpy(r->ksim.names.netns, r->now.pkt.owner.netns, sizeof(r->ksim.names.netns));
	return t;
}

struct task_struct *ksim_clear_owner(struct replay *r)
{
	struct task_struct *t = &r->ksim.owner;

	t->pid = t->tgid = -1;
	memset(t->comm, 0, sizeof(t->comm));
	memset(&r->ksim.names, 0, sizeof(r->ksim.names));
	return t;
}

void ksim_show_saved(struct replay *r, const struct tcp_saved *saved)
{
	struct sk_buff *skb = &r->ksim.skb;

	r->ksim.saved = *saved;
	skb->head = skb->data = r->ksim.saved.data;
	skb->len = saved->wirelen;
	skb->data_len = saved->wirelen - saved->len;
	skb->network_header = 0;
	skb->transport_header = (uint16_t)saved->l4;
	skb->mac_header = NO_HEADER;
	skb->mac_len = 0;
}

/*
 * A capture has no cookies, so the cookie of a UDP socket is made from its protocol, address and
 * port: for IPv4 from their bytes, for IPv6 from a hash of them. Bit 62 distinguishes the cookie
 * from cookies of TCP sockets.
 */
struct sock *ksim_datagram_socket(struct replay *r, bool out)
{
	struct sock *sk = &r->ksim.sk;
	const unsigned char *ip = r->now.pkt.data + r->now.d.net,
			    *port = r->now.pkt.data + r->now.d.l4 + (out ? 0 : 2);
	bool v4 = r->now.d.version == 4;
	unsigned char name[19] = {r->now.d.proto}; /* protocol, port, address */
	uint64_t n = 0;

	if (r->now.d.l4 + 4 <= r->now.pkt.caplen)
		memcpy(name + 1, port, 2);
	memcpy(name + 3, ip + (v4 ? (out ? 12 : 16) : (out ? 8 : 24)), v4 ? 4 : 16);
	if (v4)
		memcpy(&n, name, 7);
	else
		n = hash_bytes_fixed(name, sizeof(name)) >> 2 | 1ull << 61;
	sk->__sk_common.skc_cookie.counter = (int64_t)(n | 1ull << 62);
	return sk;
}
