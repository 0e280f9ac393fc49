/*
 * text_table.h - aggregations as text: rows in DTrace's form, rows of a format string, bars, and
 * histograms in one line each.
 */
#ifndef CONSUMER_OFORMAT_TEXT_TABLE_H
#define CONSUMER_OFORMAT_TEXT_TABLE_H

struct format;
struct output;
struct table;

/*
 * Writes the lines of @t to @to. @fmt is the format string of printa(), or NULL for rows in
 * DTrace's form.
 */
void text_table(struct output *to, const struct table *t, const struct format *fmt);

#endif
