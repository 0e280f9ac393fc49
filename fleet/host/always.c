/* always.c - runs the programs of a folder, and sends what they count in each interval. */
#include "fleet/host/always.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/sum.h"
#include "fleet/files.h"
#include "fleet/history.h"
#include "fleet/host/group.h"
#include "fleet/host/keeper.h"
#include "fleet/message.h"
#include "fleet/viewer/newest.h"
#include "fleet/host/policy.h"
#include "fleet/request.h"

enum {
	KEPT_S = 60,  /* programs continue for this time after their agent has ended */
	AGAIN_S = 60, /* shortest time between two starts of a program */
	LOOK_MS = 900,
	SEND_MS = 200,    /* time limit of one call of send_saved() */
	RENEW_S = 10,     /* interval at which the agent renews the lease of the keepers */
	SAVED_MAX = 2000, /* maximum number of snapshots of a program that wait for the server */
	NAME_SIZE = 64,
};

#define SNAPSHOT "at.%020" PRIu64 ".%010" PRIu64

struct always_program {
	char *name;
	char dir[PATH_MAX];
	struct file_version version; /* version of the program's file when it was last checked */
	bool listed;                 /* the folder of programs has this program */
	bool running;                /* the program was running when it was last checked */
	bool refused;                /* the program does not run again until its file has changed */
	pid_t keeper;           /* the keeper, if it is a running child of this agent; else 0 */
	uint64_t again_at;      /* when the program may begin again, ns since boot */
	uint64_t interval;      /* number of the current interval since 1970 */
	uint64_t epoch, number; /* from the name of the last saved snapshot */
	uint64_t time;          /* time of that snapshot, ns since 1970 */
};

typedef VEC(char *) names;

struct always {
	struct always_opts o;
	VEC(struct always_program *) v;
	names ignored; /* files of the folder whose wrong names were logged */
	char dir[PATH_MAX], alive[PATH_MAX];
	/* when @alive was last written and the programs were last checked, ns since boot */
	uint64_t renewed, looked;
};

static void free_names(names *n)
{
	for (size_t i = 0; i < n->n; i++)
		xfree(n->v[i]);
	vec_free(n);
}

struct always *always_new(const struct always_opts *o)
{
	struct always *a = xcalloc(1, sizeof(*a));

	a->o = *o;
	path_in(a->dir, o->dir, "always");
	path_in(a->alive, o->dir, "alive");
	return a;
}

void always_free(struct always *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->v.n; i++) {
		xfree(a->v.v[i]->name);
		xfree(a->v.v[i]);
	}
	vec_free(&a->v);
	free_names(&a->ignored);
	xfree(a);
}

/* ------------------------------------------------------------------------- snapshots */

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Returns the names of the files in @dir that begin with @prefix, sorted. */
static names list(const char *dir, const char *prefix)
{
	names n = {0};
	DIR *d = opendir(dir);

	for (const struct dirent *e; d && (e = readdir(d));)
		if (!strncmp(e->d_name, prefix, strlen(prefix)))
			vec_push(&n, xstrdup(e->d_name));
	if (d)
		closedir(d);
	if (n.n)
		qsort(n.v, n.n, sizeof(*n.v), compare);
	return n;
}

static bool parse_name(const char *name, uint64_t *epoch, uint64_t *number)
{
	return sscanf(name, "at.%" SCNu64 ".%" SCNu64, epoch, number) == 2;
}

/*
 * Returns whether the program that wrote snapshot @f may continue. It may not if values of an
 * aggregation cannot be subtracted, or if it has too many keys: appends the reason to @why and
 * returns false.
 */
static bool is_allowed(const struct aggfile *f, const struct policy *p, struct strbuf *why)
{
	uint64_t keys = 0;

	for (uint32_t i = 0; i < f->nagg; i++) {
		keys += f->agg[i].nrow;
		if (!aggsum_can_subtract(&f->agg[i]))
			strbuf_addf(why, "@%s: this function has no history; use quantize()",
				    f->agg[i].info.name);
	}
	if (keys > p->keys)
		strbuf_addf(why, "policy: the aggregations have more than %" PRIu64 " keys",
			    p->keys);
	return !why->len;
}

/*
 * Asks the keeper to end the program. @end and @why are the reason. Returns false if the request
 * could not be written; the caller then tries again.
 */
