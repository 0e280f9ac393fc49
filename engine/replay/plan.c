/* plan.c - has the tables of hooks and steps, and selects the rows that a program needs. */
#include "engine/replay/plan.h"

#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"

#define TCP_EVENT NEEDS_TRANSPORT | NEEDS_TCP

const struct hook_def hook_defs[NHOOK] = {
	[TCP_SEND] = {HOOK_REPLAY, "tcp_send", NEEDS_TRANSPORT | NEEDS_TCP_SOCKET, 2},
	[DNS_SEND] = {HOOK_REPLAY, "dns_send", NEEDS_TRANSPORT | NEEDS_TCP, 3},
	[UDP_SEND] = {HOOK_REPLAY, "udp_send", NEEDS_TRANSPORT, 2},
	[UDPLITE_SEND] = {HOOK_REPLAY, "udplite_send", NEEDS_TRANSPORT, 2},
	[SEND] = {HOOK_REPLAY, "send", NEEDS_TRANSPORT | NEEDS_TCP_SOCKET, 2},
	[EGRESS] = {HOOK_CGROUP_SKB, "egress", NEEDS_TRANSPORT, 1},
	[NET_DEV_QUEUE] = {HOOK_RAWTP, "net_dev_queue", 0, 1},
	[NETIF_RECEIVE_SKB] = {HOOK_RAWTP, "netif_receive_skb", 0, 1},
	[INGRESS] = {HOOK_CGROUP_SKB, "ingress", NEEDS_TRANSPORT, 1},
	[TCP_RECEIVE] = {HOOK_REPLAY, "tcp_receive", NEEDS_TRANSPORT | NEEDS_TCP_SOCKET, 2},
	[DNS_RECEIVE] = {HOOK_REPLAY, "dns_receive", NEEDS_TRANSPORT | NEEDS_TCP, 3},
	[UDP_RECEIVE] = {HOOK_REPLAY, "udp_receive", NEEDS_TRANSPORT, 2},
	[UDPLITE_RECEIVE] = {HOOK_REPLAY, "udplite_receive", NEEDS_TRANSPORT, 2},
	[RECEIVE] = {HOOK_REPLAY, "receive", NEEDS_TRANSPORT | NEEDS_TCP_SOCKET, 2},
	[CONNECT_REQUEST] = {HOOK_REPLAY, "connect_request", TCP_EVENT, 2},
	[CONNECT_ESTABLISHED] = {HOOK_REPLAY, "connect_established", TCP_EVENT, 2},
	[CONNECT_REFUSED] = {HOOK_REPLAY, "connect_refused", TCP_EVENT, 2},
	[ACCEPT_ESTABLISHED] = {HOOK_REPLAY, "accept_established", TCP_EVENT, 2},
	[ACCEPT_REFUSED] = {HOOK_REPLAY, "accept_refused", TCP_EVENT, 2},
	[SET_STATE] = {HOOK_RAWTP, "inet_sock_set_state", TCP_EVENT, 3},
	[RECEIVE_RESET] = {HOOK_RAWTP, "tcp_receive_reset", TCP_EVENT, 1},
	[RETRANSMIT] = {HOOK_RAWTP, "tcp_retransmit_skb", TCP_EVENT, 2},
	[DESTROY] = {HOOK_RAWTP, "tcp_destroy_sock", TCP_EVENT, 1},
	[OWNER] = {HOOK_REPLAY, "owner", NEEDS_TRANSPORT, 3},
};

/*
 * The steps that a packet takes, in the order of a kernel. At the sender, hooks of datagrams come
 * before hooks of IP packets and frames, and at the receiver after them. fire_fragment() depends on
 * that.
 */
#define FIRE(end_, of_, hook_, socket_, at_ip_) \
	{.end = end_, \
	 .of = of_, \
	 .action = STEP_FIRE, \
	 .hook = hook_, \
	 .socket = socket_, \
	 .at_ip = at_ip_}
