/*
 * flame.c - draws a flame graph of folded stacks.
 *
 * The root is at the bottom. The width of a frame is the total weight of all stacks that contain
 * the frame. The picture is 1,200 pixels wide; flame.js scales it to the window.
 */
#include "consumer/oformat/pictures/flame.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "consumer/oformat/pictures/fold.h"
#include "consumer/oformat/pictures/svg.h"

enum { WIDTH = 1200, PAD = 10, TOP = 64, BOTTOM = 52 };

#define MIN_WIDTH 0.1 /* minimum width of a drawn frame in pixels; draw() prints one decimal */

struct open {
	struct frame frame;
	uint64_t from; /* left edge of the frame: weight of all rows before it */
};

struct flame {
	struct strbuf *out;
	/* frames of the last row, which are not drawn yet; without the root */
	VEC(struct open) open;
	uint64_t total, at; /* weight of all rows, and weight of the rows before the next row */
	size_t deepest;
	const char *unit;
	int height;
	uint64_t omitted;
};

static uint64_t weight_of(const struct agg_row *row)
{
	int64_t w = (int64_t)*agg_row_val(row);

	return w > 0 ? (uint64_t)w : 0;
}

static void measure(struct flame *g, const struct fold *f)
{
	for (size_t i = 0; i < f->tab.row.n; i++) {
		size_t at = 0, depth = 0;
		struct frame fr;

		if (!weight_of(f->tab.row.v[i]))
			continue;
		g->total += weight_of(f->tab.row.v[i]);
		while (fold_frame(f->tab.row.v[i], &at, &fr))
			depth++;
		g->deepest = depth > g->deepest ? depth : g->deepest;
	}
	g->height = TOP + (int)(g->deepest + 1) * SVG_LINE + BOTTOM;
}

/*
 * Returns a hash (FNV-1a) of the frame's name. This hash is the same in every run, unlike the hash
 * of hash tables.
 */
static uint32_t name_hash(const struct frame *f)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < f->len; i++)
		h = (h ^ (unsigned char)f->name[i]) * 16777619u;
	return h ^ h >> 15;
}

/*
 * Chooses the colour of a frame. The frame's kind decides the hue, and its name decides the shade.
 * So frames with equal kinds and names have equal colours.
 */
static void add_colour(struct strbuf *out, const struct frame *f)
{
	uint32_t h = name_hash(f);
	unsigned a = h & 0x3f, b = h >> 8 & 0x1f;

	switch (f->kind) {
	case FRAME_KERNEL:
		strbuf_addf(out, "#%02x%02x%02x", 224 + b, 128 + a, 64 + b);
		return;
	case FRAME_USER:
		strbuf_addf(out, "#%02x%02x%02x", 104 + a, 176 + b, 224 + b);
		return;
	case FRAME_KEY:
		break;
	}
	strbuf_addf(out, "#%02x%02x%02x", 200 + b, 200 + b, 204 + b);
}

/*
 * Returns the name, without its module if the full name does not fit. flame.js shortens names in
 * the same way.
 */
static const char *without_module(const struct strbuf *name, double room)
{
	const char *mark = memchr(name->s, '`', name->len);

	return mark && mark > name->s && !svg_fits(name->s, room) ? mark + 1 : name->s;
}

/*
 * Draws a frame at height @depth, from the left edge @from to the right edge @to. The edges are
 * weights.
 */
static void draw(struct flame *g, const struct frame *f, size_t depth, uint64_t from, uint64_t to)
{
	double scale = (WIDTH - 2 * PAD) / (double)g->total, x = PAD + (double)from * scale;
	double w = (double)(to - from) * scale;
	int y = g->height - BOTTOM - (int)(depth + 1) * SVG_LINE;
	struct strbuf name = {0};

	if (w < MIN_WIDTH) {
		g->omitted++;
		return;
	}
	strbuf_add(&name, f->name, f->len);
	strbuf_addf(g->out,
		    "<g class=\"f\" data-x=\"%" PRIu64 "\" data-w=\"%" PRIu64
		    "\" data-d=\"%zu\"><title>",
		    from, to - from, depth);
	svg_text(g->out, f->name, f->len);
	strbuf_addf(g->out, "\n%" PRIu64 "%s", to - from, *g->unit ? " " : "");
	svg_text(g->out, g->unit, strlen(g->unit));
	strbuf_addf(g->out,
		    " (%.2f %%)</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" "
		    "fill=\"",
		    100.0 * (double)(to - from) / (double)g->total, x, y, w > 2 ? w - 0.5 : w,
		    SVG_LINE - 1);
	add_colour(g->out, f);
	strbuf_adds(g->out, "\"/>");
	svg_label(g->out, x + 3, y + 12, "start", "", without_module(&name, w - 6),
		  w > 6 ? w - 6 : 1);
	strbuf_adds(g->out, "</g>\n");
	strbuf_release(&name);
}

