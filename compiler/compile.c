/*
 * compile.c - the compiler's driver: libraries, texts, enablings.
 *
 * Generating the program out of the enablings is link.c.
 */
#include "compiler/compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/intern.h"
#include "base/stability.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "compiler/allowed.h"
#include "compiler/code/layout.h"
#include "compiler/code/units/link.h"
#include "compiler/libdir.h"
#include "compiler/library.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/attrs.h"
#include "compiler/meaning/probes/filter.h"
#include "compiler/meaning/probes/hidden.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/symtab.h"
#include "compiler/meaning/typing/names/declare.h"
#include "compiler/meaning/typing/dump.h"
#include "compiler/meaning/typing/names/ident.h"
#include "compiler/meaning/typing/names/libcheck.h"
#include "compiler/meaning/typing/node.h"
#include "compiler/meaning/typing/order.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/types/settle.h"
#include "compiler/meaning/typing/stmt.h"
#include "compiler/meaning/typing/names/symbol.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/parse.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/btf.h"
#include "ir/types/type.h"
#include "providers/provider.h"

#define BTF_PATH "/sys/kernel/btf/vmlinux"
#define PROVIDER_NAME_MAX 63
#define MAX_PROBES 4096      /* that one description may enable and are programs of their own */
#define MAX_KEYS_LIVE 262144 /* 4 MB of buckets a hash; entries are allotted as they come */
#define AGG_BYTES_LIVE (256u << 20) /* of kernel memory, whatever the number of CPUs */

/* "#pragma D option NAME=VALUE" */
struct option_setting {
	const char *name, *value;
	struct loc loc;
};

struct session {
	struct compiler c; /* first: a struct compiler * is a struct session * */
	struct arena arena;
	struct names names;
	struct wants wants;
	struct probes probes;
	struct ir_target target;
	struct typing typing; /* for typing outside of clauses */
	struct compile_opts o;
	struct libdir dir;   /* library files read with -L */
	VEC(struct ast) lib; /* library texts, as parsed */
	/* library texts read so far, in bytes: see struct probe.rank */
	uint32_t order;
	VEC(struct option_setting) option;
	VEC(const char *) warning;
	bool filtered; /* the filter has something to look at */
};

/* ------------------------------------------------------------ declarations */

static bool is_lib(struct loc loc)
{
	return loc.src && loc.src->kind == SRC_LIB;
}

static bool is_function(const struct lang *l, const char *name)
{
	const struct subr *s = lang_subr(l, name);

	return (s && !s->lib_only) || lang_action(l, name) || agg_fn_find(name);
}

/* A program may not give a second meaning to a name that it can see. */
static int check_global(struct compiler *c, const char *name, struct loc loc)
{
	bool lib = is_lib(loc);

	if (var_find(c->names, lib, DECL_GLOBAL, name) ||
	    (!lib && (inline_find(c->names, lib, name) || name_is_builtin(c->opt->lang, name) ||
		      is_function(c->opt->lang, name) || symbol_declared(c, name) ||
		      scope_own(&c->names->user, TAG_ENUMERATOR, name))))
		return diag_error(c->d, D_DECL_IDRED, loc, "identifier redeclared: %s", name);
	return lib ? 0 : name_reserved(c, name, loc);
}

static int check_scoped(struct compiler *c, const struct decl_var *dv)
{
	bool lib = is_lib(dv->loc);

	if (var_find(c->names, lib, dv->scope, dv->name))
		return diag_error(c->d, D_DECL_IDRED, dv->loc, "identifier redeclared: %s->%s",
				  dv->scope == DECL_THIS ? "this" : "self", dv->name);
	return lib ? 0 : name_reserved(c, dv->name, dv->loc);
}

static int add_var(struct compiler *c, const struct decl_var *dv)
{
	bool lib = is_lib(dv->loc);
	struct var *v = var_find(c->names, lib, dv->scope, dv->name);

	if (dv->is_extern && !v)
		return symbol_declare(c, dv);
	if (v && v->lib == lib && !v->assoc && !dv->nkey && type_same(v->type, dv->type))
		return 0; /* said twice */
	if (dv->scope == DECL_GLOBAL ? check_global(c, dv->name, dv->loc) : check_scoped(c, dv))
		return -1;
	if (!type_is_scalar(dv->type) && !type_is(dv->type, T_STRING) && !type_is_sou(dv->type) &&
	    !type_is(dv->type, T_ARRAY) && !type_is(dv->type, T_FLOAT))
		return diag_error(c->d, D_UNSUPPORTED, dv->loc,
				  "variable %s: there are no variables of type \"%s\" yet",
				  dv->name, type_text(c, dv->type));
	v = var_add(c->names, lib, dv->scope, dv->name, dv->type);
	v->assigned = var_in_memory(v); /* parts of it may be, by whatever way */
	if (!dv->nkey)
		return 0;
	v->assoc = true;
	v->nkey = dv->nkey;
	v->key = dv->key;
	v->key_class = arena_newn(c->arena, struct strclass, dv->nkey);
	return 0;
}

