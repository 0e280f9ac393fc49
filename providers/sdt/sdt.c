/*
 * sdt.c - the kernel's tracepoints under the names of other systems: sdt:MODULE:GROUP:NAME.
 *
 * These are the probes of rawtp, with the same hooks and arguments. A probe's function is the group
 * of the tracepoint's event in tracefs. The function is empty if tracefs is not mounted, or if the
 * tracepoint has no event there.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "providers/provider.h"

#define EVENTS "/sys/kernel/tracing/events"

struct event {
	const char *name, *group;
};

struct events {
	struct host_env *env;
	VEC(struct event) v; /* sorted by name */
	void (*fn)(void *ctx, struct host_probe *p);
	void *ctx;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct event *)a)->name, ((const struct event *)b)->name);
}

static void read_group(struct events *ev, const char *group)
{
	char path[sizeof(EVENTS) + 256 + 1];
	struct dirent *de;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", EVENTS, group);
	dir = opendir(path);
	while (dir && (de = readdir(dir)))
		if (de->d_type == DT_DIR && *de->d_name != '.')
			vec_push(&ev->v,
				 ((struct event){intern(ev->env->names, de->d_name), group}));
	if (dir)
		closedir(dir);
}

static void read_events(struct events *ev)
{
	DIR *dir = opendir(EVENTS);
	struct dirent *de;

	while (dir && (de = readdir(dir)))
		if (de->d_type == DT_DIR && *de->d_name != '.')
			read_group(ev, intern(ev->env->names, de->d_name));
	if (dir)
		closedir(dir);
	if (ev->v.n)
		qsort(ev->v.v, ev->v.n, sizeof(*ev->v.v), by_name);
}

static const char *group_of(const struct events *ev, const char *name)
{
	struct event key = {name, NULL}, *e = NULL;

	if (ev->v.n)
		e = bsearch(&key, ev->v.v, ev->v.n, sizeof(key), by_name);
	return e ? e->group : "";
}

static struct host_probe *make(const struct events *ev, const struct host_probe *raw)
{
	struct host_probe *p = arena_new(ev->env->arena, struct host_probe);

	*p = *raw;
	p->id = ID_SDT + (raw->id - ID_RAWTP);
	p->prov = "sdt";
	p->func = group_of(ev, raw->name);
	return p;
}

static struct host_probe *sdt_find(struct host_env *e, const char *func, const char *name,
				   struct diag *d)
{
	struct events ev = {.env = e};
	struct host_probe *p = e->replay ? NULL : provider_rawtp.find(e, func, name, d);

	if (!p)
		return NULL;
	read_events(&ev);
	p = make(&ev, p);
	vec_free(&ev.v);
	return p;
}

static void visit(void *ctx, struct host_probe *raw)
{
	struct events *ev = ctx;

	ev->fn(ev->ctx, make(ev, raw));
}

/* Visits the probes of all tracepoints; a capture has none. */
static void sdt_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	struct events ev = {.env = e, .fn = fn, .ctx = ctx};

	if (e->replay)
		return;
	read_events(&ev);
	provider_rawtp.each(e, visit, &ev);
	vec_free(&ev.v);
}

static const char *sdt_arg_name(struct host_env *e, const struct host_probe *p, uint32_t i)
{
	return provider_rawtp.arg_name(e, p, i);
}

const struct host_provider provider_sdt = {
	.name = "sdt",
	.missing = "the tracepoint",
	.find = sdt_find,
	.each = sdt_each,
	.arg_name = sdt_arg_name,
};
