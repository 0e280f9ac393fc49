/* processes.c - enables probes of processes that start later. */
#include "cmd/late/processes.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/intern.h"
#include "base/vec.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "compiler/allowed.h"
#include "compiler/meaning/probes/probes.h"
#include "engine/kernel/kernel.h"
#include "engine/kernel/bpf.h"
#include "engine/source.h"
#include "procinfo/watch.h"
#include "providers/pid/objects.h"
#include "providers/provider.h"

/*
 * Maximum number of mapped files in the queue. If more files are mapped, all processes are searched
 * instead.
 */
#define MAPPED_MAX 1024

/* A file is searched again after this time in ns, because its contents may have changed. */
#define AGAIN_NS 1000000000u
#define SEEN 1024 /* size of the table of files that were searched */

/*
 * Limit of the time of all searches together: LOOKS_NS plus 1/LOOKS_PART of the duration of the
 * run.
 */
#define LOOKS_NS 2000000000u
#define LOOKS_PART 20

/* Maximum number of messages about places of a probe that were refused (could not be enabled). */
#define REFUSED_REPORTED 3
/* Maximum number of refused places to remember. A remembered place is not tried again. */
#define REFUSED_MAX 1024

/* A place where a probe can be attached. */
struct place {
	char *file; /* path in /proc that leads to the open file */
	uint64_t addr;
	int pid;
};

/*
 * Maximum number of places of a probe in files that users can write. The remaining places are
 * reserved for root's files.
 */
#define FOREIGN_MAX (AWAITED_PLACES / 2)

typedef VEC(struct place) places;

/* An awaited probe: no process has it yet, or more processes may get it. */
struct item {
	const struct awaited *a;
	places enabled;
	/* places that could not be enabled; used only for probes of all processes */
	places refused;
	/* number of enabled places in files that users other than root may have written */
	uint32_t foreign;
	bool look;   /* a file was mapped that may contain the probe, so a search is due */
	bool failed; /* the probe was given up after a message */
};

/*
 * A mapped file, and the process that mapped it. The file may contain probes that are wanted in all
 * processes.
 */
struct mapping {
	pid_t pid;
	uint64_t file; /* number of the file, as watch_drain() passes it to mapped() */
};

/* A file that was searched. */
struct seen {
	uint64_t file, at; /* the number of the file, and the time of the search in ns */
};

struct late_processes {
	struct item *item;
	unsigned n;
	const struct allowed *allowed;
	void (*report)(const char *line);
	int fd;
	VEC(struct mapping) queue; /* mapped files that are still to be searched */
	/* hash table of SEEN rows; the number of the file chooses the row */
	struct seen *seen;
	/*
	 * byte offset of the rows of places in the value of the map MAP_GLOBAL; 0 if no clause uses
	 * arguments
	 */
	uint32_t placed;
	uint64_t began; /* start of the run in ns */
	uint64_t spent; /* total time of all searches so far in ns */
};

/* One search for one awaited probe. */
struct look {
	struct late_processes *l;
	struct item *item;
	struct source *source;
	pid_t only; /* the process to search, or 0 for all processes */
	bool saw;   /* a process was searched that had mapped files */
};

/* -------------------------------------------------------------- processes map files */

/* Returns whether the probe is wanted in all processes, including those that start later. */
static bool is_of_all(const struct item *t)
{
	return !t->a->pid && glob_is_pattern(t->a->want.prov);
}

/*
 * Returns whether the probe is wanted in process @pid. The name of its provider must end with the
 * number of the process. "tcl86123" may mean process 86123, 6123, 123, 23 or 3.
 */
static bool is_of(const struct item *t, pid_t pid)
{
	const char *prov = t->a->want.prov;
	char id[16];
	size_t n = (size_t)snprintf(id, sizeof(id), "%d", (int)pid);

	if (t->a->pid)
		return t->a->pid == pid;
	return strlen(prov) > n && !strcmp(prov + strlen(prov) - n, id);
}

