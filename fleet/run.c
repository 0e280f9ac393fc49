/*
 * run.c - what a run's folder says.
 */
#include "fleet/run.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "consumer/aggfile.h"
#include "fleet/files.h"
#include "fleet/keeper.h"
#include "fleet/message.h"
#include "fleet/request.h"
#include "fleet/sign.h"

enum { SAID_MAX = 4096 };

static struct run *new_run(const char *id)
{
	struct run *r = xcalloc(1, sizeof(*r));

	r->id = xstrdup(id);
	r->phase = PHASE_TRACING;
	r->fresh = true;
	return r;
}

struct run *run_refused(const char *id, uint64_t until, const char *why)
{
	struct run *r = new_run(id);

	r->until = until;
	r->epoch = now_real();
	r->phase = PHASE_REFUSED;
	strbuf_adds(&r->said, why);
	return r;
}

/* What was asked is kept as it was signed. */
static bool read_request(struct run *r)
{
	char path[PATH_MAX];
	struct strbuf b = {0};
	struct message m = {0};
	struct request q;
	bool ok = false;

	if (file_get(path_in(path, r->dir, "request"), 0, 2 * PROGRAM_MAX, &b) && b.len > SIGNED_HEAD) {
		ok = message_parse(&m, b.s + SIGNED_HEAD, b.len - SIGNED_HEAD) && !request_read(&q, &m);
		if (ok)
			r->until = q.until;
		message_release(&m);
	}
	strbuf_release(&b);
	return ok;
}

struct run *run_load(const char *dir, const char *id)
{
	char path[PATH_MAX];
	struct run *r = new_run(id);

	r->dir = xstrdup(dir);
	r->epoch = file_get_number(path_in(path, dir, "epoch"));
	r->sequence = file_get_number(path_in(path, dir, "sequence"));
	r->matched = file_get_number(path_in(path, dir, "matched"));
	r->sent = file_get_number(path_in(path, dir, "sent"));
	if (r->epoch && read_request(r))
		return r;
	run_free(r);
	return NULL;
}

void run_free(struct run *r)
{
	if (!r)
		return;
	strbuf_release(&r->said);
	strbuf_release(&r->snapshot);
	strbuf_release(&r->before);
	xfree(r->id);
	xfree(r->dir);
	xfree(r);
}

void run_stop(struct run *r, const char *why)
{
	char path[PATH_MAX];

	if (r->dir && r->phase == PHASE_TRACING && !file_size(path_in(path, r->dir, "stop")))
		file_put(path, why, strlen(why));
}

static uint64_t count_keys(const struct aggfile *f)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < f->nagg; i++)
		n += f->agg[i].nrow;
	return n;
}

/* Reads the snapshot if it is another one. */
static void look_at_snapshot(struct run *r, uint64_t keys)
{
	char path[PATH_MAX], why[80];
	struct diag d = {0};
	struct aggfile *f;
	struct stat st;
	int64_t ns;

	if (stat(path_in(path, r->dir, "agg"), &st))
		return;
	ns = st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec;
	if (ns == r->agg_ns && st.st_ino == r->agg_ino)
		return;
	r->agg_ns = ns;
	r->agg_ino = st.st_ino;
	strbuf_reset(&r->snapshot);
	file_get(path, 0, (size_t)st.st_size + 1, &r->snapshot);
	r->fresh = true;
	f = aggfile_parse(path, r->snapshot.s ? r->snapshot.s : "", r->snapshot.len, &d);
	if (f && count_keys(f) > keys) {
		snprintf(why, sizeof(why), "policy: more than %" PRIu64 " keys", keys);
		run_stop(r, why);
	}
	if (!f)
		strbuf_reset(&r->snapshot);
	aggfile_free(f);
	diag_release(&d);
}

/* Errors of dtrace, and behind them why it was ended. */
static void look_at_errors(struct run *r, const char *why)
{
	char path[PATH_MAX];
	struct strbuf b = {0};

	file_get(path_in(path, r->dir, "err"), 0, SAID_MAX, &b);
	if (*why)
		strbuf_addf(&b, "ended: %s\n", why);
	if (b.len != r->said.len || (b.len && memcmp(b.s, r->said.s, b.len))) {
		strbuf_release(&r->said);
		r->said = b;
		r->fresh = true;
		return;
	}
	strbuf_release(&b);
}

/* "STATUS\nREASON" of a keeper that has ended well; it may have been killed. */
static void look_at_end(struct run *r)
{
	char path[PATH_MAX];
	struct strbuf b = {0};
	bool dead = r->phase == PHASE_TRACING && !keeper_lives(r->dir);
	bool there = file_get(path_in(path, r->dir, "end"), 0, 512, &b) && b.len;
	const char *nl = there ? strchr(b.s, '\n') : NULL;

	if (there && r->phase == PHASE_TRACING) {
		r->agg_ino = 0; /* the last one, even if it came in the same tick of the clock */
		look_at_snapshot(r, UINT64_MAX);
		r->phase = r->snapshot.len ? PHASE_ENDED : PHASE_REFUSED;
		r->fresh = true;
	} else if (dead && !there) {
		r->phase = PHASE_ENDED;
		r->fresh = true;
	}
	look_at_errors(r, there ? nl ? nl + 1 : "" : r->phase == PHASE_ENDED ? "who looked after it was killed" : "");
	strbuf_release(&b);
}

void run_look(struct run *r, uint64_t keys)
{
	char path[PATH_MAX];
	uint64_t out;

	if (!r->dir)
		return;
	if (r->keeper > 0 && waitpid(r->keeper, NULL, WNOHANG) == r->keeper)
		r->keeper = 0;
	look_at_snapshot(r, keys);
	look_at_end(r);
	out = file_size(path_in(path, r->dir, "out"));
	r->fresh |= out != r->out;
	r->out = out;
}

void run_message(struct run *r, const char *host, struct strbuf *out)
{
	char path[PATH_MAX];

	r->sequence++;
	if (r->dir)
		file_put_number(path_in(path, r->dir, "sequence"), r->sequence);
	message_begin(out);
	message_head(out, "run", r->id);
	message_head(out, "host", host);
	message_head_number(out, "epoch", r->epoch);
	message_head_number(out, "sequence", r->sequence);
	message_head(out, "phase", phase_name(r->phase));
	message_head_number(out, "matched", r->matched);
	message_head_number(out, "out", r->out);
	message_head_number(out, "said", r->said.len);
	message_body(out, r->said.s, r->said.len);
	if (r->snapshot.len)
		strbuf_add(out, r->snapshot.s, r->snapshot.len);
}
