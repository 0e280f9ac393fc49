/*
 * view.c - shows aggregations as sorted tables on the terminal, for -x view=top.
 *
 * The view has a copy of the last sample, so that the user can pause, sort and scroll while tracing
 * goes on. In a replay, samples are shown at the speed at which they were captured.
 */
#include "consumer/screen/view.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/columns.h"
#include "consumer/oformat/pictures/label.h"
#include "consumer/options.h"
#include "consumer/screen/screen.h"
#include "consumer/aggs/series.h"
#include "consumer/screen/toprows.h"
#include "consumer/oformat/pictures/tracks.h"
#include "ir/program.h"

/* mark at the end of a text that was cut off */
#define CUT "~"

enum { HEAD = 3, FOOT = 1, KEY_MAX = 60, KEY_MIN = 4, STEP_MS = 200 };

/* The table of one aggregation. */
struct page {
	struct toprows rows;
	unsigned by; /* the column that the rows are sorted by */
	bool sorted; /* the user has chosen the column to sort by */
	bool reverse;
	size_t first; /* index of the first row on the screen */
};

struct view {
	struct screen *screen;
	const struct program *p;
	const struct consumer_opts *o;
	volatile sig_atomic_t *interrupted;
	struct page *page; /* one page for each aggregation */
	uint32_t at;       /* index of the page on the screen */
	struct strbuf filter;
	bool typing; /* the user is editing the filter */
	bool paused, quit;
	/* a capture is shown (@replay), without waits between samples (@fast) */
	bool replay, fast;
	bool at_end;          /* the last sample of the capture has been shown */
	uint64_t begin, time; /* times of the first and the last sample, in ns since 1970 */
	double seconds;       /* seconds between the last two samples that have different times */
	uint64_t due;         /* in a replay, when to show the sample, by now_monotonic() */
	FILE *messages;       /* stream that view_messages() returns */
	char *message_text;
	size_t message_len;
};

/* ------------------------------------------------------------------------ life cycle */

struct view *view_new(struct diag *d)
{
	struct screen *s = screen_new(d);
	struct view *v;

	if (!s)
		return NULL;
	v = xcalloc(1, sizeof(*v));
	v->screen = s;
	if (isatty(STDERR_FILENO))
		v->messages = open_memstream(&v->message_text, &v->message_len);
	return v;
}

void view_free(struct view *v)
{
	if (!v)
		return;
	view_end(v);
	if (v->messages)
		fclose(v->messages);
	if (v->message_text)
		fputs(v->message_text, stderr);
	free(v->message_text);
	for (uint32_t i = 0; v->page && i < v->p->nagg; i++)
		if (v->page[i].rows.ai)
			toprows_release(&v->page[i].rows);
	screen_free(v->screen);
	strbuf_release(&v->filter);
	xfree(v->page);
	xfree(v);
}

FILE *view_messages(struct view *v)
{
	return v->messages;
}

int view_fd(const struct view *v)
{
	return screen_fd(v->screen);
}

void view_end(struct view *v)
{
	screen_end(v->screen);
}

/* --------------------------------------------------------------------------- drawing */

static struct page *current_page(struct view *v)
{
	return &v->page[v->at];
}

/* Shows a line. If the line is wider than the screen, the last column of the screen shows CUT. */
static void put(struct view *v, int line, enum screen_style style, const struct strbuf *b)
{
	size_t n = b->len;
	int lines, room;

	while (n && b->s[n - 1] == ' ')
		n--;
	screen_size(v->screen, &lines, &room);
	screen_put(v->screen, line, 0, style, strbuf_text(b), b->len);
	if (label_columns(strbuf_text(b), n) > (size_t)room)
		screen_put(v->screen, line, room - 1, style, CUT, 1);
}

static const char *state(const struct view *v)
{
	if (v->at_end)
		return "end of the capture";
	if (v->paused)
		return "paused";
	return v->replay ? v->fast ? "capture, full speed" : "capture" : "live";
}

