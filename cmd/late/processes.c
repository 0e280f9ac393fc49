/*
 * processes.c - see processes.h.
 *
 * The kernel tells what processes map (procinfo/watch.h).  If the name of a file fits a probe that
 * is awaited, the provider is asked for the probe again, as when the program was compiled: it reads
 * the file through a reader.  What it finds is attached under the number of the probe.
 */
#include "cmd/late/processes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/intern.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "compiler/allowed.h"
#include "compiler/meaning/probes.h"
#include "engine/kernel/kernel.h"
#include "engine/kernel/bpf.h"
#include "engine/source.h"
#include "procinfo/watch.h"
#include "providers/pid/objects.h"
#include "providers/provider.h"

/* At most so many processes wait for a look.  When more come, all processes are looked at. */
#define CAME_MAX 1024

/* A file is looked at again after this time: it may have been written anew. */
#define AGAIN_NS 1000000000u
#define SEEN 1024

/* All looks together may take LOOKS_NS and one LOOKS_PART-th of the run's time. */
#define LOOKS_NS 2000000000u
#define LOOKS_PART 20

/* Where a probe was found: the link to the file is the same as long as the file is kept open. */
struct place {
	char *file;
	uint64_t addr;
	int pid;
};

struct item {
	const struct awaited *a;
	VEC(struct place) place;
	bool look;   /* something was mapped that may have it */
	bool failed; /* a message has said so */
};

/* A process that has mapped a file that may have the probes of any process. */
struct came {
	pid_t pid;
	uint64_t file; /* see watch_notify() */
};

struct seen {
	uint64_t file, at; /* ns */
};

struct late_processes {
	struct item *item;
	unsigned n;
	const struct allowed *allowed;
	void (*report)(const char *line);
	int fd;
	VEC(struct came) came;
	struct seen *seen;     /* SEEN of them, by the file's number */
	uint32_t placed;       /* see struct program */
	uint64_t began, spent; /* ns: when, and how long was looked */
};

/* One look for one awaited probe. */
struct look {
	struct late_processes *l;
	struct item *item;
	struct source *source;
	pid_t only; /* look at this process alone; 0: at all */
	bool saw;   /* a process that was looked at had a file mapped */
};

/* -------------------------------------------------------------- processes map files */

/* May any process have the probe, also one that begins later? */
static bool is_of_all(const struct item *t)
{
	return !t->a->pid && glob_is_pattern(t->a->want.prov);
}

/* The provider's name ends with the ID: of "tcl86123" it is 86123, 6123, 123, 23 or 3. */
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

/* Looks at all processes for the probes that any process may have. */
static void look_at_all(struct late_processes *l)
{
	l->came.n = 0;
	for (unsigned i = 0; i < l->n; i++)
		l->item[i].look |= is_of_all(&l->item[i]);
}

static void add_came(struct late_processes *l, pid_t pid, uint64_t file)
{
	if (l->came.n && l->came.v[l->came.n - 1].pid == pid &&
	    l->came.v[l->came.n - 1].file == file)
		return;
	if (l->came.n == CAME_MAX)
		look_at_all(l);
	else if (!is_seen(l, file))
		vec_push(&l->came, ((struct came){pid, file}));
}

/* From within watch_drain(). */
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
		add_came(l, pid, file);
}

/* Those of modules are for modules.c. */
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
	/* It may have come since the program was compiled. */
	for (unsigned i = 0; i < n; i++)
		if (!a[i].module)
			l->item[l->n++] = (struct item){.a = &a[i], .look = true};
	l->fd = watch_notify(mapped, l);
	if (l->fd < 0)
		report("what processes load later is not seen: this kernel does not tell (perf "
		       "events): probes that "
		       "do not exist yet are left out");
	return l;
}

int late_processes_fd(const struct late_processes *l)
{
	return l ? l->fd : -1;
}

void late_processes_free(struct late_processes *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->n; i++) {
		for (size_t k = 0; k < l->item[i].place.n; k++)
			xfree(l->item[i].place.v[k].file);
		vec_free(&l->item[i].place);
	}
	vec_free(&l->came);
	xfree(l->seen);
	xfree(l->item);
	xfree(l);
	watch_stop();
}

/* ------------------------------------------------------------------------- looking */

static void give_up(struct look *k, const char *why)
{
	const struct probe_want *w = &k->item->a->want;
	struct strbuf b = {0};

	strbuf_addf(&b, "%s:%s:%s:%s came and was not enabled: %s", w->prov, w->mod, w->func,
		    w->name, why);
	k->l->report(b.s);
	strbuf_release(&b);
	k->item->failed = true;
}

static bool is_known(const struct item *t, const struct attach_point *at)
{
	for (size_t i = 0; i < t->place.n; i++)
		if (t->place.v[i].addr == at->addr && t->place.v[i].pid == at->pid &&
		    !strcmp(t->place.v[i].file, at->file))
			return true;
	return false;
}

