/*
 * compile.c - the compiler's entry points.
 *
 * code/units/link.c makes a program of the enabled clauses.
 */
#include "compiler/compile.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "compiler/code/layout.h"
#include "compiler/code/units/link.h"
#include "compiler/libdir.h"
#include "compiler/meaning/hints/doubt.h"
#include "compiler/meaning/probes/attrs.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/hidden.h"
#include "compiler/meaning/probes/socket_at.h"
#include "compiler/meaning/symtab.h"
#include "compiler/meaning/typing/dump.h"
#include "compiler/meaning/typing/names/declare.h"
#include "compiler/meaning/typing/node.h"
#include "compiler/meaning/typing/types/settle.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/session.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/parse.h"
#include "ir/program.h"
#include "ir/types/btf.h"
#include "providers/provider.h"

/*
 * Maximum number of keys of a hash map. With this number of keys, its buckets take 4 MB. The kernel
 * allocates an entry when its key is added.
 */
#define MAX_KEYS_LIVE 262144
/*
 * maximum size of kernel memory in bytes for the keys of all aggregations, for any number of CPUs
 */
#define AGG_BYTES_LIVE (256u << 20)

static void fill_defaults(struct compile_opts *o)
{
	o->strsize = o->strsize ? o->strsize : STRSIZE_DEFAULT;
	o->scratchsize = o->scratchsize ? (o->scratchsize + 7) & ~7u : SCRATCHSIZE_DEFAULT;
	o->stackframes = o->stackframes ? o->stackframes : STACK_FRAMES;
	o->ustackframes = o->ustackframes ? o->ustackframes : STACK_FRAMES;
	o->jstackframes = o->jstackframes ? o->jstackframes : JSTACK_FRAMES;
	o->pcapsize = o->pcapsize ? o->pcapsize : PCAPSIZE;
	o->nspec = o->nspec ? o->nspec : NSPEC_DEFAULT + 1;
	o->ncpu = o->ncpu ? o->ncpu : 1;
}

struct compiler *compiler_new(const struct compile_opts *o, struct diag *d)
{
	struct session *s = xcalloc(1, sizeof(*s));
	struct compiler *c = &s->c;

	s->o = *o;
	fill_defaults(&s->o);
	arena_init(&s->arena);
	c->arena = &s->arena;
	c->d = d;
	c->opt = &s->o;
	c->names = &s->names;
	c->wants = &s->wants;
	c->typing = &s->typing;
	c->type_node = type_node;
	c->probes = &s->probes;
	c->target = &s->target;
	s->wants.keeps = arena_new(c->arena, struct expr);
	*s->wants.keeps = (struct expr){.kind = E_INT, .lib = true, .type = &type_int};
	s->names.arena = c->arena;
	s->names.vars_end = &s->names.vars;
	s->names.aggs_end = &s->names.aggs;
	c->probes->enablings_end = &c->probes->enablings;
	intern_init(&c->names->intern, c->arena);
	if (libraries_open_types(s))
		return c;
	c->probes->env = (struct host_env){c->arena,
					   &c->names->intern,
					   &c->names->kernel,
					   c->names->btf,
					   o->replay,
					   o->nofentry ? NULL : o->fentry,
					   o->nofentry ? NULL : o->kprobes,
					   .uprobes = o->uprobes,
					   .settle = o->settle,
					   .kprobe_at = o->nofentry ? NULL : o->kprobe_at};
	c->names->kernel.modules = o->replay ? NULL : module_type;
	c->names->kernel.modules_ctx = &c->probes->env;
	if (!libraries_load(s))
		link_target(c, &s->target);
	return c;
}

void compiler_free(struct compiler *c)
{
	struct session *s = (struct session *)c;

	if (!c)
		return;
	libdir_release(&s->dir);
	if (c->names->btf)
		btf_close(c->names->btf);
	symtab_release(&c->names->syms);
	host_env_release(&c->probes->env);
	intern_release(&c->names->intern);
	arena_release(&s->arena);
	xfree(s);
}

/*
 * Checks the "#pragma D depends_on" lines of the program. A provider must exist. A library is an
 * error. A module is always accepted.
 */
static int check_depends(struct session *s, const struct ast *t)
{
	struct compiler *c = &s->c;

	for (const struct pragma *p = t->pragma; p; p = p->next) {
		if (strcmp(p->name, "depends_on") || !strcmp(p->arg[0], "module"))
			continue;
		if (!strcmp(p->arg[0], "library"))
			return diag_error(c->d, D_PRAGMA_DEPEND, p->loc,
					  "main program may not explicitly depend on a library");
		if (!libraries_have(c, p->arg[1]))
			return diag_error(c->d, D_PRAGMA_DEPEND, p->loc, "program requires %s %s",
					  p->arg[0], p->arg[1]);
	}
	return 0;
}

static void add_pragmas(struct session *s, const struct ast *t)
{
	for (const struct pragma *p = t->pragma; p; p = p->next)
		if (!strcmp(p->name, "option")) {
			struct option_setting o = {p->arg[0], p->arg[1], p->loc};

			vec_apush(s->c.arena, &s->option, o);
		}
}

