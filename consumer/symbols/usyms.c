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
#include "procinfo/maps.h"
#include "procinfo/owner.h"
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

/*
 * Mappings are read again at the earliest after REREAD_NS, and after REREAD_PART times the time
 * that reading took. So reading takes little of the run's time.
 */
#define REREAD_NS 100000000u
#define REREAD_PART 20

/* maximum number of programs that are remembered for one PID */
#define OLDER_MAX 8

/* Puts @p in the place of the program or process that had this PID before. */
static void replace(struct process **slot, struct process *p)
{
	struct process **last = &p->older;

	cache_size -= process_size(*slot);
	p->older = *slot;
	*slot = p;
	for (unsigned i = 0; *last && i < OLDER_MAX; i++)
		last = &(*last)->older;
	process_free(*last);
	*last = NULL;
	cache_size += process_size(p);
}

/*
 * Reads the mappings of a process again, if it is time. If another program has the PID by now, both
 * programs are remembered.
 */
static void reread(struct process **slot)
{
	struct process *old = *slot, *p;
	uint64_t since = now_monotonic() - old->read_ns - old->cost_ns;

	if (!old->over && (since < REREAD_NS || since / REREAD_PART < old->cost_ns))
		return;
	p = read_process(old->pid);
	if (old->over > p->read_ns) { /* another program began after @p was read */
		process_free(p);
	} else if (old->over || (p->mark && old->mark && p->mark != old->mark)) {
		old->over = old->over ? old->over : p->read_ns;
		replace(slot, p);
	} else {
		cache_size -= process_size(old);
		process_merge(old, p);
		cache_size += process_size(old);
		process_free(p);
	}
	limit_cache(*slot);
}

/* Returns whether the PID had a program with this mark. 0 stands for any mark. */
static bool has_mark(const struct process *p, uint32_t mark)
{
	for (; p; p = p->older)
		if (!mark || !p->mark || p->mark == mark)
			return true;
	return false;
}

static pid_t pid_of(uint64_t process)
{
	return (pid_t)(process & INT32_MAX);
}

void usyms_remember(uint64_t process)
{
	struct process **slot;

	if (!pid_of(process) || numbers_only)
		return;
	slot = find_process((uint64_t)pid_of(process));
	if (!slot)
		add_process(read_process(pid_of(process)));
	else if ((*slot)->over || !has_mark(*slot, process >> 32))
		reread(slot);
}

/* Called from watch_drain() for each change of a process. */
static void note_change(pid_t pid, uint64_t time, const struct mapping *m, const char *path)
{
	struct process **slot = find_process((uint64_t)pid), *p = slot ? *slot : NULL;

	for (size_t i = oldest; !pid && i < processes.n; i++)
		if (processes.v[i])
			processes.v[i]->stale = true;
	if (!p || time <= p->read_ns || p->over || p->full)
		return;
	if (!m) {
		p->over = time;
		return;
	}
	cache_size -= process_size(p);
	process_add(p, *m, path);
	cache_size += process_size(p);
	if (p->full)
		maps_too_many(pid);
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
	watch_changes(note_change);
	watch_start();
	return true;
}

static uint64_t window;    /* see usyms_window() */
static uint64_t stale_due; /* time when the next process may be read because it is stale */
static bool drained;       /* the changes up to the last call of usyms_window() are known */
static const volatile sig_atomic_t *interrupted;

void usyms_window(uint64_t from)
{
	window = from;
	owner_window(from);
	drained = false;
}

void usyms_interrupt(const volatile sig_atomic_t *signals)
{
	interrupted = signals;
}

/*
 * Finds the mapping of @addr in the programs that had the PID since usyms_window() and have this
 * mark. Returns false if it is unknown which of several files was there.
 */
static bool find_mapping(struct process *p, uint32_t mark, uint64_t addr, struct process **in,
			 struct mapping **m)
{
	for (*m = NULL; p && (!p->over || p->over > window); p = p->older)
		if ((!mark || !p->mark || p->mark == mark) &&
		    (p->full || !process_find(p, addr, window, in, m))) {
			*m = NULL;
			return false;
		}
	return true;
}

/*
 * Returns the mapping of @addr, and its process in @in. Returns NULL if it is unknown. If there is
 * none, reads the mappings of the process again.
 */
static struct mapping *mapped_at(uint64_t process, uint64_t addr, struct process **in)
{
	struct process **slot;
	struct mapping *m = NULL;

	if (interrupted && *interrupted > 1)
		return NULL;
	if (!drained)
		watch_drain();
	drained = true;
	usyms_remember(process);
	slot = find_process((uint64_t)pid_of(process));
	if (slot && (*slot)->stale && now_monotonic() >= stale_due) {
		reread(slot);
		stale_due = now_monotonic() + REREAD_PART * (*slot)->cost_ns;
	}
	if (!slot || !find_mapping(*slot, process >> 32, addr, in, &m) || m)
		return m;
	reread(slot);
	find_mapping(*slot, process >> 32, addr, in, &m);
	return m;
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

void usym_text(uint64_t process, uint64_t addr, enum usym_detail detail, struct strbuf *out)
{
	struct process *p = NULL;
	struct mapping *m = mapped_at(process, addr, &p);

	if (m && mapping_is_jit(p, m)) {
		if (!add_jit_name(p, addr, detail, out))
			strbuf_addf(out, "0x%" PRIx64, addr);
		return;
	}
	if (m)
		visible_add(out, mapping_name(p, m), strlen(mapping_name(p, m)));
	if (m && detail == USYM_OBJECT)
		return;
	if (m)
		strbuf_addc(out, '`');
	if (!m || !add_name(p, m, addr, detail, out))
		strbuf_addf(out, "0x%" PRIx64, addr);
}