/* The names are the real ones: the description's may be patterns. */
static bool is_allowed(const struct late_processes *l, const struct host_probe *h)
{
	const struct probe p = {.prov = h->prov, .mod = h->mod, .func = h->func, .name = h->name};

	return !l->allowed || allowed_probe(l->allowed, &p);
}

static struct placed_arg placed(const struct arg_location *p)
{
	struct placed_arg a = {.value = p->value,
			       .shift = (uint8_t)(64 - 8 * p->size),
			       .sgn = p->sgn};

	if (p->kind == ARG_CONSTANT) {
		a.shift = 0;
		return a;
	}
	if (p->kind == ARG_REGISTER)
		a.value = 0;
	else
		a.size = (uint8_t)p->size;
	if (p->reg >= 0) {
		a.has = PLACED_REG;
		a.reg = (uint16_t)p->reg;
	}
	if (p->kind == ARG_MEMORY && p->index >= 0) {
		a.has |= PLACED_INDEX;
		a.index = (uint16_t)p->index;
		a.scale = p->scale;
	}
	return a;
}

/*
 * Writes where the arguments of @h are to row @row of the program's table, before anything is
 * attached with that number.  False: an argument that the clauses use cannot be read.
 */
static bool put_places(struct look *k, const struct hook *h, uint32_t row)
{
	struct placed_arg *to = (void *)((char *)k->source->ops->globals(k->source) + k->l->placed);

	if (!k->l->placed)
		return true; /* no clause uses arguments */
	to += (size_t)row * PLACED_ARGS;
	for (uint32_t i = 0; i < PLACED_ARGS; i++) {
		bool known = i >= h->nplace || h->place[i].kind != ARG_UNKNOWN;

		if (!known && k->item->a->args >> i & 1) {
			struct strbuf b = {0};

			strbuf_addf(&b,
				    "arg%u is where it cannot be read: its note says so in no "
				    "known words",
				    i);
			give_up(k, b.s);
			strbuf_release(&b);
			return false;
		}
		to[i] = i < h->nplace && known ? placed(&h->place[i]) : (struct placed_arg){0};
	}
	return true;
}

static void found(void *ctx, struct host_probe *h)
{
	struct look *k = ctx;
	struct item *t = k->item;
	struct attach_point at = h->hook.point;
	uint32_t row = t->a->row + (uint32_t)t->place.n;
	int err;

	if (t->failed || is_known(t, &at))
		return;
	if (!is_allowed(k->l, h)) {
		give_up(k, "it is not among those that are allowed (-x probes)");
		return;
	}
	if (t->place.n == AWAITED_PLACES) {
		give_up(k, h->hook.placed ? "it is at more than 64 places"
					  : "it is in more than 64 files");
		return;
	}
	if (h->hook.placed && !put_places(k, &h->hook, row))
		return;
	vec_push(&t->place, ((struct place){xstrdup(at.file), at.addr, at.pid}));
	at.cookie = h->hook.placed ? row : 0;
	err = kernel_enable(k->source, t->a->probe->hook.point.awaited, &at);
	if (err && err != -ESRCH) /* the process has ended since it was looked at */
		give_up(k, kbpf_strerror(-err));
}

/* Frees what the look found at its end.  Only the files of enabled probes stay. */
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
	/* The process may be gone: nothing will come any more, and nothing is wrong. */
	if (a->provider->each_wanted(&env, &a->want, found, k, &d) && d.tag != D_PROC_GRAB)
		give_up(k, d.msg);
	k->saw = env.objects;
	diag_release(&d);
	host_env_release(&env);
	intern_release(&names);
	arena_release(&mem);
}

/*
 * A process may map fitting files without end.  The looks at them then come late and cost no more
 * time.
 */
static bool has_time(const struct late_processes *l, uint64_t now)
{
	return l->spent < LOOKS_NS + (now - l->began) / LOOKS_PART;
}

/* False: there is no time for it now. */
static bool look_in_time(struct look *k)
{
	uint64_t now = now_monotonic();

	if (!has_time(k->l, now))
		return false;
	look(k);
	k->l->spent += now_monotonic() - now;
	return true;
}

/* Notes that the files which process @pid has mapped were looked at. */
static void see(struct late_processes *l, pid_t pid)
{
	for (size_t i = 0; i < l->came.n; i++)
		if (l->came.v[i].pid == pid)
			l->seen[l->came.v[i].file % SEEN] = (struct seen){l->came.v[i].file,
									  now_monotonic()};
}

/* Looks at process @pid for the probes that any process may have. */
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
		see(l, pid);
	return true;
}

static void look_at_those_that_came(struct late_processes *l, struct source *s)
{
	size_t n = 0;
	pid_t last = 0;

	for (; n < l->came.n; n++) {
		const struct came *c = &l->came.v[n];

		if (c->pid == last || is_seen(l, c->file))
			continue;
		last = c->pid;
		if (!look_at(l, s, last))
			break;
	}
	memmove(l->came.v, l->came.v + n, (l->came.n - n) * sizeof(*l->came.v));
	l->came.n -= n;
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
	if (l->came.n)
		look_at_those_that_came(l, s);
}
