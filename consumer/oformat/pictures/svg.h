/*
 * svg.h - the parts of SVG that all pictures use: frame, escaped text, labels.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_SVG_H
#define CONSUMER_OFORMAT_PICTURES_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

enum { SVG_CHAR = 7, SVG_LINE = 16 }; /* width of a character and height of a line, in pixels */

/*
 * svg_begin() opens a picture of @width by @height pixels; @more: further attributes of <svg>,
 * escaped by the caller. svg_end() closes it.
 */
void svg_begin(struct strbuf *out, int width, int height, const char *more);
void svg_end(struct strbuf *out);

/*
 * Appends @n bytes of text, escaped for XML. Control characters and bytes that are not UTF-8 become
 * escapes such as \x1b, so no name or option can break the picture.
 */
void svg_text(struct strbuf *out, const char *s, size_t n);

/*
 * Appends text as svg_text() does, but cuts it to @room pixels and ends it with "..". @room 0: no
 * limit.
 */
void svg_fitted(struct strbuf *out, const char *s, double room);

/* Returns whether @s fits in @room pixels. */
bool svg_fits(const char *s, double room);

/*
 * Appends a <text> with text @s at baseline @x, @y, cut to @room pixels (0: no limit). @anchor:
 * "start", "middle" or "end". @class: CSS class, or "".
 */
void svg_label(struct strbuf *out, double x, double y, const char *anchor, const char *class,
	       const char *s, double room);

#endif