static int add_inline(struct compiler *c, struct decl_inline *in)
{
	if (check_global(c, in->name, in->loc) || (!in->lib && sema_inline(c, in)))
		return -1;
	for (uint32_t i = 0; i < in->nparam; i++)
		if (!in->lib && name_reserved(c, in->param[i], in->loc))
			return -1;
	symtab_put(&c->names->syms, NAME_INLINE, in->lib, in->name, in);
	return 0;
}

/* Ours have short numbers; how many more users may declare is open. */
static uint32_t stable_id(size_t n)
{
	return n < ID_CGROUP_SKB - ID_STABLE ? ID_STABLE + (uint32_t)n
					     : ID_MORE_STABLE + (uint32_t)n;
}

static struct probe *stable_find(struct compiler *c, const char *prov, const char *name)
{
	/* Each start asks this of each probe of the library, and first letters differ mostly. */
	for (size_t i = 0; i < c->probes->stable.n; i++) {
		struct probe *p = c->probes->stable.v[i];

		if (*p->name == *name && !strcmp(p->name, name) && !strcmp(p->prov, prov))
			return p;
	}
	return NULL;
}

static uint32_t count_probes(const struct provider_decl *pd)
{
	uint32_t n = 0;

	for (const struct probe_decl *d = pd->probe; d; d = d->next)
		n++;
	return n;
}

/* A process's ID may follow the names of some: digits end none. */
static int check_provider_name(struct compiler *c, const struct provider_decl *pd)
{
	size_t n = strlen(pd->name);

	if (n > PROVIDER_NAME_MAX)
		return diag_error(c->d, D_PROV_BADNAME, pd->loc,
				  "provider name may not be longer than %d characters: %s",
				  PROVIDER_NAME_MAX, pd->name);
	if (pd->name[n - 1] >= '0' && pd->name[n - 1] <= '9')
		return diag_error(c->d, D_PROV_BADNAME, pd->loc,
				  "provider name may not end with a digit: %s", pd->name);
	return 0;
}

static int add_provider(struct compiler *c, const struct provider_decl *pd)
{
	const struct family_names *names = family_names(pd->name);
	uint32_t n = 0;

	if (check_provider_name(c, pd))
		return -1;

	for (struct probe_decl *d = pd->probe; d; d = d->next) {
		struct probe *p = arena_new(c->arena, struct probe);

		if (stable_find(c, pd->name, d->name))
			return diag_error(c->d, D_PROV_PRDUP, d->loc, "probe redeclared: %s:::%s",
					  pd->name, d->name);
		*p = (struct probe){.id = stable_id(c->probes->stable.n),
				    .prov = pd->name,
				    .mod = "kernel",
				    .func = "none",
				    .name = d->name,
				    .decl = d,
				    .rank = UINT32_MAX,
				    .info = -1};
		if (names && is_lib(pd->loc))
			family_make(c, p, names, n++, count_probes(pd));
		vec_apush(c->arena, &c->probes->stable, p);
	}
	return 0;
}

/* @order: of the text's first byte among all library texts. */
static int add_derivation(struct compiler *c, struct derivation *dv, uint32_t order)
{
	struct probe *p = stable_find(c, dv->probe.field[PD_PROV], dv->probe.field[PD_NAME]);

	if (!p)
		return diag_error(c->d, D_PDESC_ZERO, dv->loc,
				  "derivation of %s, which no provider declares", dv->probe.text);
	if (!p->deriv) /* a replacement keeps its place */
		p->rank = order + dv->loc.off;
	p->deriv = dv; /* the last one read wins: -L can replace ours */
	return 0;
}

/*
 * Does the library have that name for the number @en is?  So it is with IPPROTO_TCP in
 * <netinet/in.h>.
 */
static bool library_agrees(struct compiler *c, const struct enumerator *en)
{
	struct expr e = {.kind = E_IDENT, .name = en->name, .lib = true};
	struct attempt a;
	bool same;

	attempt_begin(&a, c);
	same = !sema_expr(&a.c, &e) && e.is_const && e.value == en->value;
	attempt_end(&a);
	return same;
}

/* That enumerators are not declared twice the parser has seen to. */
static int check_enums(struct compiler *c, const struct decl_enum *d)
{
	for (; d; d = d->next)
		for (uint32_t i = 0; i < d->type->nenumerator; i++) {
			const char *name = d->type->enumerator[i].name;

			if ((var_find(c->names, false, DECL_GLOBAL, name) ||
			     inline_find(c->names, false, name) ||
			     name_is_builtin(c->opt->lang, name) ||
			     is_function(c->opt->lang, name)) &&
			    !library_agrees(c, &d->type->enumerator[i]))
				return diag_error(c->d, D_DECL_IDRED, d->loc,
						  "identifier redeclared: %s", name);
		}
	return 0;
}

