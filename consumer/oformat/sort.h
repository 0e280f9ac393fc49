/*
 * sort.h - sorts the lines of a table.
 */
#ifndef CONSUMER_OFORMAT_SORT_H
#define CONSUMER_OFORMAT_SORT_H

struct table;

/*
 * Sorts the lines of @t by value and key, as the options aggsortkey, aggsortkeypos, aggsortpos and
 * aggsortrev say.
 */
void table_sort(struct table *t);

#endif