/* Draws the title, such as "@bytes = sum()  2 of 3  22:13:20  12s  live". */
static void draw_title(struct view *v)
{
	struct strbuf b = {0};

	add_track_name(&b, &v->p->agg[v->at], "");
	if (v->p->nagg > 1)
		strbuf_addf(&b, "  %u of %u", v->at + 1, v->p->nagg);
	if (v->time) {
		strbuf_adds(&b, "  ");
		add_time_of_day(&b, v->time);
		strbuf_adds(&b, "  ");
		add_elapsed(&b, (double)(v->time - v->begin) / 1e9);
	}
	strbuf_addf(&b, "  %s", state(v));
	put(v, 0, SCREEN_BOLD, &b);
	strbuf_release(&b);
}

static void draw_help(struct view *v)
{
	struct strbuf b = {0};

	strbuf_adds(&b, "q quit  space pause  ");
	if (v->p->nagg > 1)
		strbuf_adds(&b, "Tab next  ");
	strbuf_adds(&b, "left/right sort  r reverse  / filter");
	if (v->replay)
		strbuf_adds(&b, "  f fast");
	put(v, 1, SCREEN_DIM, &b);
	strbuf_release(&b);
}

static void column_name(struct strbuf *out, const struct view *v, const struct toprows *t,
			unsigned c)
{
	const struct topcolumn *col = c < t->nkey ? NULL : &t->column[c - t->nkey];
	bool values = !agg_fn_counts(agg_fn_of(&t->ai->kind));

	if (!col)
		key_name(out, t->ai, toprows_key(t, c));
	else if (!strcmp(col->name, "/s") && v->o->unit && values)
		strbuf_addf(out, "%s/s", v->o->unit);
	else if (v->o->unit && (values || *col->name == 'p'))
		strbuf_addf(out, "%s %s", col->name, v->o->unit);
	else
		strbuf_adds(out, col->name);
}

static void column_text(struct strbuf *out, const struct toprows *t, const struct toprow *r,
			unsigned c)
{
	if (c < t->nkey)
		strbuf_adds(out, r->key[c]);
	else
		toprow_number(out, t, r, c - t->nkey);
}

/*
 * Returns the width that column @c needs for its cells, its name and the sort mark. A column with a
 * key gets at most @limit, and at most @name of that for its name.
 */
static int column_width(const struct view *v, const struct toprows *t, unsigned c, int limit,
			int name)
{
	struct strbuf b = {0};
	int width;

	column_name(&b, v, t, c);
	width = (int)label_columns(b.s, b.len);
	if (c < t->nkey && width > name)
		width = name;
	width += c == v->page[v->at].by ? 2 : 0;
	for (size_t i = 0; i < t->row.n; i++) {
		int n;

		strbuf_reset(&b);
		column_text(&b, t, &t->row.v[i], c);
		n = (int)label_columns(strbuf_text(&b), b.len);
		width = n > width ? n : width;
	}
	strbuf_release(&b);
	return c < t->nkey && width > limit ? limit : width;
}

/*
 * Appends @b in @width columns. It is right-justified if @right is set, else left-justified. A
 * longer text is cut and ends with CUT.
 */
static void add_column(struct strbuf *line, const struct strbuf *b, int width, bool right)
{
	bool cut = label_columns(strbuf_text(b), b->len) > (size_t)width;
	size_t n = label_cut(strbuf_text(b), b->len, (size_t)(cut ? width - 1 : width));
	int gap = width - cut - (int)label_columns(strbuf_text(b), n);

	if (right)
		strbuf_addf(line, "%*s", gap, "");
	strbuf_add(line, strbuf_text(b), n);
	strbuf_adds(line, cut ? CUT : "");
	if (!right)
		strbuf_addf(line, "%*s", gap, "");
	strbuf_addc(line, ' ');
}

struct columns {
	unsigned n;
	int *width;
};

