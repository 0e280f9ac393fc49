/* verdict.c - judges the hosts' answers. */
#include "fleet/viewer/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"
#include "fleet/when.h"

static const char *const names[] = {
	[VERDICT_WHOLE] = "whole",   [VERDICT_RUNNING] = "running", [VERDICT_PARTIAL] = "partial",
	[VERDICT_SILENT] = "silent", [VERDICT_REFUSED] = "refused", [VERDICT_TWIN] = "twin",
	[VERDICT_OUT] = "left out",
};

/* Returns whether the viewer has all counts and all output of the host, whose run has ended. */
static bool is_whole(const struct host_state *h)
{
	return (h->end == END_DONE || h->end == END_ASKED) && h->snapshot.len && !h->lossy &&
	       !h->lost && !h->lacks.len && h->shown >= h->out;
}

enum verdict verdict_of(const struct host_state *h, bool silent)
{
	if (h->phase == PHASE_REFUSED)
		return VERDICT_REFUSED;
	if (h->odd || h->bad.len || h->rejected)
		return VERDICT_OUT;
	if (silent)
		return VERDICT_SILENT;
	if (h->phase != PHASE_ENDED)
		return VERDICT_RUNNING;
	return !is_whole(h) ? VERDICT_PARTIAL : h->twin ? VERDICT_TWIN : VERDICT_WHOLE;
}

static size_t total(const struct verdicts *v)
{
	size_t n = 0;

	for (int i = 0; i < VERDICTS; i++)
		n += v->n[i];
	return n;
}

void verdicts_add(struct verdicts *c, const struct host_state *h, enum verdict v)
{
	struct verdicts m = {0};
	bool relay = h->members && h->sequence && verdicts_read(&m, h->members);

	if (!relay || v == VERDICT_SILENT || v == VERDICT_REFUSED || v == VERDICT_TWIN) {
		c->n[v]++;
		return;
	}
	/*
	 * a relay without known hosts counts as one host, so that its missing results are reported
	 */
	if (!total(&m) && (v == VERDICT_OUT || h->lacks.len || h->lost || h->shown < h->out)) {
		c->n[v]++;
		return;
	}
	if (v == VERDICT_OUT) {
		c->n[VERDICT_OUT] += total(&m);
		return;
	}
	if (v == VERDICT_PARTIAL && m.n[VERDICT_WHOLE] && m.n[VERDICT_WHOLE] == total(&m)) {
		m.n[VERDICT_WHOLE]--;
		m.n[VERDICT_PARTIAL]++;
	}
	for (int i = 0; i < VERDICTS; i++)
		c->n[i] += m.n[i];
}

void verdicts_write(const struct verdicts *v, struct strbuf *out)
{
	const char *comma = "";

	for (int i = 0; i < VERDICTS; i++)
		if (v->n[i]) {
			strbuf_addf(out, "%s%s=%zu", comma, names[i], v->n[i]);
			comma = ",";
		}
}

static bool read_one(struct verdicts *v, const char **text)
{
	size_t n = strcspn(*text, "=");
	char *end;

	for (int i = 0; i < VERDICTS; i++) {
		if (strlen(names[i]) != n || memcmp(*text, names[i], n) || (*text)[n] != '=')
			continue;
		if ((*text)[n + 1] < '0' || (*text)[n + 1] > '9')
			return false;
		v->n[i] = strtoull(*text + n + 1, &end, 10);
		*text = end;
		return v->n[i] < 1u << 30;
	}
	return false;
}

bool verdicts_read(struct verdicts *v, const char *text)
{
	*v = (struct verdicts){0};
	while (*text) {
		if (!read_one(v, &text))
			return false;
		if (*text == ',')
			text++;
		else if (*text)
			return false;
	}
	return true;
}

void verdicts_text(const struct verdicts *v, struct strbuf *out)
{
	size_t all = 0;

	for (int i = 0; i < VERDICTS; i++)
		all += v->n[i];
	strbuf_addf(out, "%zu host%s asked: %zu whole", all, all == 1 ? "" : "s",
		    v->n[VERDICT_WHOLE]);
	for (int i = VERDICT_WHOLE + 1; i < VERDICTS; i++)
		if (v->n[i])
			strbuf_addf(out, ", %zu %s", v->n[i], names[i]);
}

