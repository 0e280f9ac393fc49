/*
 * parts.c - splits a unit (the eBPF program of a hook) that is too large for the kernel.
 *
 * The resulting programs are called parts, and the kernel runs them in turn. The this-> variables
 * of a firing (one run of a probe's clauses), and its state of strtok(), go from one part to the
 * next through a map (carry.c).
 */
#include <stdbool.h>
#include <string.h>

#include "base/vec.h"
#include "compiler/code/layout.h"
#include "compiler/code/units/carry.h"
#include "compiler/code/units/units.h"
#include "compiler/meaning/compiler.h"
#include "compiler/options.h"
#include "providers/provider.h"

static size_t count_sites(const struct hook_unit *hu)
{
	size_t n = 0;

	for (size_t i = 0; i < hu->firing.n; i++)
		n += hu->firing.v[i].site.n;
	return n;
}

bool unit_can_split(const struct linker *l, const struct hook_unit *hu)
{
	return !l->c->opt->replay && hu->hook->in_turn && !hu->backup_of && count_sites(hu) > 1;
}

/* Copies the clauses [from, to) of @hu to @part, counted over all firings of @hu. */
static void take_sites(struct linker *l, const struct hook_unit *hu, size_t from, size_t to,
		       struct hook_unit *part)
{
	size_t at = 0;

	memset(&part->firing, 0, sizeof(part->firing));
	for (size_t i = 0; i < hu->firing.n; i++) {
		const struct firing *f = &hu->firing.v[i];
		struct firing some = {.probe = f->probe, .use = f->use};

		for (size_t k = 0; k < f->site.n; k++, at++)
			if (at >= from && at < to)
				vec_apush(l->c->arena, &some.site, f->site.v[k]);
		if (some.site.n)
			vec_apush(l->c->arena, &part->firing, some);
	}
}

/*
 * Returns how many clauses go into the next part, which begins with clause @from. The clauses from
 * @from on are to be cut into @parts parts of about equal length.
 */
static size_t fill_part(const struct hook_unit *hu, size_t from, uint32_t parts)
{
	size_t at = 0, n = 0, left = count_sites(hu) - from;
	uint64_t all = 0, taken = 0;

	for (size_t i = 0; i < hu->firing.n; i++)
		for (size_t k = 0; k < hu->firing.v[i].site.n; k++)
			all += at++ < from ? 0 : hu->firing.v[i].site.v[k].length;
	at = 0;
	for (size_t i = 0; i < hu->firing.n; i++)
		for (size_t k = 0; k < hu->firing.v[i].site.n; k++) {
			uint32_t length = hu->firing.v[i].site.v[k].length;

			if (at++ < from)
				continue;
			if (n && (left - n < parts || taken + length / 2 > all / parts))
				return n;
			taken += length;
			n++;
		}
	return n;
}

static bool same_firing(const struct hook_unit *a, const struct hook_unit *b)
{
	const struct firing *last = &a->firing.v[a->firing.n - 1], *first = &b->firing.v[0];

	return last->use == first->use && last->probe == first->probe;
}

/*
 * If a firing is split over two of the parts @i to @last, gives all these parts one map for the
 * state of such firings.
 */
static void share_carry(struct linker *l, uint32_t i, uint32_t last)
{
	bool any = false;

	for (uint32_t k = i; k <= last; k++)
		any |= l->unit.v[k].goes_on;
	if (!any || l->unit.v[i].carry)
		return;
	l->unit.v[i].carry = carry_map(l->c, &l->layout, l->unit.v[i].hook);
	for (uint32_t k = i + 1; k <= last; k++)
		l->unit.v[k].carry = l->unit.v[i].carry;
	l->p->map = l->layout.map.v;
	l->p->nmap = (uint32_t)l->layout.map.n;
}

int unit_split(struct linker *l, uint32_t i, uint32_t n)
{
	struct hook_unit whole = l->unit.v[i];
	size_t sites = count_sites(&whole), from = 0;
	uint32_t last;

	n = n > sites ? (uint32_t)sites : n;
	last = i + n - 1;
	for (uint32_t k = i; k <= last; k++) {
		struct hook_unit part = whole;
		size_t take = fill_part(&whole, from, last + 1 - k);

		take_sites(l, &whole, from, from + take, &part);
		from += take;
		part.goes_on = k == last && whole.goes_on;
		if (k == i) {
			l->unit.v[i] = part;
			continue;
		}
		part.continues = true;
		part.busy = l->layout.percpu_size;
		l->layout.percpu_size += unit_busy_size(l, &part);
		part.resumes = l->unit.v[k - 1].goes_on = same_firing(&l->unit.v[k - 1], &part);
		units_insert(l, k, part);
	}
	share_carry(l, i, last);
	units_count_aggs(l);
	return l->layout.percpu_size > PERCPU_MAX ? layout_percpu_full(l->c) : 0;
}

/* Each part repeats the beginning of the unit, so leave 1/16 of UNIT_LONG free for that. */
uint32_t parts_for_length(uint32_t length)
{
	return length / (UNIT_LONG - UNIT_LONG / 16) + 1;
}
