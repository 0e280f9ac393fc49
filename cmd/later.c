/*
 * later.c - see later.h.
 *
 * The kernel tells what processes map (process/watch.h).  If the name of a file fits a probe that is
 * awaited, the provider is asked for the probe again, as when the program was compiled: it reads the
 * file through a reader.  What it finds is attached under the number of the probe.
 */
#include "cmd/later.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "compiler/allowed.h"
#include "compiler/meaning/sema.h"
#include "engine/kernel.h"
#include "engine/kernel_bpf.h"
#include "process/watch.h"
#include "providers/pid/objects.h"
#include "providers/provider.h"

/* A process may map files without end.  Each place keeps a file open. */
#define PLACES_MAX 64

/* Looking may take so long, and from then on a part of the time. */
#define LOOKS_NS   2000000000u
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
	bool failed; /* it was said */
};

struct later {
	struct item *item;
	unsigned n;
	const struct allowed *allowed;
	void (*report)(const char *line);
	int fd;
	uint64_t began, spent; /* ns: when, and how long was looked */
};

/* One look for one of them. */
struct look {
	struct later *l;
	struct item *item;
	struct source *source;
};

/* ----------------------------------------------------------------------- what comes */

/* From within watch_drain(). */
static void mapped(void *ctx, pid_t pid, const char *path)
{
	struct later *l = ctx;

	for (unsigned i = 0; i < l->n; i++) {
		struct item *t = &l->item[i];

		if (!pid || (t->a->pid == pid && object_path_is(path, t->a->want.mod)))
			t->look = true;
	}
}

struct later *later_new(const struct awaited *a, unsigned n, const struct allowed *allowed,
			void (*report)(const char *line))
{
	struct later *l;

	if (!n)
		return NULL;
	l = xcalloc(1, sizeof(*l));
	l->item = xcalloc(n, sizeof(*l->item));
	l->n = n;
	l->allowed = allowed;
	l->report = report;
	l->began = now_monotonic();
	/* It may have come since the program was compiled. */
	for (unsigned i = 0; i < n; i++)
		l->item[i] = (struct item){.a = &a[i], .look = true};
	l->fd = watch_tell(mapped, l);
	if (l->fd < 0)
		report("what processes load later is not seen: this kernel does not tell (perf events): probes that "
		       "do not exist yet are left out");
	return l;
}

int later_fd(const struct later *l)
{
	return l ? l->fd : -1;
}

void later_free(struct later *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->n; i++) {
		for (size_t k = 0; k < l->item[i].place.n; k++)
			xfree(l->item[i].place.v[k].file);
		vec_free(&l->item[i].place);
	}
	xfree(l->item);
	xfree(l);
	watch_stop();
}

/* ------------------------------------------------------------------------- looking */

static void give_up(struct look *k, const char *why)
{
	const struct probe_want *w = &k->item->a->want;
	struct strbuf b = {0};

	strbuf_addf(&b, "%s:%s:%s:%s came and was not enabled: %s", w->prov, w->mod, w->func, w->name, why);
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
static bool is_allowed(const struct later *l, const struct host_probe *h)
{
	const struct probe p = {.prov = h->prov, .mod = h->mod, .func = h->func, .name = h->name};

	return !l->allowed || allowed_probe(l->allowed, &p);
}

static void found(void *ctx, struct host_probe *h)
{
	struct look *k = ctx;
	const struct attach_point *at = &h->hook.point;
	int err;

	if (k->item->failed || is_known(k->item, at))
		return;
	if (!is_allowed(k->l, h)) {
		give_up(k, "it is not among those that are allowed (-x probes)");
		return;
	}
	if (k->item->place.n == PLACES_MAX) {
		give_up(k, "it is in more than 64 files");
		return;
	}
	vec_push(&k->item->place, ((struct place){xstrdup(at->file), at->addr, at->pid}));
	err = kernel_enable(k->source, k->item->a->probe->hook.point.awaited, at);
	if (err && err != -ESRCH) /* the process has ended since it was looked at */
		give_up(k, kbpf_strerror(-err));
}

/* All that a look finds out goes with it, but for the files that probes are in. */
static void look(struct look *k)
{
	const struct awaited *a = k->item->a;
	struct arena mem;
	struct intern names;
	struct diag d = {0};
	struct host_env env = {.arena = &mem, .names = &names, .uprobes = kernel_uprobes};

	arena_init(&mem);
	intern_init(&names, &mem);
	/* The process may be gone: nothing will come any more, and nothing is wrong. */
	if (a->provider->each_wanted(&env, &a->want, found, k, &d) && d.tag != D_PROC_GRAB)
		give_up(k, d.msg);
	diag_release(&d);
	host_env_release(&env);
	intern_release(&names);
	arena_release(&mem);
}

/* Whoever maps files that fit, without end, has them looked at late. */
static bool has_time(const struct later *l, uint64_t now)
{
	return l->spent < LOOKS_NS + (now - l->began) / LOOKS_PART;
}

void later_look(struct later *l, struct source *s)
{
	if (!l || l->fd < 0)
		return;
	watch_drain();
	for (unsigned i = 0; i < l->n; i++) {
		struct look k = {l, &l->item[i], s};
		uint64_t now;

		if (!k.item->look || k.item->failed)
			continue;
		now = now_monotonic();
		if (!has_time(l, now))
			return;
		k.item->look = false;
		look(&k);
		l->spent += now_monotonic() - now;
	}
}
