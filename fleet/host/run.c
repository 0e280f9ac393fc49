/* run.c - reads the state of a run from its folder. */
#include "fleet/host/run.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"
#include "fleet/files.h"
#include "fleet/host/keeper.h"
#include "fleet/message.h"
#include "fleet/request.h"

enum { SAID_MAX = 4096, HEADS_MAX = 1024 };

#define TOO_MANY_KEYS "policy: the aggregations have more than %" PRIu64 " keys"

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
	r->sequence = now_real() /
		      1000000u; /* higher than the numbers that an earlier agent used */
	r->phase = PHASE_REFUSED;
	strbuf_adds(&r->errors, why);
	return r;
}

/* Reads the time at which the run ends, the signer's key and the capture from the stored request.
 */
static bool read_request(struct run *r)
{
	char path[PATH_MAX];
	struct strbuf b = {0};
	struct message m;
	struct request q;
	bool ok;

	file_get(path_in(path, r->dir, "request"), 0, 2 * PROGRAM_MAX, &b);
	ok = request_signed(&q, &m, b.s, b.len);
	if (ok) {
		r->until = q.until;
		memcpy(r->key, b.s, KEY_SIZE); /* a signed message begins with the key (sign.h) */
		r->replay = q.replay ? xstrdup(q.replay) : NULL;
	}
	message_release(&m);
	strbuf_release(&b);
	return ok;
}

struct run *run_load(const char *dir, const char *id)
{
	char path[PATH_MAX];
	struct run *r = new_run(id);

	r->dir = xstrdup(dir);
	r->epoch = file_get_number(path_in(path, dir, "epoch"));
	/*
	 * If the disk was full or the power failed, the number in the file may be lower than that
	 * of the last report. So the number becomes at least the present time in ms, which is
	 * higher than all earlier numbers.
	 */
	r->sequence = file_get_number(path_in(path, dir, "sequence"));
	if (r->sequence < now_real() / 1000000u)
		r->sequence = now_real() / 1000000u;
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
	strbuf_release(&r->errors);
	strbuf_release(&r->snapshot);
	strbuf_release(&r->lacks);
	strbuf_release(&r->before);
	xfree(r->id);
	xfree(r->replay);
	xfree(r->dir);
	xfree(r);
}

void run_stop(struct run *r, enum end end, const char *why)
{
	char path[PATH_MAX];
	struct strbuf b = {0};

	strbuf_addf(&b, "%s %s", end_name(end), why);
	/*
	 * If the file cannot be written, ends the keeper by a signal. This works only if the keeper
	 * is a child of this agent. Any other keeper continues until the run's time is over.
	 */
	if (r->dir && r->phase == PHASE_TRACING && !file_size(path_in(path, r->dir, "stop")) &&
	    !file_keep_reserved(path, b.s, b.len) && r->keeper > 0)
		kill(r->keeper, SIGTERM);
	strbuf_release(&b);
}

static uint64_t count_keys(const struct aggfile *f)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < f->nagg; i++)
		n += f->agg[i].nrow;
	return n;
}

/* Reads the snapshot if it has changed. If it has too many keys, keeps the previous one. */
static void look_at_snapshot(struct run *r, uint64_t keys)
{
	char path[PATH_MAX], why[80];
	struct strbuf b = {0};
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
	file_get(path, 0, (size_t)st.st_size + 1, &b);
	r->fresh = true;
	strbuf_reset(&r->lacks);
	f = aggfile_parse("snapshot", strbuf_text(&b), b.len, &d);
	if (f && count_keys(f) > keys) {
		r->over = true;
		snprintf(why, sizeof(why), TOO_MANY_KEYS, keys);
		run_stop(r, END_POLICY, why);
	} else if (f) {
		r->matched = f->id.matched;
		strbuf_release(&r->snapshot);
		r->snapshot = b;
		b = (struct strbuf){0};
	} else {
		strbuf_addf(&r->lacks, "the agent cannot read the aggregations: %s", d.msg);
	}
	strbuf_release(&b);
	aggfile_free(f);
	diag_release(&d);
}

/*
 * Replaces KEEPER_INPUT, the name under which dtrace opens the capture, by the path of the capture.
 */
static void name_capture(const struct run *r, struct strbuf *b)
{
	static const char name[] = KEEPER_INPUT;
	struct strbuf to = {0};
	const char *from = strbuf_text(b), *end = from + b->len, *at;

	if (!r->replay)
		return;
	while ((at = memmem(from, (size_t)(end - from), name, strlen(name)))) {
		strbuf_add(&to, from, (size_t)(at - from));
		strbuf_adds(&to, r->replay);
		from = at + strlen(name);
	}
	strbuf_add(&to, from, (size_t)(end - from));
	strbuf_release(b);
	*b = to;
}

/*
 * Reads the messages of dtrace from the file "err". Appends @why, the reason for the end, unless it
 * is empty. A reason that begins with STOPPED is a sentence of its own.
 */
