/* journal.c - keeps entries of the audit stream until the server has them. */
#include "fleet/host/journal.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "fleet/audit.h"
#include "fleet/files.h"
#include "fleet/host/run.h"
#include "fleet/message.h"
#include "fleet/request.h"

enum {
	SEND_MS = 200, /* time limit of one call of journal_serve() */
	/* time between two looks at the folder if there is nothing to send */
	LOOK_S = 60,
	AGAIN_MS = 1000, /* after a failure, the time until the next try */
	/* a sent entry is kept for this time, because the server keeps requests for 24 h */
	FORGET_S = 25 * 60 * 60,
	KEPT_MAX = 8192, /* maximum number of files in the folder */
	/*
	 * Maximum numbers of entries, at once and in a day, about requests that started or ended no
	 * run. For each listed key:
	 */
	LISTED_MAX = 20,
	LISTED_DAILY = 100,
	STRANGERS_MAX = 10, /* for all unknown keys together */
	STRANGERS_DAILY = 50,
};

#define DAY_NS 86400000000000ull

/*
 * Limits the entries about requests of one key, with two token buckets (wait_for()). So a key that
 * made no requests for a while may make many at once.
 */
struct quota {
	uint8_t key[KEY_SIZE]; /* zeros: all keys that the policy does not list */
	/* states of two buckets: for accepted runs, and for requests without a run */
	uint64_t runs, without;
	/* number of requests since the last entry that got no entry, because there was no quota */
	uint64_t skipped;
};

struct journal {
	struct journal_opts o;
	char dir[PATH_MAX], runs[PATH_MAX];
	uint64_t look_at; /* when to look at the folder, ns since boot */
	/* number of files in the folder: those of the last look, and those added since then */
	size_t files;
	VEC(struct quota) quota;
};

struct journal *journal_new(const struct journal_opts *o)
{
	struct journal *j = xcalloc(1, sizeof(*j));

	j->o = *o;
	path_in(j->dir, o->dir, "audit");
	path_in(j->runs, o->dir, "runs");
	mkdir(j->dir, 0700);
	return j;
}

void journal_free(struct journal *j)
{
	vec_free(&j->quota);
	xfree(j);
}

static bool send_entry(const struct journal *j, const struct audit_entry *e)
{
	struct strbuf subject = {0}, b = {0};
	bool ok;

	audit_write(&subject, &b, e);
	ok = j->o.put(j->o.ctx, &subject, &b);
	strbuf_release(&subject);
	strbuf_release(&b);
	return ok;
}

static const char *file_of(const struct journal *j, const struct audit_entry *e,
			   char path[PATH_MAX])
{
	char name[RUN_ID_MAX + 16];

	snprintf(name, sizeof(name), "%s.%s", e->run, audit_word(e->what));
	return path_in(path, j->dir, name);
}

/*
 * Keeps the entry in a file, if there is no such file yet. If the disk or the folder is full, sends
 * the entry at once. If that fails too, the entry is lost, and only the log mentions it.
 */
static void keep(struct journal *j, const struct audit_entry *e)
{
	char path[PATH_MAX];
	struct strbuf subject = {0}, b = {0};

	if (!access(file_of(j, e, path), F_OK))
		return;
	audit_write(&subject, &b, e);
	if (j->files < KEPT_MAX && file_keep(path, b.s, b.len)) {
		j->files++;
		j->look_at = 0;
	} else if (!j->o.put(j->o.ctx, &subject, &b)) {
		j->o.log(j->o.ctx, "audit: lost the entry which says that run %s was %s: %s",
			 e->run, audit_word(e->what),
			 j->files < KEPT_MAX ? strerror(errno) : "too many entries are kept");
	}
	strbuf_release(&subject);
	strbuf_release(&b);
}

/* ------------------------------------------------------------------------ entries */

/* Returns an entry about run @run. @owner is NULL if the key has no owner. The other texts are "".
 */
