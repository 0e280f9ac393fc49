/*
 * pid.c - the provider pid, whose probes are in the functions of a process: at the entry, at the
 * return, and at an instruction.
 *
 * A probe is a uprobe in the file of the program or library, limited to the process. All probes of
 * one kind share one eBPF program, which is attached to all their addresses.
 *
 * 	entry, offset:  arg0 ... are the registers of arguments in C's calling convention
 * 	return:         arg1 is the result
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/intern.h"
#include "base/library.h"
#include "procinfo/libdw.h"
#include "procinfo/maps.h"
#include "procinfo/symbols.h"
#include "providers/pid/objects.h"
#include "providers/provider.h"

#define PREFIX "pid"

enum { ENTRY, RETURN };

static const char *const names[] = {"entry", "return", NULL};

/* A search for the probes of one description in one process. */
struct search {
	struct host_env *env;
	const struct probe_want *want;
	struct objects *os;
	struct object *object;
	void (*fn)(void *ctx, struct host_probe *p);
	void *ctx;
	struct diag *d;
	uint32_t found;
	bool stub; /* set during the second search: see is_stub() */
};

/* --------------------------------------------------------------------- probes */

static struct host_probe *make_at(struct search *s, struct attach_point at, const char *mod,
				  const char *func, const char *name, uint32_t id)
{
	struct host_probe *p = arena_new(s->env->arena, struct host_probe);
	bool ret = !strcmp(name, names[RETURN]), entry = !strcmp(name, names[ENTRY]);

	*p = (struct host_probe){id, s->want->prov, mod, func, name, {0}};
	p->hook = (struct hook){
		.kind = ret ? HOOK_URETPROBE : HOOK_UPROBE,
		.target = ret     ? "pid:::return"
			  : entry ? "pid:::entry"
				  : "pid:::offset",
		.point = at,
		.many = true,
		.plain = true,
		.args_at.regs = &native_regs,
		.gated = true,
		.in_turn = true,
		.by_task = true,
		.at_return = ret,
		.args_at.entered = entry,
		.stack.kind = STACK_OF_SAMPLE,
	};
	return p;
}

static struct host_probe *make(struct search *s, const struct object_function *f, uint64_t addr,
			       const char *name, uint32_t id)
{
	struct attach_point at = {.addr = object_offset(s->object, addr),
				  .file = object_link(s->env, s->object),
				  .pid = s->os->pid};

	return make_at(s, at, s->object->name, f->name, name, id);
}

/* Calls s->fn with the probe at the function's entry or return. Each probe is created once. */
static void give(struct search *s, struct object_function *f, int which)
{
	uint32_t id = ID_PROCESS + s->object->id + 2 * (uint32_t)(f - s->object->fn) +
		      (uint32_t)which;

	if (!f->made[which])
		f->made[which] = make(s, f, f->addr, names[which], id);
	s->found++;
	s->fn(s->ctx, f->made[which]);
}

/* ------------------------------------------------------------------- functions */

static bool is_pattern(const char *s)
{
	return !*s || glob_is_pattern(s);
}

/*
 * Returns whether @a is a better name for a function than @b. A name is better if it has fewer
 * leading underscores, is global, or is shorter.
 */
static bool is_better(const struct object_function *a, const struct object_function *b)
{
	size_t bars = strspn(a->name, "_"), others = strspn(b->name, "_");

	if (bars != others)
		return bars < others;
	return a->global != b->global ? a->global : strlen(a->name) < strlen(b->name);
}

/*
 * Returns whether the description names @name with an underscore in front: _read for read. C
 * libraries of other systems have such names.
 */
static bool is_stub(const struct search *s, const char *name)
{
	const char *want = s->want->func;

	return *want == '_' && want[1] != '_' && !strcmp(want + 1, name);
}

static bool is_wanted(const struct search *s, const char *name)
{
	return s->stub ? is_stub(s, name) : glob_match(s->want->func, name);
}

/*
 * Entries of s->object->fn with the same address are names of one function. Returns the entry with
 * the best matching name among those with the address of entry @i, or NULL if no name matches. Sets
 * @end to the index after these entries.
 */
static struct object_function *best_at(const struct search *s, uint32_t i, uint32_t *end)
{
	struct object_function *fn = s->object->fn, *best = NULL;

	for (*end = i; *end < s->object->nfn && fn[*end].addr == fn[i].addr; ++*end)
		if (is_wanted(s, fn[*end].name) && (!best || is_better(&fn[*end], best)))
			best = &fn[*end];
	return best;
}

/*
 * Returns whether a function of this name is entered by a call, so that it may have a return probe.
 * For such a probe, the kernel replaces the return address, on the stack or in the link register.
 * If code is entered by a jump, another value is there, and replacing it would crash the process.
 * This code includes entry points of programs, cold parts of functions, returns of signal handlers,
 * and lazy binding.
 */
