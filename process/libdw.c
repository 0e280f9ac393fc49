/*
 * libdw.c - loads elfutils, and what takes C++'s names apart.
 */
#include "process/libdw.h"

#include <stdbool.h>
#include <string.h>

#include "base/library.h"

static struct libdw lib;

#define DWFL(name) {"dwfl_" #name, (void **)&lib.name}
#define ELF(name)  {#name, (void **)&lib.name}

static const struct library_name of_dw[] = {
	DWFL(begin), DWFL(end), DWFL(linux_proc_maps_report), DWFL(linux_proc_find_elf), DWFL(report_end),
	DWFL(addrmodule), DWFL(module_addrinfo), DWFL(module_getsymtab), DWFL(module_getsym_info),
	DWFL(module_build_id), DWFL(module_getelf),
};

static const struct library_name of_elf[] = {
	ELF(elf_version), ELF(elf_begin), ELF(elf_end), ELF(elf_nextscn), ELF(elf64_getshdr), ELF(elf64_getehdr),
	ELF(elf64_getphdr), ELF(elf_getphdrnum), ELF(elf_getshdrstrndx), ELF(elf_strptr), ELF(elf_getdata),
};

const struct libdw *libdw(void)
{
	static bool tried, there;

	if (!tried) {
		tried = true;
		there = library_load("libdw.so.1", of_dw, sizeof(of_dw) / sizeof(*of_dw)) &&
			library_load("libelf.so.1", of_elf, sizeof(of_elf) / sizeof(*of_elf)) &&
			lib.elf_version(EV_CURRENT) != EV_NONE;
	}
	return there ? &lib : NULL;
}

char *demangle(const char *name)
{
	static char *(*fn)(const char *, char *, size_t *, int *);
	static const struct library_name cxx = {"__cxa_demangle", (void **)&fn};
	static bool tried;
	int status;

	if (strncmp(name, "_Z", 2))
		return NULL;
	if (!tried) {
		tried = true;
		library_load("libstdc++.so.6", &cxx, 1);
	}
	return fn ? fn(name, NULL, NULL, &status) : NULL;
}
