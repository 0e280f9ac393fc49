/*
 * flame.h - folded stacks as a flame graph: an SVG that a browser can zoom and search.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_FLAME_H
#define CONSUMER_OFORMAT_PICTURES_FLAME_H

struct fold;
struct strbuf;

/*
 * Appends an SVG of the stacks in @f, which fold_sort() has sorted. Rows whose weight is not
 * positive are left out. @unit: the unit of the weights, or NULL.
 */
void flame_draw(struct strbuf *out, const struct fold *f, const char *title, const char *unit);

/* text of consumer/oformat/pictures/flame.js, embedded when dtrace is built */
extern const char flame_js[];

#endif
