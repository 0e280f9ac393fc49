/* sum.c - adds aggregation files up, and subtracts them. */
#include "consumer/aggs/sum.h"

#include <string.h>

#include "agg/agg.h"
#include "agg/table.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"

struct aggsum {
	struct aggfile *form; /* the file that was added last; it describes the aggregations */
	struct aggtab *tab;   /* one table of rows for each aggregation */
	int64_t *normal;      /* divisor of each aggregation; 0 until a file has rows of it */
	VEC(struct aggfile_loss) loss;
};

struct aggsum *aggsum_new(void)
{
	return xcalloc(1, sizeof(struct aggsum));
}

void aggsum_free(struct aggsum *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; s->form && i < s->form->nagg; i++)
		aggtab_release(&s->tab[i]);
	for (size_t i = 0; i < s->loss.n; i++)
		xfree((char *)s->loss.v[i].kind);
	vec_free(&s->loss);
	xfree(s->tab);
	xfree(s->normal);
	aggfile_free(s->form);
	xfree(s);
}

const struct aggfile_id *aggsum_id(const struct aggsum *s)
{
	return s->form ? &s->form->id : NULL;
}

static struct aggfile_loss *loss_of(struct aggsum *s, const char *kind)
{
	struct aggfile_loss none = {.count = 0};

	for (size_t i = 0; i < s->loss.n; i++)
		if (!strcmp(s->loss.v[i].kind, kind))
			return &s->loss.v[i];
	none.kind = xstrdup(kind);
	vec_push(&s->loss, none);
	return &s->loss.v[s->loss.n - 1];
}

/*
 * Parses a file. Returns NULL with the error in @d if the bytes are not an aggregation file, or do
 * not agree with the file that was added last.
 */
static struct aggfile *parse(const struct aggsum *s, const char *name, const void *data,
			     size_t size, struct diag *d)
{
	struct aggfile *f = aggfile_parse(name, data, size, d);

	if (f && s->form && !aggfile_agree(s->form, f, false, d)) {
		aggfile_free(f);
		f = NULL;
	}
	return f;
}

/*
 * Updates the divisor of an aggregation. If files have different divisors, the result is 1, so that
 * it does not depend on the order of the files.
 */
static void note_normal(int64_t *normal, const struct aggfile_agg *a)
{
	if (!a->nrow)
		return;
	*normal = !*normal || *normal == a->normal ? a->normal : 1;
}

/*
 * Returns whether a value is smaller than before although its function can only increase it. The
 * program has then cleared the value.
 */
static bool has_shrunk(const struct agg_kind *k, const uint64_t *now, const uint64_t *before)
{
	for (uint32_t i = 0; agg_fns[k->fn]->monotonic && i < k->value_size / sizeof(*now); i++)
		if (now[i] < before[i])
			return true;
	return false;
}

/*
 * Subtracts a row. If the program has removed or cleared the key since the earlier snapshot, the
 * row has only the values counted after that. Such a row is left as it is, and a loss is counted.
 */
static void subtract_row(struct aggsum *s, uint32_t i, const struct agg_kind *k,
			 const struct aggfile_row *before)
{
	struct agg_row *row = aggtab_find(&s->tab[i], before->key, before->klen);

	if (!row || has_shrunk(k, agg_row_val(row), before->val))
		loss_of(s, "keys that clear() or trunc() removed")->count++;
	else
		agg_fns[k->fn]->sub(k, agg_row_val(row), before->val);
}

static void add_row(struct aggsum *s, uint32_t i, const struct agg_kind *k,
		    const struct aggfile_row *more)
{
	struct agg_row *row = aggtab_get(&s->tab[i], more->key, more->klen, k->value_size);

	agg_fns[k->fn]->merge(k, agg_row_val(row), more->val);
}

