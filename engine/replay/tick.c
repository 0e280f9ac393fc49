/*
 * tick.c - keeps the timers of tick-N and profile-N in a replay.
 *
 * A program has few timers, so the queue is an unsorted array.
 */
#include "engine/replay/tick.h"

#include "base/xalloc.h"

void tick_init(struct tick_queue *q)
{
	*q = (struct tick_queue){.due = UINT64_MAX};
}

void tick_release(struct tick_queue *q)
{
	xfree(q->v);
	tick_init(q);
}

static uint64_t after(uint64_t t, uint64_t period)
{
	return t > UINT64_MAX - period ? UINT64_MAX : t + period;
}

void tick_add(struct tick_queue *q, uint32_t unit, uint64_t period, uint64_t start)
{
	struct tick t = {.unit = unit, .period = period ? period : 1};

	t.due = after(start, t.period);
	q->v = xrealloc(q->v, (q->n + 1) * sizeof(*q->v));
	q->v[q->n++] = t;
	if (t.due < q->due)
		q->due = t.due;
}

void tick_gap(struct tick_queue *q)
{
	uint32_t i;

	for (i = 0; i < q->n; i++)
		q->v[i].left = TICK_CATCH_UP;
}

/* Returns the index of the earliest timer, or q->n if there is none. */
static uint32_t earliest(const struct tick_queue *q)
{
	uint32_t i, best = q->n;

	for (i = 0; i < q->n; i++)
		if (q->v[i].due != UINT64_MAX && (best == q->n || q->v[i].due < q->v[best].due))
			best = i;
	return best;
}

/* Skips the firings of timer @t up to @now, and counts them. */
static void skip_rest(struct tick_queue *q, struct tick *t, uint64_t now)
{
	uint64_t n = (now - t->due) / t->period + 1;

	q->skipped += n;
	t->due = after(t->due + (n - 1) * t->period, t->period);
}

bool tick_next(struct tick_queue *q, uint64_t now, uint32_t *unit, uint64_t *due)
{
	struct tick *t;
	uint32_t i;

	for (;;) {
		i = earliest(q);
		q->due = i < q->n ? q->v[i].due : UINT64_MAX;
		if (q->due > now || i == q->n)
			return false;
		t = &q->v[i];
		if (t->left) {
			t->left--;
			*unit = t->unit;
			*due = t->due;
			t->due = after(t->due, t->period);
			return true;
		}
		skip_rest(q, t, now);
	}
}

void tick_skip(struct tick_queue *q, uint64_t now)
{
	uint64_t skipped = q->skipped;

	q->due = UINT64_MAX;
	for (uint32_t i = 0; i < q->n; i++) {
		if (q->v[i].due <= now)
			skip_rest(q, &q->v[i], now);
		if (q->v[i].due < q->due)
			q->due = q->v[i].due;
	}
	q->skipped = skipped;
}
