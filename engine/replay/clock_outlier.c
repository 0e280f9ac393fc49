/*
 * clock_outlier.c - replaces the time of a single packet whose timestamp is far in the future.
 */
#include "engine/replay/clock_outlier.h"

#include <string.h>

#include "base/xalloc.h"
#include "engine/replay/fixed_memory.h"

static void forget_name(struct clock_outlier *l)
{
	xfree(l->name);
	l->name = NULL;
}

void clock_outlier_release(struct clock_outlier *l)
{
	forget_name(l);
	fixed_memory_unmap(l->data, l->room);
	*l = (struct clock_outlier){0};
}

void clock_outlier_unread(struct clock_outlier *l, const struct packet *p)
{
	l->next = *p;
	l->have_next = l->busy = true;
}

/* Copies @p, because its data lasts only until the next packet is read. */
static void hold(struct clock_outlier *l, const struct packet *p)
{
	if (!l->data || l->room < p->caplen) {
		fixed_memory_unmap(l->data, l->room);
		/* a packet without bytes needs an address too */
		l->room = p->caplen ? p->caplen : 1;
		l->data = fixed_memory_map(FIXED_HELD, l->room);
	}
	if (p->caplen)
		memcpy(l->data, p->data, p->caplen);
	forget_name(l);
	l->iface = *p->iface;
	if (l->iface.name)
		l->iface.name = l->name = xstrdup(l->iface.name);
	l->held = *p;
	l->held.data = l->data;
	l->held.iface = &l->iface;
	l->holding = true;
}

static enum capture_result read_one(struct clock_outlier *l, struct capture *c, struct packet *p,
				    struct diag *d)
{
	if (l->ended)
		return l->end;
	if (!l->have_next)
		return capture_next(c, p, d);
	l->have_next = false;
	*p = l->next;
	return CAPTURE_PACKET;
}

/*
 * Decides whether the held packet keeps its time. If @p, the packet after it, shows that only the
 * held packet's clock was wrong, the held packet gets time @now.
 */
static void decide(struct clock_outlier *l, const struct packet *p, uint64_t now)
{
	if (!clock_jumps(&l->held, p->ts_ns))
		return;
	l->held.ts_ns = now;
	l->outliers++;
}

enum capture_result clock_outlier_check(struct clock_outlier *l, struct capture *c, uint64_t now,
					struct packet *out, struct diag *d)
{
	enum capture_result res = read_one(l, c, out, d);

	if (!l->holding && res == CAPTURE_PACKET && clock_jumps(out, now)) {
		hold(l, out);
		res = read_one(l, c, out, d);
	}
	if (l->holding && res == CAPTURE_AGAIN)
		return res;
	if (l->holding && res == CAPTURE_PACKET) {
		decide(l, out, now);
		clock_outlier_unread(l, out);
	} else if (l->holding) {
		l->ended = true;
		l->end = res;
	}
	if (clock_outlier_flush(l, out))
		res = CAPTURE_PACKET;
	l->busy = l->have_next || l->ended;
	return res;
}

bool clock_outlier_flush(struct clock_outlier *l, struct packet *out)
{
	if (!l->holding)
		return false;
	l->holding = false;
	*out = l->held;
	return true;
}
