/*
 * name.c - suggestions for an unknown name of a variable, a function, an aggregation or a member.
 *
 * First looks for the name in tables with names of other tracers and systems, then for similar
 * names that are known here.
 */
#include <stdio.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/hints/doubt.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/symtab.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/foreign.h"
#include "providers/provider.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* A name of another tracer or system, and what to write in D on Linux. */
struct theirs {
	const char *theirs, *ours;
};

static const char *ours_of(const struct theirs *t, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(t[i].theirs, name))
			return t[i].ours;
	return NULL;
}

/* Suggests variable @ours, or the owner of the socket if @ours is of another thread at this probe.
 */
static void say_variable(struct compiler *c, const char *ours)
{
	const char *owner = thread_owner(c, ours);

	diag_hint(c->d, "did you mean %s?", owner ? owner : ours);
}

static bool say_ours(struct compiler *c, const struct theirs *t, size_t n, const char *name)
{
	const char *ours = ours_of(t, n, name);

	if (ours)
		say_variable(c, ours);
	return ours;
}

/* As say_ours(), for tables with whole sentences. */
static bool say(struct compiler *c, const struct theirs *t, size_t n, const char *name)
{
	const char *ours = ours_of(t, n, name);

	if (ours)
		diag_hint(c->d, "%s", ours);
	return ours;
}

/* --------------------------------------------------------------- the nearest */

struct nearest {
	const char *typed;
	unsigned kinds; /* bit n is set if names of enum name_kind n count */
	bool lib;       /* names of the library count too */
	const char *best;
	unsigned far;
};

/*
 * Returns a search for the name that is most similar to @typed. It allows one wrong letter in words
 * of 2 to 4 letters, two in words of 5 to 7, and three in longer words.
 */
static struct nearest nearest_to(const char *typed, unsigned kinds, bool lib)
{
	size_t n = strlen(typed);

	return (struct nearest){typed, kinds, lib, NULL, n < 2 ? 1 : n < 5 ? 2 : n < 8 ? 3 : 4};
}

static void try(struct nearest *n, const char *name)
{
	unsigned far = hint_nearness(n->typed, name);

	if (!strncmp(name, "__", 2) || !strcmp(name, "_") || far >= n->far)
		return;
	n->far = far;
	n->best = name;
}

static void try_symbol(void *ctx, enum name_kind kind, bool lib, const char *name)
{
	struct nearest *n = ctx;

	/* not suggested, because the user would have to write ` before the name */
	if (kind == NAME_EXTERN && lib)
		return;
	if ((n->kinds >> kind & 1) && (n->lib || !lib))
		try(n, name);
}

/* ------------------------------------------------------------------ variables */

static const struct theirs variables[] = {
	{"args", "args[0]"},      {"cgroup", "curthread->cgroups->dfl_cgrp->kn->id"},
	{"comm", "execname"},     {"curproc", "curpsinfo, or curthread->group_leader"},
	{"curtask", "curthread"}, {"elapsed", "timestamp"},
	{"func", "probefunc"},    {"immstack", "stack( )"},
	{"kstack", "stack( )"},   {"ncpus", "`nr_cpu_ids"},
	{"nsecs", "timestamp"},   {"probe", "probename"},
	{"retval", "args[1]"},    {"tgid", "pid"},
	{"thread", "tid"},        {"username", "uid"},
	{"ustack", "ustack( )"},  {"vmname", "probeprov"},
};

/* Variables of other kernels, and their names on Linux. */
static const struct theirs symbols[] = {
	{"avenrun", "`avenrun[0]"},      {"freemem", "`vm_zone_stat[0].counter"},
	{"hp_avenrun", "`avenrun[0]"},   {"lbolt", "`jiffies"},
	{"maxpid", "`pid_max"},          {"ncpus", "`nr_cpu_ids"},
	{"ncpus_online", "`nr_cpu_ids"}, {"physmem", "`_totalram_pages.counter"},
	{"ticks", "`jiffies"},           {"utsname", "`init_uts_ns.name"},
};

const char *hint_variable_of(const struct compiler *c, const char *name)
{
	const char *ours = ours_of(variables, COUNT(variables), name);
	const char *owner = ours ? thread_owner(c, ours) : NULL;

	return owner ? owner : ours;
}

bool hint_symbol(struct compiler *c, const char *name)
{
	const char *ours = ours_of(symbols, COUNT(symbols), name);

	if (ours)
		diag_hint(c->d, "on Linux this variable is %s", ours);
	return ours;
}

/* Says that type @name is unknown, if @name looks like a type: buf_t in sizeof (buf_t). */
static bool hint_type_name(struct compiler *c, const char *name)
{
	const char *ours = foreign_type(name);
	size_t n = strlen(name);

	if (!ours && (n < 3 || strcmp(name + n - 2, "_t")))
		return false;
	diag_hint(c->d, ours ? "unknown type name %s: did you mean %s?" : "unknown type name %s",
		  name, ours);
	return true;
}

