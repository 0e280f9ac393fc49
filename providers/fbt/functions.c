/*
 * functions.c - reads ftrace's list of functions, with their addresses from /proc/kallsyms.
 *
 * Ftrace's list has a line "NAME" or "NAME [MODULE]" for each function, sorted by address.
 * Functions of one name get their addresses in the order of /proc/kallsyms, but only if both files
 * have the same number of functions with this name.
 */
#include "providers/fbt/functions.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "providers/provider.h"

static const char *const lists[] = {FUNCTIONS_LIST,
				    "/sys/kernel/debug/tracing/available_filter_functions"};

/*
 * Functions that patterns do not match. In some of them, a probe makes the kernel warn or hang.
 * Others run at each probe, to start the program, and a probe in them would only cost time. A
 * description that names such a function exactly can still probe it.
 */
static const char *const left_out[] = {
	"rcu_*",
	"arch_cpu_idle",
	"default_idle",
	"__ftrace_invalid_address__*",
	"bpf_dispatcher_xdp_func",
	/* called by the kernel between the probed function and the eBPF program */
	"fprobe_*",
	"rethook_*",
	"arch_rethook_*",
	"objpool_*",
	"kprobe_multi_*",
	"bpf_kprobe_multi_*",
	"copy_from_kernel_nofault*",
	"__rcu_read_*",
	"migrate_disable",
	"migrate_enable",
	"__bpf_prog_*",
	/*
	 * called by the eBPF program, to get the number of the function, maps, records, the time
	 * and stacks
	 */
	"bpf_get_attach_cookie*",
	"bsearch",
	"htab_*",
	"__htab_*",
	"lookup_nulls_elem_raw",
	"bpf_ringbuf_*",
	"__bpf_ringbuf_*",
	"bpf_task_storage_*",
	"__bpf_task_storage_*",
	"bpf_local_storage_*",
	"__bpf_local_storage_*",
	"bpf_probe_read_*",
	"bpf_ktime_*",
	"ktime_get_mono_fast_ns",
	"bpf_get_stack*",
	"__bpf_get_stack*",
	"get_perf_callchain",
	"get_callchain_entry*",
	"callchain_*",
	"perf_callchain_*",
	"unwind_*",
	"__unwind_*",
	"orc_find*",
	"__orc_find",
	"stack_access_ok",
	"get_stack_info",
	"is_bpf_text_address",
	"bpf_ksym_find",
	"kernel_text_address",
	"__kernel_text_address",
	"is_module_text_address",
	"__is_insn_slot_addr",
	"in_gate_area_no_mm",
};

struct listed {
	struct function f;
	size_t next; /* 1 + index of the next function with the same name and module, or 0 */
	/* for the first function of a name: number of functions in ftrace's list with that name */
	uint32_t count;
	/* for the first function of a name: number of symbols in /proc/kallsyms with that name */
	uint32_t seen;
	/*
	 * for the first function of a name: 1 + index of the function that gets the next symbol's
	 * address, or 0
	 */
	size_t fill;
};

struct list {
	struct host_env *env;
	VEC(struct listed) v;
	/*
	 * Hash table of functions by name and module. An entry is 1 + the index of the first
	 * function of that name, or 0. @nslot is a power of two.
	 */
	size_t *slot;
	size_t nslot;
};

static bool is_left_out(const char *name)
{
	return glob_match_any(left_out, sizeof(left_out) / sizeof(*left_out), name);
}

/*
 * Splits a line "NAME [MODULE]" (in kallsyms, "NAME\t[MODULE]"). Ends @name after NAME. Returns
 * MODULE, or "vmlinux" if the line has no module. The loop is there because strcspn() is slow for
 * the short names of a hundred thousand lines.
 */
static char *cut_module(char *name)
{
	static char kernel[] = "vmlinux";
	char *mod = name;

	while (*mod && *mod != ' ' && *mod != '\t' && *mod != '\n')
		mod++;
	if (!*mod || *mod == '\n') {
		*mod = '\0';
		return kernel;
	}
	*mod++ = '\0';
	mod += strspn(mod, " \t[");
	mod[strcspn(mod, "]\n")] = '\0';
	return *mod ? mod : kernel;
}

static void read_list(struct list *l, FILE *in, const char *pattern)
{
	bool exact = !glob_is_pattern(pattern) && *pattern;
	uint32_t line = 0;
	char text[512];

	while (fgets(text, sizeof(text), in)) {
		const char *mod = cut_module(text);

		line++;
		if (!glob_match(pattern, text) || (!exact && is_left_out(text)))
			continue;
		vec_push(&l->v,
			 ((struct listed){.f = {intern(l->env->names, mod),
						intern(l->env->names, text), 0, line, false}}));
	}
}

/* -------------------------------------------------------------------- by name */

static size_t *slot_of(const struct list *l, const char *mod, const char *name)
{
	size_t at = hash_bytes(name, strlen(name)) & (l->nslot - 1);

	while (l->slot[at]) {
		const struct function *f = &l->v.v[l->slot[at] - 1].f;

		if (!strcmp(f->name, name) && !strcmp(f->mod, mod))
			break;
		at = (at + 1) & (l->nslot - 1);
	}
	return &l->slot[at];
}

