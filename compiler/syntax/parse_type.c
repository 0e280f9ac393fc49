/*
 * parse_type.c - parses type specifiers, declarators and type names.
 *
 * A declarator is read from the inside out as a list of derivations (pointer, array, function),
 * nearest to the name first. The list is applied to the base type from the other end.
 */
#include "compiler/syntax/parse_int.h"

#include <string.h>

#include "base/strbuf.h"
#include "ir/types/type.h"

/* ---------------------------------------------------------------- specifiers */

/*
 * How often each word was written, with two bits for each word. So each combination of words is a
 * sum of these values.
 */
enum spec_count {
	SPEC_VOID = 1,
	SPEC_BOOL = 1 << 2,
	SPEC_CHAR = 1 << 4,
	SPEC_SHORT = 1 << 6,
	SPEC_INT = 1 << 8,
	SPEC_LONG = 1 << 10,
	SPEC_FLOAT = 1 << 12,
	SPEC_DOUBLE = 1 << 14,
	SPEC_STRING = 1 << 16,
	SPEC_SIGNED = 1 << 18,
	SPEC_UNSIGNED = 1 << 20,
	SPEC_NAMED = 1 << 22, /* struct, union, enum, typedef name */
};

/*
 * Every valid combination of words. take_spec() looks the combination up after each word, so the
 * table must also have every beginning of a combination.
 */
static const struct spec_combo {
	unsigned count;
	struct type *type;
} combos[] = {
	{SPEC_VOID, &type_void},
	{SPEC_BOOL, &type_bool},
	{SPEC_STRING, &type_string},
	{SPEC_FLOAT, &type_float},
	{SPEC_DOUBLE, &type_double},
	{SPEC_LONG + SPEC_DOUBLE, &type_ldouble},
	{SPEC_CHAR, &type_char},
	{SPEC_SIGNED + SPEC_CHAR, &type_schar},
	{SPEC_UNSIGNED + SPEC_CHAR, &type_uchar},
	{SPEC_SHORT, &type_short},
	{SPEC_SHORT + SPEC_INT, &type_short},
	{SPEC_SIGNED + SPEC_SHORT, &type_short},
	{SPEC_SIGNED + SPEC_SHORT + SPEC_INT, &type_short},
	{SPEC_UNSIGNED + SPEC_SHORT, &type_ushort},
	{SPEC_UNSIGNED + SPEC_SHORT + SPEC_INT, &type_ushort},
	{SPEC_INT, &type_int},
	{SPEC_SIGNED, &type_int},
	{SPEC_SIGNED + SPEC_INT, &type_int},
	{SPEC_UNSIGNED, &type_uint},
	{SPEC_UNSIGNED + SPEC_INT, &type_uint},
	{SPEC_LONG, &type_long},
	{SPEC_LONG + SPEC_INT, &type_long},
	{SPEC_SIGNED + SPEC_LONG, &type_long},
	{SPEC_SIGNED + SPEC_LONG + SPEC_INT, &type_long},
	{SPEC_UNSIGNED + SPEC_LONG, &type_ulong},
	{SPEC_UNSIGNED + SPEC_LONG + SPEC_INT, &type_ulong},
	{2 * SPEC_LONG, &type_llong},
	{2 * SPEC_LONG + SPEC_INT, &type_llong},
	{SPEC_SIGNED + 2 * SPEC_LONG, &type_llong},
	{SPEC_SIGNED + 2 * SPEC_LONG + SPEC_INT, &type_llong},
	{SPEC_UNSIGNED + 2 * SPEC_LONG, &type_ullong},
	{SPEC_UNSIGNED + 2 * SPEC_LONG + SPEC_INT, &type_ullong},
};

static unsigned spec_word(enum tok kind)
{
	switch ((int)kind) {
	case TOK_VOID:
		return SPEC_VOID;
	case TOK_BOOL:
		return SPEC_BOOL;
	case TOK_CHAR:
		return SPEC_CHAR;
	case TOK_SHORT:
		return SPEC_SHORT;
	case TOK_INT_KW:
		return SPEC_INT;
	case TOK_LONG:
		return SPEC_LONG;
	case TOK_FLOAT:
		return SPEC_FLOAT;
	case TOK_DOUBLE:
		return SPEC_DOUBLE;
	case TOK_STRING:
		return SPEC_STRING;
	case TOK_SIGNED:
		return SPEC_SIGNED;
	case TOK_UNSIGNED:
		return SPEC_UNSIGNED;
	}
	return 0;
}

