/*
 * csv.h - cells and headings of comma-separated tables, quoted as RFC 4180 says.
 */
#ifndef CONSUMER_OFORMAT_CSV_H
#define CONSUMER_OFORMAT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct datum;

/* A row as it grows; all zero at first. */
struct csv_row {
	struct strbuf b;
	uint32_t n; /* cells */
};

/*
 * Appends a cell: a text, a number, a value as it is printed.  Text may be anybody's: it is made
 * safe for a terminal, and ' stands before what a spreadsheet would take for a formula.
 */
void csv_text(struct csv_row *row, const char *s);
void csv_int(struct csv_row *row, int64_t v);
void csv_uint(struct csv_row *row, uint64_t v);
void csv_datum(struct csv_row *row, const struct datum *d);

/* A number, or nothing unless there @is one. */
void csv_int_if(struct csv_row *row, bool is, int64_t v);

/* Appends what @b holds, our own text, and releases it. */
void csv_take(struct csv_row *row, struct strbuf *b);

#endif