/* The next of the three kinds of names in @t, if it stands before byte @end: it is taken out. */
static int add_name(struct compiler *c, struct ast *t, uint32_t end)
{
	struct translator *xl = t->xl;
	struct decl_inline *in = t->inl;
	struct decl_var *var = t->var;

	if (in && in->loc.off < end && !(var && var->loc.off < in->loc.off) &&
	    !(xl && xl->loc.off < in->loc.off)) {
		t->inl = in->next;
		return add_inline(c, in) ? -1 : 1;
	}
	if (var && var->loc.off < end && !(xl && xl->loc.off < var->loc.off)) {
		t->var = var->next;
		return add_var(c, var) ? -1 : 1;
	}
	if (!xl || xl->loc.off >= end)
		return 0;
	t->xl = xl->next;
	return sema_translator(c, xl) ? -1 : 1;
}

/* The inlines, variables and translators that stand before byte @end, in the order of the text. */
static int add_names(struct compiler *c, struct ast *t, uint32_t end)
{
	int r;

	do
		r = add_name(c, t, end);
	while (r > 0);
	return r;
}

static int add_declarations(struct compiler *c, const struct ast *t, uint32_t order)
{
	for (struct provider_decl *p = t->prov; p; p = p->next)
		if (add_provider(c, p))
			return -1;
	for (struct derivation *d = t->deriv; d; d = d->next)
		if (add_derivation(c, d, order))
			return -1;
	return 0;
}

/* --------------------------------------------------------------- libraries */

/* The built-in texts are the same in every run; builds for tests check them. */
#ifdef NDEBUG
#define TRUST_OWN true
#else
#define TRUST_OWN false
#endif

static int load_library(struct session *s, struct scope *scope, const struct src *src, bool trusted)
{
	struct compiler *c = &s->c;
	struct parse_opts o = {.right = PD_RIGHT_NAME, .lib = true, .later = trusted};
	struct ast t = {0};

	if (parse_program(c->arena, &c->names->intern, scope, src, &o, &t, c->d))
		return -1;
	vec_apush(c->arena, &s->lib, t);
	if (add_declarations(c, &t, s->order) || add_names(c, &t, UINT32_MAX) || attrs_add(c, &t))
		return -1;
	for (struct clause *cl = t.clause; cl; cl = cl->next)
		if (hidden_add(c, cl, s->order))
			return -1;
	s->order += (uint32_t)src->len + 1;
	return 0;
}

static int load_ours(struct session *s, struct scope *scope, const struct library_text *l)
{
	struct src *src = arena_new(s->c.arena, struct src);

	*src = (struct src){SRC_LIB, l->name, l->text, l->len, true};
	return load_library(s, scope, src, TRUST_OWN);
}

static bool has_library(const char *name)
{
	for (const struct library_text *l = library_texts; l->name; l++) {
		const char *base = strrchr(l->name, '/');

		if (!strcmp(base ? base + 1 : l->name, name))
			return true;
	}
	return false;
}

static void take_nothing(void *ctx, struct probe *p)
{
	(void)ctx, (void)p;
}

static bool has_provider(struct compiler *c, const char *name)
{
	struct probe_desc any = {.field = {name, "", "", ""}};

	return probes_match(c, &any, take_nothing, NULL) > 0;
}

/* A library file for a provider that is not here is left out. */
static bool has_providers(struct compiler *c, const struct src *src)
{
	char name[128];

	for (uint32_t off = 0; libdir_depends(src, "provider", &off, name); off++)
		if (!has_provider(c, name))
			return false;
	return true;
}

static int load_dirs(struct session *s)
{
	struct compiler *c = &s->c;

	for (unsigned i = 0; i < s->o.nlibdir; i++)
		if (libdir_read(&s->dir, c->arena, s->o.libdir[i], c->d))
			return -1;
	if (libdir_sort(&s->dir, has_library, c->d))
		return -1;
	for (size_t i = 0; i < s->dir.order.n; i++) {
		const struct src *src = s->dir.order.v[i]->src;

		if (has_providers(c, src) && load_library(s, &c->names->lib, src, false))
			return -1;
	}
	return 0;
}

/* Applies the process filters to probes of processes, as the function above does to packets. */
static int load_task_filter(struct session *s)
{
	struct compiler *c = &s->c;
	struct library_text l = {.name = "filter of processes"};

	if (!s->o.filter_task)
		return 0;
	l.text = arena_printf(c->arena, "inline int " FILTER_TASK " = %s;", s->o.filter_task);
	l.len = strlen(l.text);
	c->probes->task_filters = true;
	return load_ours(s, &c->names->lib, &l);
}

