/*
 * title.h - what a picture is called.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_TITLE_H
#define CONSUMER_OFORMAT_PICTURES_TITLE_H

#include <stdbool.h>
#include <stdint.h>

struct oformat;
struct program;

/* -x title, or the aggregations that @shows, as a program would write them; to be freed. */
char *title_of(const struct oformat *f, bool (*shows)(const struct program *p, uint32_t agg));

#endif
