/*
 * parse_decl.c - parses declarations of types, variables and inlines.
 *
 * The parser looks up only types. Whether an earlier declaration has the same name is checked
 * later, in compiler/declarations.c.
 */
#include "compiler/syntax/parse_int.h"

#include "ir/types/type.h"

static void declare_typedef(struct parser *p, const struct declared *d)
{
	struct type *old, *t;

	if (d->assoc)
		p_fail(p, D_DECL_ARRSUB, d->loc, "type may not be an associative array: %s",
		       d->name);
	old = scope_own(p->scope, TAG_TYPEDEF, d->name);
	if (old && !type_same(old, d->type))
		p_fail(p, D_DECL_TYPERED, d->loc, "type redeclared: %s", d->name);
	if (p->failed || old)
		return;
	t = type_typedef(p->a, d->name, d->type);
	scope_add(p->scope, TAG_TYPEDEF, d->name, t);
	if (type_is(t, T_FWD))
		vec_apush(p->a, &p->fwd_typedef, t);
}

/*
 * A typedef has a copy of its struct's size and alignment. If the struct was not complete when the
 * typedef was made, this function copies them now, at the end of the text.
 */
void p_settle_typedefs(struct parser *p)
{
	size_t i;

	for (i = 0; i < p->fwd_typedef.n; i++) {
		struct type *t = p->fwd_typedef.v[i], *to = type_strip(t);

		t->size = to->size;
		t->align = to->align;
	}
}

/* Records an error if variable @d has no size. */
static void check_object(struct parser *p, const struct declared *d)
{
	if (type_is(d->type, T_VOID))
		p_fail(p, D_DECL_VOIDOBJ, d->loc, "cannot have void object: %s", d->name);
	if (type_is(d->type, T_FWD))
		p_fail(p, D_DECL_INCOMPLETE, d->loc, "incomplete struct/union/enum %s: %s",
		       p_type_text(p, d->type), d->name);
}

static void declare_var(struct parser *p, const struct specs *s, const struct declared *d)
{
	struct decl_var *v = arena_new(p->a, struct decl_var);

	if (s->storage == STORAGE_THIS && d->assoc)
		p_fail(p, D_DECL_LOCASSC, d->loc,
		       "associative arrays may not be declared as local variables: %s", d->name);
	v->is_extern = s->storage == STORAGE_EXTERN || type_is(d->type, T_FUNC);
	if (!v->is_extern)
		check_object(p, d);
	v->scope = s->storage == STORAGE_THIS   ? DECL_THIS
		   : s->storage == STORAGE_SELF ? DECL_SELF
						: DECL_GLOBAL;
	v->name = d->name;
	v->type = d->type;
	v->key = d->key;
	v->nkey = d->nkey;
	v->loc = d->loc;
	append(p->var_end, v);
}

/* Reports a wrong token after a declarator. For a common mistake, suggests what to write. */
static void declarator_end(struct parser *p, const struct declared *d)
{
	const char *hint;

	if (p_is(p, TOK_COMMA) || p_is(p, TOK_SEMI))
		return;
	if (p_is(p, TOK_BACKQUOTE)) {
		p_fail(p, D_DECL_SCOPE, d->loc,
		       "D scoping operator may not be used in a declaration name (%s`%s)", d->name,
		       p_peek_at(p, p->tok.end).kind == TOK_IDENT ? p_peek_at(p, p->tok.end).name
								  : "");
		return;
	}
	hint = p_hint_keyword(p);
	if (!hint && p_is(p, TOK_ASSIGN))
		hint = "declarations have no initialisers: assign a value in a clause";
	else if (!hint && p_is(p, TOK_LBRACE) && type_is(d->type, T_FUNC))
		hint = "D has no user-defined functions: use an inline";
	p_syntax_hint(p, hint);
}

/* inline = "inline" specs declarator ["[" param ("," param)* "]"] "=" assign-expr ";" */
static void declare_inline(struct parser *p, const struct specs *s)
{
	struct decl_inline *in = arena_new(p->a, struct decl_inline);
	struct declared d;
	uint32_t i;

	p_declarator(p, s, DECLR_KEYS, &d);
	check_object(p, &d);
	for (i = 0; i < d.nkey; i++)
		if (!d.key_name[i])
			p_fail(p, D_DECL_PROTO_NAME, d.loc,
			       "parameter #%u of inline '%s' has no name", i + 1, d.name);
	p_expect(p, TOK_ASSIGN);
	in->expr = p_assign_expr(p);
	in->name = d.name;
	in->type = d.type;
	in->param = d.key_name;
	in->param_type = d.key;
	in->nparam = d.nkey;
	in->loc = d.loc;
	in->lib = p->o->lib;
	if (p_is(p, TOK_SEMI))
		append(p->inl_end, in);
}

/* declarators = declarator ("," declarator)* */
static void declare_names(struct parser *p, const struct specs *s)
{
	unsigned flags = DECLR_KEYS |
			 (s->storage == STORAGE_EXTERN ? DECLR_FLEX | DECLR_SYMBOL : 0);
	struct declared d;

	do {
		p_declarator(p, s, flags, &d);
		declarator_end(p, &d);
		if (p->failed)
			return;
		if (s->storage == STORAGE_TYPEDEF)
			declare_typedef(p, &d);
		else
			declare_var(p, s, &d);
	} while (p_accept(p, TOK_COMMA));
}

/* declaration = inline | specs [declarators] ";" */
void p_declaration(struct parser *p)
{
	struct specs s = {0};

	p_relex(p, LEX_EXPR);
	if (p_at_function(p)) {
		p_skip_function(p);
		return;
	}
	p_specs(p, &s);
	if (p_is(p, TOK_SEMI) && !s.tagged)
		p_fail(p, D_DECL_USELESS, s.loc, "useless declaration");
	else if (s.storage == STORAGE_INLINE)
		declare_inline(p, &s);
	else if (!p_is(p, TOK_SEMI) || !s.tagged)
		declare_names(p, &s);
	p_expect_in(p, TOK_SEMI, LEX_PROBE);
}
