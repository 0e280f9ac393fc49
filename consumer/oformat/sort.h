/*
 * sort.h - sorts the lines of a table.
 */
#ifndef CONSUMER_OFORMAT_SORT_H
#define CONSUMER_OFORMAT_SORT_H

#include <stddef.h>

struct agg_row;
struct table;

/*
 * Returns the @n lines @line of @t, sorted by value and key as the options aggsortkey,
 * aggsortkeypos, aggsortpos and aggsortrev say. The caller frees the result, which is NULL if @n is
 * 0.
 */
struct agg_row **table_sorted(const struct table *t, struct agg_row *const *line, size_t n);

#endif
