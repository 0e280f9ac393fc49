/*
 * usyms.c - names of addresses in processes.
 *
 * What a process has mapped is copied when it is first seen, for it may be gone when
 * its addresses are shown.  Symbols of the mapped files are libdw's to find (elfutils),
 * C++'s names libstdc++'s to take apart; both are loaded when they are first needed, and
 * where they are missing there are objects and addresses.
 */
#include "consumer/usyms.h"

#include <dlfcn.h>
#include <elf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* ------------------------------------------------------------------ libraries */

/* What is used of <elfutils/libdwfl.h>. */
typedef struct Dwfl Dwfl;
typedef struct Dwfl_Module Dwfl_Module;

struct dwfl_callbacks {
	int (*find_elf)(Dwfl_Module *, void **, const char *, Elf64_Addr, char **, void **);
	int (*find_debuginfo)(Dwfl_Module *, void **, const char *, Elf64_Addr, const char *, const char *,
			      Elf64_Word, char **);
	int (*section_address)(Dwfl_Module *, void **, const char *, Elf64_Addr, const char *, Elf64_Word,
			       const Elf64_Shdr *, Elf64_Addr *);
	char **debuginfo_path;
};

static struct {
	bool tried;
	struct dwfl_callbacks callbacks;
	Dwfl *(*begin)(const struct dwfl_callbacks *);
	void (*end)(Dwfl *);
	int (*maps_report)(Dwfl *, FILE *);
	int (*report_end)(Dwfl *, int (*removed)(Dwfl_Module *, void *, const char *, Elf64_Addr, void *), void *);
	Dwfl_Module *(*addrmodule)(Dwfl *, Elf64_Addr);
	const char *(*addrinfo)(Dwfl_Module *, Elf64_Addr, Elf64_Off *, Elf64_Sym *, Elf64_Word *, void **,
				Elf64_Addr *);
	char *(*demangle)(const char *, char *, size_t *, int *);
} lib;

/* Symbols are in the file itself; what would be asked for elsewhere may be far away. */
static int no_debuginfo(Dwfl_Module *m, void **data, const char *name, Elf64_Addr base, const char *file,
			const char *link, Elf64_Word crc, char **path)
{
	(void)m, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)path;
	return -1;
}

/* A pointer to a function, which dlsym() gives as one to data. */
static bool load(void *from, const char *name, void *to)
{
	void *p = dlsym(from, name);

	memcpy(to, &p, sizeof(p));
	return p;
}

static void load_libraries(void)
{
	void *dw = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL), *cxx = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

	lib.tried = true;
	lib.callbacks.find_debuginfo = no_debuginfo;
	if (!dw || !load(dw, "dwfl_end", &lib.end) || !load(dw, "dwfl_linux_proc_maps_report", &lib.maps_report) ||
	    !load(dw, "dwfl_report_end", &lib.report_end) || !load(dw, "dwfl_addrmodule", &lib.addrmodule) ||
	    !load(dw, "dwfl_module_addrinfo", &lib.addrinfo) ||
	    !load(dw, "dwfl_linux_proc_find_elf", &lib.callbacks.find_elf) || !load(dw, "dwfl_begin", &lib.begin))
		lib.begin = NULL;
	if (!cxx || !load(cxx, "__cxa_demangle", &lib.demangle))
		lib.demangle = NULL;
}

/* ------------------------------------------------------------------ processes */

struct mapping {
	uint64_t from, to;
	uint32_t name; /* offset in text */
};

struct process {
	uint64_t pid;
	VEC(struct mapping) map;
	struct strbuf text; /* /proc/PID/maps, its lines ended by NULs */
	struct strbuf maps; /* as it was */
	Dwfl *dwfl;
	bool opened;
};

static VEC(struct process *) processes;

static struct process *find_process(uint64_t pid)
{
	for (size_t i = processes.n; i-- > 0;)
		if (processes.v[i]->pid == pid)
			return processes.v[i];
	return NULL;
}

