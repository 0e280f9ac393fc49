/*
 * parse_lib.c - parses translators, providers and derivations (which say what hooks fire a probe).
 * Programs may have translators and providers; only library texts may have derivations.
 */
#include "compiler/syntax/parse_int.h"

#include <string.h>

#include "ir/types/type.h"

/* --------------------------------------------------------------- translators */

/* inputs = "<" param ("," param)* ">", each with a name */
static void take_inputs(struct parser *p, struct translator *x)
{
	VEC(struct type *) type = {0};
	VEC(const char *) name = {0};
	struct declared d;

	p_expect(p, TOK_LT);
	do {
		p_param(p, &d);
		if (!d.name)
			p_syntax(p);
		vec_apush(p->a, &type, d.type);
		vec_apush(p->a, &name, d.name);
	} while (p_accept(p, TOK_COMMA));
	p_expect(p, TOK_GT);
	x->in_type = type.v;
	x->in_name = name.v;
	x->nin = (uint32_t)type.n;
}

/* xl-member = member-name "=" assign-expr ";" */
static struct xl_member take_xl_member(struct parser *p)
{
	struct xl_member m = {.loc = p_loc(p)};

	m.name = p_member_name(p);
	p_expect(p, TOK_ASSIGN);
	m.expr = p_assign_expr(p);
	p_expect(p, TOK_SEMI);
	return m;
}

/* translator = "translator" type-name inputs "{" xl-member* "}" ";" */
void p_translator(struct parser *p)
{
	struct translator *x = arena_new(p->a, struct translator);
	VEC(struct xl_member) v = {0};

	p_relex(p, LEX_EXPR);
	x->loc = p_loc(p);
	p_next(p);
	x->out = p_type_name(p);
	take_inputs(p, x);
	p_expect(p, TOK_LBRACE);
	while (!p_is(p, TOK_RBRACE) && !p->failed)
		vec_apush(p->a, &v, take_xl_member(p));
	p_expect(p, TOK_RBRACE);
	p_expect_in(p, TOK_SEMI, LEX_PROBE);
	x->member = v.v;
	x->nmember = (uint32_t)v.n;
	if (!p->failed)
		append(p->xl_end, x);
}

/* ----------------------------------------------------------------- providers */

/*
 * Returns the probe name that identifier @s stands for: "connect-refused" for "connect__refused".
 */
