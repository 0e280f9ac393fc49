/*
 * usyms.c - finds the names of addresses in processes.
 *
 * Keeps a copy of the mappings of each process. procinfo/symbols.h reads the symbols of the mapped
 * files.
 */
#include "consumer/symbols/usyms.h"

#include <inttypes.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "ir/program.h"
#include "procinfo/process.h"
#include "procinfo/symbols.h"
#include "procinfo/watch.h"

/* ------------------------------------------------------------------ processes */

/*
 * Limit of the size of all mappings in bytes. Beyond it, the mappings of the oldest processes are
 * forgotten, except those of the process whose address is being looked up.
 */
#define CACHE_MAX (48u << 20)

/* processes in the order in which they were first seen; NULL if the mappings were forgotten */
static VEC(struct process *) processes;
static size_t oldest, cache_size;
static void *by_pid; /* a tree of struct pid_slot, by tsearch(3) */

struct pid_slot {
	uint64_t pid;
	size_t at; /* index in processes */
};

static int compare_pids(const void *a, const void *b)
{
	const struct pid_slot *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static struct process **find_process(uint64_t pid)
{
	struct pid_slot want = {pid, 0}, **s = tfind(&want, &by_pid, compare_pids);

	return s ? &processes.v[(*s)->at] : NULL;
}

static void forget(size_t at)
{
	struct process *p = processes.v[at];
	struct pid_slot want = {(uint64_t)p->pid, 0}, **s = tfind(&want, &by_pid, compare_pids),
			*gone = *s;

	tdelete(&want, &by_pid, compare_pids);
	xfree(gone);
	cache_size -= process_size(p);
	process_free(p);
	processes.v[at] = NULL;
}

/* Forgets the oldest processes until the cache is small enough, but never @in_use. */
static void limit_cache(const struct process *in_use)
{
	for (size_t i = oldest; cache_size > CACHE_MAX && i < processes.n; i++)
		if (processes.v[i] && processes.v[i] != in_use)
			forget(i);
	while (oldest < processes.n && !processes.v[oldest])
		oldest++;
}

static void add_process(struct process *p)
{
	struct pid_slot *s = xmalloc(sizeof(*s));

	*s = (struct pid_slot){(uint64_t)p->pid, processes.n};
	vec_push(&processes, p);
	tsearch(s, &by_pid, compare_pids);
	cache_size += process_size(p);
	limit_cache(p);
}

/*
 * Returns the mappings of a process. If the process has ended, returns the mappings that
 * watch_process() has recorded.
 */
static struct process *read_process(pid_t pid)
{
	struct process *p = process_read(pid), *recorded = p->map.n ? NULL : watch_process(pid);

	if (!recorded)
		return p;
	process_free(p);
	return recorded;
}

static bool numbers_only;

void usyms_numbers_only(void)
{
	numbers_only = true;
}

void usyms_remember(uint64_t pid)
{
	if (pid && !numbers_only && pid <= INT32_MAX && !find_process(pid))
		add_process(read_process((pid_t)pid));
}

void usyms_watch(uint64_t pid)
{
	watch_add((pid_t)pid);
}

static bool of_process(const struct field *f)
{
	return f->kind == FIELD_USTACK || f->kind == FIELD_USYM || f->kind == FIELD_UMOD ||
	       f->kind == FIELD_UADDR;
}

static bool any_of_process(const struct field *f, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (of_process(&f[i]))
			return true;
	return false;
}

bool usyms_start(const struct program *p, struct diag *d)
{
	bool any = false;

	for (uint32_t i = 0; i < p->nclause; i++)
		for (uint32_t k = 0; k < p->clause[i].nact; k++)
			any |= any_of_process(p->clause[i].act[k].field,
					      p->clause[i].act[k].nfield);
	for (uint32_t i = 0; i < p->nagg; i++)
		any |= any_of_process(p->agg[i].key, p->agg[i].nkey);
	if (!any)
		return true;
	if (!symbols_start(d))
		return false;
	watch_start();
	return true;
}

#define REREAD_NS 100000000u

/*
 * Reads the mappings of a process again. Keeps the old mappings if they were read less than
 * REREAD_NS ago, or if the process has ended.
 */
static void reread(struct process **slot)
{
	struct process *p;

	if (now_monotonic() - (*slot)->read_ns < REREAD_NS)
		return;
	p = process_read((*slot)->pid);
	if (!p->map.n) {
		process_free(p);
		return;
	}
	cache_size += process_size(p) - process_size(*slot);
	process_free(*slot);
	*slot = p;
	limit_cache(p);
}

/*
 * Returns the mapping of process *@p that contains @addr, or NULL. If there is none, reads the
 * mappings of the process again first.
 */
static struct mapping *mapped_at(struct process **p, uint64_t addr)
{
	if (!process_mapping_at(*p, addr))
		reread(p);
	return process_mapping_at(*p, addr);
}

/* --------------------------------------------------------------------- naming */

/*
 * Appends the name of JIT-compiled code in the form of perf: "perf-1234.map`Lapp;::run+0x1f".
 * Returns false if the address has no name.
 */
static bool add_jit_name(struct process *p, uint64_t addr, enum usym_detail detail,
			 struct strbuf *out)
{
	struct symbol_file *f = symbols_of_jit(p);
	struct strbuf name = {0};
	uint64_t offset;

	if (!f || !symbols_name(f, addr, &offset, &name))
		return false;
	strbuf_addf(out, "perf-%d.map", (int)p->pid);
	if (detail != USYM_OBJECT) {
		strbuf_addc(out, '`');
		visible_add(out, name.s, name.len);
	}
	if (offset && detail == USYM_OFFSET)
		strbuf_addf(out, "+0x%" PRIx64, offset);
	strbuf_release(&name);
	return true;
}

/*
 * Appends the name of @addr, which is in the mapping @m. Returns false if the address has no name.
 */
static bool add_name(struct process *p, struct mapping *m, uint64_t addr, enum usym_detail detail,
		     struct strbuf *out)
{
	struct symbol_file *f = symbols_of_mapping(p, m);
	struct strbuf name = {0};
	uint64_t offset;

	if (!f || !symbols_name(f, addr - m->from + m->off, &offset, &name))
		return false;
	visible_add(out, name.s, name.len);
	strbuf_release(&name);
	if (offset && detail == USYM_OFFSET)
		strbuf_addf(out, "+0x%" PRIx64, offset);
	return true;
}

void usym_text(uint64_t pid, uint64_t addr, enum usym_detail detail, struct strbuf *out)
{
	struct process **slot;
	struct mapping *m;

	usyms_remember(pid);
	slot = find_process(pid);
	m = slot ? mapped_at(slot, addr) : NULL;
	if (m && mapping_is_jit(*slot, m)) {
		if (!add_jit_name(*slot, addr, detail, out))
			strbuf_addf(out, "0x%" PRIx64, addr);
		return;
	}
	if (m)
		visible_add(out, mapping_name(*slot, m), strlen(mapping_name(*slot, m)));
	if (m && detail == USYM_OBJECT)
		return;
	if (m)
		strbuf_addc(out, '`');
	if (!m || !add_name(*slot, m, addr, detail, out))
		strbuf_addf(out, "0x%" PRIx64, addr);
}
