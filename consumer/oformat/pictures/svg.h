/*
 * svg.h - what all pictures have in common.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_SVG_H
#define CONSUMER_OFORMAT_PICTURES_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

enum { SVG_CHAR = 7, SVG_LINE = 16 }; /* pixels of a character and of a line of text */

/* Begins a picture; @more: further attributes of the <svg>. */
void svg_begin(struct strbuf *out, int width, int height, const char *more);
void svg_end(struct strbuf *out);

/*
 * Appends text, in which markup is text.  Bytes that XML forbids, control characters and what is
 * not UTF-8 are written as \x1b, so that no name or option makes a picture unreadable.
 */
void svg_text(struct strbuf *out, const char *s, size_t n);

/* The same, cut to @room pixels with ".." at its end (0: as long as it is). */
void svg_fitted(struct strbuf *out, const char *s, double room);

/* Does @s fit in @room pixels? */
bool svg_fits(const char *s, double room);

/*
 * Appends a <text> of class @class ("": none) with its base line at @x, @y: @s, cut to @room pixels
 * (0: as long as it is).  @anchor: "start", "middle" or "end".
 */
void svg_label(struct strbuf *out, double x, double y, const char *anchor, const char *class,
	       const char *s, double room);

#endif
