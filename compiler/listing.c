/*
 * listing.c - lists probes, and computes the stability of a program.
 */
#include <string.h>

#include "base/arena.h"
#include "base/stability.h"
#include "base/xalloc.h"
#include "compiler/compile.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/probes/attrs.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/session.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/parse.h"
#include "ir/types/type.h"

struct listing {
	struct compiler *c;
	bool verbose;
	void (*fn)(void *ctx, const struct probe_listing *l);
	void *ctx;
};

/*
 * Returns a declaration such as "struct sk_buff *skb". Omits @name if it is unknown, or if a name
 * cannot follow the type.
 */
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
				return desc_unknown_id(c, &cl->desc[i]);
			if (!n)
				none(ctx, desc_full_text(c, &cl->desc[i]),
				     c->opt->replay ? NULL : probe_lacks(c, &cl->desc[i]));
		}
	return 0;
}

/* Returns whether all probes of the enabling have arguments of the same types. */
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

	if (((struct session *)c)->finished)
		BUG("compiler_stability() after compiler_finish()");
	for (const struct enabling *en = c->probes->enablings; en; en = en->next) {
		struct probe_listing l;

		if (en->desc->loc.src != src)
			continue;
		l = listing_of(c, en);
		all.desc = stability_min(all.desc, l.desc);
		all.body = stability_min(all.body, attrs_of_body(c, en));
		if (fn)
			fn(ctx, desc_full_text(c, en->desc), &l);
	}
	return all;
}