/* "7f0000000000-7f0000001000 r-xp 00000000 fd:00 1234   /usr/lib/x.so" */
static void add_mapping(struct process *p, const char *line)
{
	struct mapping m = {0};
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &m.from, &m.to, &at) < 2 || !at || !line[at])
		return;
	m.name = (uint32_t)p->text.len;
	strbuf_add(&p->text, line + at, strcspn(line + at, "\n"));
	strbuf_addc(&p->text, '\0');
	vec_push(&p->map, m);
}

void usyms_see(uint64_t pid)
{
	struct process *p;
	char path[64], *line = NULL;
	size_t cap = 0;
	FILE *f;

	if (!pid || find_process(pid))
		return;
	p = xcalloc(1, sizeof(*p));
	p->pid = pid;
	vec_push(&processes, p);
	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/maps", pid);
	f = fopen(path, "re");
	while (f && getline(&line, &cap, f) > 0) {
		strbuf_adds(&p->maps, line);
		add_mapping(p, line);
	}
	free(line);
	if (f)
		fclose(f);
}

/* The object's symbols, from the copy of what was mapped. */
static Dwfl *open_symbols(struct process *p)
{
	FILE *f;

	if (p->opened)
		return p->dwfl;
	p->opened = true;
	if (!lib.tried)
		load_libraries();
	f = lib.begin && p->maps.len ? fmemopen(p->maps.s, p->maps.len, "r") : NULL;
	if (!f)
		return NULL;
	p->dwfl = lib.begin(&lib.callbacks);
	if (p->dwfl && (lib.maps_report(p->dwfl, f) || lib.report_end(p->dwfl, NULL, NULL))) {
		lib.end(p->dwfl);
		p->dwfl = NULL;
	}
	fclose(f);
	return p->dwfl;
}

void usyms_forget(void)
{
	for (size_t i = 0; i < processes.n; i++) {
		struct process *p = processes.v[i];

		if (p->dwfl)
			lib.end(p->dwfl);
		vec_free(&p->map);
		strbuf_release(&p->text);
		strbuf_release(&p->maps);
		xfree(p);
	}
	vec_free(&processes);
}

/* --------------------------------------------------------------------- naming */

/* The file that is mapped there, without its folders; NULL: none. */
static const char *object_at(const struct process *p, uint64_t addr)
{
	for (size_t i = 0; i < p->map.n; i++) {
		const char *name = p->text.s + p->map.v[i].name, *base = strrchr(name, '/');

		if (addr >= p->map.v[i].from && addr < p->map.v[i].to)
			return base ? base + 1 : name;
	}
	return NULL;
}

static void add_name(struct strbuf *out, const char *name)
{
	char *plain = NULL;
	int status;

	if (lib.demangle && !strncmp(name, "_Z", 2))
		plain = lib.demangle(name, NULL, NULL, &status);
	strbuf_adds(out, plain ? plain : name);
	free(plain);
}

void usym_text(uint64_t pid, uint64_t addr, enum usym_form form, struct strbuf *out)
{
	struct process *p;
	const char *object, *name = NULL;
	Elf64_Off off = 0;
	Elf64_Sym sym;
	Dwfl *d;

	usyms_see(pid);
	p = find_process(pid);
	object = p ? object_at(p, addr) : NULL;
	if (object)
		strbuf_adds(out, object);
	if (object && form == USYM_OBJECT)
		return;
	d = object ? open_symbols(p) : NULL;
	if (d && lib.addrmodule(d, addr))
		name = lib.addrinfo(lib.addrmodule(d, addr), addr, &off, &sym, NULL, NULL, NULL);
	if (object)
		strbuf_addc(out, '`');
	if (!name)
		strbuf_addf(out, "0x%" PRIx64, addr);
	else
		add_name(out, name);
	if (name && off && form == USYM_OFFSET)
		strbuf_addf(out, "+0x%" PRIx64, (uint64_t)off);
}