/*
 * Finds the library's shortest constant that ends in "_" and the typed name. For example, TCPS_x
 * ends in "_" and x.
 */
static void try_ending(void *ctx, enum name_kind kind, bool lib, const char *name)
{
	struct nearest *n = ctx;

	if (kind == NAME_INLINE && lib && hint_ends_in(name, n->typed) && strncmp(name, "__", 2) &&
	    (!n->best || strlen(name) < strlen(n->best)))
		n->best = name;
}

/* Keywords that stand where a name of a variable or function may stand. */
static const char *const operators[] = {"self", "this", "xlate", "sizeof", "offsetof", "stringof"};

static bool nearest_variable(struct compiler *c, const char *name)
{
	struct nearest n = nearest_to(name, 1 << NAME_GLOBAL | 1 << NAME_INLINE | 1 << NAME_EXTERN,
				      true);

	for (uint32_t i = 0; i < c->opt->lang->nvar; i++)
		if (!c->opt->lang->var[i].arg)
			try(&n, c->opt->lang->var[i].name);
	for (size_t i = 0; i < COUNT(operators); i++)
		try(&n, operators[i]);
	symtab_each(&c->names->syms, try_symbol, &n);
	if (!n.best)
		symtab_each(&c->names->syms, try_ending, &n);
	if (n.best)
		say_variable(c, n.best);
	return n.best;
}

void hint_variable(struct compiler *c, const char *name)
{
	if (say_ours(c, variables, COUNT(variables), name) || hint_member_of_argument(c, name) ||
	    hint_symbol(c, name) || nearest_variable(c, name) || hint_type_name(c, name))
		return;
	if (!strncmp(name, "arg", 3) && strspn(name + 3, "0123456789") == strlen(name + 3))
		diag_hint(c->d, "the only variables of this kind are arg0 to arg9");
	else
		diag_hint(c->d,
			  "a variable must be assigned or declared before it is read: uint64_t %s; "
			  "or uint64_t %s[uint64_t];",
			  name, name);
}

void hint_scoped(struct compiler *c, const char *scope, const char *name)
{
	struct nearest n = nearest_to(name,
				      !strcmp(scope, "this") ? 1 << NAME_THIS : 1 << NAME_SELF,
				      false);

	symtab_each(&c->names->syms, try_symbol, &n);
	if (n.best)
		diag_hint(c->d, "did you mean %s->%s?", scope, n.best);
}

/*
 * Returns the index of the first parameter of type const char *, which points to text in the
 * process's memory. Returns -1 if there is none.
 */
static int text_parameter(const char *prototype)
{
	const char *s = strchr(prototype, '('), *end;

	for (int i = 0; s && *s; i++, s = end) {
		end = s + 1 + strcspn(s + 1, ",)");
		if (memmem(s, (size_t)(end - s), "const char *", 12))
			return i;
		if (*end == ')')
			break;
	}
	return -1;
}

/*
 * Suggests the name in D, arg0, arg1 ..., for an argument of a system call that bpftrace calls
 * args.filename or args->ret.
 */
static bool hint_syscall_argument(struct compiler *c, const char *name)
{
	static const char *const texts[] = {"filename", "pathname", "path",
					    "name",     "oldname",  "oldpath"};
	const struct probe *p = c->typing->nprobe ? c->typing->probe[0] : NULL;
	const struct family_names *names = p ? family_names(p->prov) : NULL;
	const char *prototype = names && names->type ? names->type(p->func) : NULL;
	int text = prototype && !strcmp(p->name, "entry") ? text_parameter(prototype) : -1;

	if (names && !strcmp(name, "ret")) {
		diag_hint(c->d, "did you mean arg1?");
		return true;
	}
	for (size_t i = 0; text >= 0 && i < COUNT(texts); i++)
		if (!strcmp(name, texts[i])) {
			diag_hint(c->d, "did you mean copyinstr(arg%d)?", text);
			return true;
		}
	return false;
}

void hint_args(struct compiler *c, const struct expr *e)
{
	const char *name;
	size_t n;

	if (!e->loc.src || strncmp(e->loc.src->text + e->loc.off, "args", 4))
		return;
	name = e->loc.src->text + e->loc.off + 4;
	if (*name != '.' && strncmp(name, "->", 2))
		return;
	name += *name == '.' ? 1 : 2;
	n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	name = arena_strndup(c->arena, name, n);
	if (!hint_member_of_argument(c, name) && !hint_syscall_argument(c, name))
		diag_hint(c->d,
			  "arguments are numbered: args[0]; dtrace -lvn PROBE describes each");
}

/* ------------------------------------------------------------------ functions */

