/*
 * ends.c - finds out which ends of a packet (sender, receiver) are local, and which end the owner
 * in the capture belongs to.
 */
#include "engine/replay/impl.h"

/*
 * Returns the local ends for -x local=auto. A packet without a direction in the capture counts as
 * sent and received.
 */
static unsigned ends_by_direction(const struct replay *r)
{
	enum capture_dir dir = r->now.pkt.dir;
	uint8_t type = r->now.d.pkt_type;

	if (dir == CAPTURE_DIR_UNKNOWN && type < PACKET_TYPES)
		dir = type == PACKET_OUTGOING ? CAPTURE_DIR_OUT : CAPTURE_DIR_IN;
	return dir == CAPTURE_DIR_OUT ? AT_SENDER : dir == CAPTURE_DIR_IN ? AT_RECEIVER : AT_BOTH;
}

/*
 * Returns the local ends according to a list of local addresses; both ends if the packet has no IP
 * header. A packet to a multicast or broadcast address of the list counts as received, unless a
 * local host sent it.
 */
static unsigned ends_by_address(const struct replay *r)
{
	const struct local *l = &r->in.local;
	int v = r->now.d.version;
	const unsigned char *ip = r->now.pkt.data + r->now.d.net, *to = ip + (v == 4 ? 16 : 24);
	unsigned ends;

	if (!v)
		return AT_BOTH;
	ends = (local_has(l, v, ip + (v == 4 ? 12 : 8)) ? AT_SENDER : 0) |
	       (local_has(l, v, to) ? AT_RECEIVER : 0);
	return ends || !local_has_multicast(l, v, to) ? ends : AT_RECEIVER;
}

unsigned local_ends_of_packet(const struct replay *r)
{
	return r->in.local.mode == LOCAL_AUTO ? ends_by_direction(r) : ends_by_address(r);
}

/* ------------------------------------------------------------------------- owners */

unsigned find_owned_end(struct replay *r)
{
	enum capture_dir dir = r->now.pkt.dir;
	unsigned at = AT_BOTH;

	if (!r->plan.hook[OWNER].n)
		return 0;
	if (dir != CAPTURE_DIR_UNKNOWN)
		at = dir == CAPTURE_DIR_OUT ? AT_SENDER : AT_RECEIVER;
	at &= r->now.ends;
	if (at == AT_BOTH) {
		r->ambiguous_owners++;
		return 0;
	}
	r->owner_seen |= at != 0;
	return at;
}

static void run_owner_hook(struct replay *r, struct sock *sk, struct task_struct *t,
			   struct record_sink *k)
{
	run_hook(r, OWNER, (uint64_t[]){(uintptr_t)sk, (uintptr_t)t, (uintptr_t)&r->ksim.names}, k);
}

void fire_owner(struct replay *r, unsigned end, struct sock *sk, struct record_sink *k)
{
	if (r->now.owned_end & end && sk)
		run_owner_hook(r, sk, ksim_set_owner(r), k);
}

void clear_owner(struct replay *r, struct sock *sk, struct record_sink *k)
{
	run_owner_hook(r, sk, ksim_clear_owner(r), k);
}
