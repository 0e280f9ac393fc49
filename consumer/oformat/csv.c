/* csv.c - writes rows of comma-separated values. */
#include "consumer/oformat/csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agg/percentile.h"
#include "base/visible.h"
#include "consumer/values/datum.h"
#include "consumer/values/plain.h"

static void cell(struct csv_row *row, const char *s, size_t n)
{
	if (row->n++)
		strbuf_addc(&row->b, ',');
	if (!memchr(s, '"', n) && !memchr(s, ',', n) && !memchr(s, '\n', n) &&
	    !memchr(s, '\r', n)) {
		strbuf_add(&row->b, s, n);
		return;
	}
	strbuf_addc(&row->b, '"');
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"')
			strbuf_addc(&row->b, '"');
		strbuf_addc(&row->b, s[i]);
	}
	strbuf_addc(&row->b, '"');
}

/* Returns whether a spreadsheet would take the text for a formula. Numbers are not formulas. */
static bool is_formula(const struct strbuf *b)
{
	char *end;

	if (!b->len || !strchr("=+-@", b->s[0]))
		return false;
	strtod(b->s, &end);
	return end != b->s + b->len;
}

/*
 * Appends a cell with untrusted text. Escapes control characters, and puts a ' before text that a
 * spreadsheet would take for a formula.
 */
static void data_cell(struct csv_row *row, const char *s, size_t n)
{
	struct strbuf b = {0}, text = {0};

	visible_add(&b, s, n);
	if (is_formula(&b))
		strbuf_addc(&text, '\'');
	strbuf_add(&text, strbuf_text(&b), b.len);
	cell(row, strbuf_text(&text), text.len);
	strbuf_release(&b);
	strbuf_release(&text);
}

void csv_text(struct csv_row *row, const char *s)
{
	data_cell(row, s, strlen(s));
}

void csv_int(struct csv_row *row, int64_t v)
{
	char text[24];

	cell(row, text, (size_t)snprintf(text, sizeof(text), "%" PRId64, v));
}

void csv_uint(struct csv_row *row, uint64_t v)
{
	char text[24];

	cell(row, text, (size_t)snprintf(text, sizeof(text), "%" PRIu64, v));
}

void csv_int_or_empty(struct csv_row *row, bool known, int64_t v)
{
	if (known)
		csv_int(row, v);
	else
		csv_text(row, "");
}

void csv_percentiles(struct csv_row *row, const struct agg_kind *k, const int64_t *count,
		     const struct percentiles *at)
{
	for (uint32_t i = 0; i < at->n; i++) {
		struct percentile p = {0};

		hist_percentile(k, count, at->at[i], &p);
		csv_int_or_empty(row, p.has_min && p.has_max, p.value);
		csv_int_or_empty(row, p.has_min, p.min);
		csv_int_or_empty(row, p.has_max, p.max);
	}
}

void csv_cells(struct csv_row *row, const struct csv_row *cells)
{
	if (row->n && cells->n)
		strbuf_addc(&row->b, ',');
	strbuf_add(&row->b, strbuf_text(&cells->b), cells->b.len);
	row->n += cells->n;
}

void csv_take(struct csv_row *row, struct strbuf *b)
{
	cell(row, strbuf_text(b), b->len);
	strbuf_release(b);
}

void csv_datum(struct csv_row *row, const struct datum *d)
{
	struct strbuf b = {0};

	plain_datum(&b, d);
	if (d->kind == FIELD_INT || d->kind == FIELD_UINT)
		cell(row, b.s, b.len);
	else
		data_cell(row, strbuf_text(&b), b.len);
	strbuf_release(&b);
}