int compiler_add(struct compiler *c, const struct src *src, const struct parse_opts *o,
		 unsigned *matched, struct strbuf *ast_text)
{
	struct session *s = (struct session *)c;
	struct ast t = {0};

	*matched = 0;
	if (parse_program(c->arena, &c->names->intern, &c->names->user, src, o, &t, c->d))
		return -1;
	if (ast_text)
		ast_dump(&t, ast_text);
	add_pragmas(s, &t);
	if (attrs_add(c, &t) || check_depends(s, &t) || check_enums(c, t.enums) ||
	    add_declarations(c, &t))
		return -1;
	for (struct clause *cl = t.clause; cl; cl = cl->next) {
		if (add_names(c, &t, cl->loc.off))
			return -1;
		for (uint32_t i = 0; i < cl->ndesc; i++)
			if (enable_clause(s, cl, &cl->desc[i], matched))
				return -1;
	}
	if (add_names(c, &t, UINT32_MAX) || attrs_check(c, &t))
		return -1;
	for (const struct provider_decl *p = t.prov; p; p = p->next)
		if (sema_provider(c, p))
			return -1;
	return 0;
}

bool text_is_quiet(const struct session *s, struct loc loc)
{
	for (size_t i = 0; i < s->option.n; i++)
		if (s->option.v[i].loc.src == loc.src && !strcmp(s->option.v[i].name, "quiet"))
			return true;
	return false;
}

bool compiler_option(struct compiler *c, unsigned n, const char **name, const char **value,
		     struct loc *loc)
{
	const struct session *s = (const struct session *)c;

	if (n >= s->option.n)
		return false;
	*name = s->option.v[n].name;
	*value = s->option.v[n].value;
	*loc = s->option.v[n].loc;
	return true;
}

const char *compiler_warning(struct compiler *c, unsigned n)
{
	struct session *s = (struct session *)c;

	if (n < s->warning.n)
		return s->warning.v[n];
	n -= (unsigned)s->warning.n;
	return n < c->probes->env.warning.n ? c->probes->env.warning.v[n] : NULL;
}

const struct awaited *compiler_awaited(const struct compiler *c, unsigned *n)
{
	*n = (unsigned)c->probes->env.awaited.n;
	return c->probes->env.awaited.v;
}

/* Returns how many bytes the keys of all aggregations may take in a live run without -x aggsize. */
static uint64_t default_agg_bytes(const struct compiler *c, const struct compile_opts *o)
{
	uint64_t most = o->agg_limit && agg_any_keys(c->names) ? o->agg_limit() : UINT64_MAX;

	return most < AGG_BYTES_LIVE ? most : AGG_BYTES_LIVE;
}

struct program *compiler_finish(struct compiler *c, const struct compile_dump *dump)
{
	struct session *s = (struct session *)c;
	struct room room = {.agg_bytes = s->o.agg_bytes, .ncpu = s->o.ncpu};
	struct program *p;

	s->finished = true;
	if (!c->opt->replay) {
		room.var_keys = MAX_KEYS_LIVE;
		/* A memory size from -x aggsize replaces the default limit of keys. */
		room.agg_keys = room.agg_bytes ? 0 : MAX_KEYS_LIVE;
		if (!room.agg_bytes)
			room.agg_bytes = default_agg_bytes(c, &s->o);
	}
	if (s->o.filter && !s->filtered && c->probes->enablings) {
		diag_error(c->d, D_HOOK_NONE, NOLOC, "no probe of the program is about %s",
			   s->o.filter_task
				   ? "packets, connections or processes: there is nothing to filter"
				   : "packets or connections: there is nothing to filter by ports "
				     "or addresses (only pid=, execname=, user=, cgroup= and "
				     "netns= filter processes)");
		return NULL;
	}
	if (s->o.slower && !inline_find(c->names, true, intern(&c->names->intern, SLOWER))->used) {
		diag_error(c->d, D_UNSUPPORTED, NOLOC,
			   "failed to set -x slower: the program does not test " SLOWER
			   ", so it would show short durations as well; add a test such as "
			   "/timestamp - self->start >= " SLOWER "/");
		return NULL;
	}
	if (c->wants->speculates && opts_nspec(c->opt) > NSPEC_MAX) {
		diag_error(c->d, D_LIMIT, NOLOC,
			   "failed to set option nspec: at most %u speculations are possible at a "
			   "time",
			   NSPEC_MAX);
		return NULL;
	}
	sema_settle(c);
	socket_decide(c);
	hidden_enable(c);
	if (!c->opt->nohint) {
		for (struct enabling *en = c->probes->enablings; en; en = en->next)
			if (text_is_quiet(s, en->clause->loc))
				en->thread = 0;
		thread_warn(c);
		compare_warn(c);
	}
	p = link_program(c, &room, dump);
	if (p && dump && dump->typed)
		sema_dump(c, dump->typed);
	return p;
}