static bool is_qualifier(enum tok kind)
{
	return kind == TOK_CONST || kind == TOK_VOLATILE || kind == TOK_RESTRICT ||
	       kind == TOK_USERLAND;
}

bool p_is_type_word(enum tok kind)
{
	return spec_word(kind) || is_qualifier(kind) || kind == TOK_STRUCT || kind == TOK_UNION ||
	       kind == TOK_ENUM;
}

bool p_is_typedef(struct parser *p, const char *name)
{
	return scope_find(p->scope, TAG_TYPEDEF, name) != NULL;
}

static bool has_spec(unsigned count, unsigned words)
{
	return count & (words | words << 1);
}

/* Reports an impossible combination with DTrace's message for the word that does not fit. */
static void bad_combo(struct parser *p, unsigned count)
{
	unsigned sign = SPEC_SIGNED | SPEC_UNSIGNED, size = SPEC_SHORT | SPEC_LONG;

	if (has_spec(count, SPEC_VOID) && has_spec(count, sign | size))
		p_fail(p, D_DECL_VOIDATTR, p_loc(p),
		       "invalid type declaration: attributes may not be used with void type");
	else if (has_spec(count, SPEC_CHAR) && has_spec(count, size))
		p_fail(p, D_DECL_CHARATTR, p_loc(p),
		       "invalid type declaration: short and long may not be used with char type");
	else if (has_spec(count, SPEC_FLOAT | SPEC_DOUBLE | SPEC_STRING | SPEC_NAMED) &&
		 has_spec(count, sign))
		p_fail(p, D_DECL_SIGNINT, p_loc(p),
		       "invalid type declaration: signed and unsigned may only be used with "
		       "integer type");
	else if (has_spec(count, SPEC_STRING | SPEC_NAMED) && has_spec(count, SPEC_LONG))
		p_fail(p, D_DECL_LONGINT, p_loc(p),
		       "invalid type declaration: long and long long may only be used with "
		       "integer or floating-point type");
	else if (has_spec(count, SPEC_FLOAT | SPEC_DOUBLE) && has_spec(count, size))
		p_fail(p, D_UNKNOWN, p_loc(p), "there is no short or long floating-point type");
	else
		p_fail(p, D_DECL_COMBO, p_loc(p), "invalid type combination");
}

static struct type *combo_type(struct parser *p, unsigned count)
{
	size_t i;

	for (i = 0; i < sizeof(combos) / sizeof(*combos); i++)
		if (combos[i].count == count)
			return combos[i].type == &type_string ? p->scope->string : combos[i].type;
	bad_combo(p, count);
	return &type_error;
}

static enum storage storage_word(enum tok kind)
{
	switch ((int)kind) {
	case TOK_TYPEDEF:
		return STORAGE_TYPEDEF;
	case TOK_EXTERN:
		return STORAGE_EXTERN;
	case TOK_THIS:
		return STORAGE_THIS;
	case TOK_SELF:
		return STORAGE_SELF;
	case TOK_INLINE:
		return STORAGE_INLINE;
	}
	return STORAGE_NONE;
}

static bool bad_storage_word(enum tok kind)
{
	return kind == TOK_AUTO || kind == TOK_REGISTER || kind == TOK_STATIC;
}

void p_no_storage(struct parser *p, const struct specs *s)
{
	if (s->storage != STORAGE_NONE)
		p_fail(p, D_DECL_BADCLASS, s->loc, "specified storage class not appropriate here");
}

/*
 * storage = "typedef" | "extern" | "this" | "self" | "inline"
 * Returns whether there was a storage class.
 */
