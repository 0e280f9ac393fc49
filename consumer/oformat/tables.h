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
 * Aggregations that are shown together. A line has one key, and the value of each aggregation for
 * it. All members are borrowed, except @lines.
 */
struct table {
	struct aggs *a;
	const uint32_t *agg; /* @nagg indices into program.agg; all have the same kinds of keys */
	uint32_t nagg;
	const struct consumer_opts *o;
	bool printa; /* true: shown by printa(). False: shown at the end */
	/* sorted; the value of a line is a pointer to the row of each aggregation */
	struct aggtab lines;
	const uint64_t *zero; /* the value of an aggregation that lacks the key */
	uint64_t *room;       /* scratch memory: a value for each aggregation */
	uint32_t widest;      /* size of the largest value in bytes */
};

/*
 * Return, for the @i-th aggregation of the table: its description; the divisor of normalize(); its
 * value in @line, which is valid until the value of another line is asked for.
 */
const struct agg_info *table_info(const struct table *t, uint32_t i);
int64_t table_normal(const struct table *t, uint32_t i);
const void *table_value(const struct table *t, const struct agg_row *line, uint32_t i);

/*
 * Builds the lines from the last snapshots and sorts them. The caller releases t->lines with
 * aggtab_release().
 */
void table_fill(struct table *t);

/* Appends @line to @out, formatted by @fmt. @raw: see struct fmt_args. */
void table_format(const struct table *t, const struct agg_row *line, const struct format *fmt,
		  bool raw, struct strbuf *out);

/*
 * Carries out printa(): takes new snapshots of the @nagg aggregations @agg and shows, in format @f,
 * a line for each key that any of them has. @fmt: the format string; NULL: none.
 */
void aggs_show(struct aggs *a, const uint32_t *agg, uint32_t nagg, const struct format *fmt,
	       struct oformat *f);

/* Shows, at the end of a run, all aggregations that printa() has not shown. */
void aggs_show_rest(struct aggs *a, struct oformat *f);

#endif