/*
 * Returns the column of the widest key, among the keys that are wider than their minimum in @least.
 * Returns -1 if there is no such key.
 */
static int widest_key(const struct columns *c, unsigned nkey, const int *least)
{
	int widest = -1;

	for (unsigned i = 0; i < nkey; i++)
		if (c->width[i] > least[i] && (widest < 0 || c->width[i] > c->width[widest]))
			widest = (int)i;
	return widest;
}

/*
 * Returns the widths of all columns. If the columns do not fit in @room, the names of keys are
 * shortened first. If that is not enough, the keys themselves are shortened, down to KEY_MIN. So
 * all numbers stay visible.
 */
static struct columns column_widths(const struct view *v, const struct toprows *t, int room)
{
	struct columns c = {toprows_columns(t), NULL};
	int *least, widest, limit = room > 100 ? room : KEY_MAX, all = 0;

	c.width = xcalloc(c.n + 1, sizeof(int));
	least = xcalloc(c.n + 1, sizeof(int));
	for (unsigned i = 0; i < c.n; i++) {
		c.width[i] = column_width(v, t, i, limit, limit);
		least[i] = column_width(v, t, i, limit, KEY_MIN);
		all += c.width[i] + 1;
	}
	for (; all > room && (widest = widest_key(&c, t->nkey, least)) >= 0; all--)
		c.width[widest]--;
	for (unsigned i = 0; i < t->nkey; i++)
		least[i] = KEY_MIN;
	for (; all > room && (widest = widest_key(&c, t->nkey, least)) >= 0; all--)
		c.width[widest]--;
	xfree(least);
	return c;
}

static void draw_heading(struct view *v, const struct toprows *t, const struct columns *c, int room)
{
	const struct page *pg = current_page(v);
	struct strbuf line = {0};

	for (unsigned i = 0; i < c->n; i++) {
		struct strbuf b = {0};

		column_name(&b, v, t, i);
		if (i == pg->by)
			strbuf_adds(&b, (i < t->nkey) == pg->reverse ? " v" : " ^");
		add_column(&line, &b, c->width[i], i >= t->nkey);
		strbuf_release(&b);
	}
	strbuf_addf(&line, "%*s", room > (int)line.len ? room - (int)line.len : 0, "");
	put(v, 2, SCREEN_REVERSE, &line);
	strbuf_release(&line);
}

static void draw_row(struct view *v, const struct toprows *t, const struct columns *c,
		     const struct toprow *r, int y)
{
	struct strbuf line = {0};

	for (unsigned i = 0; i < c->n; i++) {
		struct strbuf b = {0};

		column_text(&b, t, r, i);
		add_column(&line, &b, c->width[i], i >= t->nkey);
		strbuf_release(&b);
	}
	put(v, y, SCREEN_PLAIN, &line);
	strbuf_release(&line);
}

static const char *filter_text(const struct view *v)
{
	return v->filter.s ? v->filter.s : "";
}

/*
 * Draws the rows that match the filter, beginning with row page.first. Returns the number of rows
 * that match.
 */
static size_t draw_rows(struct view *v, const struct columns *c, int lines)
{
	struct page *pg = current_page(v);
	size_t n = 0;
	int y = HEAD;

	for (size_t i = 0; i < pg->rows.row.n; i++) {
		const struct toprow *r = &pg->rows.row.v[i];

		if (!toprow_matches(&pg->rows, r, filter_text(v)))
			continue;
		if (n++ >= pg->first && y < lines - FOOT)
			draw_row(v, &pg->rows, c, r, y++);
	}
	return n;
}

/* Appends the last line of the messages that are held back. */
static void add_message(struct strbuf *out, struct view *v)
{
	size_t end, at;

	if (!v->messages || fflush(v->messages) || !v->message_len)
		return;
	for (end = v->message_len; end && v->message_text[end - 1] == '\n';)
		end--;
	for (at = end; at && v->message_text[at - 1] != '\n';)
		at--;
	visible_add(out, v->message_text + at, end - at);
}

