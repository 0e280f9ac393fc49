/*
 * sheet.h - a page with charts below one another, under a title.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_SHEET_H
#define CONSUMER_OFORMAT_PICTURES_SHEET_H

#include "base/strbuf.h"

enum {
	SHEET_WIDTH = 1000,
	SHEET_LEFT = 130,  /* left edge of charts, with the labels on its left */
	SHEET_RIGHT = 880, /* right edge of charts, with the numbers on its right */
};

/* A page with charts. If all members are zero, the page is empty. */
struct sheet {
	struct strbuf body;
	int y; /* top of the next chart, in pixels */
};

/* Appends a line of text at the left margin. */
void sheet_line(struct sheet *s, const char *class, const char *text);

/*
 * Writes the page to @out and empties the sheet. @title is shown above the charts; NULL or "" means
 * no title.
 */
void sheet_write(struct sheet *s, struct strbuf *out, const char *title);

#endif