static bool is_called(const char *name)
{
	static const char *const others[] = {
		"_start",       "_dl_start_user",  "_dl_runtime_*",         "_dl_tlsdesc_*",
		"__restore_rt", "__start_context", "__kernel_rt_sigreturn", "*.cold",
		"*.cold.*",
	};

	return !glob_match_any(others, sizeof(others) / sizeof(*others), name);
}

/*
 * Returns whether the function may have a return probe. If several names have the same address,
 * is_called() must be true for each of them.
 */
static bool returns(const struct search *s, const struct object_function *f)
{
	const struct object *o = s->object;

	while (f > o->fn && f[-1].addr == f->addr)
		f--;
	for (uint64_t at = f->addr; f < o->fn + o->nfn && f->addr == at; f++)
		if (!is_called(f->name))
			return false;
	return true;
}

static void at_function(struct search *s, struct object_function *f)
{
	if (!f->can_probe)
		return;
	if (glob_match(s->want->name, names[ENTRY]))
		give(s, f, ENTRY);
	if (glob_match(s->want->name, names[RETURN]) && returns(s, f))
		give(s, f, RETURN);
}

/* ------------------------------------------------------------------- offsets */

static int no_offset(struct search *s, const char *why, const char *func)
{
	return diag_error(s->d, D_PROC_OFF, s->want->loc, "offset 0x%s %s function '%s'",
			  s->want->name, why, func);
}

/* Calls s->fn with the probe at the address of an instruction. */
static void give_inside(struct search *s, const struct object_function *f, uint64_t addr)
{
	const char *name = arena_printf(s->env->arena, "%llx",
					(unsigned long long)(addr - f->addr));
	struct host_probe *p;

	s->found++;
	for (size_t i = 0; i < s->object->inside.n; i++) {
		p = s->object->inside.v[i];
		if (p->func == f->name && p->hook.point.addr == object_offset(s->object, addr)) {
			s->fn(s->ctx, p);
			return;
		}
	}
	p = make(s, f, addr, intern(s->env->names, name), ID_PROCESS_INSIDE + s->env->inside_ids++);
	vec_apush(s->env->arena, &s->object->inside, p);
	s->fn(s->ctx, p);
}

/* A search through the instructions of a function. */
struct walk {
	struct search *search;
	const struct object_function *f;
	uint64_t wanted; /* the address to look for */
	/* whether an instruction begins at @wanted, and whether it can have a uprobe */
	bool found, can_probe;
};

static void give_matching(void *ctx, uint64_t addr, bool can_probe)
{
	struct walk *w = ctx;
	char name[20];

	snprintf(name, sizeof(name), "%llx", (unsigned long long)(addr - w->f->addr));
	if (can_probe && glob_match(w->search->want->name, name))
		give_inside(w->search, w->f, addr);
}

static void find_wanted(void *ctx, uint64_t addr, bool can_probe)
{
	struct walk *w = ctx;

	if (addr != w->wanted)
		return;
	w->found = true;
	w->can_probe = can_probe;
}

static int at_offset(struct search *s, const struct object_function *f)
{
	uint64_t off = strtoull(s->want->name, NULL, 16);
	struct walk w = {.search = s, .f = f, .wanted = f->addr + off};

	if (off >= f->size)
		return no_offset(s, "outside of", f->name);
	object_code(s->object, f->addr, off + 1, find_wanted, &w);
	if (!w.found)
		return no_offset(s, "is not aligned on an instruction of", f->name);
	if (!w.can_probe)
		return no_offset(s, "is at an instruction that the kernel cannot probe, in",
				 f->name);
	give_inside(s, f, f->addr + off);
	return 0;
}

/*
 * Adds the probes at the offsets in @f that the description names. A pattern of the probe's name
 * matches offsets only if the description names the function without a pattern.
 */
static int inside_function(struct search *s, const struct object_function *f)
{
	const char *name = s->want->name;

	if (!is_pattern(s->want->func) && is_pattern(name))
		object_code(s->object, f->addr, f->size, give_matching,
			    &(struct walk){.search = s, .f = f});
	else if (!is_pattern(name) && strcmp(name, names[ENTRY]) && strcmp(name, names[RETURN]))
		return at_offset(s, f);
	return 0;
}

static int in_object(struct search *s)
{
	struct object_function *f;

	object_read(s->env, s->object);
	for (uint32_t i = 0, end; i < s->object->nfn; i = end) {
		f = best_at(s, i, &end);
		if (!f)
			continue;
		at_function(s, f);
		if (inside_function(s, f))
			return -1;
	}
	return 0;
}

/* --------------------------------------------------------------------- process */

/* Returns the number in "1234", or 0 if it is invalid. */
static pid_t number_in(const char *prov)
{
	char *end;
	long n = strtol(prov, &end, 10);

	return isdigit((unsigned char)*prov) && !*end && n > 0 && n <= INT32_MAX ? (pid_t)n : 0;
}

