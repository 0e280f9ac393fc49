/*
 * libraries.c - loads the library texts, and the types that they need. Library texts are D texts
 * that are built into dtrace, or read with -L.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compiler/libdir.h"
#include "compiler/library.h"
#include "compiler/meaning/probes/attrs.h"
#include "compiler/meaning/probes/filter.h"
#include "compiler/meaning/probes/hidden.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/names/libcheck.h"
#include "compiler/session.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/parse.h"
#include "ir/types/btf.h"
#include "ir/types/type.h"

#define BTF_PATH "/sys/kernel/btf/vmlinux"

/* ------------------------------------------------------------- one text */

/*
 * Parses the library text @src, or only the bytes of it that @o selects, and adds the declarations.
 * Sets @t to the parsed tree.
 */
static int load_text(struct compiler *c, struct scope *scope, const struct src *src,
		     const struct parse_opts *o, struct ast *t)
{
	struct ast rest;

	if (parse_program(c->arena, &c->names->intern, scope, src, o, t, c->d))
		return -1;
	rest = *t; /* add_names() removes each name from the lists that it gets */
	if (add_declarations(c, t) || add_names(c, &rest, UINT32_MAX) || attrs_add(c, t))
		return -1;
	for (struct clause *cl = t->clause; cl; cl = cl->next)
		if (hidden_add(c, cl))
			return -1;
	return 0;
}

/* Records that library text @src follows all earlier ones; see struct text_place. */
static void place_text(struct session *s, const struct src *src)
{
	struct text_place place = {src, s->order};

	vec_apush(s->c.arena, &s->names.texts, place);
	s->order += (uint32_t)src->len + 1;
}

static int load_library(struct session *s, struct scope *scope, const struct src *src)
{
	struct parse_opts o = {.right = PD_RIGHT_NAME, .lib = true};
	struct ast t = {0};
	int bad;

	place_text(s, src);
	bad = load_text(&s->c, scope, src, &o, &t);
	vec_apush(s->c.arena, &s->lib, t);
	return bad;
}

static int load_ours(struct session *s, struct scope *scope, const struct library_text *l)
{
	struct src *src = arena_new(s->c.arena, struct src);

	*src = (struct src){SRC_LIB, l->name, l->text, l->len, true};
	return load_library(s, scope, src);
}

/* ------------------------------------------------------- the library, as needed */

/*
 * Parses declaration @item of the library, unless its parsing has begun. For each other declaration
 * that @item needs, the parser calls this function again. If such a declaration needs @item in
 * turn, it sees the names of @item that have been parsed so far. The only possible error is that
 * the kernel lacks a type.
 */
static void load_item(struct library *l, uint32_t item)
{
	const struct lib_item *it = &l->index->item[item];
	struct parse_opts o = {.right = PD_RIGHT_NAME, .lib = true, .from = it->from, .to = it->to};
	struct typing outside = {0};
	struct compiler c = typing_in(&l->s->c, &outside);
	enum diag_where now = c.d->now;
	struct ast t = {0};

	if (l->begun[item])
		return;
	l->begun[item] = true;
	load_text(&c, l->scope, &l->src[it->text], &o, &t);
	c.d->now = now;
}

/*
 * Parses all declarations of @name in the library. Returns whether it began to parse at least one.
 */
static bool load_name(struct library *l, enum lib_kind kind, const char *name)
{
	uint32_t i = libindex_find(l->index, kind, name);
	bool any = false;

	for (; libindex_is(l->index, i, kind, name); i++) {
		any |= !l->begun[l->index->name[i].item];
		load_item(l, l->index->name[i].item);
	}
	return any;
}

static bool declare_type(void *ctx, enum tag_kind kind, const char *name)
{
	return load_name(ctx, (enum lib_kind)kind, name);
}

static const enum lib_kind lib_kinds[] = {
	[NAME_GLOBAL] = LIB_GLOBAL, [NAME_THIS] = LIB_THIS,     [NAME_SELF] = LIB_SELF,
	[NAME_INLINE] = LIB_INLINE, [NAME_EXTERN] = LIB_EXTERN,
};

/*
 * Parses the library's declarations of @name. The index has no entries for three kinds: library
 * texts have no aggregations, and NAME_TEXT and NAME_PROTO are caches of the compiler.
 */
static bool declare_name(void *ctx, enum name_kind kind, const char *name)
{
	if (kind == NAME_AGG || kind == NAME_TEXT || kind == NAME_PROTO)
		return false;
	return load_name(ctx, lib_kinds[kind], name);
}

static void declare_all_names(void *ctx)
{
	struct library *l = ctx;

	for (uint32_t i = 0; i < l->index->nname; i++)
		if (l->index->name[i].kind >= LIB_GLOBAL && l->index->name[i].kind <= LIB_INLINE)
			load_item(l, l->index->name[i].item);
}

static void declare_translators(void *ctx, const char *tag)
{
	load_name(ctx, LIB_TRANSLATOR, tag);
}

