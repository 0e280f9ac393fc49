/*
 * tables.h - sort aggregations, to be shown.
 */
#ifndef CONSUMER_FORMS_TABLES_H
#define CONSUMER_FORMS_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "agg/table.h"

struct agg_info;
struct aggs;
struct consumer_opts;
struct form;
struct format;
struct strbuf;

/* Aggregations that are shown together: a line is one key and its value in each of them. */
struct table {
	struct aggs *a;
	const uint32_t *agg; /* indices into program.agg; those in front have the same keys as all */
	uint32_t nagg;
	const struct consumer_opts *o;
	bool printa;          /* it is a printa()'s, not the rest at the end */
	struct aggtab lines;  /* sorted; the value: a pointer to each aggregation's row */
	const uint64_t *zero; /* of whoever lacks a key */
	uint64_t *room;       /* for a value of each aggregation */
	uint32_t widest;      /* bytes of a value */
};

/* The @i-th of them: what it is, what normalize() set, its value in the line, until another line's is asked for. */
const struct agg_info *table_info(const struct table *t, uint32_t i);
int64_t table_normal(const struct table *t, uint32_t i);
const void *table_value(const struct table *t, const struct agg_row *line, uint32_t i);

/* Makes the lines of what is there of the last snapshots, and sorts them; lines is to be released. */
void table_fill(struct table *t);

/* Appends the line as @fmt says; @raw: see struct fmt_args. */
void table_format(const struct table *t, const struct agg_row *line, const struct format *fmt,
		  bool raw, struct strbuf *out);

/*
 * printa(): shows the rows of the @nagg aggregations @agg, one for each key any of them
 * has, in form @f; @fmt NULL: it has no format.  Takes new snapshots.
 */
void aggs_show(struct aggs *a, const uint32_t *agg, uint32_t nagg, const struct format *fmt,
	       struct form *f);

/* At the end: all that was not shown yet. */
void aggs_show_rest(struct aggs *a, struct form *f);

#endif