static bool stop(struct always_program *g, enum end end, const char *why)
{
	char path[PATH_MAX];
	struct strbuf b = {0};
	bool ok;

	strbuf_addf(&b, "%s %s", end_name(end), why);
	ok = file_size(path_in(path, g->dir, "stop")) ||
	     file_keep_reserved(path, b.s, b.len < FILE_ROOM ? b.len : FILE_ROOM);
	strbuf_release(&b);
	return ok;
}

/*
 * Saves dtrace's snapshot as the end of an interval, if it is newer than the last saved one. Ends a
 * program that may not continue (is_allowed()).
 */
static void save(struct always *a, struct always_program *g, const struct policy *p)
{
	char path[PATH_MAX], name[NAME_SIZE];
	struct strbuf b = {0}, why = {0};
	struct diag d = {0};
	struct aggfile *f = NULL;

	if (!g->refused && file_get(path_in(path, g->dir, "agg"), 0, p->bytes + 1, &b) && b.len)
		f = aggfile_parse("snapshot", b.s, b.len, &d);
	if (f && f->id.epoch != g->epoch) {
		g->epoch = f->id.epoch;
		g->number = 0;
		g->time = 0;
	}
	if (f && !is_allowed(f, p, &why)) {
		a->o.log(a->o.ctx, "always %s: %s", g->name, why.s);
		g->refused = stop(g, END_POLICY, why.s);
	} else if (f && f->id.time > g->time) {
		snprintf(name, sizeof(name), SNAPSHOT, g->epoch, g->number + 1);
		if (file_keep(path_in(path, g->dir, name), b.s, b.len)) {
			g->number++;
			g->time = f->id.time;
		}
	}
	aggfile_free(f);
	diag_release(&d);
	strbuf_release(&b);
	strbuf_release(&why);
}

/*
 * Finds the last snapshot that an earlier agent has saved, so that the next one gets the next
 * number.
 */
static void find_saved(struct always_program *g)
{
	names n = list(g->dir, "at.");
	char path[PATH_MAX];
	struct strbuf b = {0};
	struct diag d = {0};
	struct aggfile *f = NULL;

	if (n.n && parse_name(n.v[n.n - 1], &g->epoch, &g->number) &&
	    file_get(path_in(path, g->dir, n.v[n.n - 1]), 0, AGGFILE_FOREIGN_MAX, &b) && b.len)
		f = aggfile_parse("snapshot", b.s, b.len, &d);
	g->time = f ? f->id.time : 0;
	aggfile_free(f);
	diag_release(&d);
	strbuf_release(&b);
	free_names(&n);
}

/* --------------------------------------------------------------------------- sending */

static bool read_snapshot(const struct always_program *g, const char *name, struct strbuf *b)
{
	char path[PATH_MAX];

	return file_get(path_in(path, g->dir, name), 0, AGGFILE_FOREIGN_MAX, b) && b->len;
}

/*
 * Subtracts the snapshot that was saved at the beginning of interval @i from @sum, and sets
 * i->from. Does not subtract anything for the first interval of a run. Returns false, with the
 * reason in @why, if the snapshot is missing or cannot be subtracted.
 */
static bool subtract(const struct always_program *g, struct interval *i, struct aggsum *sum,
		     struct strbuf *why)
{
	char before[NAME_SIZE];
	struct strbuf b = {0};
	struct diag d = {0};
	struct aggfile *f = NULL;
	bool ok;

	i->from = i->epoch;
	if (i->number == 1)
		return true;
	snprintf(before, sizeof(before), SNAPSHOT, i->epoch, i->number - 1);
	ok = read_snapshot(g, before, &b) && (f = aggfile_parse("snapshot", b.s, b.len, &d)) &&
	     aggsum_subtract(sum, "snapshot", b.s, b.len, &d);
	if (f)
		i->from = f->id.time;
	if (!ok)
		strbuf_adds(why, d.msg ? d.msg : "the previous snapshot was discarded");
	aggfile_free(f);
	diag_release(&d);
	strbuf_release(&b);
	return ok;
}

/*
 * Writes the counts of the interval that ends with snapshot @name to @out. If the counts cannot be
 * computed, writes the reason to @why. Returns false if the snapshot cannot be read.
 */
