/*
 * libdw.h - what is used of elfutils and of C++'s runtime, loaded when it is first needed.
 *
 * Their headers are not needed to build: what is used of <elfutils/libdwfl.h> and <libelf.h> is
 * declared here.
 */
#ifndef PROCESS_LIBDW_H
#define PROCESS_LIBDW_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Dwfl Dwfl;
typedef struct Dwfl_Module Dwfl_Module;
typedef struct Elf Elf;
typedef struct Elf_Scn Elf_Scn;

struct elf_data {
	void *buf;
	int type;
	unsigned version;
	size_t size;
	int64_t off;
	size_t align;
};

struct dwfl_callbacks {
	int (*find_elf)(Dwfl_Module *, void **, const char *, Elf64_Addr, char **, Elf **);
	int (*find_debuginfo)(Dwfl_Module *, void **, const char *, Elf64_Addr, const char *, const char *,
			      Elf64_Word, char **);
	int (*section_address)(Dwfl_Module *, void **, const char *, Elf64_Addr, const char *, Elf64_Word,
			       const Elf64_Shdr *, Elf64_Addr *);
	char **debuginfo_path;
};

/* The functions, by the names that elfutils gives them. */
struct libdw {
	Dwfl *(*begin)(const struct dwfl_callbacks *);
	void (*end)(Dwfl *);
	int (*linux_proc_maps_report)(Dwfl *, FILE *);
	int (*linux_proc_find_elf)(Dwfl_Module *, void **, const char *, Elf64_Addr, char **, Elf **);
	int (*report_end)(Dwfl *, int (*removed)(Dwfl_Module *, void *, const char *, Elf64_Addr, void *), void *);
	Dwfl_Module *(*addrmodule)(Dwfl *, Elf64_Addr);
	const char *(*module_addrinfo)(Dwfl_Module *, Elf64_Addr, Elf64_Off *, Elf64_Sym *, Elf64_Word *, Elf **,
				       Elf64_Addr *);
	int (*module_getsymtab)(Dwfl_Module *);
	const char *(*module_getsym_info)(Dwfl_Module *, int, Elf64_Sym *, Elf64_Addr *, Elf64_Word *, Elf **,
					  Elf64_Addr *);
	int (*module_build_id)(Dwfl_Module *, const unsigned char **, Elf64_Addr *);
	Elf *(*module_getelf)(Dwfl_Module *, Elf64_Addr *);

	unsigned (*elf_version)(unsigned);
	Elf *(*elf_begin)(int, int, Elf *);
	int (*elf_end)(Elf *);
	Elf_Scn *(*elf_nextscn)(Elf *, Elf_Scn *);
	Elf64_Shdr *(*elf64_getshdr)(Elf_Scn *);
	Elf64_Ehdr *(*elf64_getehdr)(Elf *);
	Elf64_Phdr *(*elf64_getphdr)(Elf *);
	int (*elf_getphdrnum)(Elf *, size_t *);
	int (*elf_getshdrstrndx)(Elf *, size_t *);
	char *(*elf_strptr)(Elf *, size_t, size_t);
	struct elf_data *(*elf_getdata)(Elf_Scn *, struct elf_data *);
};

/* NULL: elfutils is not installed (libdw1). */
const struct libdw *libdw(void);

/* A C++ name taken apart, to be freed with free(); NULL: it is none. */
char *demangle(const char *name);

#endif