/* The filter is an inline of the library's, that every probe of packets and connections asks. */
static int load_filter(struct session *s)
{
	struct compiler *c = &s->c;
	struct library_text l = {.name = "filter"};

	if (!s->o.filter || s->o.nolibs)
		return 0;
	l.text = arena_printf(c->arena,
			      "inline int " FILTER
			      "[struct sk_buff *K, struct sock *S, struct iphdr *I, "
			      "void *L, int out] = %s;",
			      s->o.filter);
	l.len = strlen(l.text);
	c->probes->filters = true;
	return load_ours(s, &c->names->lib, &l) || load_task_filter(s);
}

static int load_host(struct session *s)
{
	struct compiler *c = &s->c;
	struct library_text l = {.name = "host"};

	if (!s->o.host)
		return 0;
	l.text = arena_printf(c->arena, "inline string host = \"%s\";", s->o.host);
	l.len = strlen(l.text);
	return load_ours(s, &c->names->lib, &l);
}

static int load_libraries(struct session *s)
{
	const struct library_text *l;
	size_t own;

	if (s->o.replay && load_ours(s, &s->c.names->kernel, &library_ksim))
		return -1;
	for (l = library_texts; l->name && !s->o.nolibs; l++)
		if (load_ours(s, &s->c.names->lib, l))
			return -1;
	own = s->lib.n;
	if (load_dirs(s) || load_filter(s) || load_host(s))
		return -1;
	for (size_t i = 0; i < s->lib.n; i++)
		if (library_check(&s->c, &s->lib.v[i], i < own && TRUST_OWN))
			return -1;
	return 0;
}

static int open_types(struct session *s)
{
	struct compiler *c = &s->c;
	const char *path = s->o.btf_path ? s->o.btf_path : BTF_PATH;

	if (!s->o.replay) {
		c->names->btf = btf_open(path, c->arena);
		if (!c->names->btf) {
			diag_error(c->d, D_SYS, NOLOC,
				   "failed to initialize dtrace: cannot read the kernel's types "
				   "from %s: %s",
				   path, strerror(errno));
			diag_hint(c->d, "a kernel built with CONFIG_DEBUG_INFO_BTF is needed");
			return -1;
		}
	}
	scope_init(&c->names->kernel, c->arena, NULL, c->names->btf);
	c->names->kernel.string = arena_memdup(c->arena, &type_string, sizeof(type_string));
	c->names->kernel.string->size = c->opt->strsize;
	c->names->kernel.string->ptr_to_me = NULL;
	scope_init(&c->names->lib, c->arena, &c->names->kernel, NULL);
	scope_init(&c->names->user, c->arena, &c->names->lib, NULL);
	return 0;
}

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
	s->names.arena = c->arena;
	s->names.vars_end = &s->names.vars;
	s->names.aggs_end = &s->names.aggs;
	c->probes->enablings_end = &c->probes->enablings;
	intern_init(&c->names->intern, c->arena);
	if (open_types(s))
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
	if (!load_libraries(s))
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

/* --------------------------------------------------------------- enablings */

struct matched {
	struct session *s;
	VEC(struct probe *) v;
	VEC(struct probe *) missing; /* those that do not exist here */
	size_t alone;                /* of @v: those that are of no family */
	bool exact;
	const struct probe_desc *desc;
};

static bool is_exact(const struct probe_desc *d)
{
	return d->id ||
	       (*d->field[PD_PROV] && *d->field[PD_NAME] && !glob_is_pattern(d->field[PD_PROV]) &&
		!glob_is_pattern(d->field[PD_NAME]));
}

static void absent(struct compiler *c, const struct probe *p, struct loc loc)
{
	if (c->opt->replay)
		diag_error(c->d, D_HOOK_NONE, loc,
			   "probe %s:::%s does not exist in replay: a capture does not "
			   "tell of it",
			   p->prov, p->name);
	else
		diag_error(c->d, D_HOOK_NONE, loc,
			   "probe %s:::%s does not exist on this kernel: it lacks %s", p->prov,
			   p->name, p->missing);
}

/* Said once of a probe; in replay in one line for all of them, whose reason is the same. */
static void leave_out(struct session *s, struct probe *p, const char *why)
{
	struct arena *a = s->c.arena;
	const char *text;

	if (p->left_out)
		return;
	p->left_out = true;
	if (s->c.opt->replay && s->warning.n) {
		s->warning.v[0] = arena_printf(a, "%s, %s:::%s", s->warning.v[0], p->prov, p->name);
		return;
	}
	if (s->c.opt->replay)
		text = arena_printf(a, "skipped: not available in a capture: %s:::%s", p->prov,
				    p->name);
	else
		text = arena_printf(a, "probe %s:::%s was left out: %s", p->prov, p->name, why);
	vec_apush(a, &s->warning, text);
}

/*
 * Adds the filter to probe @p, if the probe is about packets. The filter may not know the owner
 * there.
 */
