/* flame.h - draws a flame graph of folded stacks: an SVG that a browser can zoom and search. */
#ifndef CONSUMER_OFORMAT_PICTURES_FLAME_H
#define CONSUMER_OFORMAT_PICTURES_FLAME_H

struct fold;
struct strbuf;

/*
 * Appends an SVG of the stacks in @f, which fold_sort() must have sorted. Rows whose weight is not
 * positive are left out. @unit is the unit of the weights, or NULL.
 */
void flame_draw(struct strbuf *out, const struct fold *f, const char *title, const char *unit);

/* the text of consumer/oformat/pictures/flame.js, which is embedded when dtrace is built */
extern const char flame_js[];

#endif
