/*
 * libraries.c - loads the library texts, and the types that they need.
 */
#include <errno.h>
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

/* Built-in texts are the same in every run, so only debug builds check them. */
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

bool libraries_have(struct compiler *c, const char *name)
{
	struct probe_desc any = {.field = {name, "", "", ""}};

	return probes_match(c, &any, take_nothing, NULL) > 0;
}

/* A library file that depends on a provider that does not exist is left out. */
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

		if (has_providers(c, src) && load_library(s, &c->names->lib, src, false))
			return -1;
	}
	return 0;
}

/* Applies the process filters to probes of processes, as load_filter() does to packets. */
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

/* The filter is an inline of the library, which all probes of packets and connections test. */
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

int libraries_load(struct session *s)
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