/* Records the error that no code of process @pid was found, with the reason. */
static int no_code(const struct probe_want *w, pid_t pid, struct diag *d)
{
	struct strbuf text = {0};
	uid_t uid = (uid_t)-1;
	int err;

	err = maps_read(pid, &text, &uid) ? 0 : errno;
	strbuf_release(&text);
	/* If a process has no memory, new kernels return ESRCH, and others an empty file. */
	return diag_error(d, D_PROC_GRAB, w->loc, "failed to grab process %d: %s", (int)pid,
			  err == ETIME          ? "reading its mappings takes too long"
			  : err == ENOENT       ? "No such process"
			  : err && err != ESRCH ? strerror(err)
						: "it is a kernel thread, or it has ended");
}

/*
 * Checks that probes of processes are possible, and starts the confined process that reads symbols.
 */
static int check(struct host_env *e, const struct probe_want *w, struct diag *d)
{
	int err;

	if (e->replay)
		return diag_error(d, D_HOOK_NONE, w->loc,
				  "there are no probes of processes in replay: a capture has no "
				  "processes");
	if (!libdw_installed())
		return library_missing(d, D_PROC_LIB, w->loc, "probes of processes", "libdw.so.1");
	err = e->uprobes ? e->uprobes() : EOPNOTSUPP;
	if (err)
		return diag_error(d, D_HOOK_NONE, w->loc,
				  "cannot probe processes (the kernel needs CONFIG_UPROBE_EVENTS): "
				  "%s",
				  strerror(err));
	return symbols_start(d) ? 0 : -1;
}

/* Records an error if no probe of a function can have the name in @w. */
static int check_name(const struct probe_want *w, struct diag *d)
{
	if (is_pattern(w->name) || !strcmp(w->name, names[ENTRY]) ||
	    !strcmp(w->name, names[RETURN]) || !w->name[strspn(w->name, "0123456789abcdefABCDEF")])
		return 0;
	return diag_error(d, D_PROC_NAME, w->loc, "'%s' is an invalid probe name", w->name);
}

static int in_objects(struct search *s)
{
	for (size_t i = 0; i < s->os->v.n; i++) {
		s->object = &s->os->v.v[i];
		if (!object_is(s->object, s->want->mod) ||
		    (s->stub && !object_is(s->object, "libc")))
			continue;
		if (in_object(s))
			return -1;
	}
	return 0;
}

/*
 * Adds a probe for a library that the process may load later. The description must name the
 * function, because the matches of a pattern are not known yet.
 */
static void give_awaited(struct search *s)
{
	struct host_env *e = s->env;
	const struct probe_want *w = s->want;
	struct awaited a = {.want = *w, .provider = &provider_pid, .pid = s->os->pid};
	struct attach_point at = {.file = "",
				  .pid = s->os->pid,
				  .awaited = (uint32_t)e->awaited.n + 1};
	struct awaited *known;

	if (is_pattern(w->func) || is_pattern(w->name)) {
		vec_apush(e->arena, &e->warning,
			  arena_printf(e->arena,
				       "no probe matches the pattern %s:%s:%s:%s yet, and dtrace "
				       "cannot wait for a pattern: name the function, and entry, "
				       "return or an offset",
				       w->prov, w->mod, w->func, w->name));
		return;
	}
	known = host_awaited(e, w);
	if (known) {
		s->fn(s->ctx, known->probe);
		return;
	}
	a.probe = make_at(s, at, w->mod, w->func, w->name, ID_PROCESS_INSIDE + e->inside_ids++);
	vec_apush(e->arena, &e->awaited, a);
	s->fn(s->ctx, a.probe);
}

static int pid_each(struct host_env *e, const struct probe_want *w,
		    void (*fn)(void *ctx, struct host_probe *p), void *ctx, struct diag *d)
{
	struct search s = {.env = e, .want = w, .fn = fn, .ctx = ctx, .d = d};
	pid_t pid = number_in(w->prov + strlen(PREFIX));

	if (!pid)
		return diag_error(d, D_PROC_BADPID, w->loc, "'%s' does not contain a valid pid",
				  w->prov);
	if (check(e, w, d) || check_name(w, d))
		return -1;
	s.os = objects_of(e, pid);
	if (!s.os)
		return no_code(w, pid, d);
	if (objects_are_32_bits(s.os))
		return diag_error(d, D_PROC_GRAB, w->loc,
				  "failed to grab process %d: it runs a 32-bit program, and only "
				  "64-bit programs can be probed",
				  (int)pid);
	objects_expect(e, s.os, w->mod);
	if (in_objects(&s))
		return -1;
	s.stub = !s.found && *w->func == '_';
	if (s.stub && in_objects(&s))
		return -1;
	if (!s.found && e->await)
		give_awaited(&s);
	return 0;
}

/* Returns whether @prov is "pid" and digits. Patterns do not match this provider. */
static bool pid_is(const char *prov)
{
	size_t n = strlen(PREFIX);

	return !strncmp(prov, PREFIX, n) && !prov[n + strspn(prov + n, "0123456789")];
}

static const struct provider_stability stability = {
	{EVOLVING_ISA, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, EVOLVING_ISA, PRIVATE_UNKNOWN}};

const struct host_provider provider_pid = {
	.name = PREFIX,
	.stability = &stability,
	.is = pid_is,
	.each_wanted = pid_each,
};
