/*
 * csv.h - rows of comma-separated values, quoted as RFC 4180 says.
 */
#ifndef CONSUMER_OFORMAT_CSV_H
#define CONSUMER_OFORMAT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct agg_kind;
struct datum;
struct percentiles;

/* A row under construction. All members are zero at first. The caller releases @b. */
struct csv_row {
	struct strbuf b;
	uint32_t n; /* number of cells */
};

/*
 * Each of the next four functions appends a cell. csv_datum() gives the value the form of
 * plain_datum(). Text is untrusted. So control characters are escaped for terminals, and a ' is put
 * before text that a spreadsheet would take for a formula.
 */
void csv_text(struct csv_row *row, const char *s);
void csv_int(struct csv_row *row, int64_t v);
void csv_uint(struct csv_row *row, uint64_t v);
void csv_datum(struct csv_row *row, const struct datum *d);

/* Appends @v, or an empty cell if @known is false. */
void csv_int_or_empty(struct csv_row *row, bool known, int64_t v);

/*
 * Appends three cells for each percentile of a histogram: the value, and the two bounds of its
 * bucket. If a number is unknown, its cell is empty.
 */
void csv_percentiles(struct csv_row *row, const struct agg_kind *k, const int64_t *count,
		     const struct percentiles *at);

/* Appends all cells of @cells. */
void csv_cells(struct csv_row *row, const struct csv_row *cells);

/* Appends a cell with the text of @b, which is trusted, and releases @b. */
void csv_take(struct csv_row *row, struct strbuf *b);

#endif