static void note_filter(struct session *s, struct probe *p, struct loc loc)
{
	const char *lacks;

	if (s->c.probes->task_filters && probe_is_of_process(p))
		s->filtered = true;
	if (!s->c.probes->filters || !probe_is_filtered(p))
		return;
	s->filtered = true;
	lacks = probe_filter_lacks(&s->c, p);
	if (lacks) {
		diag_error(s->c.d, D_UNSUPPORTED, loc,
			   "%s:::%s cannot be filtered (-x port=, addr= ...): it does not declare "
			   "%s among its native "
			   "arguments",
			   p->prov, p->name, lacks);
		return;
	}
	if (!s->o.filter_owner || p->left_out || probe_has_owner(p))
		return;
	p->left_out = true;
	vec_apush(s->c.arena, &s->warning,
		  arena_printf(s->c.arena,
			       "%s:::%s cannot identify the owning process, so -x %s matches "
			       "nothing there",
			       p->prov, p->name, s->o.filter_owner));
}

/* With all four fields, whichever of them were written. */
static const char *full_text(struct compiler *c, const struct probe_desc *desc)
{
	if (desc->id)
		return desc->text;
	return arena_printf(c->arena, "%s:%s:%s:%s", desc->field[PD_PROV], desc->field[PD_MOD],
			    desc->field[PD_FUNC], desc->field[PD_NAME]);
}

/* -x probes: of all that would be enabled, whatever the description says. */
static bool is_allowed(struct matched *m, const struct probe *p)
{
	const struct allowed *a = m->s->o.allowed;

	if (!a || m->desc->elsewhere || allowed_probe(a, p))
		return true;
	diag_error(m->s->c.d, D_PDESC_INVAL, m->desc->loc,
		   "clause %s would enable probe %s:%s:%s:%s, which is not among those that are "
		   "allowed (%s)",
		   full_text(&m->s->c, m->desc), p->prov, p->mod, p->func, p->name,
		   allowed_path(a));
	return false;
}

/*
 * A probe that does not exist here: an error if it was named and -Z does not allow for that, else a
 * warning.
 */
static void take_probe(void *ctx, struct probe *p)
{
	struct matched *m = ctx;
	struct compiler *c = &m->s->c;

	probe_resolve(c, p);
	if (p->nhook) {
		if (!is_allowed(m, p))
			return;
		vec_apush(c->arena, &m->v, p);
		m->alone += !p->family;
		note_filter(m->s, p, m->desc->loc);
		return;
	}
	if (m->exact) {
		absent(c, p, m->desc->loc);
		return;
	}
	leave_out(m->s, p, arena_printf(c->arena, "this kernel lacks %s", p->missing));
	vec_apush(c->arena, &m->missing, p);
}

static int type_predicate(struct compiler *c, struct enabling *en)
{
	c->d->now = DIAG_IN_PREDICATE;
	en->pred = expr_clone(c->arena, en->clause->pred);
	return sema_predicate(c, en->pred);
}

/* Is the predicate right without knowing what the actions assign? */
static bool stands_alone(struct compiler *c, struct enabling *en)
{
	struct attempt a;
	bool good;

	attempt_begin(&a, c);
	good = !type_predicate(&a.c, en);
	if (good)
		attempt_keep(&a, c);
	attempt_end(&a);
	return good;
}

/*
 * Puts __capture() first, before what may end the clause, if its probes have packets and
 * nothing in it forbids to record.
 */
static void capture_first(struct compiler *c, struct enabling *en)
{
	struct attempt a;
	struct stmt *s = arena_new(c->arena, struct stmt);
	struct expr *call = arena_new(c->arena, struct expr);

	*call = (struct expr){.kind = E_CALL,
			      .loc = en->clause->loc,
			      .lib = true,
			      .name = intern(&c->names->intern, "__capture")};
	*s = (struct stmt){.kind = S_EXPR, .loc = en->clause->loc, .expr = call};
	attempt_begin(&a, c);
	if (!sema_stmts(&a.c, s)) {
		s->next = en->body;
		if (!sema_order(&a.c, s))
			en->body = s;
		attempt_keep(&a, c);
	}
	attempt_end(&a);
}

/* The state in which the clause is typed that @en is for, with description @desc. */
static struct typing typing_of(const struct enabling *en, const struct probe_desc *desc)
{
	return (struct typing){.probe = en->probe, .nprobe = en->nprobe, .desc = desc};
}

/* The actions may read what the predicate assigns, or the predicate what they do. */
static int type_enabling(struct compiler *c, struct enabling *en)
{
	bool later = false;

	if (en->clause->pred)
		later = !stands_alone(c, en);
	c->d->now = DIAG_IN_ACTIONS;
	en->body = stmt_clone(c->arena, en->clause->body);
	if (sema_stmts(c, en->body) || sema_order(c, en->body))
		return -1;
	if (later && type_predicate(c, en))
		return -1;
	if (c->opt->capture)
		capture_first(c, en);
	en->memory = c->typing->memory;
	c->d->now = DIAG_OUTSIDE;
	return 0;
}