static void draw_foot(struct view *v, size_t n, int lines)
{
	struct strbuf b = {0};

	if (v->typing) {
		strbuf_addf(&b, "filter: %s_   Enter keeps it, Esc drops it", filter_text(v));
	} else {
		strbuf_addf(&b, "%zu %s", n, n == 1 ? "row" : "rows");
		if (*filter_text(v)) {
			strbuf_adds(&b, " with '");
			strbuf_adds(&b, filter_text(v));
			strbuf_adds(&b, "'");
		}
		strbuf_adds(&b, "  ");
		add_message(&b, v);
	}
	put(v, lines - 1, SCREEN_DIM, &b);
	strbuf_release(&b);
}

static void draw(struct view *v)
{
	struct page *pg = current_page(v);
	int lines, room;
	size_t n = 0;

	screen_size(v->screen, &lines, &room);
	screen_clear(v->screen);
	if (v->p->nagg) {
		draw_title(v);
		draw_help(v);
	}
	if (pg->rows.ai) {
		struct columns c = column_widths(v, &pg->rows, room);

		draw_heading(v, &pg->rows, &c, room);
		n = draw_rows(v, &c, lines);
		xfree(c.width);
	}
	draw_foot(v, n, lines);
	screen_show(v->screen);
}

/* ------------------------------------------------------------------------------ keys */

static void sort(struct page *pg)
{
	if (pg->rows.ai)
		toprows_sort(&pg->rows, pg->by, pg->reverse);
}

static void sort_by(struct page *pg, int step)
{
	unsigned n = pg->rows.ai ? toprows_columns(&pg->rows) : 0;

	if (n) {
		pg->by = (pg->by + n + (unsigned)step) % n;
		pg->sorted = true;
	}
	sort(pg);
}

static void next_page(struct view *v, uint32_t step)
{
	v->at = (v->at + step) % v->p->nagg;
}

static void scroll(struct view *v, long by)
{
	struct page *pg = current_page(v);
	long first = (long)pg->first + by, last = (long)pg->rows.row.n - 1;

	pg->first = first < 0 || last < 0 ? 0 : first > last ? (size_t)last : (size_t)first;
}

static void edit_filter(struct view *v, int key)
{
	char c = (char)key;

	if (key == '\n' || key == '\r') {
		v->typing = false;
	} else if (key == 27) {
		v->typing = false;
		strbuf_reset(&v->filter);
	} else if (key == SCREEN_BACKSPACE && v->filter.len) {
		v->filter.s[--v->filter.len] = '\0';
	} else if (key >= ' ' && key < 0x7f) {
		strbuf_add(&v->filter, &c, 1);
	}
	current_page(v)->first = 0;
}

static void handle_key(struct view *v, int key)
{
	int lines, room;

	screen_size(v->screen, &lines, &room);
	switch (key) {
	case 'q':
	case 'Q':
		v->quit = true;
		break;
	case ' ':
	case 'p':
		v->paused = !v->paused && !v->at_end;
		break;
	case 'f':
		v->fast = !v->fast;
		break;
	case 'r':
		current_page(v)->reverse = !current_page(v)->reverse;
		sort(current_page(v));
		break;
	case '/':
		v->typing = true;
		break;
	case 27:
		strbuf_reset(&v->filter);
		break;
	case '\t':
		next_page(v, 1);
		break;
	case SCREEN_BACK_TAB:
		next_page(v, v->p->nagg - 1);
		break;
	case SCREEN_LEFT:
	case '<':
		sort_by(current_page(v), -1);
		break;
	case SCREEN_RIGHT:
	case '>':
		sort_by(current_page(v), 1);
		break;
	case SCREEN_UP:
		scroll(v, -1);
		break;
	case SCREEN_DOWN:
		scroll(v, 1);
		break;
	case SCREEN_PAGE_UP:
		scroll(v, -(lines - HEAD - FOOT));
		break;
	case SCREEN_PAGE_DOWN:
		scroll(v, lines - HEAD - FOOT);
		break;
	case SCREEN_HOME:
		current_page(v)->first = 0;
		break;
	case SCREEN_END:
		scroll(v, (long)current_page(v)->rows.row.n);
		break;
	default: /* SCREEN_RESIZED needs nothing else, because the caller draws the screen again */
		break;
	}
}

