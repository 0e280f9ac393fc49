/*
 * sheet.c - a page with charts below one another.
 */
#include "consumer/oformat/pictures/sheet.h"

#include "consumer/oformat/pictures/svg.h"

enum { PAD = 16, TITLE = 48 };

void sheet_line(struct sheet *s, const char *class, const char *text)
{
	s->y += SVG_LINE;
	svg_label(&s->body, PAD, s->y - 4, "start", class, text, SHEET_WIDTH - 2 * PAD);
}

void sheet_write(struct sheet *s, struct strbuf *out, const char *title)
{
	int top = title && *title ? TITLE : PAD;

	if (!s->body.len)
		sheet_line(s, "dim", "nothing was counted");
	svg_begin(out, SHEET_WIDTH, top + s->y + PAD, "");
	if (top == TITLE)
		svg_label(out, PAD, 30, "start", "title", title, (SHEET_WIDTH - 2 * PAD) * 0.75);
	strbuf_addf(out, "<g transform=\"translate(0,%d)\">\n", top);
	strbuf_add(out, s->body.s, s->body.len);
	strbuf_adds(out, "</g>\n");
	svg_end(out);
	strbuf_release(&s->body);
	*s = (struct sheet){0};
}