static struct audit_entry begin_entry(const struct journal *j, enum audit_what what,
				      const char *run, const char *owner)
{
	return (struct audit_entry){.what = what,
				    .host = j->o.host,
				    .id = j->o.id,
				    .time = now_real(),
				    .run = run,
				    .owner = owner ? owner : "",
				    .hosts = "",
				    .replay = "",
				    .program = "",
				    .sha = "",
				    .end = "",
				    .why = ""};
}

/*
 * Begins the entry for a request. @sealed is the signed request, which begins with the key
 * (sign.h). @sha gets the hash of the program, which the entry borrows.
 */
static struct audit_entry entry_of(const struct journal *j, enum audit_what what,
				   const struct request *q, const char *owner, const void *sealed,
				   char sha[AUDIT_HASH + 1])
{
	struct audit_entry e = begin_entry(j, what, q->id, owner);

	e.hosts = q->hosts ? q->hosts : "";
	e.replay = q->replay ? q->replay : "";
	e.seconds = q->seconds;
	e.program = q->program ? q->program : "";
	e.sha = sha;
	e.size = strlen(e.program);
	memcpy(e.key, sealed, KEY_SIZE);
	audit_hash(sha, e.program);
	return e;
}

/* Returns the quota of the key that @sealed begins with, or of unknown keys if @listed is false. */
static struct quota *quota_of(struct journal *j, bool listed, const void *sealed)
{
	struct quota one = {0};

	if (listed)
		memcpy(one.key, sealed, KEY_SIZE);
	for (size_t i = 0; i < j->quota.n; i++)
		if (!memcmp(j->quota.v[i].key, one.key, KEY_SIZE))
			return &j->quota.v[i];
	vec_push(&j->quota, one);
	return &j->quota.v[j->quota.n - 1];
}

/*
 * A token bucket, which allows @most entries at once and @daily entries in a day. Each entry moves
 * *@at into the future by a step of 24 h / @daily. An entry is allowed if *@at is at most @most - 1
 * steps ahead of the present time. Returns 0 if an entry is allowed, or otherwise the time until
 * the next one, ns.
 */
static uint64_t wait_for(uint64_t *at, uint64_t most, uint64_t daily)
{
	uint64_t now = now_boot(), from = *at > now ? *at : now, every = DAY_NS / daily;

	if (from - now > (most - 1) * every)
		return from - now - (most - 1) * every;
	*at = from + every;
	return 0;
}

bool journal_accept(struct journal *j, const struct request *q, const char *owner,
		    const void *sealed, uint64_t daily, struct strbuf *why)
{
	char sha[AUDIT_HASH + 1];
	struct audit_entry e = entry_of(j, AUDIT_ACCEPTED, q, owner, sealed, sha);
	uint64_t ns = wait_for(&quota_of(j, true, sealed)->runs, daily, daily);

	if (ns)
		strbuf_addf(why,
			    "policy: the key may start %" PRIu64
			    " runs in a day, and the next one in %" PRIu64 " s",
			    daily, ns / 1000000000u + 1);
	else if (send_entry(j, &e))
		return true;
	else
		strbuf_adds(why, "the server did not store the run's entry in the audit stream: it "
				 "is missing (dtrace-fleet setup creates it) or full, or the "
				 "server does not answer");
	return false;
}

/*
 * Returns whether the limits allow another entry about a request of this key that started or ended
 * no run. If so, appends the number of earlier requests without an entry to @why.
 */
static bool take_quota(struct journal *j, bool listed, const void *sealed, struct strbuf *why)
{
	struct quota *q = quota_of(j, listed, sealed);

	if (wait_for(&q->without, listed ? LISTED_MAX : STRANGERS_MAX,
		     listed ? LISTED_DAILY : STRANGERS_DAILY)) {
		q->skipped++;
		return false;
	}
	if (q->skipped)
		strbuf_addf(why, " (and so are %" PRIu64 " earlier requests)", q->skipped);
	q->skipped = 0;
	return true;
}

