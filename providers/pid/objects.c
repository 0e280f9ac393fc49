/*
 * objects.c - the programs and libraries of processes whose probes are asked for.
 */
#include "providers/pid/objects.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/glob.h"
#include "base/intern.h"
#include "base/xalloc.h"
#include "process/process.h"
#include "providers/fbt/modules.h"

/* What the process executes: device and inode. */
static bool is_program(pid_t pid, const struct mapping *m)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return !stat(path, &st) && st.st_ino == m->inode;
}

/* The link to what is mapped wants a right that not all who may trace have. */
static const char *file_of(struct host_env *e, const struct process *p, const struct mapping *m)
{
	struct strbuf link = {0};
	const char *file;

	mapping_file(p, m, &link);
	if (!access(link.s, R_OK))
		file = intern(e->names, link.s);
	else
		file = arena_printf(e->arena, "/proc/%d/root%s", p->pid, mapping_path(p, m));
	strbuf_release(&link);
	return file;
}

static bool is_known(const struct objects *os, const char *path)
{
	for (size_t i = 0; i < os->v.n; i++)
		if (!strcmp(os->v.v[i].path, path))
			return true;
	return false;
}

static void add_object(struct host_env *e, struct objects *os, const struct mapping *m)
{
	const struct process *p = os->process;
	const char *path = mapping_path(p, m);
	struct object o = {.from = m->from, .off = m->off, .dev = m->dev, .inode = m->inode};

	if (!m->exec || !m->inode || *path != '/' || is_known(os, path))
		return;
	o.name = intern(e->names, mapping_name(p, m));
	o.path = intern(e->names, path);
	o.file = file_of(e, p, m);
	o.program = is_program(os->pid, m);
	vec_apush(e->arena, &os->v, o);
}

struct objects *objects_of(struct host_env *e, pid_t pid)
{
	struct objects *os;

	for (os = e->objects; os; os = os->next)
		if (os->pid == pid)
			return os;
	if (e->settle)
		e->settle(pid);
	os = arena_new(e->arena, struct objects);
	os->pid = pid;
	os->process = process_read(pid);
	if (!os->process->map.n) {
		process_free(os->process);
		return NULL;
	}
	for (size_t i = 0; i < os->process->map.n; i++)
		add_object(e, os, &os->process->map.v[i]);
	os->next = e->objects;
	e->objects = os;
	return os;
}

void host_env_release(struct host_env *e)
{
	for (struct objects *os = e->objects; os; os = os->next) {
		for (size_t i = 0; i < os->v.n; i++)
			if (os->v.v[i].fd > 0)
				close(os->v.v[i].fd);
		process_free(os->process);
	}
	e->objects = NULL;
	module_types_release(e);
}

/* ------------------------------------------------------------------- functions */

struct gathering {
	struct host_env *env;
	const struct process *process;
	const struct object *object;
	VEC(struct object_function) fn;
};

/* Whoever reads symbols of versions gets "name@@VERSION". */
static void gather(void *ctx, const struct function *f)
{
	struct gathering *g = ctx;
	const struct mapping *m = process_at(g->process, f->addr);

	if (m && m->exec && !strcmp(mapping_path(g->process, m), g->object->path))
		vec_push(&g->fn, ((struct object_function){
				.name = intern_n(g->env->names, f->name, strcspn(f->name, "@")),
				.addr = f->addr, .size = f->size, .global = f->global}));
}

static int by_address(const void *a, const void *b)
{
	const struct object_function *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr > y->addr ? 1 : -1;
	return strcmp(x->name, y->name);
}

static bool same_function(const struct object_function *x, const struct object_function *y)
{
	return x->addr == y->addr && x->name == y->name;
}

void object_read(struct host_env *e, struct objects *os, struct object *o)
{
	struct gathering g = {e, os->process, o, {0}};
	const struct mapping *m = process_at(os->process, o->from);

	if (o->read)
		return;
	o->read = true;
	process_functions(os->process, m, gather, &g);
	if (g.fn.n)
		qsort(g.fn.v, g.fn.n, sizeof(*g.fn.v), by_address);
	o->fn = arena_newn(e->arena, struct object_function, g.fn.n + 1);
	for (size_t i = 0; i < g.fn.n; i++)
		if (!o->nfn || !same_function(&g.fn.v[i], &o->fn[o->nfn - 1]))
			o->fn[o->nfn++] = g.fn.v[i];
	vec_free(&g.fn);
	o->id = e->process_ids;
	e->process_ids += 2 * o->nfn;
}

size_t object_code(struct object *o, uint64_t addr, uint8_t *to, size_t n)
{
	ssize_t got;

	if (!o->fd)
		o->fd = open(o->file, O_RDONLY | O_CLOEXEC);
	got = o->fd > 0 ? pread(o->fd, to, n, (off_t)object_offset(o, addr)) : 0;
	return got > 0 ? (size_t)got : 0;
}

/* libc.so.6 and libc-2.31.so are libc, too. */
static bool is_short_for(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	return n && !strncmp(pattern, name, n) && strstr(name, ".so") &&
	       (name[n] == '.' || (name[n] == '-' && isdigit((unsigned char)name[n + 1])));
}

bool object_is(const struct object *o, const char *pattern)
{
	return glob_match(pattern, o->name) || glob_match(pattern, o->path) || is_short_for(pattern, o->name) ||
	       (o->program && glob_match(pattern, "a.out"));
}

const struct object_function *object_function_at(const struct object *o, uint64_t addr)
{
	for (uint32_t i = 0; i < o->nfn; i++)
		if (addr >= o->fn[i].addr && addr - o->fn[i].addr < (o->fn[i].size ? o->fn[i].size : 1))
			return &o->fn[i];
	return NULL;
}

uint64_t object_offset(const struct object *o, uint64_t addr)
{
	return addr - o->from + o->off;
}