#define DO(end_, of_, action_, hook_) {.end = end_, .of = of_, .action = action_, .hook = hook_}
static const struct step steps[] = {
	DO(AT_SENDER, IS_TCP | IS_UDP | IS_UDPLITE, STEP_FIND_SOCKET, NHOOK),
	FIRE(AT_SENDER, IS_TCP_ANY, TCP_SEND, OWN_SOCKET, true),
	DO(AT_SENDER, IS_TCP_ANY, STEP_FIRE_MESSAGES, DNS_SEND),
	FIRE(AT_SENDER, IS_UDP, UDP_SEND, OWN_SOCKET, true),
	FIRE(AT_SENDER, IS_UDPLITE, UDPLITE_SEND, OWN_SOCKET, true),
	FIRE(AT_SENDER, IS_DATAGRAM, SEND, OWN_SOCKET, true),
	DO(AT_SENDER, IS_UDP | IS_UDPLITE, STEP_RESET_SOCKET, NHOOK),
	FIRE(AT_SENDER, IS_IP, EGRESS, PLACEHOLDER, true),
	FIRE(AT_SENDER, IS_FRAME, NET_DEV_QUEUE, PLACEHOLDER, false),
	DO(AT_SENDER, IS_TCP, STEP_SENT, NHOOK),

	FIRE(AT_RECEIVER, IS_FRAME, NETIF_RECEIVE_SKB, NO_SOCKET, true),
	FIRE(AT_RECEIVER, IS_DATAGRAM, INGRESS, PLACEHOLDER, true),
	DO(AT_RECEIVER, IS_TCP | IS_UDP | IS_UDPLITE, STEP_FIND_SOCKET, NHOOK),
	FIRE(AT_RECEIVER, IS_TCP_ANY, TCP_RECEIVE, OWN_SOCKET, true),
	DO(AT_RECEIVER, IS_TCP_ANY, STEP_FIRE_MESSAGES, DNS_RECEIVE),
	FIRE(AT_RECEIVER, IS_UDP, UDP_RECEIVE, OWN_SOCKET, true),
	FIRE(AT_RECEIVER, IS_UDPLITE, UDPLITE_RECEIVE, OWN_SOCKET, true),
	FIRE(AT_RECEIVER, IS_DATAGRAM, RECEIVE, OWN_SOCKET, true),
	DO(AT_RECEIVER, IS_UDP | IS_UDPLITE, STEP_RESET_SOCKET, NHOOK),
	DO(AT_RECEIVER, IS_TCP, STEP_RECEIVED, NHOOK),
};

const uint8_t kind_is[NKINDS] = {
	[KIND_FRAME] = IS_FRAME,
	[KIND_IP] = IS_FRAME | IS_IP,
	[KIND_TCP] = IS_FRAME | IS_IP | IS_TCP,
	[KIND_UDP] = IS_FRAME | IS_IP | IS_UDP,
	[KIND_UDPLITE] = IS_FRAME | IS_IP | IS_UDPLITE,
	[KIND_TCP_FAST] = IS_FRAME | IS_IP | IS_TCP_FAST,
};

enum hook_id hook_find(enum hook_kind kind, const char *target)
{
	unsigned h = 0;

	while (h < NHOOK && (hook_defs[h].kind != kind || strcmp(hook_defs[h].target, target) != 0))
		h++;
	return h;
}

/* ------------------------------------------------------------------- the units' needs */

static bool fires(const struct step *s)
{
	return s->action == STEP_FIRE || s->action == STEP_FIRE_MESSAGES;
}

static bool unit_follows_tcp(enum hook_id h, const struct unit *u)
{
	return hook_defs[h].flags & NEEDS_TCP ||
	       (hook_defs[h].flags & NEEDS_TCP_SOCKET && u->socket);
}

bool unit_needs_connections(const struct unit *u)
{
	enum hook_id h = hook_find(u->hook, u->target);

	return h == NHOOK || hook_defs[h].flags & NEEDS_TCP || u->socket;
}

static bool is_packet_hook(enum hook_id h)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (fires(&steps[i]) && steps[i].hook == h)
			return true;
	return false;
}

/*
 * Returns whether @u, at packet hook @h, sees data of the packet: the packet itself, or the
 * placeholder socket. At TCP_SEND and TCP_RECEIVE the socket is never the placeholder.
 */
static bool unit_needs_packet(enum hook_id h, const struct unit *u)
{
	return !u->ignores_packet || (u->socket && h != TCP_SEND && h != TCP_RECEIVE);
}

static void add_unit(struct plan *plan, enum hook_id h, const struct unit *u, uint32_t i)
{
	struct units *at = &plan->hook[h];

	at->v = xrealloc(at->v, (at->n + 1) * sizeof(*at->v));
	at->v[at->n++] = i;
	plan->transport |= hook_defs[h].flags & NEEDS_TRANSPORT;
	plan->follow_tcp |= unit_follows_tcp(h, u);
	plan->messages |= h == DNS_SEND || h == DNS_RECEIVE;
	plan->datagram_sockets |= u->socket && h != TCP_SEND && h != TCP_RECEIVE;
	plan->shows_packets |= is_packet_hook(h) && unit_needs_packet(h, u);
}

