/* rollout.c - divides hosts into parts. */
#include "fleet/viewer/rollout.h"

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "fleet/viewer/census.h"

/*
 * Returns the end of the part [@at, end) of the @n sorted shares. The part has @most hosts, but
 * hosts with the same share stay together. So the part ends before such a group of hosts or, if the
 * part would then be empty, after the group.
 */
static size_t part_end(const uint64_t *share, size_t n, size_t at, size_t most)
{
	size_t end = n - at < most ? n : at + most, from = end;

	while (end < n && from > at && share[from - 1] == share[end])
		from--;
	if (end == n || from > at)
		return from;
	while (end < n && share[end] == share[end - 1])
		end++;
	return end;
}

void rollout_plan(struct rollout *r, const struct census *c, size_t canary, size_t batch)
{
	uint64_t *share, from = 0;
	size_t at = 0, n;

	*r = (struct rollout){0};
	share = census_shares(c, &n);
	r->hosts = n;
	do {
		bool first = canary && !at;
		size_t end = part_end(share, n, at, first ? canary : batch ? batch : n);
		struct rollout_part p = {from, UINT64_MAX, end - at, first && end < n};

		at = end;
		if (at < n)
			p.to = share[at - 1];
		from = p.to + 1;
		vec_push(&r->v, p);
	} while (at < n);
	xfree(share);
}

void rollout_release(struct rollout *r)
{
	vec_free(&r->v);
}

void rollout_text(const struct rollout *r, size_t i, struct strbuf *out)
{
	const struct rollout_part *p = &r->v.v[i];

	if (p->canary)
		strbuf_adds(out, "canary");
	else
		strbuf_addf(out, "part %zu of %zu", i + 1, r->v.n);
	strbuf_addf(out, ", %zu host%s", p->hosts, p->hosts == 1 ? "" : "s");
}

size_t rollout_rest(const struct rollout *r, size_t i)
{
	size_t n = 0;

	while (++i < r->v.n)
		n += r->v.v[i].hosts;
	return n;
}