static bool take_storage(struct parser *p, struct specs *s, bool typed)
{
	enum storage st = storage_word(p->tok.kind);

	if (typed && s->member && tok_is_member_name(p->tok.kind))
		return false; /* here "self" is the name of a member */
	if (s->param && (st != STORAGE_NONE || bad_storage_word(p->tok.kind))) {
		p_fail(p, D_DECL_PARMCLASS, p_loc(p),
		       "inappropriate storage class for function or associative array parameter");
		return false;
	}
	if (bad_storage_word(p->tok.kind)) {
		p_fail(p, D_DECL_BADCLASS, p_loc(p),
		       "specified storage class not appropriate in D");
		return false;
	}
	if (st == STORAGE_NONE)
		return false;
	if (s->storage != STORAGE_NONE)
		p_fail(p, D_DECL_CLASS, p_loc(p),
		       "only one storage class allowed in a declaration");
	s->storage = st;
	p_next(p);
	return true;
}

/*
 * typedef-name = [[IDENT] "`"] IDENT, without blanks between them: in "extern size_t `x", size_t is
 * the typedef and x is the declared name.
 */
static struct type *take_typedef(struct parser *p)
{
	struct loc loc = p_loc(p);
	uint32_t end = p_is(p, TOK_BACKQUOTE) ? p->tok.off : p->tok.end;
	const char *name = p_is(p, TOK_BACKQUOTE) ? "" : p_ident(p), *mod = NULL;
	struct type *t;
	bool first;

	if (p->tok.off == end && p_accept(p, TOK_BACKQUOTE)) {
		mod = name;
		name = p_ident(p);
	}
	t = p->failed ? NULL : p_find_type(p, mod, TAG_TYPEDEF, name);
	if (t)
		return t;
	first = !p->failed;
	p_fail(p, D_TYPE_ERR, loc, "failed to resolve type %s: Unknown type name", name);
	if (first)
		p_hint_type(p, name);
	return &type_error;
}

static bool starts_named(enum tok kind)
{
	return kind == TOK_STRUCT || kind == TOK_UNION || kind == TOK_ENUM;
}

/*
 * Parses the module's name before the keyword in kernel`struct tag. Returns NULL if there is none.
 */
static const char *take_scope(struct parser *p)
{
	struct token t = p_is(p, TOK_IDENT) ? p_peek_at(p, p->tok.end) : p->tok;
	const char *mod;

	if (t.kind != TOK_BACKQUOTE || !starts_named(p_peek_at(p, t.end).kind))
		return NULL;
	mod = p_is(p, TOK_IDENT) ? p_ident(p) : "";
	p_expect(p, TOK_BACKQUOTE);
	return mod;
}

/* named = struct-or-union | enum | typedef-name. Returns false at anything else. */
static bool take_named(struct parser *p, struct specs *s)
{
	const char *mod = take_scope(p);

	switch ((int)p->tok.kind) {
	case TOK_STRUCT:
	case TOK_UNION:
		s->type = p_sou(p, mod, &s->body);
		s->tagged = true;
		return true;
	case TOK_ENUM:
		s->type = p_enum(p, mod, &s->body);
		s->tagged = true;
		return true;
	case TOK_IDENT:
	case TOK_BACKQUOTE:
		s->type = take_typedef(p);
		return true;
	}
	return false;
}

/*
 * Returns whether the word after the storage class is the name of a variable without a type, which
 * is an int: "self x;" or "extern e;".
 */
static bool is_untyped_name(struct parser *p, const struct specs *s)
{
	struct token next;

	if (s->storage == STORAGE_NONE || s->storage == STORAGE_TYPEDEF || !p_is(p, TOK_IDENT))
		return false;
	next = p_peek_at(p, p->tok.end);
	return next.kind == TOK_SEMI || next.kind == TOK_COMMA || next.kind == TOK_LBRACKET ||
	       next.kind == TOK_ASSIGN;
}

/*
 * Parses the next specifier of a declaration. Returns false if there is none. @count counts the
 * type words so far: see enum spec_count.
 */
static bool take_spec(struct parser *p, struct specs *s, unsigned *count)
{
	unsigned w = spec_word(p->tok.kind);

	if (p_attributes(p, &s->attrs) || take_storage(p, s, *count))
		return true;
	if (is_qualifier(p->tok.kind) && !(p_is(p, TOK_USERLAND) && *count && s->member)) {
		s->userland |= p_is(p, TOK_USERLAND);
		p_next(p);
		return true;
	}
	if (w && !(w == SPEC_STRING && *count && s->member)) {
		*count += w;
		s->type = combo_type(p, *count);
		p_next(p);
		return true;
	}
	if (*count) {
		if (starts_named(p->tok.kind))
			combo_type(p, *count + SPEC_NAMED);
		return false;
	}
	*count = SPEC_NAMED;
	if (is_untyped_name(p, s)) {
		s->type = &type_int;
		return false;
	}
	return take_named(p, s);
}

