/*
 * ksyms.h - the kernel's symbol table: names of addresses, and addresses of names.
 */
#ifndef CONSUMER_SYMBOLS_KSYMS_H
#define CONSUMER_SYMBOLS_KSYMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ir/program.h"

struct ksyms;
struct strbuf;

/* A symbol.  Its strings are valid as long as the table. */
struct ksym {
	const char *mod;  /* "vmlinux", or the name of a module */
	const char *name; /* of the function or variable */
	uint64_t addr;    /* its first byte */
};

/*
 * Reads a table in the format of /proc/kallsyms; keeps functions and variables.  Skips malformed
 * lines, and symbols whose address the kernel hides (they read as 0).  The caller frees the result
 * with ksyms_free().
 */
struct ksyms *ksyms_read(FILE *f);
void ksyms_free(struct ksyms *t);

/* Finds the symbol that contains @addr.  Returns false if there is none. */
bool ksyms_find(const struct ksyms *t, uint64_t addr, struct ksym *out);

/*
 * Finds the address of symbol @name in module @mod.
 *
 * @mod "vmlinux" or "kernel" is the kernel without its modules.  With @mod "" all modules are
 * searched; the kernel's own symbol is preferred, then a global one.  *@size is the distance to the
 * next symbol in bytes; 0 for the last symbol and for a per-CPU variable, whose address is an
 * offset.
 */
enum symbol_found ksyms_address(const struct ksyms *t, const char *mod, const char *name,
				uint64_t *addr, uint64_t *size);

/* Appends "mod`name+0x1f", or "mod`name" for the first byte, or "0x1234" without a symbol. */
void ksym_text(const struct ksyms *t, uint64_t addr, struct strbuf *out);

/* Appends "mod`name", or with @mod_only "mod", or "0x1234" without a symbol. */
void ksym_name(const struct ksyms *t, uint64_t addr, bool mod_only, struct strbuf *out);

/*
 * Returns the table of the running kernel.  The first call reads it, which takes about 50 ms and
 * 4 MB.  The table is empty if it cannot be read.  ksyms_forget() frees it.
 */
const struct ksyms *ksyms_kernel(void);

/*
 * Frees the table of ksyms_kernel().  The next call reads it again, from @path, or from
 * /proc/kallsyms if @path is NULL.
 */
void ksyms_forget(const char *path);

#endif
