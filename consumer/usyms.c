/*
 * usyms.c - names of addresses in processes.
 *
 * What a process has mapped is copied when it is first seen, for it may be gone when
 * its addresses are shown.  Symbols of the mapped files are libdw's to find (elfutils),
 * C++'s names libstdc++'s to take apart; both are loaded when they are first needed, and
 * where they are missing there are objects and addresses.
 */
#include "consumer/usyms.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "ir/program.h"
#include "process/process.h"
#include "process/watch.h"

/* ------------------------------------------------------------------ processes */

static VEC(struct process *) processes;

static struct process **find_process(uint64_t pid)
{
	for (size_t i = processes.n; i-- > 0;)
		if ((uint64_t)processes.v[i]->pid == pid)
			return &processes.v[i];
	return NULL;
}

/* One that is gone may be known from what the kernel told of it. */
static struct process *look(pid_t pid)
{
	struct process *p = process_read(pid), *told = p->map.n ? NULL : watch_process(pid);

	if (!told)
		return p;
	process_free(p);
	return told;
}

void usyms_see(uint64_t pid)
{
	if (pid && !find_process(pid))
		vec_push(&processes, look((pid_t)pid));
}

void usyms_expect(uint64_t pid)
{
	watch_add((pid_t)pid);
}

static bool of_process(const struct field *f)
{
	return f->kind == FIELD_USTACK || f->kind == FIELD_USYM || f->kind == FIELD_UMOD || f->kind == FIELD_UADDR;
}

static bool any_of_process(const struct field *f, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (of_process(&f[i]))
			return true;
	return false;
}

void usyms_start(const struct program *p)
{
	bool any = false;

	for (uint32_t i = 0; i < p->nclause; i++)
		for (uint32_t k = 0; k < p->clause[i].nact; k++)
			any |= any_of_process(p->clause[i].act[k].field, p->clause[i].act[k].nfield);
	for (uint32_t i = 0; i < p->nagg; i++)
		any |= any_of_process(p->agg[i].key, p->agg[i].nkey);
	if (any)
		watch_start();
}

#define AGAIN_NS 100000000u

/* It may have mapped more since; when it is gone what was known of it stays. */
static void look_again(struct process **slot)
{
	struct process *p;

	if (now_monotonic() - (*slot)->read_ns < AGAIN_NS)
		return;
	p = process_read((*slot)->pid);
	if (!p->map.n) {
		process_free(p);
		return;
	}
	process_free(*slot);
	*slot = p;
}

/* What process *@p has mapped at @addr; NULL: nothing. */
static const struct mapping *mapped_at(struct process **p, uint64_t addr)
{
	if (!process_at(*p, addr))
		look_again(p);
	return process_at(*p, addr);
}

void usyms_forget(void)
{
	for (size_t i = 0; i < processes.n; i++)
		process_free(processes.v[i]);
	vec_free(&processes);
	watch_stop();
}

/* --------------------------------------------------------------------- naming */

/* Without "@@VERSION", which files with debugging information have. */
static void add_name(struct strbuf *out, const char *name)
{
	char *bare = xstrdup(name), *plain;

	bare[strcspn(bare, "@")] = '\0';
	plain = demangle(bare);
	visible_add(out, plain ? plain : bare, strlen(plain ? plain : bare));
	free(plain);
	xfree(bare);
}

void usym_text(uint64_t pid, uint64_t addr, enum usym_form form, struct strbuf *out)
{
	const struct mapping *m;
	const char *name = NULL;
	struct process **slot, *p;
	uint64_t off = 0;

	usyms_see(pid);
	slot = find_process(pid);
	m = slot ? mapped_at(slot, addr) : NULL;
	p = slot ? *slot : NULL;
	if (m)
		visible_add(out, mapping_name(p, m), strlen(mapping_name(p, m)));
	if (m && form == USYM_OBJECT)
		return;
	if (m)
		name = process_symbol(p, addr, &off);
	if (m)
		strbuf_addc(out, '`');
	if (!name)
		strbuf_addf(out, "0x%" PRIx64, addr);
	else
		add_name(out, name);
	if (name && off && form == USYM_OFFSET)
		strbuf_addf(out, "+0x%" PRIx64, off);
}
