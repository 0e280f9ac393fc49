/*
 * sheet.h - pictures below one another, under a title.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_SHEET_H
#define CONSUMER_OFORMAT_PICTURES_SHEET_H

#include "base/strbuf.h"

enum {
	SHEET_WIDTH = 1000,
	SHEET_LEFT = 130,  /* of what is drawn: labels stand left of it */
	SHEET_RIGHT = 880, /* numbers stand right of it */
};

/* All zero: empty. */
struct sheet {
	struct strbuf body;
	int y; /* where the next picture begins */
};

/* Appends a line of text, at the left. */
void sheet_line(struct sheet *s, const char *class, const char *text);

/* Writes all that was drawn, below @title (NULL: none), and empties the sheet. */
void sheet_write(struct sheet *s, struct strbuf *out, const char *title);

#endif
