/*
 * libdw.c - loads elfutils, and what takes C++'s names apart.
 */
#include "process/libdw.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* A function that a member of struct libdw is to point to. */
struct wanted {
	const char *name;
	size_t member;
};

#define DWFL(name) {"dwfl_" #name, offsetof(struct libdw, name)}
#define ELF(name)  {#name, offsetof(struct libdw, name)}

static const struct wanted of_dw[] = {
	DWFL(begin), DWFL(end), DWFL(linux_proc_maps_report), DWFL(linux_proc_find_elf), DWFL(report_end),
	DWFL(addrmodule), DWFL(module_addrinfo), DWFL(module_getsymtab), DWFL(module_getsym_info),
	DWFL(module_build_id), DWFL(module_getelf),
};

static const struct wanted of_elf[] = {
	ELF(elf_version), ELF(elf_begin), ELF(elf_end), ELF(elf_nextscn), ELF(elf64_getshdr), ELF(elf64_getehdr),
	ELF(elf64_getphdr), ELF(elf_getphdrnum), ELF(elf_getshdrstrndx), ELF(elf_strptr), ELF(elf_getdata),
};

/* dlsym() gives a function as a pointer to data. */
static bool load(void *from, const char *name, void *to)
{
	void *p = dlsym(from, name);

	memcpy(to, &p, sizeof(p));
	return p;
}

static bool load_all(const char *file, const struct wanted *w, size_t n, struct libdw *to)
{
	void *from = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; from && i < n; i++)
		if (!load(from, w[i].name, (char *)to + w[i].member))
			return false;
	return from;
}

const struct libdw *libdw(void)
{
	static struct libdw lib;
	static bool tried, there;

	if (!tried) {
		tried = true;
		there = load_all("libdw.so.1", of_dw, sizeof(of_dw) / sizeof(*of_dw), &lib) &&
			load_all("libelf.so.1", of_elf, sizeof(of_elf) / sizeof(*of_elf), &lib) &&
			lib.elf_version(EV_CURRENT) != EV_NONE;
	}
	return there ? &lib : NULL;
}

char *demangle(const char *name)
{
	static char *(*fn)(const char *, char *, size_t *, int *);
	static bool tried;
	void *cxx;
	int status;

	if (strncmp(name, "_Z", 2))
		return NULL;
	if (!tried) {
		tried = true;
		cxx = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
		if (!cxx || !load(cxx, "__cxa_demangle", &fn))
			fn = NULL;
	}
	return fn ? fn(name, NULL, NULL, &status) : NULL;
}
