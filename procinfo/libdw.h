/*
 * libdw.h - elfutils and the C++ demangler. The libraries are loaded when they are first needed.
 *
 * Only readers (confined processes) may call functions of these libraries, because the libraries
 * parse files that other users wrote.
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

/* The functions of the libraries. The prefix dwfl_ is left out of the names; elf_ is kept. */
struct libdw {
#define X(name) __typeof__(dwfl_##name) *name;
	DWFL_FUNCTIONS(X)
#undef X
#define X(name) __typeof__(elf_##name) *elf_##name;
	ELF_FUNCTIONS(X)
#undef X
	__typeof__(gelf_getshdr) *gelf_getshdr;
};

/*
 * Returns the functions, or NULL if elfutils is not installed. Loads the libraries on the first
 * call.
 */
const struct libdw *libdw(void);
#endif

/*
 * Returns whether symbols of processes can be read: elfutils is installed, and dtrace was built
 * with its headers. Does not keep the library loaded in this process.
 */
bool libdw_installed(void);

/* Loads elfutils and the demangler, while this process may still open files. */
void libdw_load(void);

/*
 * Demangles the C++ name @name. The caller frees the result with free(). Returns NULL if @name is
 * not a C++ name, if @name is longer than DEMANGLE_MAX or its result is longer than DEMANGLED_MAX,
 * if libdw_load() has not found the demangler, or if memory is out.
 */
char *demangle(const char *name);

#define DEMANGLE_MAX 4096u
/*
 * Maximum size of a demangled name in bytes. A name of this size fits in one message of a reader,
 * the confined process that demangles names.
 */
#define DEMANGLED_MAX 65536u

#endif
