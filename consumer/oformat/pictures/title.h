/*
 * title.h - the title of a picture.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_TITLE_H
#define CONSUMER_OFORMAT_PICTURES_TITLE_H

#include <stdbool.h>
#include <stdint.h>

struct oformat;
struct program;

/*
 * Returns the title of a picture: the value of -x title. Without that option, the title consists of
 * the aggregations for which @shows returns true, as "@name = function()". The caller frees the
 * title with xfree().
 */
char *title_of(const struct oformat *f, bool (*shows)(const struct program *p, uint32_t agg));

#endif
