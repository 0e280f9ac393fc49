/*
 * ksyms.h - which kernel function or variable an address is in, and where they are.
 */
#ifndef CONSUMER_SYMBOLS_KSYMS_H
#define CONSUMER_SYMBOLS_KSYMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ir/program.h"

struct ksyms;
struct strbuf;

struct ksym {
	const char *mod; /* "vmlinux", or the module's name */
	const char *name;
	uint64_t addr; /* where it begins */
};

/*
 * Reads a table in the form of /proc/kallsyms; functions and variables are kept.  Lines that
 * are none are passed over, as are addresses that the kernel hides (they read as 0).
 */
struct ksyms *ksyms_read(FILE *f);
void ksyms_free(struct ksyms *t);

/* What @addr is in; its strings live as long as @t.  False: unknown. */
bool ksyms_find(const struct ksyms *t, uint64_t addr, struct ksym *out);

/*
 * The address of @name in @mod; "": of whoever has it, the kernel proper first; "vmlinux"
 * and "kernel" are that.  *size: up to the next symbol; 0: it is the last.  Of several of one name
 * a global one is taken.
 */
enum symbol_found ksyms_address(const struct ksyms *t, const char *mod, const char *name,
				uint64_t *addr, uint64_t *size);

/* Appends "mod`name+0x1f", "mod`name" for its first byte, "0x1234" if unknown. */
void ksym_text(const struct ksyms *t, uint64_t addr, struct strbuf *out);

/* Appends "mod`name", or "mod" alone, of what @addr is in; "0x1234" if unknown. */
void ksym_name(const struct ksyms *t, uint64_t addr, bool mod_only, struct strbuf *out);

/*
 * The running kernel's, read when first asked for: that takes some 50 ms and 4 MB.
 * Empty if it cannot be read.
 */
const struct ksyms *ksyms_kernel(void);

/* Frees that table; it would be read again.  @path: from there then; NULL: /proc/kallsyms. */
void ksyms_forget(const char *path);

#endif
