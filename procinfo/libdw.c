/*
 * libdw.c - loads elfutils and the C++ demangler.
 */
#include "procinfo/libdw.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"

static char *(*demangler)(const char *, char *, size_t *, int *);

static void load_demangler(void)
{
	static const struct library_symbol cxx = {"__cxa_demangle", (void **)&demangler};

	if (!demangler)
		library_load("libstdc++.so.6", &cxx, 1);
}

char *demangle(const char *name)
{
	int status;
	char *plain;

	if (strncmp(name, "_Z", 2) || strlen(name) > DEMANGLE_MAX || !demangler)
		return NULL;
	plain = demangler(name, NULL, NULL, &status);
	if (!plain || strlen(plain) <= DEMANGLED_MAX)
		return plain;
	free(plain);
	return NULL;
}

#ifdef HAVE_LIBDW
static struct libdw lib;

static const struct library_symbol of_dw[] = {
#define X(name) {"dwfl_" #name, (void **)&lib.name},
	DWFL_FUNCTIONS(X)
#undef X
};

static const struct library_symbol of_elf[] = {
#define X(name) {"elf_" #name, (void **)&lib.elf_##name},
	ELF_FUNCTIONS(X)
#undef X
		{"gelf_getshdr", (void **)&lib.gelf_getshdr},
};

#define LOAD(file, names) library_load(file, names, sizeof(names) / sizeof(*(names)))

const struct libdw *libdw(void)
{
	static bool tried, found;

	if (!tried) {
		tried = true;
		found = LOAD("libdw.so.1", of_dw) && LOAD("libelf.so.1", of_elf) &&
			lib.elf_version(EV_CURRENT) != EV_NONE;
	}
	return found ? &lib : NULL;
}

void libdw_load(void)
{
	libdw();
	load_demangler();
}

/*
 * Only checks that the library exists, so the library is closed right away. RTLD_LAZY avoids
 * looking up its functions.
 */
bool libdw_installed(void)
{
	static int state;
	void *l;

	if (!state) {
		l = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
		state = l ? 1 : -1;
		if (l)
			dlclose(l);
	}
	return state > 0;
}
#else
void libdw_load(void)
{
	load_demangler();
}

bool libdw_installed(void)
{
	return false;
}
#endif
