/* svg.h - the elements of SVG that all pictures use: the outer element, escaped text and labels. */
#ifndef CONSUMER_OFORMAT_PICTURES_SVG_H
#define CONSUMER_OFORMAT_PICTURES_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

enum { SVG_CHAR = 7, SVG_LINE = 16 }; /* width of a character and height of a line, in pixels */

/*
 * svg_begin() begins a picture of @width by @height pixels. @more has further attributes of <svg>,
 * which the caller has escaped. svg_end() ends the picture.
 */
void svg_begin(struct strbuf *out, int width, int height, const char *more);
void svg_end(struct strbuf *out);

/*
 * Appends @n bytes of text, escaped for XML. Control characters and bytes that are not UTF-8 become
 * escapes such as \x1b. So no name and no option can break the picture.
 */
void svg_text(struct strbuf *out, const char *s, size_t n);

/*
 * Appends text as svg_text() does. If the text is wider than @room pixels, cuts it and appends
 * ".."; appends nothing if fewer than three characters fit. If @room is 0, the width is not
 * limited.
 */
void svg_fitted(struct strbuf *out, const char *s, double room);

/* Returns whether @s fits in @room pixels. */
bool svg_fits(const char *s, double room);

/*
 * Appends a <text> element with the text @s, cut to @room pixels as by svg_fitted(). @x and @y are
 * its position on the baseline. @anchor is "start", "middle" or "end". @class is a CSS class, or
 * "".
 */
void svg_label(struct strbuf *out, double x, double y, const char *anchor, const char *class,
	       const char *s, double room);

#endif