static bool difference(const struct always *a, const struct always_program *g, const char *name,
		       struct interval *i, struct strbuf *out, struct strbuf *why)
{
	struct aggsum *sum = aggsum_new();
	struct strbuf b = {0};
	struct diag d = {0};
	struct aggfile_id id;
	uint64_t max = a->o.max(a->o.ctx);
	bool there = read_snapshot(g, name, &b) && aggsum_add(sum, name, b.s, b.len, &d);

	if (there) {
		id = *aggsum_id(sum);
		i->to = id.time;
		if (subtract(g, i, sum, why)) {
			id.epoch = i->from;
			id.sequence = 1;
			aggsum_write(sum, &id, out);
		}
		if (max && out->len + 2 * MESSAGE_LINE > max)
			strbuf_addf(why,
				    "the data has %zu bytes, which is more than the server accepts",
				    out->len);
	}
	diag_release(&d);
	strbuf_release(&b);
	aggsum_free(sum);
	return there;
}

static bool send_interval(const struct always *a, const struct always_program *g, const char *name)
{
	struct interval i = {.program = g->name, .host = a->o.host, .id = a->o.id};
	struct strbuf subject = {0}, b = {0}, file = {0}, why = {0};
	bool ok = true;

	if (parse_name(name, &i.epoch, &i.number) && difference(a, g, name, &i, &file, &why)) {
		i.lacks = why.len ? why.s : NULL;
		interval_write(&subject, &b, &i, strbuf_text(&file), why.len ? 0 : file.len);
		ok = a->o.put(a->o.ctx, &subject, &b);
	}
	strbuf_release(&subject);
	strbuf_release(&b);
	strbuf_release(&file);
	strbuf_release(&why);
	return ok;
}

/* Removes the snapshots with an index in [@from, @to). */
static void discard(const struct always_program *g, const names *at, size_t from, size_t to)
{
	char path[PATH_MAX];

	for (size_t i = from; i < to; i++)
		unlink(path_in(path, g->dir, at->v[i]));
}

/*
 * Sends the intervals that the server does not have yet. After a long outage there are many. So
 * this function stops after SEND_MS and the next call continues, because the agent has other work.
 */
static void send_saved(const struct always *a, const struct always_program *g)
{
	names at = list(g->dir, "at.");
	char path[PATH_MAX];
	struct strbuf sent = {0};
	uint64_t began = now_boot();
	size_t kept = 0; /* index of the first snapshot that was not removed */

	file_get(path_in(path, g->dir, "sent"), 0, NAME_SIZE, &sent);
	for (size_t i = 0; i < at.n && now_boot() - began < SEND_MS * 1000000ull; i++) {
		if (strcmp(at.v[i], strbuf_text(&sent)) <= 0)
			continue;
		if (!send_interval(a, g, at.v[i]) ||
		    !file_put(path_in(path, g->dir, "sent"), at.v[i], strlen(at.v[i])))
			break;
		discard(g, &at, kept, i);
		kept = i;
	}
	strbuf_release(&sent);
	free_names(&at);
}

/* Discards the oldest snapshots if there are more than SAVED_MAX, as after a very long outage. */
static void bound_saved(const struct always_program *g)
{
	names at = list(g->dir, "at.");

	if (at.n > SAVED_MAX)
		discard(g, &at, 0, at.n - SAVED_MAX);
	free_names(&at);
}

/* -------------------------------------------------------------------------- starting */

static bool put_probes(const struct policy *p, const char *path)
{
	struct strbuf b = {0};
	bool ok;

	for (size_t i = 0; i < p->probes.n; i++)
		strbuf_addf(&b, "%s\n", p->probes.v[i]);
	ok = file_put(path, strbuf_text(&b), b.len);
	strbuf_release(&b);
	return ok;
}