static int add_units(struct plan *plan, const struct program *p, struct diag *d)
{
	for (uint32_t i = 0; i < p->nunit; i++) {
		const struct unit *u = &p->unit[i];
		enum hook_id h;

		if (u->hook == HOOK_RUN || u->hook == HOOK_PROFILE)
			continue;
		h = hook_find(u->hook, u->target);
		if (h == NHOOK)
			return diag_error(d, D_HOOK_NONE, NOLOC,
					  "replay does not have the hook "
					  "'%s'",
					  u->target);
		add_unit(plan, h, u, i);
	}
	return 0;
}

/* ------------------------------------------------------------------------- the steps */

/*
 * Returns the kinds of packets (enum packet_is) that need a socket at @end, because a hook, the TCP
 * tracker or the owner that a program sees needs it.
 */
static unsigned need_socket(const struct plan *plan, enum packet_end end)
{
	unsigned is = plan->follow_tcp ? IS_TCP : 0, datagrams = 0;
	bool shows_owner = plan->hook[OWNER].n;

	if (!plan->follow_tcp && !plan->datagram_sockets && !shows_owner)
		return 0; /* the placeholder is enough */
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const struct step *s = &steps[i];

		if (s->end != end || !fires(s) || !plan->hook[s->hook].n)
			continue;
		datagrams |= s->of & IS_DATAGRAM;
		if (s->socket == OWN_SOCKET)
			is |= s->of;
	}
	return datagrams && shows_owner ? IS_DATAGRAM : is;
}

/*
 * Returns the kinds of packets (enum packet_is) that need step @s, or 0 if the program does not
 * need the step.
 */
static unsigned needed(const struct plan *plan, const struct step *s)
{
	switch ((enum step_action)s->action) {
	case STEP_FIRE:
	case STEP_FIRE_MESSAGES:
		return plan->hook[s->hook].n ? s->of : 0;
	case STEP_FIND_SOCKET:
		return s->of & need_socket(plan, s->end);
	case STEP_RESET_SOCKET:
		return plan->datagram_sockets ? s->of & need_socket(plan, s->end) : 0;
	case STEP_SENT:
	case STEP_RECEIVED:
		return plan->follow_tcp ? s->of : 0;
	case STEP_STOP:
		break;
	}
	return 0;
}

static void add_step(struct plan *plan, const struct step *s, unsigned of, struct step *to)
{
	*to = *s;
	to->of = (uint8_t)of;
	to->mask = (uint16_t)step_mask(s->end, of);
	plan->ends |= s->end;
	if (of & IS_DATAGRAM)
		plan->datagrams |= s->end;
	if (!fires(s))
		return;
	to->first = plan->hook[s->hook].v;
	to->end_units = to->first + plan->hook[s->hook].n;
	to->narg = hook_defs[s->hook].narg;
	if (of & (IS_FRAME | IS_IP | IS_TCP_ANY))
		plan->tcp_hooks |= s->end;
}

static void choose_steps(struct plan *plan)
{
	struct step *to = plan->steps;

	_Static_assert(sizeof(steps) / sizeof(*steps) < STEPS_MAX,
		       "STEPS_MAX must exceed the number of steps");
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		unsigned of = needed(plan, &steps[i]);

		if (of)
			add_step(plan, &steps[i], of, to++);
	}
}

/*
 * Lists the steps of each kind of packet. The steps of segments that change no state only fire
 * hooks, because the socket of such a segment is known.
 */
static void list_steps(struct plan *plan, unsigned ends, enum packet_kind kind)
{
	const struct step **to = plan->list[ends][kind];

	for (const struct step *s = plan->steps; s->action != STEP_STOP; s++)
		if (s->mask & step_mask(ends, kind_is[kind]))
			*to++ = s;
}

int plan_make(struct plan *plan, const struct program *p, struct diag *d)
{
	if (add_units(plan, p, d))
		return -1;
	choose_steps(plan);
	for (unsigned ends = 0; ends <= AT_BOTH; ends++)
		for (unsigned kind = 0; kind < NKINDS; kind++)
			list_steps(plan, ends, kind);
	return 0;
}

void plan_release(struct plan *plan)
{
	for (unsigned h = 0; h < NHOOK; h++)
		xfree(plan->hook[h].v);
	*plan = (struct plan){0};
}