/*
 * Types a clause whose probes do not exist here: it defines what it defines, and never runs.  Its
 * probes may be declared nevertheless, and so may be the types of their arguments.
 */
static int type_absent(struct compiler *c, struct enabling *en, const struct probe_desc *desc)
{
	bool destructive = c->wants->destructive;
	const char *impossible = c->wants->impossible;
	struct typing t = typing_of(en, desc);
	struct compiler in = typing_in(c, &t);
	int bad;

	t.absent = true;
	bad = type_enabling(&in, en);
	c->wants->destructive = destructive;
	c->wants->impossible = impossible;
	return bad;
}

enum typed { WRONG, RIGHT, LEFT_OUT };

/*
 * The types of functions that a module brings later are unknown. A clause that needs them is left
 * out, like clauses whose probes never come.
 */
static int leave_untyped(struct compiler *c, struct enabling *en, const struct probe_desc *desc,
			 const char *why)
{
	en->nprobe = 0;
	if (type_absent(c, en, desc))
		return -1;
	vec_apush(c->arena, &c->probes->env.warning,
		  arena_printf(c->arena,
			       "%s is left out: what its module brings later has no types (use "
			       "arg0 ...): %s",
			       full_text(c, desc), why));
	return 0;
}

static bool is_of_module(const struct enabling *en)
{
	return en->probe[0]->host && en->probe[0]->host->hook.many &&
	       !en->probe[0]->host->hook.point.file && en->probe[0]->host->hook.point.awaited;
}

/*
 * A library's definition may read members that this kernel lacks. Then probes that nobody named are
 * left out, like probes that do not exist here.
 */
static enum typed type_or_leave_out(struct session *s, struct enabling *en,
				    const struct probe_desc *desc, bool exact)
{
	struct compiler *c = &s->c;
	struct attempt a;
	const char *why;

	attempt_begin(&a, c);
	a.typing = typing_of(en, desc);
	if (!type_enabling(&a.c, en)) {
		attempt_end(&a);
		return RIGHT;
	}
	if (!is_of_module(en) && (exact || !a.typing.lacks)) {
		*c->d = a.d;
		return WRONG;
	}
	why = arena_printf(c->arena, "%s", a.d.msg);
	attempt_end(&a);
	if (is_of_module(en))
		return leave_untyped(c, en, desc, why) ? WRONG : LEFT_OUT;
	for (uint32_t i = 0; i < en->nprobe; i++)
		leave_out(s, en->probe[i], why);
	return type_absent(c, en, desc) ? WRONG : LEFT_OUT;
}

static int none_exists(struct compiler *c, const struct probe_desc *desc, const struct probe *first)
{
	if (c->opt->replay)
		return diag_error(c->d, D_HOOK_NONE, desc->loc,
				  "none of the probes of %s exists in replay: a capture does not "
				  "tell of them",
				  desc->text);
	return diag_error(c->d, D_HOOK_NONE, desc->loc,
			  "none of the probes of %s exists on this kernel: %s:::%s lacks %s",
			  desc->text, first->prov, first->name, first->missing);
}

static int unknown_id(struct compiler *c, const struct probe_desc *desc)
{
	return diag_error(c->d, D_PDESC_INVAL, desc->loc,
			  "invalid probe identifier %s: Unknown probe identifier", desc->text);
}

/* Nothing here is called that. */
static int nothing_matches(struct compiler *c, const struct probe_desc *desc)
{
	const char *lacks = probe_lacks(c, desc);

	if (lacks)
		return diag_error(c->d, D_HOOK_NONE, desc->loc,
				  "probe %s does not exist on this kernel: it lacks %s",
				  full_text(c, desc), lacks);
	diag_error(c->d, D_PDESC_ZERO, desc->loc, "probe description %s does not match any probes",
		   full_text(c, desc));
	hint_probe(c, desc);
	return -1;
}

static struct enabling *new_enabling(struct compiler *c, struct clause *cl,
				     const struct probe_desc *desc, const struct matched *m)
{
	struct enabling *en = arena_new(c->arena, struct enabling);

	en->clause = cl;
	en->desc = desc;
	en->probe = m->v.n ? m->v.v : m->missing.v;
	en->nprobe = (uint32_t)(m->v.n ? m->v.n : m->missing.n);
	return en;
}

/* Counts the probes that exist; an awaited probe does not count. */
static unsigned existing(const struct matched *m)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->v.n; i++)
		n += !m->v.v[i]->host || !m->v.v[i]->host->hook.point.awaited;
	return n;
}

