/*
 * objects.c - the programs and libraries of processes whose probes are asked for.
 */
#include "providers/pid/objects.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/glob.h"
#include "base/intern.h"
#include "base/visible.h"
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

const char *objects_name(struct host_env *e, const char *s, size_t n)
{
	struct strbuf b = {0};
	const char *name;

	visible_add(&b, s, n);
	name = intern_n(e->names, strbuf_text(&b), b.len);
	strbuf_release(&b);
	return name;
}

static void add_object(struct host_env *e, struct objects *os, const struct mapping *m)
{
	const struct process *p = os->process;
	const char *path = mapping_path(p, m);
	struct object o = {.from = m->from, .off = m->off, .dev = m->dev, .inode = m->inode};

	if (!m->exec || !m->inode || *path != '/' || is_known(os, path))
		return;
	o.name = objects_name(e, mapping_name(p, m), strlen(mapping_name(p, m)));
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

/* -------------------------------------------------------- libraries to come */

#define PAGE 4096u
#define AS_IF_AT UINT64_C(0x10000000) /* where a file is looked at that is not mapped anywhere */

static bool read_elf(int fd, Elf64_Ehdr *h)
{
	return pread(fd, h, sizeof(*h), 0) == sizeof(*h) && !memcmp(h->e_ident, ELFMAG, SELFMAG);
}

/* As /proc/PID/maps would show the file @fd; its code is at @o. */
static void write_maps(int fd, const Elf64_Ehdr *h, const struct stat *st, const char *file, struct object *o,
		       struct strbuf *maps)
{
	for (uint32_t i = 0; i < h->e_phnum; i++) {
		uint64_t from, off;
		Elf64_Phdr ph;

		if (pread(fd, &ph, sizeof(ph), (off_t)(h->e_phoff + i * sizeof(ph))) !=
			sizeof(ph) ||
		    ph.p_type != PT_LOAD)
			continue;
		from = AS_IF_AT + ph.p_vaddr / PAGE * PAGE;
		off = ph.p_offset / PAGE * PAGE;
		strbuf_addf(maps,
			    "%" PRIx64 "-%" PRIx64 " r-%cp %08" PRIx64 " %x:%x %" PRIu64 " %s\n",
			    from, (AS_IF_AT + ph.p_vaddr + ph.p_memsz + PAGE - 1) / PAGE * PAGE,
			    ph.p_flags & PF_X ? 'x' : '-', off, major(st->st_dev),
			    minor(st->st_dev), (uint64_t)st->st_ino, file);
		if ((ph.p_flags & PF_X) && !o->from) {
			o->from = from;
			o->off = off;
		}
	}
}

static void add_unmapped(struct host_env *e, struct objects *os, const char *path, const char *file, int fd)
{
	struct object o = {.name = strrchr(path, '/') + 1, .path = path, .file = file};
	struct strbuf maps = {0};
	struct stat st;
	Elf64_Ehdr h;

	if (fstat(fd, &st) || !read_elf(fd, &h) || h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_type != ET_DYN)
		return;
	o.dev = st.st_dev;
	o.inode = st.st_ino;
	write_maps(fd, &h, &st, file, &o, &maps);
	if (o.from) {
		o.apart = process_parse(os->pid, maps.s);
		vec_apush(e->arena, &os->v, o);
	}
	strbuf_release(&maps);
}

/* In the folder of @beside.  False: it is not there. */
static bool expect_beside(struct host_env *e, struct objects *os, const struct object *beside, const char *name)
{
	const char *path = arena_printf(e->arena, "%.*s%s", (int)(strrchr(beside->path, '/') + 1 - beside->path),
					beside->path, name);
	const char *file = arena_printf(e->arena, "/proc/%d/root%s", os->pid, path);
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	add_unmapped(e, os, path, file, fd);
	close(fd);
	return true;
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
	char path[64];
	Elf64_Ehdr h;
	bool yes;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/exe", os->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	yes = fd >= 0 && read_elf(fd, &h) && h.e_ident[EI_CLASS] == ELFCLASS32;
	if (fd >= 0)
		close(fd);
	return yes;
}

static void object_release(struct object *o)
{
	if (o->fd > 0)
		close(o->fd);
	if (o->apart)
		process_free(o->apart);
}

void host_env_release(struct host_env *e)
{
	for (struct objects *os = e->objects; os; os = os->next) {
		for (size_t i = 0; i < os->v.n; i++)
			object_release(&os->v.v[i]);
		process_free(os->process);
	}
	e->objects = NULL;
	module_types_release(e);
}

/* ------------------------------------------------------------------- functions */

struct gathering {
	struct host_env *env;
	const struct process *process;
	const char *path; /* as the process has it mapped */
	VEC(struct object_function) fn;
};

/* Whoever reads symbols of versions gets "name@@VERSION". */
static void gather(void *ctx, const struct function *f)
{
	struct gathering *g = ctx;
	const struct mapping *m = process_at(g->process, f->addr);

	if (m && m->exec && !strcmp(mapping_path(g->process, m), g->path))
		vec_push(&g->fn, ((struct object_function){
				.name = objects_name(g->env, f->name, strcspn(f->name, "@")),
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
	struct process *p = o->apart ? o->apart : os->process;
	const struct mapping *m = process_at(p, o->from);
	struct gathering g = {e, p, mapping_path(p, m), {0}};

	if (o->read)
		return;
	o->read = true;
	process_functions(p, m, gather, &g);
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