/* specs = (storage | qualifier | type-word | struct-or-union | enum | typedef-name)+ */
void p_specs(struct parser *p, struct specs *s)
{
	unsigned count = 0;

	s->loc = p_loc(p);
	s->type = NULL;
	while (take_spec(p, s, &count))
		;
	if (!s->type) {
		p_syntax(p);
		s->type = &type_error;
	}
}

/* --------------------------------------------------------------- declarators */

enum deriv_kind { DERIV_PTR, DERIV_ARRAY, DERIV_FUNC };

struct deriv {
	enum deriv_kind kind;
	/* number of elements of an array, or of required arguments of a function */
	uint32_t nelem;
	struct member *member; /* parameters of a function */
	uint32_t nmember;
};

struct derivs {
	struct deriv v[DERIV_MAX];
	uint32_t n;
};

static void add_deriv(struct parser *p, struct derivs *l, struct deriv d)
{
	if (l->n == DERIV_MAX)
		p_fail(p, D_LIMIT, p_loc(p), "declaration has more than %d pointers and arrays",
		       DERIV_MAX);
	else
		l->v[l->n++] = d;
}

typedef VEC(struct member) member_vec;

/* Appends a parameter. "..." becomes a last parameter of type void, as in BTF. */
static void add_param(struct parser *p, member_vec *v, struct type *t, const char *name)
{
	struct member m = {.name = name, .type = t};

	vec_apush(p->a, v, m);
}

static void take_param(struct parser *p, member_vec *v)
{
	struct declared par;

	if (p_accept(p, TOK_ELLIPSIS)) {
		add_param(p, v, &type_void, NULL);
		return;
	}
	p_param(p, &par);
	if (type_is(par.type, T_VOID) && par.name)
		p_fail(p, D_DECL_PROTO_NAME, par.loc, "void parameter may not have a name: %s",
		       par.name);
	else if (type_is(par.type, T_VOID))
		p_fail(p, D_DECL_PROTO_VOID, par.loc,
		       "'void' must be the sole parameter in a function prototype");
	add_param(p, v, par.type, par.name);
}

/*
 * optional = "[" "," (param | "...") ("," param)* [optional] "]". Only prototypes of the built-in
 * tables have it.
 */
static void take_optional(struct parser *p, member_vec *v)
{
	int open = 0;

	while (p->proto && p_accept(p, TOK_LBRACKET)) {
		open++;
		p_expect(p, TOK_COMMA);
		take_param(p, v);
		while (p_accept(p, TOK_COMMA))
			take_param(p, v);
	}
	while (open--)
		p_expect(p, TOK_RBRACKET);
}

/*
 * After "(": parses "void)" or ")", which mean that the function takes nothing. Returns false at
 * anything else.
 */
static bool no_params(struct parser *p)
{
	struct token t;

	if (p_accept(p, TOK_RPAR))
		return true;
	if (!p_is(p, TOK_VOID))
		return false;
	t = p_peek_at(p, p->tok.end);
	if (t.kind != TOK_RPAR)
		return false;
	p_next(p);
	p_next(p);
	return true;
}

/* params = "(" [param ("," param)* ["," "..."]] ")" */
static struct deriv take_params(struct parser *p)
{
	struct deriv d = {.kind = DERIV_FUNC};
	member_vec v = {0};

	p_expect(p, TOK_LPAR);
	if (no_params(p))
		return d;
	do {
		take_param(p, &v);
	} while (p_accept(p, TOK_COMMA));
	d.nelem = (uint32_t)v.n;
	if (d.nelem && v.v[d.nelem - 1].type->kind == T_VOID)
		d.nelem--;
	take_optional(p, &v);
	p_expect(p, TOK_RPAR);
	d.member = v.v;
	d.nmember = (uint32_t)v.n;
	return d;
}