static int enable(struct session *s, struct clause *cl, const struct probe_desc *desc,
		  unsigned *matched)
{
	struct compiler *c = &s->c;
	struct matched m = {.s = s,
			    .desc = desc,
			    .exact = is_exact(desc) && !desc->elsewhere && !c->opt->zdefs};
	struct enabling *en;
	int n;

	c->probes->env.await = c->opt->zdefs && !desc->elsewhere &&
			       !probes_provided(c, desc->field[PD_PROV]);
	c->probes->awaits = c->opt->zdefs && !desc->elsewhere;
	n = probes_match(c, desc, take_probe, &m);
	c->probes->env.await = c->probes->awaits = false;
	if (n < 0 || c->d->nerr)
		return -1;
	if (!n && desc->id)
		return unknown_id(c, desc);
	if (!n && !c->opt->zdefs && !desc->elsewhere)
		return nothing_matches(c, desc);
	if (m.alone > MAX_PROBES)
		return diag_error(c->d, D_PDESC_INVAL, desc->loc,
				  "probe description %s matches %zu probes, more than the %d that "
				  "one can enable",
				  full_text(c, desc), m.v.n, MAX_PROBES);
	if (!m.v.n && !c->opt->zdefs && !desc->elsewhere)
		return none_exists(c, desc, m.missing.v[0]);
	en = new_enabling(c, cl, desc, &m);
	if (!m.v.n)
		return type_absent(c, en, desc);
	switch (type_or_leave_out(s, en, desc, m.exact)) {
	case LEFT_OUT:
		return 0;
	case WRONG:
		return -1;
	case RIGHT:
		break;
	}
	if (attrs_check_least(c, en))
		return -1;
	if (desc->elsewhere)
		return 0;
	*matched += existing(&m);
	*c->probes->enablings_end = en;
	c->probes->enablings_end = &en->next;
	return 0;
}

