/*
 * sheet.h - a page with charts below one another, under a title.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_SHEET_H
#define CONSUMER_OFORMAT_PICTURES_SHEET_H

#include "base/strbuf.h"

enum {
	SHEET_WIDTH = 1000,
	SHEET_LEFT = 130,  /* left edge of charts; labels are to the left of it */
	SHEET_RIGHT = 880, /* right edge of charts; numbers are to the right of it */
};

/* All zero: empty. */
struct sheet {
	struct strbuf body;
	int y; /* top of the next chart, in pixels */
};

/* Appends a line of text at the left margin. */
void sheet_line(struct sheet *s, const char *class, const char *text);

/* Writes the page to @out, with @title above (NULL or "": none), and empties the sheet. */
void sheet_write(struct sheet *s, struct strbuf *out, const char *title);

#endif
