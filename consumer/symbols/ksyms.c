/* ksyms.c - reads the kernel's symbol table and sorts it by address. */
#include "consumer/symbols/ksyms.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"

/*
 * Maximum size of a function. The symbol table has the start of a function but not its end. An
 * address that is farther from the previous symbol does not belong to any symbol.
 */
#define FUNCTION_MAX 0x20000u
#define PAGE 4096

#define KERNEL_MODULE "vmlinux" /* module name of the kernel's own symbols */

#define PADDING "__pfx_" /* prefix of the names that stand for the bytes between functions */

struct entry {
	uint64_t addr;
	uint32_t name, mod; /* offsets in text; all symbols of a module have the same @mod */
	bool global;
};

struct ksyms {
	VEC(struct entry) sym;
	VEC(struct entry) offset; /* per-CPU variables; addr is an offset in each CPU's area */
	struct strbuf text;       /* all strings, each with its NUL */
};

/* --------------------------------------------------------------------- reading */

static uint32_t add_text(struct ksyms *t, const char *s, size_t n)
{
	size_t at = t->text.len;

	strbuf_add(&t->text, s, n);
	strbuf_addc(&t->text, '\0');
	return (uint32_t)at;
}

/*
 * Returns the offset of the name of a module. The symbols of a module follow each other, so this
 * function compares only with the last name.
 */
static uint32_t module(struct ksyms *t, const char *s, size_t n)
{
	uint32_t last = t->sym.n ? t->sym.v[t->sym.n - 1].mod : 0;

	if (!n)
		return 0;
	if (strlen(t->text.s + last) == n && !memcmp(t->text.s + last, s, n))
		return last;
	return add_text(t, s, n);
}

/*
 * Parses a line such as "ffffffff81000000 T name" or "ffffffffc0201000 t name\t[module]", and adds
 * the symbol.
 */
static void add_line(struct ksyms *t, const char *line)
{
	struct entry e = {0};
	const char *name, *mod;
	char *end;
	size_t n;

	e.addr = strtoull(line, &end, 16);
	if (!e.addr || end[0] != ' ' || !end[1] || !strchr("AtTwWdDbBrRvV", end[1]) ||
	    end[2] != ' ')
		return;
	e.global = end[1] >= 'A' && end[1] <= 'Z' && end[1] != 'W' && end[1] != 'V';
	name = end + 3;
	n = strcspn(name, " \t\n");
	mod = name + n + strspn(name + n, " \t");
	if (!n || !strncmp(name, PADDING, strlen(PADDING)) || t->text.len > UINT32_MAX / 2)
		return;
	e.mod = *mod == '[' ? module(t, mod + 1, strcspn(mod + 1, "]\n")) : 0;
	e.name = add_text(t, name, n);
	if (end[1] == 'A')
		vec_push(&t->offset, e);
	else
		vec_push(&t->sym, e);
}

/*
 * Compares symbols for sorting by address. If an address has several names, global symbols come
 * first, and then the names with the fewest leading underscores.
 */
static int by_addr(const void *a, const void *b, void *ctx)
{
	const struct entry *x = a, *y = b;
	const struct ksyms *t = ctx;
	size_t nx, ny;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->global != y->global)
		return x->global ? -1 : 1;
	nx = strspn(t->text.s + x->name, "_");
	ny = strspn(t->text.s + y->name, "_");
	return nx != ny ? nx < ny ? -1 : 1 : x->name < y->name ? -1 : 1;
}

struct ksyms *ksyms_read(FILE *f)
{
	struct ksyms *t = xcalloc(1, sizeof(*t));
	char *line = NULL;
	size_t cap = 0;

	add_text(t, KERNEL_MODULE, strlen(KERNEL_MODULE));
	while (getline(&line, &cap, f) > 0)
		add_line(t, line);
	free(line);
	if (t->sym.n)
		qsort_r(t->sym.v, t->sym.n, sizeof(*t->sym.v), by_addr, t);
	return t;
}

void ksyms_free(struct ksyms *t)
{
	if (!t)
		return;
	vec_free(&t->sym);
	vec_free(&t->offset);
	strbuf_release(&t->text);
	xfree(t);
}

/* --------------------------------------------------------------------- finding */