bool view_keys(struct view *v)
{
	int key, any = 0;

	while ((key = screen_key(v->screen)) != SCREEN_NONE) {
		if (v->typing && key != SCREEN_RESIZED)
			edit_filter(v, key);
		else
			handle_key(v, key);
		any = 1;
	}
	if (any && !v->quit)
		draw(v);
	return !v->quit;
}

/* --------------------------------------------------------------------------- samples */

/*
 * Waits at most @ms milliseconds for a key, and handles the keys that were pressed. Returns false
 * if the run must end.
 */
static bool wait_key(struct view *v, int ms)
{
	struct pollfd p = {.fd = screen_fd(v->screen), .events = POLLIN};

	poll(&p, 1, ms);
	if (p.revents & (POLLHUP | POLLERR | POLLNVAL)) /* the terminal was closed */
		v->quit = true;
	return view_keys(v) && !*v->interrupted;
}

/*
 * Waits as long as the capture took from the last sample to @time. A pause by the user adds to this
 * time.
 */
static void pace(struct view *v, uint64_t time)
{
	uint64_t t = now_monotonic();

	v->due = v->due ? v->due + (time - v->time) : t;
	while (!v->quit && !*v->interrupted && (v->paused || (!v->fast && t < v->due))) {
		int ms = v->paused ? STEP_MS : (int)((v->due - t) / 1000000) + 1;
		bool was = v->paused;

		if (!wait_key(v, ms < STEP_MS ? ms : STEP_MS))
			break;
		v->due += was ? now_monotonic() - t : 0;
		t = now_monotonic();
	}
	if (v->fast || t > v->due)
		v->due = t;
}

/*
 * Returns the column to sort by until the user chooses another. This is the rate, so that the rows
 * with the fastest increase come first. If there is no rate, it is the value.
 */
static unsigned default_order(const struct toprows *t)
{
	return t->nkey + (t->column[1].rate ? 1 : 0);
}

static void update_pages(struct view *v, const struct aggs *a, const struct series *s,
			 double seconds)
{
	for (uint32_t i = 0; i < v->p->nagg; i++) {
		struct page *pg = &v->page[i];

		if (pg->rows.ai)
			toprows_release(&pg->rows);
		toprows_make(&pg->rows, &a->st[i], series_shown(s, i), series_interval(s, i),
			     seconds);
		if (!pg->sorted)
			pg->by = default_order(&pg->rows);
		sort(pg);
	}
}

void view_begin(struct view *v, const struct program *p, const struct consumer_opts *o, bool replay,
		volatile sig_atomic_t *interrupted)
{
	v->p = p;
	v->o = o;
	v->replay = replay;
	v->interrupted = interrupted;
	v->page = xcalloc(p->nagg + 1, sizeof(*v->page));
	screen_begin(v->screen);
	draw(v);
}

void view_sample(struct view *v, const struct aggs *a, const struct series *s, uint64_t time)
{
	if (v->quit)
		return;
	if (!s) {
		v->begin = v->time = time;
		v->due = now_monotonic();
		return;
	}
	if (v->replay)
		pace(v, time);
	if (time > v->time)
		v->seconds = (double)(time - v->time) / 1e9;
	if (!v->paused || v->replay)
		update_pages(v, a, s, v->seconds);
	v->time = time;
	draw(v);
}

void view_wait_for_quit(struct view *v)
{
	v->at_end = true;
	v->paused = false;
	draw(v);
	while (wait_key(v, 1000))
		;
}
