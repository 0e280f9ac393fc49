/*
 * text_table.h - aggregations as text: default rows, formatted rows, bars, packed histograms.
 */
#ifndef CONSUMER_OFORMAT_TEXT_TABLE_H
#define CONSUMER_OFORMAT_TEXT_TABLE_H

struct format;
struct output;
struct table;

/* Writes the lines of @t to @to. @fmt: the format string of printa(); NULL: default rows. */
void text_table(struct output *to, const struct table *t, const struct format *fmt);

#endif
