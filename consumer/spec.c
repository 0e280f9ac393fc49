/*
 * spec.c - speculations. Each speculation is a list of records.
 *
 * As in DTrace, a speculation can keep a limited number of bytes for each CPU. If the record of a
 * commit() or discard() was dropped, a new speculation may get the number of an old one. Its
 * spec_id.turn differs, so the records of the old speculation are removed.
 */
#include "consumer/spec.h"

#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

struct kept {
	struct kept *next;
	uint64_t rec[]; /* the record: a struct record */
};

struct spec {
	uint32_t turn;
	struct kept *first, **end;
	VEC(uint64_t) used; /* bytes used, by CPU */
};

struct specs {
	uint64_t size;
	VEC(struct spec *) spec; /* indexed by the number of the speculation */
};

struct specs *specs_new(uint64_t size)
{
	struct specs *s = xcalloc(1, sizeof(*s));

	s->size = size ? size - 1 : SPECSIZE;
	return s;
}

static void forget(struct spec *o)
{
	struct kept *next;

	for (struct kept *k = o->first; k; k = next) {
		next = k->next;
		xfree(k);
	}
	o->first = NULL;
	o->end = &o->first;
	o->used.n = 0;
}

void specs_free(struct specs *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->spec.n; i++) {
		forget(s->spec.v[i]);
		vec_free(&s->spec.v[i]->used);
		xfree(s->spec.v[i]);
	}
	vec_free(&s->spec);
	xfree(s);
}

/*
 * Returns the speculation @of. If another speculation used the same number before, removes the
 * records of the other one.
 */
static struct spec *find(struct specs *s, const struct spec_id *of)
{
	struct spec *o;

	while (s->spec.n <= of->id) {
		o = xcalloc(1, sizeof(*o));
		o->end = &o->first;
		vec_push(&s->spec, o);
	}
	o = s->spec.v[of->id];
	if (o->turn != of->turn)
		forget(o);
	o->turn = of->turn;
	return o;
}

static uint64_t *used_by(struct spec *o, uint32_t cpu)
{
	while (o->used.n <= cpu)
		vec_push(&o->used, 0);
	return &o->used.v[cpu];
}

bool specs_keep(struct specs *s, const struct spec_id *of, const struct record *rec, size_t size)
{
	struct spec *o = find(s, of);
	uint64_t *used = used_by(o, rec->cpu);
	struct kept *k;

	if (size > s->size || *used > s->size - size)
		return false;
	*used += size;
	k = xcalloc(1, sizeof(*k) + size);
	memcpy(k->rec, rec, size);
	*o->end = k;
	o->end = &k->next;
	return true;
}

void specs_commit(struct specs *s, const struct spec_id *of,
		  void (*show)(void *ctx, const struct record *rec), void *ctx)
{
	struct spec *o = find(s, of);

	for (const struct kept *k = o->first; k; k = k->next)
		show(ctx, (const struct record *)k->rec);
	forget(o);
}

void specs_discard(struct specs *s, const struct spec_id *of)
{
	forget(find(s, of));
}
