/*
 * tables.h - aggregations as sorted tables, the input of output formats.
 */
#ifndef CONSUMER_OFORMAT_TABLES_H
#define CONSUMER_OFORMAT_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "agg/table.h"

struct agg_info;
struct aggs;
struct consumer_opts;
struct oformat;
struct format;
struct strbuf;

/*
 * Aggregations that are shown together. A line of the table has one key and, for this key, the
 * value of each aggregation. All members are borrowed, except @lines.
 */
struct table {
	struct aggs *a;
	/* @nagg indices into program.agg; these aggregations have the same kinds of keys */
	const uint32_t *agg;
	uint32_t nagg;
	const struct consumer_opts *o;
	bool printa; /* the table is shown by printa(), not at the end of the run */
	/*
	 * Sorted lines. If there is one aggregation, the lines are its rows. Otherwise the value of
	 * a line has the address of each aggregation's row, or 0 if that aggregation lacks the key.
	 */
	struct aggtab lines;
	const uint64_t *zero; /* the value to show if an aggregation lacks the key */
	uint64_t *room;       /* scratch memory for one value of each aggregation */
	uint32_t widest;      /* size of the largest value in bytes */
};

/*
 * Functions for the @i-th aggregation of the table. table_info() returns its description, and
 * table_normal() the divisor that normalize() set. table_value() returns its value in @line; the
 * result is valid until table_value() is called for another line.
 */
const struct agg_info *table_info(const struct table *t, uint32_t i);
int64_t table_normal(const struct table *t, uint32_t i);
const void *table_value(const struct table *t, const struct agg_row *line, uint32_t i);

/*
 * Builds the lines from the last snapshots and sorts them. The caller releases t->lines with
 * aggtab_release().
 */
void table_fill(struct table *t);

/* Appends @line to @out, formatted by @fmt. struct fmt_args describes @raw. */
void table_format(const struct table *t, const struct agg_row *line, const struct format *fmt,
		  bool raw, struct strbuf *out);

/*
 * Implements printa(). Takes new snapshots of the @nagg aggregations @agg. Then shows, in the
 * output format @f, a line for each key that is in any of them. @fmt is the format string of
 * printa(), or NULL without one.
 */
void aggs_show(struct aggs *a, const uint32_t *agg, uint32_t nagg, const struct format *fmt,
	       struct oformat *f);

/*
 * Shows the aggregations that have not been shown yet: printa() did not show them, or it showed no
 * rows of them. Called at the end of a run.
 */
void aggs_show_rest(struct aggs *a, struct oformat *f);

#endif
