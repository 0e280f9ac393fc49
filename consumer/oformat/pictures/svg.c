/* svg.c - writes the elements of SVG that all pictures use. */
#include "consumer/oformat/pictures/svg.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "consumer/oformat/pictures/label.h"

void svg_begin(struct strbuf *out, int width, int height, const char *more)
{
	strbuf_addf(out,
		    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
		    "height=\"%d\" viewBox=\"0 0 %d %d\"%s%s>\n",
		    width, height, width, height, *more ? " " : "", more);
	strbuf_adds(out, "<style>text{font-family:\"DejaVu Sans "
			 "Mono\",Menlo,Consolas,monospace;font-size:12px;fill:#222}\n"
			 ".title{font-size:16px}.dim{fill:#666}.axis{stroke:#888;stroke-width:1}"
			 ".grid{stroke:#ddd;stroke-width:1}</style>\n"
			 "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

void svg_end(struct strbuf *out)
{
	strbuf_adds(out, "</svg>\n");
}

static void add_escaped(struct strbuf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		switch (s[i]) {
		case '<':
			strbuf_adds(out, "&lt;");
			break;
		case '>':
			strbuf_adds(out, "&gt;");
			break;
		case '&':
			strbuf_adds(out, "&amp;");
			break;
		case '"':
			strbuf_adds(out, "&quot;");
			break;
		default:
			strbuf_addc(out, s[i]);
		}
}

void svg_text(struct strbuf *out, const char *s, size_t n)
{
	struct strbuf text = {0};

	visible_add(&text, s, n);
	add_escaped(out, text.s, text.len);
	strbuf_release(&text);
}

static size_t columns_of(double room)
{
	return room > 0 ? (size_t)(room / (SVG_CHAR + 0.23)) : 0;
}

bool svg_fits(const char *s, double room)
{
	return label_columns(s, strlen(s)) <= columns_of(room);
}

void svg_fitted(struct strbuf *out, const char *s, double room)
{
	struct strbuf text = {0};
	size_t fit;

	visible_add(&text, s, strlen(s));
	fit = room > 0 ? columns_of(room) : text.len;
	if (label_columns(text.s, text.len) <= fit) {
		add_escaped(out, text.s, text.len);
	} else if (fit > 2) {
		add_escaped(out, text.s, label_cut(text.s, text.len, fit - 2));
		strbuf_adds(out, "..");
	}
	strbuf_release(&text);
}

void svg_label(struct strbuf *out, double x, double y, const char *anchor, const char *class,
	       const char *s, double room)
{
	strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", x, y, anchor);
	if (*class)
		strbuf_addf(out, " class=\"%s\"", class);
	strbuf_addc(out, '>');
	svg_fitted(out, s, room);
	strbuf_adds(out, "</text>\n");
}
