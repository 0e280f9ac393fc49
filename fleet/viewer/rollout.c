/* rollout.c - divides hosts into parts. */
#include "fleet/viewer/rollout.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "fleet/inventory.h"
#include "fleet/labels.h"

typedef VEC(uint64_t) shares;

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Returns the sorted numbers (target_share()) of the expected hosts that @target selects. Hosts
 * with the same name have the same number, which is listed once.
 */
static shares take_shares(const struct inventory *in, const char *target, const char *seed)
{
	const char *before = "";
	shares s = {0};

	for (size_t i = 0; i < in->v.n; i++) {
		const struct member *m = &in->v.v[i];

		if (!strcmp(m->host, before) || !target_match(target, m->host, m->labels) ||
		    !inventory_expects(in, m))
			continue;
		vec_push(&s, target_share(seed, m->host));
		before = m->host;
	}
	if (s.n)
		qsort(s.v, s.n, sizeof(*s.v), compare);
	return s;
}

void rollout_plan(struct rollout *r, const struct inventory *in, const char *target,
		  const char *seed, size_t canary, size_t batch)
{
	shares s = take_shares(in, target, seed);
	uint64_t from = 0;
	size_t at = 0;

	*r = (struct rollout){.hosts = s.n};
	do {
		bool first = canary && !at;
		size_t most = first ? canary : batch ? batch : s.n;
		size_t n = s.n - at < most ? s.n - at : most;
		struct rollout_part p = {from, UINT64_MAX, n, first && n < s.n};

		at += n;
		if (at < s.n)
			p.to = s.v[at - 1];
		from = p.to + 1;
		vec_push(&r->v, p);
	} while (at < s.n);
	vec_free(&s);
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