/*
 * Fills the hash table. Goes from the last function to the first, so that the table finally has the
 * first function of each name.
 */
static void index_list(struct list *l)
{
	for (l->nslot = 64; l->nslot < l->v.n * 2;)
		l->nslot *= 2;
	l->slot = xcalloc(l->nslot, sizeof(*l->slot));
	for (size_t i = l->v.n; i-- > 0;) {
		struct listed *f = &l->v.v[i];
		size_t *slot = slot_of(l, f->f.mod, f->f.name);

		f->next = *slot;
		f->count = *slot ? l->v.v[*slot - 1].count + 1 : 1;
		f->fill = i + 1;
		*slot = i + 1;
	}
}

static void take_symbol(struct list *l, uint64_t addr, const char *mod, const char *name)
{
	size_t at = *slot_of(l, mod, name);
	struct listed *first = at ? &l->v.v[at - 1] : NULL, *this;

	if (!first)
		return;
	first->seen++;
	if (!first->fill)
		return;
	this = &l->v.v[first->fill - 1];
	this->f.addr = addr;
	this->f.first = this == first;
	first->fill = this->next;
}

struct symbol {
	uint64_t addr;
	bool function;
	char *mod, *name; /* both point into @line */
	char line[512];
};

/* Reads the hexadecimal number at *@at, and sets *@at to the character after it. */
static uint64_t hex(char **at)
{
	uint64_t n = 0;

	for (; isxdigit((unsigned char)**at); ++*at)
		n = n << 4 | (uint64_t)(**at <= '9' ? **at - '0' : (**at | 32) - 'a' + 10);
	return n;
}

/* Reads a line such as "ffffffff81000000 T _text\t[module]". */
static bool next_symbol(FILE *in, struct symbol *s)
{
	char *at = s->line;

	if (!fgets(s->line, sizeof(s->line), in))
		return false;
	s->addr = hex(&at);
	s->function = *at == ' ' && at[1] && strchr("tTwW", at[1]) && at[2] == ' ';
	s->name = at + strlen(at);
	if (at[0] && at[1] && at[2])
		s->name = at + 3;
	s->mod = cut_module(s->name);
	return true;
}

static void read_symbols(struct list *l, FILE *in)
{
	struct symbol s;

	while (next_symbol(in, &s))
		if (s.function)
			take_symbol(l, s.addr, s.mod, s.name);
}

static bool find_symbol(struct host_env *e, FILE *in, const char *name, struct function *f)
{
	struct symbol s;

	while (next_symbol(in, &s))
		if (s.function && s.addr && !strcmp(s.name, name)) {
			*f = (struct function){intern(e->names, s.mod), intern(e->names, name),
					       s.addr, 0, true};
			return true;
		}
	return false;
}

#define FUNCTION_MAX (1 << 20) /* greatest size of a function in bytes */

/* Returns the distance from @addr to the next symbol, at most FUNCTION_MAX. */
static uint64_t room_at(FILE *in, uint64_t addr)
{
	uint64_t room = FUNCTION_MAX;
	struct symbol s;

	while (next_symbol(in, &s))
		if (s.addr > addr && s.addr - addr < room)
			room = s.addr - addr;
	return room;
}

#define SYMBOLS "/proc/kallsyms"

bool functions_symbol(struct host_env *e, const char *name, struct function *f, uint64_t *size)
{
	FILE *in = fopen(SYMBOLS, "re");
	bool found = in && find_symbol(e, in, name, f);

	if (found) {
		rewind(in);
		*size = room_at(in, f->addr);
	}
	if (in)
		fclose(in);
	return found;
}

static bool is_known(const struct list *l, const struct listed *f)
{
	const struct listed *first = &l->v.v[*slot_of(l, f->f.mod, f->f.name) - 1];

	return f->f.addr && first->seen == first->count;
}

static FILE *open_list(void)
{
	FILE *f = NULL;

	for (size_t i = 0; !f && i < sizeof(lists) / sizeof(*lists); i++)
		f = fopen(lists[i], "re");
	return f;
}

static int read_all(struct list *l, const char *pattern)
{
	FILE *in = open_list();
	int err = in ? 0 : errno;

	if (in) {
		read_list(l, in, pattern);
		fclose(in);
		index_list(l);
	}
	in = err ? NULL : fopen(SYMBOLS, "re");
	if (in) {
		read_symbols(l, in);
		fclose(in);
	}
	return err ? err : in ? 0 : ENODATA;
}

int functions_each(struct host_env *e, const char *pattern,
		   void (*fn)(void *ctx, const struct function *f), void *ctx)
{
	struct list l = {.env = e};
	int err = read_all(&l, pattern);
	bool any = false;

	for (size_t i = 0; !err && i < l.v.n; i++) {
		any |= l.v.v[i].f.addr != 0;
		if (is_known(&l, &l.v.v[i]))
			fn(ctx, &l.v.v[i].f);
	}
	if (!err && l.v.n && !any)
		err = ENODATA;
	vec_free(&l.v);
	xfree(l.slot);
	return err;
}