/* Draws and closes the innermost frames until only @depth frames are open. */
static void close_to(struct flame *g, size_t depth)
{
	while (g->open.n > depth) {
		const struct open *o = &g->open.v[g->open.n - 1];

		draw(g, &o->frame, g->open.n, o->from, g->at);
		g->open.n--;
	}
}

static bool same(const struct frame *a, const struct frame *b)
{
	return a->kind == b->kind && a->len == b->len && !memcmp(a->name, b->name, a->len);
}

/*
 * Opens the frames of a row. Outer frames that are the same as in the previous row stay open. The
 * other frames of the previous row are drawn and closed.
 */
static void draw_row(struct flame *g, const struct agg_row *row)
{
	size_t at = 0, depth = 0;
	struct frame f;
	bool differs = false;

	while (fold_frame(row, &at, &f)) {
		differs |= depth >= g->open.n || !same(&g->open.v[depth].frame, &f);
		if (differs) {
			close_to(g, depth);
			vec_push(&g->open, ((struct open){f, g->at}));
		}
		depth++;
	}
	close_to(g, depth);
	g->at += weight_of(row);
}

static void legend(struct strbuf *out, int y)
{
	static const struct {
		const char *name, *colour;
	} kinds[] = {{"kernel", "#f0a050"}, {"process", "#88c0f0"}, {"key", "#d8d8dc"}};
	double x = PAD;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		strbuf_addf(out,
			    "<rect x=\"%.0f\" y=\"%d\" width=\"11\" height=\"11\" fill=\"%s\"/>\n",
			    x, y - 10, kinds[i].colour);
		svg_label(out, x + 16, y, "start", "", kinds[i].name, 0);
		x += 16 + (double)(strlen(kinds[i].name) + 2) * 7.23;
	}
}

static void surroundings(struct flame *g, const char *title)
{
	struct strbuf b = {0};

	strbuf_addf(g->out,
		    "<text id=\"title\" class=\"title\" x=\"%d\" y=\"24\" text-anchor=\"middle\">",
		    WIDTH / 2);
	svg_fitted(g->out, title, (WIDTH - 2 * PAD) * 0.75);
	strbuf_adds(g->out, "</text>\n");
	strbuf_addf(g->out,
		    "<foreignObject id=\"find\" x=\"%d\" y=\"34\" width=\"190\" height=\"24\"/>\n",
		    WIDTH - PAD - 190);
	strbuf_addf(g->out,
		    "<text id=\"reset\" x=\"%d\" y=\"50\" "
		    "style=\"cursor:pointer;text-decoration:underline;display:none\">reset "
		    "zoom</text>\n",
		    PAD);
	strbuf_addf(g->out, "<text id=\"found\" x=\"%d\" y=\"50\"/>\n", PAD + 90);
	strbuf_addf(g->out, "<text id=\"described\" x=\"%d\" y=\"%d\"/>\n", PAD, g->height - 30);
	legend(g->out, g->height - 10);
	if (g->total)
		strbuf_addf(&b, "%" PRIu64 "%s%s in all", g->total, *g->unit ? " " : "", g->unit);
	if (g->omitted)
		strbuf_addf(&b, ", %" PRIu64 " frames are too narrow to be drawn", g->omitted);
	svg_label(g->out, PAD + 220, g->height - 10, "start", "dim", strbuf_text(&b),
		  WIDTH - 2 * PAD - 220);
	strbuf_release(&b);
}

static void script(struct strbuf *out)
{
	strbuf_adds(out, "<script><![CDATA[\n");
	strbuf_adds(out, flame_js);
	strbuf_adds(out, "]]></script>\n");
}

static void draw_frames(struct flame *g, const struct fold *f)
{
	static const struct frame root = {FRAME_KEY, "all", 3};

	for (size_t i = 0; i < f->tab.row.n; i++)
		if (weight_of(f->tab.row.v[i]))
			draw_row(g, f->tab.row.v[i]);
	close_to(g, 0);
	draw(g, &root, 0, 0, g->total);
}

void flame_draw(struct strbuf *out, const struct fold *f, const char *title, const char *unit)
{
	struct flame g = {.out = out, .unit = unit ? unit : ""};
	struct strbuf attributes = {0};

	measure(&g, f);
	strbuf_addf(&attributes, "data-total=\"%" PRIu64 "\" data-title=\"", g.total);
	svg_text(&attributes, title, strlen(title));
	strbuf_addc(&attributes, '"');
	svg_begin(out, WIDTH, g.height, attributes.s);
	strbuf_adds(out, "<style>.f{cursor:pointer}.f:hover rect{stroke:#000;stroke-width:0.7}"
			 ".m rect{fill:#d25fd2}</style>\n");
	if (g.total)
		draw_frames(&g, f);
	else
		svg_label(out, WIDTH / 2, TOP, "middle", "dim", "nothing was counted", 0);
	surroundings(&g, title);
	script(out);
	svg_end(out);
	vec_free(&g.open);
	strbuf_release(&attributes);
}