static void apply(struct aggsum *s, const struct aggfile *f, bool subtract)
{
	for (uint32_t i = 0; i < f->nagg; i++) {
		const struct aggfile_agg *a = &f->agg[i];

		note_normal(&s->normal[i], a);
		for (size_t k = 0; k < a->nrow; k++)
			(subtract ? subtract_row : add_row)(s, i, &a->info.kind, &a->row[k]);
	}
	for (uint32_t i = 0; i < f->nloss; i++) {
		struct aggfile_loss *l = loss_of(s, f->loss[i].kind);

		l->count = subtract ? l->count - f->loss[i].count : l->count + f->loss[i].count;
	}
}

bool aggsum_add(struct aggsum *s, const char *name, const void *data, size_t size, struct diag *d)
{
	struct aggfile *f = parse(s, name, data, size, d);

	if (!f)
		return false;
	if (!s->form) {
		s->tab = xcalloc(f->nagg + 1, sizeof(*s->tab));
		s->normal = xcalloc(f->nagg + 1, sizeof(*s->normal));
	}
	apply(s, f, false);
	aggfile_free(s->form);
	s->form = f;
	return true;
}

bool aggsum_can_subtract(const struct aggfile_agg *a)
{
	return agg_fns[a->info.kind.fn]->sub;
}

/*
 * Returns the name of the first aggregation whose values cannot be subtracted, or NULL if all can.
 */
static const char *not_subtractable(const struct aggfile *f)
{
	for (uint32_t i = 0; i < f->nagg; i++)
		if (!aggsum_can_subtract(&f->agg[i]))
			return f->agg[i].info.name;
	return NULL;
}

bool aggsum_subtract(struct aggsum *s, const char *name, const void *data, size_t size,
		     struct diag *d)
{
	struct aggfile *f = s->form ? parse(s, name, data, size, d) : NULL;
	const char *wrong = f ? not_subtractable(f) : NULL;

	if (wrong)
		diag_error(d, D_SYS, NOLOC,
			   "%s: the earlier values of @%s cannot be subtracted from the later ones",
			   name, wrong);
	else if (f)
		apply(s, f, true);
	aggfile_free(f);
	return f && !wrong;
}

static bool is_zero(const uint64_t *val, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(*val); i++)
		if (val[i])
			return false;
	return true;
}

/*
 * Sets the rows of @a to the rows of @t that are not all zeros. The rows borrow from @t; the caller
 * frees the array @a->row.
 */
static void take_rows(struct aggfile_agg *a, const struct aggtab *t)
{
	a->row = xcalloc(t->row.n + 1, sizeof(*a->row));
	a->nrow = 0;
	for (size_t k = 0; k < t->row.n; k++) {
		const struct agg_row *r = t->row.v[k];

		if (!is_zero(agg_row_val(r), a->info.kind.value_size))
			a->row[a->nrow++] = (struct aggfile_row){r->key, r->klen, agg_row_val(r)};
	}
}

/* Returns the losses that are not 0, in an array that the caller frees. */
static struct aggfile_loss *take_losses(const struct aggsum *s, uint32_t *n)
{
	struct aggfile_loss *l = xcalloc(s->loss.n + 1, sizeof(*l));

	*n = 0;
	for (size_t i = 0; i < s->loss.n; i++)
		if (s->loss.v[i].count)
			l[(*n)++] = s->loss.v[i];
	return l;
}

bool aggsum_has_losses(const struct aggsum *s, bool last)
{
	return last ? s->form && s->form->nloss : s->loss.n;
}

void aggsum_write(const struct aggsum *s, const struct aggfile_id *id, struct strbuf *out)
{
	struct aggfile f = {.id = *id, .nagg = s->form->nagg};

	f.agg = xcalloc(f.nagg + 1, sizeof(*f.agg));
	f.loss = take_losses(s, &f.nloss);
	for (uint32_t i = 0; i < f.nagg; i++) {
		f.agg[i] = s->form->agg[i];
		f.agg[i].normal = s->normal[i] ? s->normal[i] : 1;
		take_rows(&f.agg[i], &s->tab[i]);
	}
	aggfile_put(out, &f);
	for (uint32_t i = 0; i < f.nagg; i++)
		xfree(f.agg[i].row);
	xfree(f.agg);
	xfree(f.loss);
}
