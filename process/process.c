/*
 * process.c - what a process has mapped, and which functions are there.
 *
 * What is mapped is copied, for the process may be gone when its addresses are asked about.
 * Symbols are libdw's to find, in the files themselves or, by their build ID, in those with
 * debugging information that a distribution has beside them.
 */
#include "process/process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"

/* ----------------------------------------------------------------------- maps */

/* "7f0000000000-7f0000001000 r-xp 00000000 fd:00 1234   /usr/lib/x.so" */
static void add_mapping(struct process *p, const char *line)
{
	struct mapping m = {0};
	unsigned major = 0, minor = 0;
	char exec;
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %" SCNx64 " %x:%x %" SCNu64 " %n", &m.from, &m.to, &exec,
		   &m.off, &major, &minor, &m.inode, &at) < 7 || !at || !line[at])
		return;
	m.exec = exec == 'x';
	m.dev = makedev(major, minor);
	m.name = (uint32_t)p->text.len;
	strbuf_add(&p->text, line + at, strcspn(line + at, "\n"));
	strbuf_addc(&p->text, '\0');
	vec_push(&p->map, m);
}

/* @f: as /proc/PID/maps; NULL: nothing. */
static struct process *read_maps(pid_t pid, FILE *f)
{
	struct process *p = xcalloc(1, sizeof(*p));
	char *line = NULL;
	size_t cap = 0;

	p->pid = pid;
	p->read_ns = now_monotonic();
	while (f && getline(&line, &cap, f) > 0) {
		strbuf_adds(&p->maps, line);
		add_mapping(p, line);
	}
	free(line);
	if (f)
		fclose(f);
	return p;
}

struct process *process_read(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	return read_maps(pid, fopen(path, "re"));
}

struct process *process_parse(pid_t pid, char *maps)
{
	return read_maps(pid, fmemopen(maps, strlen(maps), "r"));
}

static struct process *opening; /* whose files libdw asks for */

void process_free(struct process *p)
{
	if (opening == p)
		opening = NULL;
	if (p->dwfl)
		libdw()->end(p->dwfl);
	vec_free(&p->map);
	strbuf_release(&p->text);
	strbuf_release(&p->maps);
	xfree(p);
}

const struct mapping *process_at(const struct process *p, uint64_t addr)
{
	for (size_t i = 0; i < p->map.n; i++)
		if (addr >= p->map.v[i].from && addr < p->map.v[i].to)
			return &p->map.v[i];
	return NULL;
}

const char *mapping_path(const struct process *p, const struct mapping *m)
{
	return p->text.s + m->name;
}

const char *mapping_name(const struct process *p, const struct mapping *m)
{
	const char *path = mapping_path(p, m), *base = strrchr(path, '/');

	return base ? base + 1 : path;
}

void mapping_file(const struct process *p, const struct mapping *m, struct strbuf *out)
{
	strbuf_addf(out, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, p->pid, m->from, m->to);
}

/* -------------------------------------------------------------------- symbols */

/* The file as the process has it, as long as it lives; then what has its name. */
static int find_elf(Dwfl_Module *mod, void **data, const char *name, Elf64_Addr base, char **file, Elf **elf)
{
	const struct mapping *m = opening ? process_at(opening, base) : NULL;
	struct strbuf path = {0};
	int fd = -1;

	if (m && m->inode) {
		mapping_file(opening, m, &path);
		fd = open(path.s, O_RDONLY | O_CLOEXEC);
		strbuf_release(&path);
	}
	if (fd < 0)
		return libdw()->linux_proc_find_elf(mod, data, name, base, file, elf);
	*file = xstrdup(name);
	return fd;
}

/* Here by its build ID; other places may be far away. */
static int find_debuginfo(Dwfl_Module *mod, void **data, const char *name, Elf64_Addr base, const char *file,
			  const char *link, Elf64_Word crc, char **found)
{
	char path[128] = "/usr/lib/debug/.build-id/";
	const unsigned char *id;
	size_t at = strlen(path);
	Elf64_Addr where;
	int n = libdw()->module_build_id(mod, &id, &where), fd;

	(void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
	if (n < 2 || n > 20)
		return -1;
	for (int i = 0; i < n; i++)
		at += (size_t)sprintf(path + at, i ? "%02x" : "%02x/", id[i]);
	strcpy(path + at, ".debug");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		*found = xstrdup(path);
	return fd;
}

static const struct dwfl_callbacks callbacks = {.find_elf = find_elf, .find_debuginfo = find_debuginfo};

Dwfl *process_symbols(struct process *p)
{
	const struct libdw *lib = libdw();
	FILE *f;

	opening = p;
	if (p->opened)
		return p->dwfl;
	p->opened = true;
	f = lib && p->maps.len ? fmemopen(p->maps.s, p->maps.len, "r") : NULL;
	if (!f)
		return NULL;
	p->dwfl = lib->begin(&callbacks);
	if (p->dwfl && (lib->linux_proc_maps_report(p->dwfl, f) || lib->report_end(p->dwfl, NULL, NULL))) {
		lib->end(p->dwfl);
		p->dwfl = NULL;
	}
	fclose(f);
	return p->dwfl;
}

const char *process_symbol(struct process *p, uint64_t addr, uint64_t *off)
{
	Dwfl *d = process_symbols(p);
	Dwfl_Module *mod = d ? libdw()->addrmodule(d, addr) : NULL;
	Elf64_Sym sym;

	*off = 0;
	return mod ? libdw()->module_addrinfo(mod, addr, off, &sym, NULL, NULL, NULL) : NULL;
}

static bool is_function(const Elf64_Sym *sym, const char *name)
{
	return name && *name && ELF64_ST_TYPE(sym->st_info) == STT_FUNC && sym->st_shndx != SHN_UNDEF;
}

void process_functions(struct process *p, const struct mapping *m, void (*fn)(void *ctx, const struct function *f),
		       void *ctx)
{
	Dwfl *d = process_symbols(p);
	Dwfl_Module *mod = d ? libdw()->addrmodule(d, m->from) : NULL;
	int n = mod ? libdw()->module_getsymtab(mod) : 0;

	for (int i = 0; i < n; i++) {
		struct function f = {0};
		Elf64_Sym sym;

		f.name = libdw()->module_getsym_info(mod, i, &sym, &f.addr, NULL, NULL, NULL);
		if (!is_function(&sym, f.name))
			continue;
		f.size = sym.st_size;
		f.global = ELF64_ST_BIND(sym.st_info) != STB_LOCAL;
		fn(ctx, &f);
	}
}
