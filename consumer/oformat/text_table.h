/*
 * text_table.h - aggregations as text: rows, bars, a line each.
 */
#ifndef CONSUMER_OFORMAT_TEXT_TABLE_H
#define CONSUMER_OFORMAT_TEXT_TABLE_H

struct format;
struct output;
struct table;

/* Appends the lines of @t; @fmt NULL: default rows. */
void text_table(struct output *to, const struct table *t, const struct format *fmt);

#endif