/* #pragma D depends_on: the kernel is one module here, always there. */
static int check_depends(struct session *s, const struct ast *t)
{
	struct compiler *c = &s->c;

	for (const struct pragma *p = t->pragma; p; p = p->next) {
		if (strcmp(p->name, "depends_on") || !strcmp(p->arg[0], "module"))
			continue;
		if (!strcmp(p->arg[0], "library"))
			return diag_error(c->d, D_PRAGMA_DEPEND, p->loc,
					  "main program may not explicitly depend on a library");
		if (!has_provider(c, p->arg[1]))
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
	    add_declarations(c, &t, s->order))
		return -1;
	for (struct clause *cl = t.clause; cl; cl = cl->next) {
		if (add_names(c, &t, cl->loc.off))
			return -1;
		for (uint32_t i = 0; i < cl->ndesc; i++)
			if (enable(s, cl, &cl->desc[i], matched))
				return -1;
	}
	if (add_names(c, &t, UINT32_MAX) || attrs_check(c, &t))
		return -1;
	for (const struct provider_decl *p = t.prov; p; p = p->next)
		if (sema_provider(c, p))
			return -1;
	return 0;
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

struct program *compiler_finish(struct compiler *c, const struct compile_dump *dump)
{
	struct session *s = (struct session *)c;
	struct room room = {.agg_bytes = s->o.agg_bytes, .ncpu = s->o.ncpu};
	struct program *p;

	if (!c->opt->replay) {
		room.var_keys = MAX_KEYS_LIVE;
		/* An explicit memory size replaces the default bound. */
		room.agg_keys = room.agg_bytes ? 0 : MAX_KEYS_LIVE;
		if (!room.agg_bytes)
			room.agg_bytes = s->o.agg_limit && s->o.agg_limit < AGG_BYTES_LIVE
						 ? s->o.agg_limit
						 : AGG_BYTES_LIVE;
	}
	if (s->o.filter && !s->filtered && c->probes->enablings) {
		diag_error(c->d, D_HOOK_NONE, NOLOC, "no probe of the program tells of %s",
			   s->o.filter_task
				   ? "packets, connections or processes: there is nothing to filter"
				   : "packets or connections: there is nothing to filter by ports "
				     "or addresses "
				     "(of processes pid=, execname=, user=, cgroup= and netns= "
				     "alone ask)");
		return NULL;
	}
	if (c->wants->speculates && opts_nspec(c->opt) > NSPEC_MAX) {
		diag_error(c->d, D_LIMIT, NOLOC,
			   "nspec: there can be at most %u speculations at a time", NSPEC_MAX);
		return NULL;
	}
	sema_settle(c);
	hidden_enable(c);
	p = link_program(c, &room, dump);
	if (p && dump && dump->typed)
		sema_dump(c, dump->typed);
	return p;
}

/* ----------------------------------------------------------------- listing */

struct listing {
	struct compiler *c;
	bool verbose;
	void (*fn)(void *ctx, const struct probe_listing *l);
	void *ctx;
};

/* "struct sk_buff *skb", as far as @name is known and the type has no place of its own for it. */
static const char *declared(struct compiler *c, struct type *t, const char *name)
{
	const char *text = type_text(c, t);
	size_t n = strlen(text);

	if (!name || !*name || !n || strpbrk(text, "()[]"))
		return text;
	return arena_printf(c->arena, "%s%s%s", text, text[n - 1] == '*' ? "" : " ", name);
}

static void list_arguments(struct compiler *c, struct probe *p, struct probe_listing *l)
{
	probe_type(c, p);
	l->narg = probe_nargs(p);
	l->arg = arena_newn(c->arena, const char *, l->narg);
	for (uint32_t i = 0; i < l->narg; i++)
		l->arg[i] = declared(c, probe_arg_type(p, i), probe_arg_name(c, p, i));
}

static void list_details(struct compiler *c, struct probe *p, struct probe_listing *l)
{
	struct probe_desc full = {.field = {p->prov, p->mod, p->func, p->name}};

	list_arguments(c, p, l);
	l->desc = attrs_of_probe(c, p, &full);
	l->args = attrs_of_args(c, p);
	probe_resolve(c, p);
	l->missing = p->missing;
	l->passed = p->passed.v;
	l->npassed = (uint32_t)p->passed.n;
	if (p->host)
		return;
	l->nhook = p->nhook;
	l->hook = arena_newn(c->arena, const char *, p->nhook);
	for (uint32_t i = 0; i < p->nhook; i++)
		l->hook[i] = arena_printf(c->arena, "%s::%s:%s", p->hook[i].host->prov,
					  p->hook[i].host->func, p->hook[i].host->name);
}

static void list_probe(void *ctx, struct probe *p)
{
	struct listing *li = ctx;
	struct probe_listing l = {.id = p->id,
				  .prov = p->prov,
				  .mod = p->mod,
				  .func = p->func,
				  .name = p->name,
				  .stable = !p->host};

	if (li->verbose)
		list_details(li->c, p, &l);
	li->fn(li->ctx, &l);
}

int compiler_list(struct compiler *c, const struct src *src, const struct parse_opts *o,
		  bool verbose, void (*fn)(void *ctx, const struct probe_listing *l),
		  void (*none)(void *ctx, const char *desc, const char *lacks), void *ctx)
{
	struct listing li = {c, verbose, fn, ctx};
	struct probe_desc all = {.text = "", .field = {"", "", "", ""}};
	struct ast t = {0};
	int n;

	if (!src->len)
		return probes_match(c, &all, list_probe, &li) < 0 ? -1 : 0;
	if (parse_program(c->arena, &c->names->intern, &c->names->user, src, o, &t, c->d))
		return -1;
	for (struct clause *cl = t.clause; cl; cl = cl->next)
		for (uint32_t i = 0; i < cl->ndesc; i++) {
			if (cl->desc[i].elsewhere)
				continue;
			n = probes_match(c, &cl->desc[i], list_probe, &li);
			if (n < 0)
				return -1;
			if (!n && cl->desc[i].id)
				return unknown_id(c, &cl->desc[i]);
			if (!n)
				none(ctx, full_text(c, &cl->desc[i]),
				     c->opt->replay ? NULL : probe_lacks(c, &cl->desc[i]));
		}
	return 0;
}

/* ---------------------------------------------------------------- stability */

/* Have all probes of the enabling arguments of the same types? */
static bool same_arguments(const struct enabling *en)
{
	const struct probe *p = en->probe[0];

	for (uint32_t i = 1; i < en->nprobe; i++) {
		if (probe_nargs(en->probe[i]) != probe_nargs(p))
			return false;
		for (uint32_t k = 0; k < probe_nargs(p); k++)
			if (!type_same(probe_arg_type(en->probe[i], k), probe_arg_type(p, k)))
				return false;
	}
	return true;
}

static struct probe_listing listing_of(struct compiler *c, const struct enabling *en)
{
	struct probe_listing l = {.desc = attrs_of_desc(c, en),
				  .args = attrs_of_args(c, en->probe[0])};

	for (uint32_t i = 0; i < en->nprobe; i++)
		probe_type(c, en->probe[i]);
	for (uint32_t i = 1; i < en->nprobe; i++)
		l.args = stability_min(l.args, attrs_of_args(c, en->probe[i]));
	if (same_arguments(en))
		list_arguments(c, en->probe[0], &l);
	return l;
}

struct program_stability compiler_stability(struct compiler *c, const struct src *src,
					    void (*fn)(void *ctx, const char *desc,
						       const struct probe_listing *l),
					    void *ctx)
{
	struct program_stability all = {STABLE_COMMON, STABLE_COMMON};

	for (const struct enabling *en = c->probes->enablings; en; en = en->next) {
		struct probe_listing l;

		if (en->desc->loc.src != src)
			continue;
		l = listing_of(c, en);
		all.desc = stability_min(all.desc, l.desc);
		all.body = stability_min(all.body, attrs_of_body(c, en));
		if (fn)
			fn(ctx, full_text(c, en->desc), &l);
	}
	return all;
}