static const char *probe_name(struct parser *p, const char *s)
{
	char *name = arena_strdup(p->a, s), *to = name;

	for (; *s; s++) {
		if (s[0] == '_' && s[1] == '_') {
			*to++ = '-';
			s++;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
	return intern(p->names, name);
}

/* native = "(" [param ("," param)*] ")" */
static void take_native(struct parser *p, struct probe_decl *pd)
{
	VEC(struct type *) type = {0};
	VEC(const char *) name = {0};
	struct declared d;

	p_expect(p, TOK_LPAR);
	if (p_accept(p, TOK_RPAR))
		return;
	do {
		p_param(p, &d);
		vec_apush(p->a, &type, d.type);
		vec_apush(p->a, &name, d.name);
	} while (p_accept(p, TOK_COMMA));
	p_expect(p, TOK_RPAR);
	if (type.n == 1 && !name.v[0] && type.v[0]->kind == T_VOID)
		return; /* "(void)" means that there are no parameters */
	pd->param = type.v;
	pd->param_name = name.v;
	pd->nparam = (uint32_t)type.n;
}

static uint32_t native_index(struct parser *p, const struct probe_decl *pd)
{
	struct loc loc = p_loc(p);
	const char *name = p_ident(p);
	uint32_t i;

	for (i = 0; i < pd->nparam; i++)
		if (pd->param_name[i] == name)
			return i;
	p_fail(p, D_IDENT_UNDEF, loc, "%s is not a native argument of probe %s", name, pd->name);
	return 0;
}

/*
 * arg = specs "*"* [IDENT | "(" IDENT ("," IDENT)* ")"], where each IDENT names a native argument.
 * An argument of type void or void * without a name is always NULL.
 */
static struct probe_arg take_arg(struct parser *p, const struct probe_decl *pd, uint32_t pos)
{
	struct specs s = {.member = true};
	struct loc loc = p_loc(p);
	struct probe_arg a = {0};
	VEC(uint32_t) in = {0};

	p_specs(p, &s);
	p_no_storage(p, &s);
	a.type = p_pointers(p, s.type, s.userland);
	if (p_accept(p, TOK_LPAR)) {
		do {
			vec_apush(p->a, &in, native_index(p, pd));
		} while (p_accept(p, TOK_COMMA));
		p_expect(p, TOK_RPAR);
	} else if (p_is(p, TOK_IDENT)) {
		vec_apush(p->a, &in, native_index(p, pd));
	} else if (a.type->kind != T_VOID &&
		   !(a.type->kind == T_PTR && a.type->to->kind == T_VOID)) {
		if (pos >= pd->nparam)
			p_fail(p, D_PROTO_LEN, loc,
			       "argument #%u of probe %s has no native argument: the probe has "
			       "only %u of them",
			       pos + 1, pd->name, pd->nparam);
		vec_apush(p->a, &in, pos);
	}
	a.in = in.v;
	a.nin = (uint32_t)in.n;
	return a;
}

/* args = ":" "(" [arg ("," arg)*] ")" */
static void take_probe_args(struct parser *p, struct probe_decl *pd)
{
	VEC(struct probe_arg) v = {0};
	struct probe_arg arg;

	pd->has_args = true;
	p_expect(p, TOK_LPAR);
	if (p_accept(p, TOK_RPAR))
		return;
	do {
		arg = take_arg(p, pd, (uint32_t)v.n);
		vec_apush(p->a, &v, arg);
	} while (p_accept(p, TOK_COMMA));
	p_expect(p, TOK_RPAR);
	pd->arg = v.v;
	pd->narg = (uint32_t)v.n;
}

static const char *take_probe_name(struct parser *p)
{
	const char *name;

	if (!p->tok.name)
		return p_ident(p);
	name = probe_name(p, p->tok.name); /* the name may be a reserved word: "probe return" */
	p_next(p);
	return name;
}

/*
 * probe = "probe" name ("," name)* native [args] ";"
 * Returns the first of the declared probes, linked by next.
 */
static struct probe_decl *take_probe(struct parser *p)
{
	struct probe_decl *first = arena_new(p->a, struct probe_decl), *last = first;
	struct probe_decl shared = {0};

	p_expect(p, TOK_PROBE);
	first->loc = p_loc(p);
	first->name = take_probe_name(p);
	while (p_accept(p, TOK_COMMA)) {
		last->next = arena_new(p->a, struct probe_decl);
		last = last->next;
		last->loc = p_loc(p);
		last->name = take_probe_name(p);
	}
	shared.name = first->name;
	take_native(p, &shared);
	if (p_accept(p, TOK_COLON))
		take_probe_args(p, &shared);
	p_expect(p, TOK_SEMI);
	for (struct probe_decl *pd = first; pd; pd = pd->next) {
		struct probe_decl own = *pd;

		*pd = shared;
		pd->loc = own.loc;
		pd->name = own.name;
		pd->next = own.next;
	}
	return first;
}

/* provider = "provider" IDENT "{" probe* "}" ";" */
void p_provider(struct parser *p)
{
	struct provider_decl *pv = arena_new(p->a, struct provider_decl);
	struct probe_decl **end = &pv->probe;

	p_relex(p, LEX_EXPR);
	p_next(p);
	pv->loc = p_loc(p);
	pv->name = p_ident(p);
	p_expect(p, TOK_LBRACE);
	while (!p_is(p, TOK_RBRACE) && !p->failed) {
		*end = take_probe(p);
		while (*end)
			end = &(*end)->next;
	}
	p_expect(p, TOK_RBRACE);
	p_expect_in(p, TOK_SEMI, LEX_PROBE);
	if (!p->failed)
		append(p->prov_end, pv);
}

/* --------------------------------------------------------------- derivations */

bool p_at_word(const struct parser *p, const char *word)
{
	size_t n = strlen(word);

	return p_is(p, TOK_WORD) && p->tok.end - p->tok.off == n &&
	       !memcmp(p->lx.src->text + p->tok.off, word, n);
}

/* as = "as" "(" expr ")" */
static struct expr *take_as(struct parser *p)
{
	struct expr *e;

	p_next(p);
	if (!p_is(p, TOK_LPAR))
		p_syntax(p);
	p_next_in(p, LEX_EXPR);
	e = p_expr(p);
	p_expect_in(p, TOK_RPAR, LEX_PROBE);
	return e;
}

/* on = "on" desc ["/" expr "/"] [as] ["(" args ")"] */
static struct hook_on *take_on(struct parser *p)
{
	struct hook_on *h = arena_new(p->a, struct hook_on);

	h->loc = p_loc(p);
	p_next(p);
	if (!p_is(p, TOK_WORD))
		p_syntax(p);
	p_desc(p, &h->host);
	if (p_is(p, TOK_DIV)) {
		p_next_in(p, LEX_GUARD);
		h->guard = p_expr(p);
		p_expect_in(p, TOK_EPRED, LEX_PROBE);
	}
	if (p_at_word(p, "as"))
		h->as = take_as(p);
	if (p_is(p, TOK_LPAR)) {
		p_next_in(p, LEX_EXPR);
		p_args(p, TOK_RPAR, &h->arg, &h->narg);
		p_relex(p, LEX_PROBE);
	}
	return h;
}

static struct hook_on *take_group(struct parser *p)
{
	struct hook_on *first = NULL, **end = &first, *h;

	if (!p_at_word(p, "on"))
		p_syntax(p);
	while (p_at_word(p, "on")) {
		h = take_on(p);
		append(end, h);
	}
	return first;
}

/* groups = on+ ("or" on+)* ";" */
static void take_groups(struct parser *p, struct derivation *d)
{
	VEC(struct hook_on *) v = {0};

	vec_apush(p->a, &v, take_group(p));
	while (p_at_word(p, "or")) {
		p_next(p);
		vec_apush(p->a, &v, take_group(p));
	}
	p_expect_in(p, TOK_SEMI, LEX_PROBE);
	d->group = v.v;
	d->ngroup = (uint32_t)v.n;
}

/* derivation = desc groups */
void p_derivation(struct parser *p, const struct probe_desc *probe)
{
	struct derivation *d = arena_new(p->a, struct derivation);

	d->probe = *probe;
	d->loc = probe->loc;
	take_groups(p, d);
	if (!p->failed)
		append(p->deriv_end, d);
}
