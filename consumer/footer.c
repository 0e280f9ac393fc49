/* footer.c - prints the totals of -x footer. */
#include "consumer/footer.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "consumer/aggs/aggs.h"
#include "consumer/cost.h"
#include "consumer/oformat/oformat.h"
#include "consumer/loss.h"
#include "consumer/options.h"
#include "engine/source.h"

typedef VEC(struct oformat_hook) hooks;

static struct oformat_hook *find_hook(hooks *h, char *name)
{
	for (size_t i = 0; i < h->n; i++)
		if (!strcmp(h->v[i].name, name)) {
			xfree(name);
			return &h->v[i];
		}
	vec_push(h, ((struct oformat_hook){.name = name}));
	return &h->v[h->n - 1];
}

/*
 * Adds up the cost of the units (BPF programs) of each hook. The code for one firing may be split
 * over several units (parts). Such a firing counts as one run: only the runs of the first part are
 * counted.
 */
static void add_costs(hooks *h, const struct loss *l)
{
	for (uint32_t i = 0; i < l->p->nunit; i++) {
		const struct unit *u = &l->p->unit[i];
		struct unit_cost c = {0};
		struct oformat_hook *k;

		if (u->hook == HOOK_RUN)
			continue;
		k = find_hook(h, hook_name(u));
		if (!cost_of_unit(l->src, u, i, &c))
			continue;
		k->known = true;
		k->cost.ns += c.ns;
		k->cost.runs += u->part ? 0 : c.runs;
		k->cost.elapsed_ns = c.elapsed_ns;
	}
}

static uint64_t count_keys(struct aggs *a)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < a->p->nagg; i++) {
		aggs_snap(a, i);
		n += a->st[i].now.row.n;
	}
	return n;
}

static void print_hook(FILE *to, const struct oformat_hook *h)
{
	if (h->known)
		fprintf(to,
			"dtrace:   %-30s %12" PRIu64 " runs, %" PRIu64
			" ns each, %.3f%% of a CPU\n",
			h->name, h->cost.runs, cost_each(&h->cost), cost_share(&h->cost));
}

void footer_print(const struct loss *l, struct aggs *a, const struct consumer_opts *o,
		  struct oformat *f)
{
	const uint64_t *n = l->now;
	hooks h = {0};

	add_costs(&h, l);
	const struct oformat_total totals[] = {
		{"events seen", "events", l->events},
		{"records", "records", l->records},
		{"records dropped", "dropped", n[LOSS_PRINCIPAL]},
		{"faults", "faults", l->faults},
		{"aggregation keys", "keys", count_keys(a)},
		{"aggregation keys refused", "keys-refused", n[LOSS_AGGREGATION]},
		{"variable stores refused", "stores-refused", n[LOSS_DYNAMIC]},
		{"probe firings missed", "missed", n[LOSS_MISSED]},
		{"tick firings failed", "failed", n[LOSS_UNRUN]},
		{"packets with unreadable headers", "unreadable", n[LOSS_UNREADABLE]},
		{"tick firings skipped", "ticks-skipped", n[LOSS_TICKS]},
		{"packets out of order", "out-of-time", n[LOSS_LATE] + n[LOSS_CLOCK]},
		{"network namespaces not entered", "namespaces-barred", n[LOSS_BARRED]},
		{"TCP connections given up", "connections-given-up", n[LOSS_CONNS]},
		{"datagrams not reassembled", "not-reassembled",
		 n[LOSS_FRAG_MISSING] + n[LOSS_FRAG_OVERLAP] + n[LOSS_FRAG_ROOM]},
		{"frames not understood", "not-understood", n[LOSS_NOT_UNDERSTOOD]},
		{"packets with impossible headers", "impossible", n[LOSS_IMPOSSIBLE]},
		{"hooks", "hooks", h.n},
	};

	for (size_t i = 0; i < sizeof(totals) / sizeof(*totals); i++)
		fprintf(o->err, "dtrace: %-32s %12" PRIu64 "\n", totals[i].what, totals[i].n);
	for (size_t i = 0; i < h.n; i++)
		print_hook(o->err, &h.v[i]);
	fflush(o->err);
	if (f->ops->footer)
		f->ops->footer(f, totals, sizeof(totals) / sizeof(*totals), h.v, h.n);
	for (size_t i = 0; i < h.n; i++)
		xfree((char *)(uintptr_t)h.v[i].name);
	vec_free(&h);
}
