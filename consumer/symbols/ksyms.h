/*
 * ksyms.h - the kernel's symbol table, which finds the name of an address and the address of a
 * name.
 */
#ifndef CONSUMER_SYMBOLS_KSYMS_H
#define CONSUMER_SYMBOLS_KSYMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ir/program.h"

struct ksyms;
struct strbuf;

/* A symbol. Its strings are valid as long as the symbol table. */
struct ksym {
	const char *mod;  /* "vmlinux", or the name of a module */
	const char *name; /* name of the function or variable */
	uint64_t addr;    /* address of the first byte */
};

/*
 * Reads a symbol table in the format of /proc/kallsyms. Only functions and variables are kept.
 * Skips malformed lines, and symbols whose address the kernel hides (such an address is 0). The
 * caller frees the result with ksyms_free().
 */
struct ksyms *ksyms_read(FILE *f);
void ksyms_free(struct ksyms *t);

/* Finds the symbol that contains @addr. Returns false if there is no such symbol. */
bool ksyms_find(const struct ksyms *t, uint64_t addr, struct ksym *out);

/*
 * Finds the address of the symbol @name in module @mod.
 *
 * "vmlinux" and "kernel" in @mod mean the kernel without its modules. "" in @mod means the kernel
 * and all modules: a symbol of the kernel itself is preferred, and then a global symbol. Sets
 * *@size to the distance to the next symbol in bytes. *@size is 0 for the last symbol, and for a
 * per-CPU variable, whose address is an offset.
 */
enum symbol_found ksyms_address(const struct ksyms *t, const char *mod, const char *name,
				uint64_t *addr, uint64_t *size);

/*
 * Appends the text of an address: "mod`name+0x1f", or "mod`name" for the first byte of the symbol,
 * or "0x1234" if there is no symbol.
 */
void ksym_text(const struct ksyms *t, uint64_t addr, struct strbuf *out);

/* Appends "mod`name", or only "mod" if @mod_only is set. Appends "0x1234" if there is no symbol. */
void ksym_name(const struct ksyms *t, uint64_t addr, bool mod_only, struct strbuf *out);

/*
 * Returns the symbol table of the running kernel. The first call reads the table, which takes about
 * 50 ms and 4 MB. If the table cannot be read, it is empty. ksyms_forget() frees the table.
 */
const struct ksyms *ksyms_kernel(void);

/*
 * Frees the table of ksyms_kernel(). The next call of ksyms_kernel() reads it again, from @path, or
 * from /proc/kallsyms if @path is NULL.
 */
void ksyms_forget(const char *path);

#endif
