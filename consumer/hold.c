/* hold.c - holds records back until tracing ends. */
#include "consumer/hold.h"

#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "ir/program.h"

struct held {
	uint64_t order; /* position among the records of all CPUs */
	size_t size;
	struct record *rec;
};

/* The records of a CPU. The entries before @first have been removed. */
struct queue {
	VEC(struct held) v;
	size_t first;
	uint64_t bytes;
};

struct hold {
	bool ring, full;
	uint64_t room;
	uint64_t order;
	VEC(struct queue) cpu;
};

struct hold *hold_new(bool ring, uint64_t bytes)
{
	struct hold *h = xcalloc(1, sizeof(*h));

	h->ring = ring;
	h->room = bytes;
	return h;
}

static void drop_first(struct queue *q)
{
	struct held *x = &q->v.v[q->first++];

	q->bytes -= x->size;
	xfree(x->rec);
	if (q->first * 2 < q->v.n)
		return;
	memmove(q->v.v, q->v.v + q->first, (q->v.n - q->first) * sizeof(*q->v.v));
	q->v.n -= q->first;
	q->first = 0;
}

static struct queue *queue_of(struct hold *h, uint32_t cpu)
{
	while (h->cpu.n <= cpu)
		vec_push(&h->cpu, (struct queue){0});
	return &h->cpu.v[cpu];
}

bool hold_add(struct hold *h, const struct record *rec, size_t size, bool always)
{
	struct queue *q = queue_of(h, rec->cpu);
	struct held x = {.order = h->order++, .size = size};

	h->full |= !always && !h->ring && q->bytes + size > h->room;
	if (h->full && !always)
		return false;
	while (h->ring && q->first < q->v.n && q->bytes + size > h->room)
		drop_first(q);
	x.rec = xmalloc(size);
	memcpy(x.rec, rec, size);
	vec_push(&q->v, x);
	q->bytes += size;
	return true;
}

/* Returns the queue with the oldest record, or NULL if all queues are empty. */
static struct queue *oldest(struct hold *h)
{
	struct queue *best = NULL;

	for (size_t i = 0; i < h->cpu.n; i++) {
		struct queue *q = &h->cpu.v[i];

		if (q->first < q->v.n &&
		    (!best || q->v.v[q->first].order < best->v.v[best->first].order))
			best = q;
	}
	return best;
}

void hold_each(struct hold *h, void (*fn)(void *ctx, const struct record *rec), void *ctx)
{
	struct queue *q;

	while ((q = oldest(h))) {
		const struct held *x = &q->v.v[q->first];

		if (fn)
			fn(ctx, x->rec);
		drop_first(q);
	}
}

void hold_free(struct hold *h)
{
	if (!h)
		return;
	hold_each(h, NULL, NULL);
	for (size_t i = 0; i < h->cpu.n; i++)
		vec_free(&h->cpu.v[i].v);
	vec_free(&h->cpu);
	xfree(h);
}