static void declare_pragmas(void *ctx)
{
	load_name(ctx, LIB_PRAGMA, "");
}

static void declare_item(void *ctx, uint32_t item)
{
	load_item(ctx, item);
}

/*
 * Lets @scope find the types that the library texts declare. A type is parsed when it is first
 * looked up.
 */
static void announce_types(struct session *s, struct library *l, const struct library_text *texts,
			   const struct libindex *index, struct scope *scope)
{
	uint32_t n = 0;

	while (texts[n].name)
		n++;
	*l = (struct library){s, index, scope, arena_newn(s->c.arena, struct src, n),
			      arena_newn(s->c.arena, bool, index->nitem)};
	for (uint32_t i = 0; i < n; i++) {
		l->src[i] = (struct src){SRC_LIB, texts[i].name, texts[i].text, texts[i].len, true};
		place_text(s, &l->src[i]);
	}
	scope->declare = declare_type;
	scope->declare_ctx = l;
}

static void announce_probes(struct session *s, const struct library *l)
{
	const struct libindex *x = l->index;

	for (uint32_t i = 0, first = 0; i < x->nprobe; i++) {
		const struct lib_probe *row = &x->probe[i];
		const char *prov = x->text + row->prov;
		const struct family_names *names;
		struct probe *p = stable_add(&s->c, prov, x->text + row->name);
		uint32_t n = 1;

		p->decl_item = row->decl;
		p->deriv_item = row->deriv;
		if (row->deriv != NO_ITEM)
			p->rank = names_place(s->c.names,
					      (struct loc){&l->src[x->item[row->deriv].text],
							   row->off});
		if (row->decl != x->probe[first].decl)
			first = i;
		names = family_names(prov);
		if (!names)
			continue;
		while (first + n < x->nprobe && x->probe[first + n].decl == row->decl)
			n++;
		family_make(&s->c, p, names, i - first, n);
	}
}

static void announce(struct session *s)
{
	struct names *names = s->c.names;

	announce_types(s, &s->own, library_texts, &library_index, &names->lib);
	announce_probes(s, &s->own);
	hidden_announce(&s->c, s->own.index, s->own.src);
	names->syms.declare = declare_name;
	names->syms.declare_all = declare_all_names;
	names->syms.ctx = &s->own;
	names->undeclared = (struct undeclared){declare_translators, declare_pragmas, declare_item,
						&s->own};
}

/* --------------------------------------------------------------- files of -L */

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

bool libraries_have(struct compiler *c, const char *name)
{
	struct probe_desc any = {.field = {name, "", "", ""}};

	return probes_match(c, &any, take_nothing, NULL) > 0;
}

/*
 * Returns whether all providers that library file @src depends on exist. If not, the caller leaves
 * out the file.
 */
static bool has_providers(struct compiler *c, const struct src *src)
{
	char name[128];

	for (uint32_t off = 0; libdir_depends(src, "provider", &off, name); off++)
		if (!libraries_have(c, name))
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

		if (has_providers(c, src) && load_library(s, &c->names->lib, src))
			return -1;
	}
	return 0;
}

/* Declares the filter of processes as an inline, as load_filter() does for packets. */
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

/*
 * Declares the filter as an inline of the library. All probes of packets and connections test this
 * inline.
 */
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

/*
 * Declares the constant that -x slower sets. It is 0 without the option, so programs may always use
 * it.
 */
static int load_slower(struct session *s)
{
	struct library_text l = {.name = "slower"};

	l.text = arena_printf(s->c.arena, "inline int64_t " SLOWER " = %" PRIu64 ";", s->o.slower);
	l.len = strlen(l.text);
	return load_ours(s, &s->c.names->lib, &l);
}

/* Parses the library's texts from beginning to end. */
static int load_whole(struct session *s)
{
	if (s->o.replay && load_ours(s, &s->c.names->kernel, library_ksim))
		return -1;
	for (const struct library_text *l = library_texts; l->name && !s->o.nolibs; l++)
		if (load_ours(s, &s->c.names->lib, l))
			return -1;
	return 0;
}

static int load_own(struct session *s)
{
	if (s->o.whole)
		return load_whole(s);
	if (s->o.replay)
		announce_types(s, &s->ksim, library_ksim, &library_ksim_index, &s->c.names->kernel);
	if (!s->o.nolibs)
		announce(s);
	return 0;
}

int libraries_load(struct session *s)
{
	if (load_own(s) || load_dirs(s) || load_filter(s) || load_host(s) || load_slower(s))
		return -1;
	for (size_t i = 0; i < s->lib.n; i++)
		if (library_check(&s->c, &s->lib.v[i]))
			return -1;
	return 0;
}

int libraries_open_types(struct session *s)
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
			diag_hint(c->d,
				  "dtrace needs a kernel that is built with CONFIG_DEBUG_INFO_BTF");
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