static bool is_seen(const struct late_processes *l, uint64_t file)
{
	const struct seen *s = &l->seen[file % SEEN];

	return s->file == file && now_monotonic() - s->at < AGAIN_NS;
}

/* Empties the queue, and marks the probes wanted in all processes for a search of all processes. */
static void look_at_all(struct late_processes *l)
{
	l->queue.n = 0;
	for (unsigned i = 0; i < l->n; i++)
		l->item[i].look |= is_of_all(&l->item[i]);
}

static void add_mapping(struct late_processes *l, pid_t pid, uint64_t file)
{
	if (l->queue.n && l->queue.v[l->queue.n - 1].pid == pid &&
	    l->queue.v[l->queue.n - 1].file == file)
		return;
	if (l->queue.n == MAPPED_MAX)
		look_at_all(l);
	else if (!is_seen(l, file))
		vec_push(&l->queue, ((struct mapping){pid, file}));
}

/*
 * Called from watch_drain() for each mapped file. @pid is 0 if events about mapped files were lost.
 */
static void mapped(void *ctx, pid_t pid, const char *path, uint64_t file)
{
	struct late_processes *l = ctx;
	bool may = false;

	for (unsigned i = 0; i < l->n; i++) {
		struct item *t = &l->item[i];
		bool fits = pid && object_path_is(path, t->a->want.mod);

		t->look |= !pid || (fits && !is_of_all(t) && is_of(t, pid));
		may |= fits && is_of_all(t);
	}
	if (may)
		add_mapping(l, pid, file);
}

/* Returns whether any of the @n probes at @a is in a process. The others are in kernel modules. */
static bool is_any_of_process(const struct awaited *a, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!a[i].module)
			return true;
	return false;
}

struct late_processes *late_processes_new(const struct awaited *a, unsigned n, uint32_t placed,
					  const struct allowed *allowed,
					  void (*report)(const char *line))
{
	struct late_processes *l;

	if (!is_any_of_process(a, n))
		return NULL;
	l = xcalloc(1, sizeof(*l));
	l->item = xcalloc(n, sizeof(*l->item));
	l->seen = xcalloc(SEEN, sizeof(*l->seen));
	l->placed = placed;
	l->allowed = allowed;
	l->report = report;
	l->began = now_monotonic();
	/* Search once at the start: a file may have been mapped since the program was compiled. */
	for (unsigned i = 0; i < n; i++)
		if (!a[i].module)
			l->item[l->n++] = (struct item){.a = &a[i], .look = true};
	l->fd = watch_notify(mapped, l);
	if (l->fd < 0)
		report("probes that processes load later will not be found: the kernel's reports "
		       "of mapped files (perf events) cannot be read");
	return l;
}

int late_processes_fd(const struct late_processes *l)
{
	return l ? l->fd : -1;
}

static void places_free(places *p)
{
	for (size_t i = 0; i < p->n; i++)
		xfree(p->v[i].file);
	vec_free(p);
}

void late_processes_free(struct late_processes *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->n; i++) {
		places_free(&l->item[i].enabled);
		places_free(&l->item[i].refused);
	}
	vec_free(&l->queue);
	xfree(l->seen);
	xfree(l->item);
	xfree(l);
	watch_stop();
}

/* ------------------------------------------------------------------------- looking */

/*
 * Reports that a probe was found but not enabled. @file is the file that contains the probe, or
 * NULL if it is unknown.
 */
static void report(const struct look *k, const char *file, const char *why)
{
	const struct probe_want *w = &k->item->a->want;
	char path[PATH_MAX];
	ssize_t n = file ? readlink(file, path, sizeof(path)) : 0;
	struct strbuf b = {0};

	strbuf_addf(&b, "%s:%s:%s:%s was found ", w->prov, w->mod, w->func, w->name);
	if (n > 0) {
		strbuf_adds(&b, "in ");
		visible_add(&b, path, (size_t)n);
		strbuf_addc(&b, ' ');
	}
	strbuf_addf(&b, "but not enabled: %s", why);
	k->l->report(strbuf_text(&b));
	strbuf_release(&b);
}

static void give_up(struct look *k, const char *why)
{
	report(k, NULL, why);
	k->item->failed = true;
}