static pid_t start(const struct always *a, const struct always_program *g, const struct policy *p)
{
	uint64_t rate = a->o.interval_ns / 2 < 1000000000u ? a->o.interval_ns / 2 : 1000000000u;
	struct keeper_opts k = {.self = a->o.self,
				.input = -1,
				.dir = g->dir,
				.lease = a->alive,
				.lease_s = KEPT_S,
				.until = UINT64_MAX,
				.bytes = p->bytes,
				.memory = p->use.memory,
				.files = p->use.files,
				.cost = p->use.cost};
	VEC(const char *) argv = {0};
	struct arena mem;
	pid_t pid;

	arena_init(&mem);
	vec_push(&argv, a->o.dtrace);
	vec_push(&argv, "-qxlocked");
	vec_push(&argv, "-xaggoutonly");
	vec_push(&argv, "-xsignalstatus");
	vec_push(&argv, arena_printf(&mem, "-xprobes=%s/probes", g->dir));
	vec_push(&argv, arena_printf(&mem, "-xhost=%s", a->o.host));
	vec_push(&argv, arena_printf(&mem, "-xaggout=%s/agg", g->dir));
	vec_push(&argv, arena_printf(&mem, "-xaggoutrate=%" PRIu64 "ms", rate / 1000000));
	vec_push(&argv, arena_printf(&mem, "-xaggsize=%" PRIu64, p->bytes));
	vec_push(&argv, "-o");
	vec_push(&argv, "/dev/null");
	vec_push(&argv, "-s");
	vec_push(&argv, arena_printf(&mem, "%s/script", g->dir));
	vec_push(&argv, NULL);
	k.argv = argv.v;
	pid = keeper_start(&k);
	vec_free(&argv);
	arena_release(&mem);
	return pid;
}

/* Makes the control group of the program. Logs the reason if that fails. */
static bool make_group(const struct always *a, const struct always_program *g,
		       const struct policy *p)
{
	const struct group_bounds b = {p->use.cpu, p->use.memory, p->use.tasks};
	struct strbuf name = {0}, why = {0};
	bool ok;

	strbuf_addf(&name, "always-%s", g->name);
	ok = groups_make(a->o.groups, name.s, &b, p->groups_required, g->dir, &why);
	if (!ok)
		a->o.log(a->o.ctx, "always %s: %s", g->name, why.s);
	strbuf_release(&name);
	strbuf_release(&why);
	return ok;
}

/*
 * Removes the files that the last run of the program has left. Keeps the saved snapshots, which the
 * server may not have yet.
 */
static void clean(const struct always_program *g)
{
	static const char *const old[] = {"agg", "out", "err", "stop", "end", "group", "cost"};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(old) / sizeof(*old); i++)
		unlink(path_in(path, g->dir, old[i]));
}

/* Reads the program's file. Refuses a file that other users may write to. */
static bool read_script(const struct always *a, const struct always_program *g, struct strbuf *b)
{
	struct strbuf path = {0};
	const char *why = NULL;

	strbuf_addf(&path, "%s/%s.d", a->o.folder, g->name);
	if (file_weakness(path.s))
		why = file_weakness(path.s);
	else if (!file_get(path.s, 0, PROGRAM_MAX + 1, b))
		why = strerror(errno);
	else if (b->len > PROGRAM_MAX)
		why = "the program is too long";
	if (why)
		a->o.log(a->o.ctx, "always %s: %s", g->name, why);
	strbuf_release(&path);
	return !why;
}

static void begin(struct always *a, struct always_program *g, const struct policy *p)
{
	char path[PATH_MAX];
	struct strbuf b = {0};

	keeper_remove_group(g->dir);
	clean(g);
	g->again_at = now_boot() + AGAIN_S * 1000000000ull;
	g->keeper = 0;
	if (!read_script(a, g, &b) || !make_group(a, g, p))
		g->refused = true;
	else if (file_reserve(path_in(path, g->dir, "stop")) &&
		 put_probes(p, path_in(path, g->dir, "probes")) &&
		 file_put(path_in(path, g->dir, "script"), strbuf_text(&b), b.len))
		g->keeper = start(a, g, p);
	g->running = g->keeper > 0;
	if (g->running)
		a->o.log(a->o.ctx, "always %s: begins", g->name);
	else if (!g->refused)
		a->o.log(a->o.ctx, "always %s: failed to start: %s", g->name, strerror(errno));
	strbuf_release(&b);
}

/* Returns whether the program's file differs from the program that runs. */
static bool has_changed(const struct always *a, const struct always_program *g)
{
	char path[PATH_MAX];
	struct strbuf now = {0}, runs = {0};
	bool same = read_script(a, g, &now);

	file_get(path_in(path, g->dir, "script"), 0, PROGRAM_MAX + 1, &runs);
	same = same && now.len == runs.len && (!now.len || !memcmp(now.s, runs.s, now.len));
	strbuf_release(&now);
	strbuf_release(&runs);
	return !same;
}

/* ------------------------------------------------------------------------ the folder */

static struct always_program *program_of(struct always *a, const char *name)
{
	struct always_program *g;