/* After "[": returns whether a tuple of types follows, not a number of elements. */
static bool at_key_types(struct parser *p)
{
	struct token t = p->tok;

	if (p_is_type_word(t.kind) || t.kind == TOK_ELLIPSIS ||
	    storage_word(t.kind) != STORAGE_NONE || bad_storage_word(t.kind))
		return true;
	if (t.kind != TOK_IDENT && t.kind != TOK_BACKQUOTE)
		return false;
	if (t.kind == TOK_BACKQUOTE || p_peek_at(p, t.end).kind == TOK_BACKQUOTE)
		return true;
	if (!p_is_typedef(p, t.name))
		return false;
	do {
		t = p_peek_at(p, t.end);
	} while (t.kind == TOK_STAR);
	return t.kind == TOK_COMMA || t.kind == TOK_RBRACKET || t.kind == TOK_IDENT;
}

/* keys = "[" param ("," param)* "]", after the "[" */
static void take_keys(struct parser *p, const struct derivs *l, struct declared *out)
{
	VEC(struct type *) type = {0};
	VEC(const char *) name = {0};
	struct declared par;

	if (l->n || out->assoc)
		p_fail(p, D_DECL_ARRSUB, p_loc(p), "only a name may have a tuple of key types");
	do {
		if (p_is(p, TOK_ELLIPSIS))
			p_fail(p, D_DECL_PROTO_VARARGS, p_loc(p),
			       "array prototype may not use a variable-length argument list");
		p_param(p, &par);
		if (type_is(par.type, T_VOID))
			p_fail(p, D_DECL_PROTO_TYPE, par.loc,
			       "array prototype may not use parameter of type void: %s, "
			       "parameter #%zu",
			       par.name ? par.name : "(anonymous)", type.n + 1);
		vec_apush(p->a, &type, par.type);
		vec_apush(p->a, &name, par.name);
	} while (p_accept(p, TOK_COMMA));
	p_expect(p, TOK_RBRACKET);
	out->assoc = true;
	out->key = type.v;
	out->key_name = name.v;
	out->nkey = (uint32_t)type.n;
}

/* array = "[" [expr] "]" | keys */
static void take_array(struct parser *p, struct derivs *l, unsigned flags, struct declared *out)
{
	struct deriv d = {.kind = DERIV_ARRAY};
	struct loc loc = p_loc(p);
	int64_t n = 0;

	p_next(p);
	while ((flags & DECLR_ABSTRACT) && (is_qualifier(p->tok.kind) || p_is(p, TOK_STATIC)))
		p_next(p); /* as in "int a[static 8]" of C headers */
	if ((flags & DECLR_KEYS) && at_key_types(p)) {
		take_keys(p, l, out);
		return;
	}
	if (p_is(p, TOK_RBRACKET) && !(flags & DECLR_FLEX))
		p_fail(p, D_DECL_ARRNULL, loc,
		       "array declaration requires array dimension or tuple signature: %s",
		       out->name ? out->name : "");
	if (!p_is(p, TOK_RBRACKET) && !p->failed &&
	    (!p_const(p, p_assign_expr(p), &n) || n < !(flags & DECLR_FLEX) || n > UINT32_MAX))
		p_fail(p, D_DECL_ARRSUB, loc,
		       "positive integral constant expression or tuple signature expected as "
		       "array declaration subscript");
	p_expect(p, TOK_RBRACKET);
	d.nelem = (uint32_t)n;
	add_deriv(p, l, d);
}

/*
 * Returns whether the current "(" of a declarator encloses a declarator, as in "(*f)", and not the
 * parameters of a function without a name.
 */
static bool at_nested(struct parser *p, unsigned flags)
{
	struct token t;

	if (!p_is(p, TOK_LPAR))
		return false;
	if (!(flags & (DECLR_ABSTRACT | DECLR_NONAME)))
		return true;
	t = p_peek_at(p, p->tok.end);
	if (t.kind == TOK_STAR || t.kind == TOK_LPAR)
		return true;
	return t.kind == TOK_IDENT && !(flags & DECLR_NONAME) && !p_is_typedef(p, t.name);
}

/* Skips [[IDENT] "`"] before a kernel symbol's name. The type does not depend on the module. */
static void skip_module(struct parser *p, unsigned flags)
{
	if (!(flags & DECLR_SYMBOL))
		return;
	if (p_is(p, TOK_IDENT) && p_peek_at(p, p->tok.end).kind == TOK_BACKQUOTE)
		p_next(p);
	p_accept(p, TOK_BACKQUOTE);
}

