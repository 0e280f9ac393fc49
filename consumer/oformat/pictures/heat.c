/* heat.c - makes heat maps: converts tracks of histograms to arrays of counts. */
#include "consumer/oformat/pictures/heat.h"

#include <math.h>

#include "base/xalloc.h"
#include "agg/agg.h"
#include "ir/program.h"

bool heat_wants(const struct program *p, uint32_t agg)
{
	return agg_fn_of(&p->agg[agg].kind)->hist;
}

static void find_rows(struct heat *h, const struct track *tr)
{
	h->first = tr->cell.v[0].row;
	h->last = h->first;
	for (size_t i = 0; i < tr->cell.n; i++) {
		unsigned row = tr->cell.v[i].row;

		h->first = row < h->first ? row : h->first;
		h->last = row > h->last ? row : h->last;
	}
}

void heat_make(struct heat *h, const struct tracks *t, const struct track *tr, size_t columns_max)
{
	*h = (struct heat){.ai = &t->p->agg[tr->agg],
			   .per = (t->end.n + columns_max - 1) / columns_max};
	h->columns = (t->end.n + h->per - 1) / h->per;
	find_rows(h, tr);
	h->n = xcalloc((h->last - h->first + 1) * h->columns, sizeof(*h->n));
	for (size_t i = 0; i < tr->cell.n; i++) {
		const struct cell *c = &tr->cell.v[i];
		double *n = &h->n[(c->row - h->first) * h->columns + c->col / h->per];

		*n += c->n;
		h->max = *n > h->max ? *n : h->max;
	}
}

double heat_max_of_all(const struct tracks *t, size_t columns_max)
{
	double max = 0;

	for (uint32_t i = 0; i < t->p->nagg; i++) {
		size_t n = 0;
		struct track **v = heat_wants(t->p, i) ? tracks_of(t, i, &n) : NULL;

		for (size_t k = 0; k < n && k < HEAT_MAX_TRACKS; k++) {
			struct heat h;

			heat_make(&h, t, v[k], columns_max);
			max = h.max > max ? h.max : max;
			heat_release(&h);
		}
		xfree(v);
	}
	return max;
}

void heat_release(struct heat *h)
{
	xfree(h->n);
}

double heat_at(const struct heat *h, unsigned row, size_t col)
{
	return h->n[(row - h->first) * h->columns + col];
}

static long double power(double v, unsigned n)
{
	long double p = 1;

	while (n--)
		p *= (long double)v;
	return p;
}

/*
 * The starts of the levels are a geometric series from 1 to the maximum. Level k begins at the
 * smallest whole number v with v^levels >= max^(k - 1).
 */
double heat_level_min(const struct heat *h, unsigned levels, unsigned level)
{
	long double want = power(h->max, level - 1);
	/* Always true: @low < the result <= @high */
	double low = 0, high = ceil(h->max);

	while (high - low > 1) {
		double mid = floor((low + high) / 2);

		if (mid <= low || mid >= high) /* there is no double between @low and @high */
			break;
		if (power(mid, levels) >= want)
			high = mid;
		else
			low = mid;
	}
	return high;
}

unsigned heat_level(const struct heat *h, unsigned levels, double n)
{
	unsigned level = levels;

	if (n <= 0)
		return 0;
	while (level > 1 && n < heat_level_min(h, levels, level))
		level--;
	return level;
}
