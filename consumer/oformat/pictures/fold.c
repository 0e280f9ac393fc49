/*
 * fold.c - converts rows of aggregations to folded stacks. Equal stacks share a row.
 *
 * A row's key is a sequence of frames. Each frame is a byte with the frame's kind (enum
 * frame_kind), and then the name. visible_add() keeps such bytes out of names.
 */
#include "consumer/oformat/pictures/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/value.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/tables.h"
#include "consumer/values/datum.h"
#include "consumer/values/plain.h"
#include "consumer/symbols/stack.h"
#include "ir/program.h"

/* ----------------------------------------------------------------- which aggregations */

static bool is_stack(enum field_kind kind)
{
	return kind == FIELD_STACK || kind == FIELD_USTACK || kind == FIELD_FRAMES ||
	       kind == FIELD_UFRAMES;
}

static bool has_stack(const struct agg_info *ai)
{
	for (uint32_t i = 0; i < ai->nkey; i++)
		if (is_stack(ai->key[i].kind))
			return true;
	return false;
}

bool fold_wants(const struct program *p, uint32_t agg)
{
	for (uint32_t i = 0; i < p->nagg; i++)
		if (has_stack(&p->agg[i]))
			return has_stack(&p->agg[agg]);
	return p->agg[agg].nkey;
}

static bool has_several_folded(const struct program *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->nagg; i++)
		n += fold_wants(p, i);
	return n > 1;
}

/* ------------------------------------------------------------------------ frames */

/* Appends a frame to the key @b. Each frame needs a name, so an empty name becomes "-". */
static void add_frame(struct strbuf *b, enum frame_kind kind, const struct strbuf *name)
{
	strbuf_addc(b, (char)kind);
	visible_add(b, name->len ? name->s : "-", name->len ? name->len : 1);
}

/*
 * Appends the frames of a stack, beginning with the outermost frame. A recorded stack has the
 * outermost frame last.
 */
static void add_stack(struct strbuf *b, const struct datum *d)
{
	bool user = d->kind == FIELD_USTACK;
	size_t n = d->len / 8 - (user && d->len);

	while (n--) {
		struct strbuf name = {0};

		if (user)
			ustack_name(&name, d->s, n);
		else
			stack_name(&name, d->s, n);
		add_frame(b, user ? FRAME_USER : FRAME_KERNEL, &name);
		strbuf_release(&name);
	}
}

/* Returns the length of @line without the offset into the function ("+0x1f"). */
static size_t without_offset(const char *line, size_t len)
{
	const char *plus = memrchr(line, '+', len);

	return plus && plus[1] == '0' && plus[2] == 'x' ? (size_t)(plus - line) : len;
}

static void add_lines(struct strbuf *b, const struct datum *d)
{
	size_t from = d->len;

	while (from) {
		const char *before = memrchr(d->s, '\n', from - 1);
		const char *line = before ? before + 1 : d->s;
		struct strbuf name = {0};

		strbuf_add(&name, line, without_offset(line, from - 1 - (size_t)(line - d->s)));
		add_frame(b, d->kind == FIELD_UFRAMES ? FRAME_USER : FRAME_KERNEL, &name);
		strbuf_release(&name);
		from = (size_t)(line - d->s);
	}
}

static void add_key(struct strbuf *b, const struct datum *d)
{
	struct strbuf text = {0};

	plain_datum(&text, d);
	add_frame(b, FRAME_KEY, &text);
	strbuf_release(&text);
}

/* Appends the fields of the key of @line that become frames of kind @kind. */
static void add_parts(struct strbuf *b, const struct table *t, const struct agg_row *line,
		      enum frame_kind kind)
{
	const struct agg_info *ai = table_info(t, 0);
	struct datum d = {0};

	for (uint32_t i = 0; i < ai->nkey; i++) {
		if (ai->key[i].layout)
			continue;
		agg_key_part(ai, line->key, i, &d);
		if (!is_stack(d.kind) && kind == FRAME_KEY)
			add_key(b, &d);
		else if (d.kind == (kind == FRAME_USER ? FIELD_USTACK : FIELD_STACK) &&
			 kind != FRAME_KEY)
			add_stack(b, &d);
		else if (d.kind == (kind == FRAME_USER ? FIELD_UFRAMES : FIELD_FRAMES) &&
			 kind != FRAME_KEY)
			add_lines(b, &d);
	}
}

/*
 * Returns the weight of a row. For a histogram this is the number of values, and otherwise the
 * value itself.
 */
static int64_t weight(const struct table *t, uint32_t i, const struct agg_row *line)
{
	const struct agg_info *ai = table_info(t, i);
	const int64_t *v = table_value(t, line, i), normal = table_normal(t, i);

	return agg_fn_of(&ai->kind)->hist ? hist_total(&ai->kind, v, normal)
					  : agg_fn_of(&ai->kind)->result(&ai->kind, v, normal);
}

static void add(struct fold *f, const void *key, size_t len, int64_t w)
{
	struct agg_row *row = aggtab_get(&f->tab, key, (uint32_t)len, sizeof(uint64_t));

	*agg_row_val(row) += (uint64_t)w;
}

static void add_line(struct fold *f, const struct table *t, uint32_t i, const struct agg_row *line,
		     bool named)
{
	int64_t w = weight(t, i, line);
	struct strbuf b = {0}, name = {0};

	if (named) {
		strbuf_addf(&name, "@%s", table_info(t, i)->name);
		add_frame(&b, FRAME_KEY, &name);
	}
	for (enum frame_kind k = FRAME_KEY; k <= FRAME_KERNEL; k++)
		add_parts(&b, t, line, k);
	if (b.len && w)
		add(f, b.s, b.len, w);
	strbuf_release(&name);
	strbuf_release(&b);
}

void fold_add(struct fold *f, const struct program *p, const struct table *t, uint32_t i)
{
	for (size_t r = 0; fold_wants(p, t->agg[i]) && r < t->lines.row.n; r++)
		add_line(f, t, i, t->lines.row.v[r], has_several_folded(p));
}

void fold_join(struct fold *f, const struct fold *from)
{
	for (size_t i = 0; i < from->tab.row.n; i++) {
		const struct agg_row *row = from->tab.row.v[i];

		add(f, row->key, row->klen, (int64_t)*agg_row_val(row));
	}
}

/* ------------------------------------------------------------------------- order */

static int cmp_rows(const void *x, const void *y)
{
	const struct agg_row *a = *(struct agg_row *const *)x, *b = *(struct agg_row *const *)y;
	uint32_t n = a->klen < b->klen ? a->klen : b->klen;
	int c = memcmp(a->key, b->key, n);

	return c ? c : (a->klen > b->klen) - (a->klen < b->klen);
}

void fold_sort(struct fold *f)
{
	if (f->tab.row.n)
		qsort(f->tab.row.v, f->tab.row.n, sizeof(*f->tab.row.v), cmp_rows);
}

bool fold_frame(const struct agg_row *row, size_t *at, struct frame *out)
{
	size_t end = *at + 1;

	if (*at >= row->klen)
		return false;
	while (end < row->klen && row->key[end] > FRAME_KERNEL)
		end++;
	*out = (struct frame){(enum frame_kind)row->key[*at], (const char *)row->key + *at + 1,
			      end - *at - 1};
	*at = end;
	return true;
}

void fold_release(struct fold *f)
{
	aggtab_release(&f->tab);
}