static bool has_place(const places *p, const struct attach_point *at)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].addr == at->addr && p->v[i].pid == at->pid &&
		    !strcmp(p->v[i].file, at->file))
			return true;
	return false;
}

static void add_place(places *p, const struct attach_point *at)
{
	vec_push(p, ((struct place){xstrdup(at->file), at->addr, at->pid}));
}

/*
 * Records a place that cannot be enabled. A probe wanted in all processes keeps its other places,
 * because any user can have a file with a bad place. Any other probe is given up.
 */
static void leave_out(struct look *k, const struct attach_point *at, const char *why)
{
	places *refused = &k->item->refused;

	if (!is_of_all(k->item)) {
		give_up(k, why);
		return;
	}
	if (refused->n < REFUSED_REPORTED)
		report(k, at->file, why);
	if (refused->n < REFUSED_MAX)
		add_place(refused, at);
}

/*
 * Returns whether -x probes allows the probe @h. The names of @h itself are compared, because the
 * names in the description may be patterns.
 */
static bool is_allowed(const struct late_processes *l, const struct host_probe *h)
{
	const struct probe p = {.prov = h->prov, .mod = h->mod, .func = h->func, .name = h->name};

	return !l->allowed || allowed_probe(l->allowed, &p);
}

/* Converts the place @p of an argument to an entry of the program's table. */
static struct late_arg placed(const struct arg_location *p)
{
	struct late_arg a = {.value = p->value,
			     .shift = (uint8_t)(64 - 8 * p->size),
			     .sgn = p->sgn};

	if (p->kind == LOCATION_CONSTANT) {
		a.shift = 0;
		return a;
	}
	if (p->kind == LOCATION_REGISTER)
		a.value = 0;
	else
		a.size = (uint8_t)p->size;
	if (p->reg >= 0) {
		a.has = LATE_ARG_REG;
		a.reg = (uint16_t)p->reg;
	}
	if (p->kind == LOCATION_MEMORY && p->index >= 0) {
		a.has |= LATE_ARG_INDEX;
		a.index = (uint16_t)p->index;
		a.scale = p->scale;
	}
	return a;
}

/*
 * Writes the places of the arguments of @h to row @row of the program's table. The upper half of a
 * probe's cookie is the number of its row. Call this function before attaching the probe. Returns
 * false if an argument that the clauses use cannot be read.
 */
static bool put_places(struct look *k, const struct hook *h, uint32_t row)
{
	struct late_arg *to = (void *)((char *)k->source->ops->globals(k->source) + k->l->placed);

	if (!k->l->placed)
		return true; /* no clause uses arguments */
	to += (size_t)row * LATE_ARGS;
	for (uint32_t i = 0; i < LATE_ARGS; i++) {
		bool known = i >= h->args_at.nplace || h->args_at.place[i].kind != LOCATION_UNKNOWN;

		if (!known && k->item->a->args >> i & 1) {
			struct strbuf b = {0};

			strbuf_addf(&b,
				    "arg%u cannot be read: the probe's ELF note gives its location "
				    "in an unknown form",
				    i);
			leave_out(k, &h->point, b.s);
			strbuf_release(&b);
			return false;
		}
		to[i] = i < h->args_at.nplace && known ? placed(&h->args_at.place[i])
						       : (struct late_arg){0};
	}
	return true;
}

static void found(void *ctx, struct host_probe *h)
{
	struct look *k = ctx;
	struct item *t = k->item;
	struct attach_point at = h->hook.point;
	uint32_t row = t->a->row + (uint32_t)t->enabled.n;
	int err;

	if (t->failed || has_place(&t->enabled, &at) || has_place(&t->refused, &at))
		return;
	if (!is_allowed(k->l, h)) {
		give_up(k, "-x probes does not allow it");
		return;
	}
	if (h->hook.args_at.foreign && t->foreign == FOREIGN_MAX) {
		leave_out(k, &at, "too many files of unprivileged users have it");
		return;
	}
	if (t->enabled.n == AWAITED_PLACES) {
		give_up(k, h->hook.args_at.placed ? "it is at more than 64 places"
						  : "it is in more than 64 files");
		return;
	}
	if (h->hook.args_at.placed && !put_places(k, &h->hook, row))
		return;
	at.cookie = h->hook.args_at.placed ? row : 0;
	err = kernel_enable(k->source, t->a->probe->hook.point.awaited, &at);
	if (err && err != -ESRCH) /* ESRCH means that the process has ended in the meantime. */
		leave_out(k, &at, kbpf_strerror(-err));
	else
		add_place(&t->enabled, &at);
	t->foreign += !err && h->hook.args_at.foreign;
}