static void look_at_errors(struct run *r, const char *why)
{
	char path[PATH_MAX];
	struct strbuf b = {0};

	file_get(path_in(path, r->dir, "err"), 0, SAID_MAX, &b);
	name_capture(r, &b);
	if (*why)
		strbuf_addf(&b, "%s%s\n", strncmp(why, STOPPED, strlen(STOPPED)) ? "ended: " : "",
			    why);
	if (b.len != r->errors.len || (b.len && memcmp(b.s, r->errors.s, b.len))) {
		strbuf_release(&r->errors);
		r->errors = b;
		r->fresh = true;
		return;
	}
	strbuf_release(&b);
}

/*
 * Parses @end, the text "KIND REASON" that a keeper writes when the run has ended. Sets r->end, and
 * appends the reason to @why. @end is NULL if there is no such file because the keeper was killed.
 */
static void read_end(struct run *r, const char *end, struct strbuf *why)
{
	const char *reason = end ? strchr(end, ' ') : NULL;
	struct strbuf kind = {0};

	if (!end) {
		r->end = END_KEEPER;
		strbuf_adds(why, "the process that watches dtrace was killed");
		return;
	}
	strbuf_add(&kind, end, reason ? (size_t)(reason - end) : strlen(end));
	if (!end_find(strbuf_text(&kind), &r->end))
		r->end = END_FAILED;
	strbuf_adds(why, reason ? reason + 1 : "");
	strbuf_release(&kind);
}

/*
 * Updates r->errors: the messages of dtrace, and the reason why the run ended. If the run ended by
 * itself but has too many keys, the reason is that the policy does not allow so many. If dtrace
 * refused the program, dtrace's own message is the only reason.
 */
static void look_at_reason(struct run *r, const char *end, uint64_t keys)
{
	struct strbuf why = {0};
	char path[PATH_MAX];

	if (end || r->phase == PHASE_ENDED)
		read_end(r, end, &why);
	if (r->end == END_DONE && r->over) {
		r->end = END_POLICY;
		strbuf_reset(&why);
		strbuf_addf(&why, TOO_MANY_KEYS, keys);
	} else if (r->end == END_FAILED && r->phase == PHASE_REFUSED &&
		   file_size(path_in(path, r->dir, "err"))) {
		strbuf_reset(&why);
	}
	look_at_errors(r, strbuf_text(&why));
	strbuf_release(&why);
}

/*
 * Returns the phase of a run that has ended. If dtrace failed before it wrote a snapshot, it
 * refused the program.
 */
static enum phase ended_phase(const struct run *r, const char *end)
{
	bool refused = !strncmp(end, "failed ", 7) && !r->snapshot.len && !r->over && !r->lacks.len;

	return refused ? PHASE_REFUSED : PHASE_ENDED;
}

static void look_at_end(struct run *r, uint64_t keys)
{
	char path[PATH_MAX];
	struct strbuf b = {0};
	bool dead = r->phase == PHASE_TRACING && !keeper_lives(r->dir);
	bool there = file_get(path_in(path, r->dir, "end"), 0, 512, &b) && b.len;

	if (there && r->phase == PHASE_TRACING) {
		/* so that look_at_snapshot() reads the file again, even if its time is the same */
		r->agg_ino = 0;
		look_at_snapshot(r, keys);
		r->phase = ended_phase(r, strbuf_text(&b));
		r->fresh = true;
	} else if (dead && !there) {
		r->phase = PHASE_ENDED;
		r->fresh = true;
	}
	look_at_reason(r, there ? strbuf_text(&b) : NULL, keys);
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
	look_at_end(r, keys);
	out = file_size(path_in(path, r->dir, "out"));
	r->fresh |= out != r->out;
	r->out = out;
}

void run_message(struct run *r, const char *host, const char *id, uint64_t most, struct strbuf *out)
{
	bool fits = HEADS_MAX + r->errors.len + r->snapshot.len <= most;
	struct strbuf lacks = {0};
	char path[PATH_MAX];

	r->sequence++;
	if (r->dir)
		file_put_number(path_in(path, r->dir, "sequence"), r->sequence);
	message_begin(out);
	message_head(out, "run", r->id);
	message_head(out, "host", host);
	message_head(out, "id", id);
	message_head_number(out, "epoch", r->epoch);
	message_head_number(out, "sequence", r->sequence);
	message_head(out, "version", DTRACE_VERSION);
	message_head(out, "phase", phase_name(r->phase));
	message_head(out, "end", end_name(r->end));
	message_head_number(out, "matched", r->matched);
	message_head_number(out, "out", r->out);
	message_head_number(out, "unsent", r->out - r->sent);
	if (r->lacks.len)
		strbuf_add(&lacks, r->lacks.s, r->lacks.len);
	else if (!fits)
		strbuf_addf(&lacks, "%zu bytes of aggregations are more than the server accepts",
			    r->snapshot.len);
	if (lacks.len)
		message_head(out, "lacks", lacks.s);
	message_head_number(out, "said", r->errors.len);
	message_body(out, r->errors.s, r->errors.len);
	if (fits && r->snapshot.len)
		strbuf_add(out, r->snapshot.s, r->snapshot.len);
	strbuf_release(&lacks);
}