static bool at_name(const struct parser *p, unsigned flags)
{
	if (flags & DECLR_NONAME)
		return false;
	return p_is(p, TOK_IDENT) || ((flags & DECLR_MEMBER) && tok_is_member_name(p->tok.kind));
}

/* direct = (name | "(" declarator ")") (array | params)*, with the names that @flags allows */
static void take_direct(struct parser *p, struct derivs *l, unsigned flags, struct declared *out);

/* declarator = ("*" qualifier*)* direct */
static void take_declarator(struct parser *p, struct derivs *l, unsigned flags,
			    struct declared *out)
{
	uint32_t stars = 0;

	if (!p_enter(p))
		return;
	for (; p_is(p, TOK_STAR) || (stars && is_qualifier(p->tok.kind)); p_next(p))
		stars += p_is(p, TOK_STAR);
	p_attributes(p, &out->attrs);
	take_direct(p, l, flags, out);
	while (stars-- && !p->failed)
		add_deriv(p, l, (struct deriv){.kind = DERIV_PTR});
	p_leave(p);
}

static void take_direct(struct parser *p, struct derivs *l, unsigned flags, struct declared *out)
{
	skip_module(p, flags);
	if (at_nested(p, flags)) {
		p_next(p);
		take_declarator(p, l, flags, out);
		p_expect(p, TOK_RPAR);
	} else if (at_name(p, flags)) {
		out->name = p->tok.name;
		out->loc = p_loc(p);
		p_next(p);
	} else if (!(flags & (DECLR_ABSTRACT | DECLR_NONAME))) {
		p_syntax(p);
	}
	for (;;) {
		/* In a prototype, "[," starts the optional part. */
		if (p_is(p, TOK_LBRACKET) &&
		    !(p->proto && p_peek_at(p, p->tok.end).kind == TOK_COMMA))
			take_array(p, l, flags, out);
		else if (p_is(p, TOK_LPAR))
			add_deriv(p, l, take_params(p));
		else
			break;
	}
}

static struct type *make_ptr(struct parser *p, struct type *to, bool userland)
{
	return userland ? type_userland_ptr(p->a, to) : type_ptr(p->a, to);
}

/* Maximum size of an array, because offsets are counted in bits. */
#define SIZE_LIMIT (UINT32_MAX / 8)

static struct type *make_array(struct parser *p, struct type *of, uint32_t n, struct loc loc)
{
	enum type_kind k = type_strip(of)->kind;

	if (k == T_VOID || k == T_FUNC || k == T_FWD) {
		p_fail(p, D_DECL_INCOMPLETE, loc, "cannot have an array of type %s",
		       p_type_text(p, of));
		return &type_error;
	}
	if ((uint64_t)type_strip(of)->size * n > SIZE_LIMIT) {
		p_fail(p, D_LIMIT, loc, "array is too large");
		return &type_error;
	}
	return type_array(p->a, of, n);
}

static struct type *make_func(struct parser *p, struct type *to, const struct deriv *d,
			      struct loc loc)
{
	struct type *t = arena_new(p->a, struct type);

	if (type_is(to, T_ARRAY) || type_is(to, T_FUNC))
		p_fail(p, D_DECL_COMBO, loc, "function may not return %s", p_type_text(p, to));
	t->kind = T_FUNC;
	t->align = 1;
	t->to = to;
	t->nelem = d->nelem;
	t->member = d->member;
	t->nmember = d->nmember;
	return t;
}

static struct type *apply(struct parser *p, const struct specs *s, const struct derivs *l,
			  struct loc loc)
{
	struct type *t = s->type;
	uint32_t i;

	for (i = l->n; i-- > 0 && !p->failed;) {
		switch (l->v[i].kind) {
		case DERIV_PTR:
			t = make_ptr(p, t, s->userland);
			break;
		case DERIV_ARRAY:
			t = make_array(p, t, l->v[i].nelem, loc);
			break;
		case DERIV_FUNC:
			t = make_func(p, t, &l->v[i], loc);
			break;
		}
	}
	return t;
}