bool verdicts_whole(const struct verdicts *v)
{
	for (int i = VERDICT_WHOLE + 1; i < VERDICTS; i++)
		if (v->n[i])
			return false;
	return v->n[VERDICT_WHOLE];
}

static void add_silent(const struct host_state *h, struct strbuf *out)
{
	char text[WHEN_SIZE];

	if (h->epoch) {
		strbuf_addf(out, "%s: became silent before its run had ended\n", h->host);
	} else if (!h->seen) {
		strbuf_addf(out, "%s: has not answered; it has never registered\n", h->host);
	} else {
		strbuf_addf(out, "%s: has not answered; last seen %s (%s)\n", h->host,
			    when_text(text, h->seen), h->id);
	}
}

void verdict_lines(const struct host_state *h, enum verdict v, const char *version,
		   struct strbuf *out)
{
	if (h->odd)
		strbuf_addf(out, "%s: left out: its aggregations differ from those of most hosts\n",
			    h->host);
	if (h->rejected)
		strbuf_addf(out, "%s: left out: %s (%s)\n", h->host, h->rejected, h->id);
	if (h->bad.len)
		strbuf_addf(out,
			    "%s: left out: %s (its dtrace-fleet has version %s, and this one has "
			    "%s)\n",
			    h->host, h->bad.s, h->version ? h->version : "unknown", version);
	if (h->lacks.len)
		strbuf_addf(out, "%s: %s\n", h->host, h->lacks.s);
	if (h->shown < h->out && h->phase != PHASE_TRACING)
		strbuf_addf(out, "%s: %" PRIu64 " bytes of output are missing\n", h->host,
			    h->out - h->shown);
	if (v == VERDICT_SILENT)
		add_silent(h, out);
}

bool host_counts(const struct host_state *h)
{
	return h->naggs && !h->odd && !h->bad.len && !h->rejected;
}

struct group {
	struct aggfile *of; /* the first file of the group, which stands for all */
	const char *last;   /* the last host that was counted */
	size_t n;           /* number of hosts */
};

typedef VEC(struct group) groups;

/*
 * Returns the index of the group whose files have the same aggregations as the host's file @f.
 * Makes a new group if there is none. Takes ownership of @f. If a host has begun the run several
 * times, its files come one after another, and count once.
 */
static size_t group_of(groups *g, struct aggfile *f, const char *host)
{
	struct group one = {f, host, 1};

	for (size_t i = 0; i < g->n; i++) {
		struct diag d = {0};
		bool same = aggfile_agree(g->v[i].of, f, false, &d);

		diag_release(&d);
		if (!same)
			continue;
		g->v[i].n += strcmp(g->v[i].last, host) != 0;
		g->v[i].last = host;
		aggfile_free(f);
		return i;
	}
	vec_push(g, one);
	return g->n - 1;
}

void hosts_find_odd(struct hosts *h)
{
	groups g = {0};
	size_t *group = xcalloc(h->v.n + 1, sizeof(*group)), most = 0;

	for (size_t i = 0; i < h->v.n; i++) {
		struct host_state *s = h->v.v[i];
		struct diag d = {0};
		struct aggfile *f = NULL;

		s->odd = false;
		if (host_counts(s))
			f = aggfile_parse(s->host, s->snapshot.s, s->snapshot.len, &d);
		if (f)
			group[i] = 1 + group_of(&g, f, s->host);
		diag_release(&d);
	}
	for (size_t i = 0; i < g.n; i++)
		most = g.v[i].n > g.v[most].n ? i : most;
	for (size_t i = 0; i < h->v.n; i++)
		h->v.v[i]->odd = group[i] && group[i] != 1 + most;
	for (size_t i = 0; i < g.n; i++)
		aggfile_free(g.v[i].of);
	vec_free(&g);
	xfree(group);
}
