/*
 * svg.c - what all pictures have in common.
 */
#include "consumer/svg.h"

#include <string.h>

#include "base/strbuf.h"
#include "consumer/label.h"

void svg_begin(struct strbuf *out, int width, int height, const char *more)
{
	strbuf_addf(out,
		    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%d\" "
		    "viewBox=\"0 0 %d %d\"%s%s>\n",
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

void svg_text(struct strbuf *out, const char *s, size_t n)
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
		case '\n': /* in an attribute it would be a blank */
			strbuf_adds(out, "&#10;");
			break;
		default:
			strbuf_addc(out, s[i]);
		}
}

void svg_label(struct strbuf *out, double x, double y, const char *anchor, const char *class, const char *s,
	       double room)
{
	size_t n = strlen(s), fit = room > 0 ? (size_t)(room / (SVG_CHAR + 0.23)) : n;

	strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", x, y, anchor);
	if (*class)
		strbuf_addf(out, " class=\"%s\"", class);
	strbuf_addc(out, '>');
	if (label_columns(s, n) <= fit) {
		svg_text(out, s, n);
	} else if (fit > 2) {
		svg_text(out, s, label_cut(s, n, fit - 2));
		strbuf_adds(out, "..");
	}
	strbuf_adds(out, "</text>\n");
}