/* Returns the number of symbols that begin at or before @addr. */
static size_t count_before(const struct ksyms *t, uint64_t addr)
{
	size_t low = 0, high = t->sym.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->sym.v[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Returns whether @addr is too far from the previous symbol to belong to that symbol. @n is the
 * number of symbols that begin at or before @addr. After the last symbol of a module, the next page
 * may already contain an eBPF program that is not in the table.
 */
static bool too_far(const struct ksyms *t, size_t n, uint64_t addr)
{
	const struct entry *e = &t->sym.v[n - 1];

	if (n == t->sym.n || e[1].mod != e->mod)
		return addr / PAGE != e->addr / PAGE;
	return addr - e->addr >= FUNCTION_MAX;
}

bool ksyms_find(const struct ksyms *t, uint64_t addr, struct ksym *out)
{
	size_t n = count_before(t, addr);
	const struct entry *e;

	if (!n || too_far(t, n, addr))
		return false;
	while (n > 1 && t->sym.v[n - 2].addr == t->sym.v[n - 1].addr)
		n--;
	e = &t->sym.v[n - 1];
	*out = (struct ksym){t->text.s + e->mod, t->text.s + e->name, e->addr};
	return true;
}

void ksym_text(const struct ksyms *t, uint64_t addr, struct strbuf *out)
{
	struct ksym s;

	if (!ksyms_find(t, addr, &s))
		strbuf_addf(out, "0x%" PRIx64, addr);
	else if (addr == s.addr)
		strbuf_addf(out, "%s`%s", s.mod, s.name);
	else
		strbuf_addf(out, "%s`%s+0x%" PRIx64, s.mod, s.name, addr - s.addr);
}

void ksym_name(const struct ksyms *t, uint64_t addr, bool mod_only, struct strbuf *out)
{
	struct ksym s;

	if (!ksyms_find(t, addr, &s))
		strbuf_addf(out, "0x%" PRIx64, addr);
	else if (mod_only)
		strbuf_adds(out, s.mod);
	else
		strbuf_addf(out, "%s`%s", s.mod, s.name);
}

static bool is_core(const char *mod)
{
	return !*mod || !strcmp(mod, KERNEL_MODULE) || !strcmp(mod, "kernel");
}

/* Returns the distance to the next symbol in bytes, or 0 if there is no next symbol. */
static uint64_t symbol_size(const struct ksyms *t, const struct entry *e)
{
	for (const struct entry *next = e + 1; next < t->sym.v + t->sym.n; next++)
		if (next->addr != e->addr)
			return next->addr - e->addr;
	return 0;
}

static bool find_offset(const struct ksyms *t, const char *name, uint64_t *addr)
{
	for (size_t i = 0; i < t->offset.n; i++)
		if (!strcmp(t->text.s + t->offset.v[i].name, name)) {
			*addr = t->offset.v[i].addr;
			return true;
		}
	return false;
}

enum symbol_found ksyms_address(const struct ksyms *t, const char *mod, const char *name,
				uint64_t *addr, uint64_t *size)
{
	enum symbol_found found = is_core(mod) ? SYMBOL_NO_NAME : SYMBOL_NO_MODULE;
	const struct entry *best = NULL;

	for (size_t i = 0; i < t->sym.n; i++) {
		const struct entry *e = &t->sym.v[i];

		if (is_core(mod) ? *mod && e->mod : strcmp(t->text.s + e->mod, mod))
			continue;
		found = SYMBOL_NO_NAME;
		if (strcmp(t->text.s + e->name, name))
			continue;
		if (!best || (best->mod && !e->mod) ||
		    (!best->mod == !e->mod && !best->global && e->global))
			best = e;
	}
	if (!best && is_core(mod) && find_offset(t, name, addr)) {
		*size = 0;
		return SYMBOL_FOUND;
	}
	if (!best)
		return found;
	*addr = best->addr;
	*size = symbol_size(t, best);
	return SYMBOL_FOUND;
}

/* --------------------------------------------------------- the running kernel's */

static struct ksyms *kernel;
static const char *kernel_path;

const struct ksyms *ksyms_kernel(void)
{
	FILE *f;

	if (kernel)
		return kernel;
	f = fopen(kernel_path ? kernel_path : "/proc/kallsyms", "re");
	if (!f) {
		kernel = xcalloc(1, sizeof(*kernel));
		return kernel;
	}
	kernel = ksyms_read(f);
	fclose(f);
	return kernel;
}

void ksyms_forget(const char *path)
{
	ksyms_free(kernel);
	kernel = NULL;
	kernel_path = path;
}