	for (size_t i = 0; i < a->v.n; i++)
		if (!strcmp(a->v.v[i]->name, name))
			return a->v.v[i];
	g = xcalloc(1, sizeof(*g));
	g->name = xstrdup(name);
	path_in(g->dir, a->dir, name);
	mkdir(a->dir, 0700);
	mkdir(g->dir, 0700);
	find_saved(g);
	g->running = keeper_lives(g->dir);
	g->interval = now_real() / a->o.interval_ns;
	vec_push(&a->v, g);
	return g;
}

/* Logs once that a program does not run because of its name. */
static void ignore(struct always *a, const char *name)
{
	char *shown;

	for (size_t i = 0; i < a->ignored.n; i++)
		if (!strcmp(a->ignored.v[i], name))
			return;
	vec_push(&a->ignored, xstrdup(name));
	shown = visible_copy(name);
	a->o.log(a->o.ctx,
		 "always: %s.d does not run: its name may have letters, digits and - only", shown);
	xfree(shown);
}

/*
 * Sets the member `listed` of each program. Adds the new programs of the folder, and the programs
 * that an earlier agent has left.
 */
static void look(struct always *a)
{
	names n = list(a->dir, "");

	for (size_t i = 0; i < n.n; i++)
		if (is_run_id(n.v[i]))
			program_of(a, n.v[i])->listed = false;
	free_names(&n);
	n = list(a->o.folder, "");
	for (size_t i = 0; i < n.n; i++) {
		char *dot = strrchr(n.v[i], '.');

		if (!dot || strcmp(dot, ".d"))
			continue;
		*dot = '\0';
		if (is_run_id(n.v[i]))
			program_of(a, n.v[i])->listed = true;
		else
			ignore(a, n.v[i]);
	}
	free_names(&n);
}

/* Logs how the program ended, and saves what it has counted until then. */
static void note_end(struct always *a, struct always_program *g, const struct policy *p)
{
	char path[PATH_MAX];
	struct strbuf end = {0}, err = {0};

	file_get(path_in(path, g->dir, "end"), 0, 512, &end);
	file_get(path_in(path, g->dir, "err"), 0, 512, &err);
	a->o.log(a->o.ctx, "always %s: ended: %s %s", g->name, strbuf_text(&end),
		 strbuf_text(&err));
	g->running = false;
	save(a, g, p);
	strbuf_release(&end);
	strbuf_release(&err);
}

/*
 * Begins the program if it should run and does not, and ends it if its file is gone or has changed.
 */
static void watch(struct always *a, struct always_program *g, const struct policy *p)
{
	struct strbuf path = {0};
	bool changed;

	strbuf_addf(&path, "%s/%s.d", a->o.folder, g->name);
	changed = file_has_changed(path.s, &g->version);
	strbuf_release(&path);
	if (g->keeper > 0 && waitpid(g->keeper, NULL, WNOHANG) == g->keeper)
		g->keeper = 0;
	if (g->running && !keeper_lives(g->dir))
		note_end(a, g, p);
	if (changed && g->listed && has_changed(a, g)) {
		g->refused = false;
		g->again_at = 0;
		if (g->running && !stop(g, END_ASKED, "its file has changed"))
			g->version = (struct file_version){0}; /* the next look tries again */
	}
	if (!g->listed) {
		if (g->running)
			stop(g, END_ASKED, "its file is gone");
		g->refused = false;
		g->again_at = 0;
	}
	if (!g->running && g->listed && !g->refused && now_boot() >= g->again_at)
		begin(a, g, p);
}

/* Renews the lease of the programs' keepers, which is the file a->alive, every RENEW_S seconds. */
static void renew(struct always *a)
{
	if (now_boot() - a->renewed <= RENEW_S * 1000000000ull)
		return;
	a->renewed = now_boot();
	file_put_number(a->alive, a->renewed);
}

void always_serve(struct always *a, const struct policy *p, bool connected)
{
	uint64_t interval = now_real() / a->o.interval_ns;

	if (now_boot() - a->looked < LOOK_MS * 1000000ull)
		return;
	a->looked = now_boot();
	look(a);
	for (size_t i = 0; i < a->v.n; i++) {
		struct always_program *g = a->v.v[i];

		renew(a);
		watch(a, g, p);
		if (g->interval != interval && g->running) {
			save(a, g, p);
			bound_saved(g);
		}
		g->interval = interval;
		if (connected)
			send_saved(a, g);
	}
}