static const struct theirs functions[] = {
	{"bswap", "htonl( )"},
	{"buf", "tracemem( )"},
	{"cat", "system( ) with \"cat ...\""},
	{"immstack", "stack( )"},
	{"kaddr", "&`name"},
	{"kstack", "stack( )"},
	{"ksym", "sym( )"},
	{"max_elem", "max( )"},
	{"pton", "inet_ntoa( ) and a comparison of text"},
	{"reg", "uregs[ ]"},
	{"signal", "raise( )"},
	{"str", "stringof( ), or copyinstr( ) for the memory of a process"},
	{"strcmp", "=="},
	{"strcontains", "strstr( )"},
	{"strncmp", "substr( ) and =="},
	{"strftime", "printf( ) with %Y"},
	{"substring", "substr( )"},
	{"time", "printf( ) with %Y"},
	{"uptr", "copyin( )"},
	{"zero", "clear( ), or trunc( ) to remove the keys, too"},
};

static const struct theirs function_sentences[] = {
	{"delete", "a[key] = 0 deletes an element; trunc(@a) deletes the keys of an aggregation, "
		   "and clear(@a) sets its values to 0"},
	{"join", "curpsinfo->pr_psargs has the arguments of the process"},
	{"ntop", "addresses from probes are already text; inet_ntoa( ) and inet_ntop( ) convert "
		 "bytes to text"},
	{"nsecs", "did you mean timestamp?"},
	{"sleep", "a program never waits; chill( ) keeps the CPU busy"},
	{"unroll", "D has no loops: repeat the statements"},
};

static const struct theirs aggregating_functions[] = {{"hist", "quantize( )"},
						      {"lhist", "lquantize( )"},
						      {"average", "avg( )"},
						      {"stats", "avg( )"},
						      {"total", "sum( )"}};

/* Says which aggregating functions there are. */
static void say_aggregating(struct compiler *c)
{
	struct strbuf b = {0};

	for (int i = 0; i < AGG_FN_MAX; i++)
		strbuf_addf(&b, "%s %s", i ? "," : "there are", agg_fns[i]->name);
	diag_hint(c->d, "%s", b.s);
	strbuf_release(&b);
}

void hint_function(struct compiler *c, const char *name, bool aggregating)
{
	struct nearest n = nearest_to(name, 0, false);
	const struct lang *l = c->opt->lang;

	if (aggregating ? say_ours(c, aggregating_functions, COUNT(aggregating_functions), name)
			: say_ours(c, functions, COUNT(functions), name) ||
				  say(c, function_sentences, COUNT(function_sentences), name))
		return;
	for (int i = 0; i < AGG_FN_MAX; i++)
		try(&n, agg_fns[i]->name);
	for (size_t i = 2; i < COUNT(operators) && !aggregating; i++)
		try(&n, operators[i]);
	for (uint32_t i = 0; i < l->nsubr && !aggregating; i++)
		if (!l->subr[i].lib_only)
			try(&n, l->subr[i].name);
	for (uint32_t i = 0; i < l->naction && !aggregating; i++)
		try(&n, l->action[i].name);
	if (n.best)
		diag_hint(c->d, "did you mean %s( )?", n.best);
	else if (aggregating)
		say_aggregating(c);
}

void hint_aggregation(struct compiler *c, const char *name)
{
	struct nearest n = nearest_to(name, 1 << NAME_AGG, false);

	symtab_each(&c->names->syms, try_symbol, &n);
	if (n.best)
		diag_hint(c->d, "did you mean @%s?", n.best);
}

void hint_to_call(struct compiler *c, const char *name)
{
	diag_hint(c->d, "to call this function, write %s( )", name);
}

/* -------------------------------------------------------------------- members */

/* Members of FreeBSD's struct thread and struct proc, and of illumos' kthread_t and proc_t. */
static const struct theirs members[] = {
	{"p_comm", "comm, or execname"},
	{"p_pid", "tgid, or pid"},
	{"p_pidp", "tgid, or pid"},
	{"p_ppid", "real_parent->tgid, or ppid"},
	{"p_ucred", "cred, or uid and gid"},
	{"dst", "ip_daddr"},
	{"ip_dst", "ip_daddr"},
	{"ip_len", "ip_plength"},
	{"ip_src", "ip_saddr"},
	{"len", "ip_plength"},
	{"src", "ip_saddr"},
	{"t_cpu", "cpu, the variable"},
	{"t_did", "pid, or tid"},
	{"t_procp", "group_leader, or curpsinfo"},
	{"t_tid", "pid, or tid"},
	{"td_name", "comm, or execname"},
	{"td_proc", "group_leader, or curpsinfo"},
	{"td_tid", "pid, or tid"},
	{"td_ucred", "cred, or uid and gid"},
	{"pr_cpu", "curlwpsinfo->pr_onpro, or cpu"},
};

bool hint_foreign_member(struct compiler *c, const char *name)
{
	return say_ours(c, members, COUNT(members), name);
}