/*
 * Asks the provider for the places of one awaited probe, and enables these places. Then frees all
 * that the provider found, except the files of enabled places.
 */
static void look(struct look *k)
{
	const struct awaited *a = k->item->a;
	struct arena mem;
	struct intern names;
	struct diag d = {0};
	struct host_env env = {.arena = &mem,
			       .names = &names,
			       .uprobes = kernel_uprobes,
			       .only = k->only};

	arena_init(&mem);
	intern_init(&names, &mem);
	/* D_PROC_GRAB means that the process has ended, which is not an error here. */
	if (a->provider->each_wanted(&env, &a->want, found, k, &d) && d.tag != D_PROC_GRAB)
		give_up(k, d.msg);
	k->saw = env.objects;
	diag_release(&d);
	host_env_release(&env);
	intern_release(&names);
	arena_release(&mem);
}

/*
 * Returns whether there is time left for a search. The limit bounds the cost of a process that
 * keeps mapping files that may contain a probe.
 */
static bool has_time(const struct late_processes *l, uint64_t now)
{
	return l->spent < LOOKS_NS + (now - l->began) / LOOKS_PART;
}

/*
 * Searches once and returns true. If the time for searches is used up, does nothing and returns
 * false.
 */
static bool look_in_time(struct look *k)
{
	uint64_t now = now_monotonic();

	if (!has_time(k->l, now))
		return false;
	look(k);
	k->l->spent += now_monotonic() - now;
	return true;
}

/* Records that the files of process @pid in the queue have been searched. */
static void note_seen(struct late_processes *l, pid_t pid)
{
	for (size_t i = 0; i < l->queue.n; i++)
		if (l->queue.v[i].pid == pid)
			l->seen[l->queue.v[i].file % SEEN] = (struct seen){l->queue.v[i].file,
									   now_monotonic()};
}

/*
 * Searches process @pid for the probes that are wanted in all processes. Returns false if the time
 * for searches is used up.
 */
static bool look_at(struct late_processes *l, struct source *s, pid_t pid)
{
	bool saw = false;

	for (unsigned i = 0; i < l->n; i++) {
		struct look k = {.l = l, .item = &l->item[i], .source = s, .only = pid};

		if (!is_of_all(k.item) || k.item->failed)
			continue;
		if (!look_in_time(&k))
			return false;
		saw |= k.saw;
	}
	if (saw)
		note_seen(l, pid);
	return true;
}

static void look_at_queue(struct late_processes *l, struct source *s)
{
	size_t n = 0;
	pid_t last = 0;

	for (; n < l->queue.n; n++) {
		const struct mapping *c = &l->queue.v[n];

		if (c->pid == last || is_seen(l, c->file))
			continue;
		last = c->pid;
		if (!look_at(l, s, last))
			break;
	}
	memmove(l->queue.v, l->queue.v + n, (l->queue.n - n) * sizeof(*l->queue.v));
	l->queue.n -= n;
}

void late_processes_look(struct late_processes *l, struct source *s)
{
	if (!l || l->fd < 0)
		return;
	watch_drain();
	for (unsigned i = 0; i < l->n; i++) {
		struct look k = {.l = l, .item = &l->item[i], .source = s};

		if (!k.item->look || k.item->failed)
			continue;
		if (!look_in_time(&k))
			return;
		k.item->look = false;
	}
	if (l->queue.n)
		look_at_queue(l, s);
}