void p_declarator(struct parser *p, const struct specs *s, unsigned flags, struct declared *out)
{
	struct specs base = *s;
	struct derivs l;

	l.n = 0;
	memset(out, 0, sizeof(*out));
	out->loc = p_loc(p);
	take_declarator(p, &l, flags, out);
	p_attributes(p, &out->attrs);
	base.type = p_mode_type(s->type, out->attrs.size ? out->attrs.size : s->attrs.size);
	if (!out->name && !(flags & (DECLR_ABSTRACT | DECLR_NONAME)))
		out->name = ""; /* an error was reported */
	out->type = apply(p, &base, &l, out->loc);
}

struct type *p_pointers(struct parser *p, struct type *t, bool userland)
{
	int n = 0;

	for (; p_is(p, TOK_STAR) || is_qualifier(p->tok.kind); p_next(p)) {
		if (!p_is(p, TOK_STAR))
			continue;
		t = make_ptr(p, t, userland);
		if (++n > DERIV_MAX)
			p_fail(p, D_LIMIT, p_loc(p), "type has more than %d pointers", DERIV_MAX);
	}
	return t;
}

/* type-name = specs abstract-declarator */
static struct type *take_type_name(struct parser *p, bool known_tags)
{
	struct specs s = {0};
	struct declared d;
	bool known = p->known_tags;

	p->known_tags = known_tags;
	p_specs(p, &s);
	p->known_tags = known;
	p_no_storage(p, &s);
	p_declarator(p, &s, DECLR_NONAME, &d);
	return d.type;
}

struct type *p_type_name(struct parser *p)
{
	return take_type_name(p, !p->o->lib);
}

struct type *p_open_type_name(struct parser *p)
{
	return take_type_name(p, false);
}

/* param = specs [declarator] */
void p_param(struct parser *p, struct declared *out)
{
	struct specs s = {.member = true, .param = true};

	p_specs(p, &s);
	p_declarator(p, &s, DECLR_ABSTRACT | DECLR_FLEX | DECLR_MEMBER, out);
	if (out->type->kind == T_ARRAY)
		out->type = type_ptr(p->a, out->type->to);
	else if (out->type->kind == T_FUNC)
		out->type = type_ptr(p->a, out->type);
}

/* ------------------------------------------------------------------ lookahead */

/* Returns whether the token can start the operand of a cast. */
static bool starts_operand(enum tok kind)
{
	switch ((int)kind) {
	case TOK_IDENT:
	case TOK_INT:
	case TOK_STR:
	case TOK_AGG:
	case TOK_THIS:
	case TOK_SELF:
	case TOK_BACKQUOTE:
	case TOK_LPAR:
	case TOK_SUB:
	case TOK_ADD:
	case TOK_STAR:
	case TOK_AND:
	case TOK_NOT:
	case TOK_BITNOT:
	case TOK_INC:
	case TOK_DEC:
	case TOK_SIZEOF:
	case TOK_STRINGOF:
	case TOK_OFFSETOF:
	case TOK_XLATE:
		return true;
	}
	return false;
}

/*
 * (name) and (name *) enclose a type if name is a typedef. But a variable may have the name of a
 * kernel's typedef. So in a cast, an operand must follow the parentheses.
 */
bool p_paren_type(struct parser *p, bool cast)
{
	struct token t = p_peek_at(p, p->tok.end), name;
	bool stars = false;

	if (p_is_type_word(t.kind))
		return true;
	if (t.kind != TOK_IDENT && t.kind != TOK_BACKQUOTE)
		return false;
	name = t;
	t = p_peek_at(p, t.end);
	if (name.kind == TOK_BACKQUOTE || t.kind == TOK_BACKQUOTE) {
		name = name.kind == TOK_BACKQUOTE ? t : p_peek_at(p, t.end);
		if (name.kind != TOK_IDENT)
			return p_is_type_word(name.kind);
		t = p_peek_at(p, name.end);
	}
	for (; t.kind == TOK_STAR || is_qualifier(t.kind); t = p_peek_at(p, t.end))
		stars |= t.kind == TOK_STAR;
	if (t.kind != TOK_RPAR || !p_is_typedef(p, name.name))
		return false;
	return stars || !cast || starts_operand(p_peek_at(p, t.end).kind);
}
