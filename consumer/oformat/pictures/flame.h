/*
 * flame.h - folded stacks as a flame graph: a picture that a browser lets one look around in.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_FLAME_H
#define CONSUMER_OFORMAT_PICTURES_FLAME_H

struct fold;
struct strbuf;

/*
 * Appends an SVG of the stacks, which are in order; rows of no or less than no weight have no place
 * in it.
 * @unit: of their weight; NULL: it has none.
 */
void flame_draw(struct strbuf *out, const struct fold *f, const char *title, const char *unit);

/* consumer/oformat/pictures/flame.js */
extern const char flame_js[];

#endif
