/*
 * objects.c - finds the programs and libraries of the processes that a description names.
 */
#include "providers/pid/objects.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/glob.h"
#include "base/intern.h"
#include "base/visible.h"
#include "procinfo/process.h"
#include "procinfo/symbols.h"
#include "providers/fbt/modules.h"

/*
 * Returns whether @m is a mapping of the program that the process executes. Some file systems
 * (btrfs) report different device numbers in the list of mappings and in stat(2), so equal paths
 * count too.
 */
static bool is_program(const struct process *p, const struct mapping *m)
{
	char path[64], program[4096];
	struct stat st;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/exe", p->pid);
	if (stat(path, &st) || st.st_ino != m->inode)
		return false;
	n = readlink(path, program, sizeof(program) - 1);
	program[n > 0 ? n : 0] = '\0';
	return st.st_dev == m->dev || !strcmp(program, mapping_path(p, m));
}

static bool is_known(const struct objects *os, const char *path)
{
	for (size_t i = 0; i < os->v.n; i++)
		if (!strcmp(os->v.v[i].path, path))
			return true;
	return false;
}

const char *objects_name(struct host_env *e, const char *s, size_t n)
{
	struct strbuf b = {0};
	const char *name;

	visible_add(&b, s, n);
	name = intern_n(e->names, strbuf_text(&b), b.len);
	strbuf_release(&b);
	return name;
}

static void add_object(struct host_env *e, struct objects *os, struct mapping *m)
{
	struct process *p = os->process;
	const char *path = mapping_path(p, m);
	struct object o = {.of = os,
			   .mapped = true,
			   .from = m->from,
			   .to = m->to,
			   .off = m->off,
			   .dev = m->dev,
			   .inode = m->inode};

	if (!m->exec || !m->inode || *path != '/' || is_known(os, path))
		return;
	o.name = objects_name(e, mapping_name(p, m), strlen(mapping_name(p, m)));
	o.path = intern(e->names, path);
	o.program = is_program(p, m);
	vec_apush(e->arena, &os->v, o);
}

struct symbol_file *object_symbols(const struct object *o)
{
	struct mapping *m = o->mapped ? process_mapping_at(o->of->process, o->from) : NULL;

	return m ? symbols_of_mapping(o->of->process, m) : symbols_at_path(o->of->pid, o->path);
}

const char *object_link(struct host_env *e, const struct object *o)
{
	struct symbol_file *f = object_symbols(o);
	struct strbuf link = {0};
	const char *path;

	if (!f)
		return "";
	symbols_keep(f);
	symbols_link(f, &link);
	path = intern(e->names, link.s);
	strbuf_release(&link);
	return path;
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

/* -------------------------------------------------------- libraries loaded later */

#define AS_IF_AT UINT64_C(0x10000000) /* address assumed for a file that is not mapped */

/* Adds the library @name in the folder of @beside. Returns false if there is none. */
static bool expect_beside(struct host_env *e, struct objects *os, const struct object *beside,
			  const char *name)
{
	const char *path = arena_printf(e->arena, "%.*s%s",
					(int)(strrchr(beside->path, '/') + 1 - beside->path),
					beside->path, name);
	struct symbol_file *f = symbols_at_path(os->pid, path);
	const struct symbol_segment *s;
	struct object o = {.of = os, .path = path, .name = strrchr(path, '/') + 1};
	uint32_t n = 0;

	if (!f || symbols_32_bits(f) || !symbols_is_relocatable(f))
		return false;
	s = symbols_segments(f, &n);
	for (uint32_t i = 0; i < n && !o.from; i++)
		if (s[i].exec) {
			o.from = AS_IF_AT + s[i].addr;
			o.to = o.from + s[i].size;
			o.off = s[i].off;
		}
	symbols_identity(f, &o.dev, &o.inode);
	if (o.from)
		vec_apush(e->arena, &os->v, o);
	return o.from;
}

void objects_expect(struct host_env *e, struct objects *os, const char *mod)
{
	if (!strstr(mod, ".so") || strchr(mod, '/') || glob_is_pattern(mod))
		return;
	for (size_t i = 0; i < os->v.n; i++)
		if (object_is(&os->v.v[i], mod))
			return;
	for (size_t i = 0; i < os->v.n; i++)
		if (expect_beside(e, os, &os->v.v[i], mod))
			return;
}

bool objects_are_32_bits(const struct objects *os)
{
	const struct symbol_file *f = NULL;

	for (size_t i = 0; i < os->v.n && !f; i++)
		if (os->v.v[i].program)
			f = object_symbols(&os->v.v[i]);
	return f && symbols_32_bits(f);
}

void host_env_release(struct host_env *e)
{
	for (struct objects *os = e->objects; os; os = os->next)
		process_free(os->process);
	e->objects = NULL;
	symbols_lists_freed();
	module_types_release(e);
}

/* ------------------------------------------------------------------- functions */

struct gathering {
	struct host_env *env;
	const struct object *object;
	VEC(struct object_function) fn;
};

static void gather(void *ctx, const struct symbol_function *f)
{
	struct gathering *g = ctx;
	const struct object *o = g->object;

	if (f->off < o->off || f->off - o->off >= o->to - o->from)
		return;
	vec_push(&g->fn,
		 ((struct object_function){.name = objects_name(g->env, f->name, strlen(f->name)),
					   .addr = f->off - o->off + o->from,
					   .size = f->size,
					   .global = f->global,
					   .can_probe = f->can_probe}));
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

void object_read(struct host_env *e, struct object *o)
{
	struct gathering g = {.env = e, .object = o};
	struct symbol_file *f;

	if (o->read)
		return;
	o->read = true;
	f = object_symbols(o);
	if (f)
		symbols_functions(f, gather, &g);
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

struct visit {
	const struct object *object;
	void (*fn)(void *ctx, uint64_t addr, bool can_probe);
	void *ctx;
};

static void walk_at(void *ctx, uint64_t off, bool can_probe)
{
	const struct visit *w = ctx;

	w->fn(w->ctx, off - w->object->off + w->object->from, can_probe);
}

void object_code(const struct object *o, uint64_t addr, uint64_t size,
		 void (*fn)(void *ctx, uint64_t addr, bool can_probe), void *ctx)
{
	struct symbol_file *f = object_symbols(o);
	struct visit w = {o, fn, ctx};

	if (f)
		symbols_instructions(f, object_offset(o, addr), size, walk_at, &w);
}

/* Returns whether the pattern is a short name: "libc" also matches libc.so.6 and libc-2.31.so. */
static bool is_short_for(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	return n && !strncmp(pattern, name, n) && strstr(name, ".so") &&
	       (name[n] == '.' || (name[n] == '-' && isdigit((unsigned char)name[n + 1])));
}

bool object_is(const struct object *o, const char *pattern)
{
	return glob_match(pattern, o->name) || glob_match(pattern, o->path) ||
	       is_short_for(pattern, o->name) || (o->program && glob_match(pattern, "a.out"));
}

bool object_path_is(const char *path, const char *pattern)
{
	const char *base = strrchr(path, '/');
	const struct object o = {.name = base ? base + 1 : path, .path = path};

	return object_is(&o, pattern);
}

const struct object_function *object_function_at(const struct object *o, uint64_t addr)
{
	for (uint32_t i = 0; i < o->nfn; i++)
		if (addr >= o->fn[i].addr &&
		    addr - o->fn[i].addr < (o->fn[i].size ? o->fn[i].size : 1))
			return &o->fn[i];
	return NULL;
}

uint64_t object_offset(const struct object *o, uint64_t addr)
{
	return addr - o->from + o->off;
}