static bool is_kept(const struct journal *j, const struct audit_entry *e)
{
	char path[PATH_MAX];

	return !access(file_of(j, e, path), F_OK);
}

void journal_refuse(struct journal *j, const struct request *q, const char *owner,
		    const void *sealed, const char *why)
{
	char sha[AUDIT_HASH + 1];
	struct audit_entry e = entry_of(j, AUDIT_REFUSED, q, owner, sealed, sha);
	struct strbuf b = {0};

	strbuf_adds(&b, why);
	if (!is_kept(j, &e) && take_quota(j, owner, sealed, &b)) {
		e.why = b.s;
		keep(j, &e);
	}
	strbuf_release(&b);
}

void journal_stop(struct journal *j, const struct request *q, const char *owner, const void *sealed,
		  bool runs)
{
	char sha[AUDIT_HASH + 1];
	struct audit_entry e = entry_of(j, AUDIT_STOPPED, q, owner, sealed, sha);
	struct strbuf b = {0};

	if (runs || (!is_kept(j, &e) && take_quota(j, true, sealed, &b))) {
		e.why = strbuf_text(&b);
		keep(j, &e);
	}
	strbuf_release(&b);
}

void journal_end(struct journal *j, const struct run *r, const char *owner)
{
	struct audit_entry e = begin_entry(j, AUDIT_ENDED, r->id, owner);
	char path[PATH_MAX];

	e.end = end_name(r->end);
	e.bytes = r->out + r->snapshot.len;
	e.cost = file_get_number(path_in(path, r->dir, "cost"));
	e.why = strbuf_text(&r->errors);
	memcpy(e.key, r->key, KEY_SIZE);
	keep(j, &e);
}

/* ------------------------------------------------------------------------ sending */

/* Sends the entry in the file, and empties the file. Returns false if the server did not take it.
 */
static bool send_file(const struct journal *j, const char *path)
{
	struct strbuf b = {0}, subject = {0};
	struct message m = {0};
	bool ok = true;

	if (file_get(path, 0, AUDIT_MAX, &b) && b.len && message_parse(&m, b.s, b.len)) {
		audit_subject(&subject, message_get(&m, "host") ? message_get(&m, "host") : "");
		ok = j->o.put(j->o.ctx, &subject, &b);
	}
	message_release(&m);
	strbuf_release(&b);
	strbuf_release(&subject);
	return ok && !truncate(path, 0);
}

/* Removes the file of an entry that was sent more than FORGET_S ago, if its run is gone too. */
static bool forget(const struct journal *j, const char *name, const char *path,
		   const struct stat *st)
{
	char run[RUN_ID_MAX + 1], dir[PATH_MAX];
	size_t n = strcspn(name, ".");

	if ((uint64_t)st->st_mtim.tv_sec + FORGET_S > now_real() / 1000000000u)
		return false;
	snprintf(run, sizeof(run), "%.*s", (int)n, name);
	return n <= RUN_ID_MAX && access(path_in(dir, j->runs, run), F_OK) && !unlink(path);
}

void journal_serve(struct journal *j)
{
	uint64_t began = now_boot();
	char path[PATH_MAX];
	struct stat st;
	bool more = false;
	DIR *d;

	if (began < j->look_at)
		return;
	j->files = 0;
	d = opendir(j->dir);
	for (const struct dirent *e; d && (e = readdir(d));) {
		if (*e->d_name == '.' || stat(path_in(path, j->dir, e->d_name), &st))
			continue;
		j->files++;
		if (!st.st_size)
			j->files -= forget(j, e->d_name, path, &st);
		else if (!more)
			more = now_boot() - began > SEND_MS * 1000000ull || !send_file(j, path);
	}
	if (d)
		closedir(d);
	j->look_at = now_boot() + (more ? AGAIN_MS * 1000000ull : LOOK_S * 1000000000ull);
}
