/*
 * libdw.h - elfutils and the C++ runtime's demangler, loaded when a reader first needs them.
 *
 * Only readers call these functions: the files that they parse are made by others.
 */
#ifndef PROCINFO_LIBDW_H
#define PROCINFO_LIBDW_H

#include <stdbool.h>

#if __has_include(<elfutils/libdwfl.h>)
#define HAVE_LIBDW 1
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <libelf.h>

/* clang-format off */
#define DWFL_FUNCTIONS(X) \
	X(begin) X(end) X(report_begin) X(report_module) X(report_end) X(module_getelf) \
	X(module_addrinfo) X(module_getsymtab) X(module_getsym_info) X(module_build_id)
/* clang-format on */

#define ELF_FUNCTIONS(X) X(version) X(begin) X(end) X(nextscn) X(strptr) X(getdata) X(getshdrstrndx)

/* The libraries' functions, by their names without dwfl_ and elf_. */
struct libdw {
#define X(name) __typeof__(dwfl_##name) *name;
	DWFL_FUNCTIONS(X)
#undef X
#define X(name) __typeof__(elf_##name) *elf_##name;
	ELF_FUNCTIONS(X)
#undef X
	__typeof__(gelf_getshdr) *gelf_getshdr;
};

/* NULL: elfutils is not installed. */
const struct libdw *libdw(void);
#endif

/*
 * Whether symbols of processes can be read: elfutils is installed, and its headers were there when
 * dtrace was built.  Looks for the library, and does not load it into this process.
 */
bool libdw_installed(void);

/* Loads elfutils and the demangler, while the process may still open files. */
void libdw_load(void);

/*
 * The C++ name @name taken apart, to be freed with free().  NULL: it is no such name, it is longer
 * than DEMANGLE_MAX, its result is longer than DEMANGLED_MAX, or that needs more memory than there
 * is.
 */
char *demangle(const char *name);

#define DEMANGLE_MAX 4096u
#define DEMANGLED_MAX 65536u /* an answer of a reader has room for it */

#endif
