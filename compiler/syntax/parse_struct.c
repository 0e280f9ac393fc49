/*
 * parse_struct.c - parses declarations of structs, unions and enums, and lays out the members.
 *
 * The layout is gcc's on little-endian x86-64 and aarch64 (the System V and AAPCS64 rules), because
 * the C compiler reads engine/replay/ksim.h (the types for replay) too.
 */
#include "compiler/syntax/parse_int.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "ir/types/type.h"

/* ---------------------------------------------------------------------- layout */

/* Positions are counted in bits, as 32-bit numbers. */
#define SIZE_LIMIT_BITS UINT32_MAX

struct layout {
	bool is_union, packed;
	uint64_t bits; /* bits used so far; in a union, the bits of the largest member */
	uint32_t align;
};

/* AAPCS64 lets unnamed bit-fields align the struct; the System V ABI does not. */
#ifdef __aarch64__
#define UNNAMED_ALIGNS true
#elif defined(__x86_64__)
#define UNNAMED_ALIGNS false
#else
#error "dtrace runs on x86-64 and arm64 only, see docs/limits.md"
#endif

static uint64_t round_up(uint64_t v, uint64_t to)
{
	return (v + to - 1) / to * to;
}

static uint64_t layout_field(const struct layout *l, uint64_t at, uint32_t bits, uint64_t size,
			     uint64_t align)
{
	if (bits == 0) /* "int : 0" moves the next bit-field to the type's alignment */
		return round_up(at, align);
	if (!l->packed && at % align + bits > size)
		return round_up(at, align);
	return at;
}

/*
 * Places member @m behind the earlier members. If @field is set, @m is a bit-field of m->bits bits.
 */
static void layout_add(struct layout *l, struct member *m, bool field, uint32_t min_align)
{
	struct type *t = type_strip(m->type);
	uint32_t align = l->packed && !(field && !m->bits) ? 1 : t->align ? t->align : 1;
	uint64_t at = l->is_union ? 0 : l->bits, width = (uint64_t)t->size * 8;

	if (min_align > align)
		align = min_align;
	if (field) {
		at = layout_field(l, at, m->bits, width, (uint64_t)align * 8);
		width = m->bits;
	} else {
		at = round_up(at, (uint64_t)align * 8);
	}
	m->bitoff = (uint32_t)at;
	if (at + width > l->bits)
		l->bits = at + width;
	if (align > l->align && (!field || m->name || UNNAMED_ALIGNS))
		l->align = align;
}

/* --------------------------------------------------------------------- members */

/*
 * A member as written. It gets its offset later, because "packed" may be written after the last
 * member.
 */
struct raw_member {
	struct member m;
	bool field;     /* a bit-field */
	uint32_t align; /* alignment in bytes from an attribute, or 0 */
};

typedef VEC(struct raw_member) raw_vec;

/*
 * Records an error if the member has no size, or if its type is the struct that is being declared.
 */
static void check_member(struct parser *p, const struct declared *d)
{
	struct type *t = type_strip(d->type);
	size_t i;

	if (d->assoc)
		p_fail(p, D_DECL_ARRSUB, d->loc, "associative array may not be a member: %s",
		       d->name ? d->name : "");
	if (t->kind == T_VOID)
		p_fail(p, D_DECL_VOIDOBJ, d->loc, "cannot have void member: %s",
		       d->name ? d->name : "");
	while (t->kind == T_ARRAY)
		t = type_strip(t->to);
	for (i = 0; i < p->open.n; i++)
		if (p->open.v[i] == t)
			break;
	if (i < p->open.n || t->kind == T_FWD || t->kind == T_FUNC)
		p_fail(p, D_DECL_INCOMPLETE, d->loc, "incomplete struct/union/enum %s: %s",
		       p_type_text(p, t), d->name ? d->name : "");
}

/* width = ":" expr */
static uint32_t take_width(struct parser *p, const struct declared *d)
{
	const char *name = d->name ? d->name : "";
	struct loc loc = p_loc(p);
	int64_t n = 0;

	p_next(p);
	if (!type_is_integer(d->type))
		p_fail(p, D_DECL_BFTYPE, d->loc, "invalid type for bit-field: %s", name);
	if (!p_const(p, p_assign_expr(p), &n) || n < 0 || (n == 0 && d->name))
		p_fail(p, D_DECL_BFCONST, loc,
		       "positive integral constant expression expected as bit-field size");
	if (!p->failed && n > (int64_t)type_strip(d->type)->size * 8)
		p_fail(p, D_DECL_BFSIZE, loc, "bit-field too big for type: %s", name);
	return (uint32_t)n;
}

/* member-declarator = declarator [width] [attributes] | width */
static void take_member(struct parser *p, const struct specs *s, raw_vec *v)
{
	struct declared d = {.type = s->type, .loc = p_loc(p)};
	struct raw_member r = {0};

	if (!p_is(p, TOK_COLON))
		p_declarator(p, s, DECLR_FLEX | DECLR_MEMBER, &d);
	check_member(p, &d);
	r.m.name = d.name;
	r.m.type = d.type;
	r.field = p_is(p, TOK_COLON);
	if (r.field)
		r.m.bits = take_width(p, &d);
	p_attributes(p, &d.attrs);
	r.align = d.attrs.align > s->attrs.align ? d.attrs.align : s->attrs.align;
	vec_apush(p->a, v, r);
}

/* members = specs [member-declarator ("," member-declarator)*] ";" */
static void take_members(struct parser *p, raw_vec *v)
{
	struct specs s = {.member = true};

	p_specs(p, &s);
	p_no_storage(p, &s);
	if (p_is(p, TOK_SEMI) && s.tagged) {
		struct raw_member r = {.m.type = s.type};

		if (type_is_sou(s.type) && !s.type->name)
			vec_apush(p->a, v, r);
	} else {
		do {
			take_member(p, &s, v);
		} while (p_accept(p, TOK_COMMA));
	}
	p_expect(p, TOK_SEMI);
}

static int ptr_cmp(const void *a, const void *b)
{
	uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Reports a name that occurs twice. Names are interned, so equal names have the same address, and
 * sorting makes them neighbours.
 */
static void check_unique(struct parser *p, const char **name, size_t n, struct loc loc)
{
	size_t i;

	if (n < 2)
		return;
	qsort(name, n, sizeof(*name), ptr_cmp);
	for (i = 1; i < n; i++)
		if (name[i] && name[i] == name[i - 1])
			p_fail(p, D_DECL_IDRED, loc, "identifier redeclared: %s", name[i]);
}

/* ------------------------------------------------------------- struct and union */

/* Places the members and sets the size of @t. */
static void finish_sou(struct parser *p, struct type *t, const raw_vec *v, const struct attrs *at,
		       struct loc loc)
{
	struct layout l = {.is_union = t->kind == T_UNION, .packed = at->packed, .align = 1};
	struct member *m = arena_newn(p->a, struct member, v->n + 1);
	const char **name = arena_newn(p->a, const char *, v->n + 1);
	uint32_t i, n = 0;

	for (i = 0; i < v->n; i++) {
		m[n] = v->v[i].m;
		layout_add(&l, &m[n], v->v[i].field, v->v[i].align);
		if (l.bits > SIZE_LIMIT_BITS) {
			p_fail(p, D_LIMIT, loc, "struct is too large");
			return;
		}
		if (!m[n].name && v->v[i].field)
			continue; /* an unnamed bit-field is only padding */
		name[n] = m[n].name;
		n++;
	}
	check_unique(p, name, n, loc);
	l.align = at->align > l.align ? at->align : l.align;
	t->member = m;
	t->nmember = n;
	t->align = l.align;
	t->size = (uint32_t)(round_up(l.bits, (uint64_t)l.align * 8) / 8);
}

/*
 * body = "{" members* "}" [attributes]. Fills in the members of @t. @at has the attributes that
 * were written before the tag.
 */
static void take_body(struct parser *p, struct type *t, struct attrs *at)
{
	struct loc loc = p_loc(p);
	raw_vec v = {0};

	vec_apush(p->a, &p->open, t);
	p_expect(p, TOK_LBRACE);
	while (!p_is(p, TOK_RBRACE) && !p->failed)
		take_members(p, &v);
	p_expect(p, TOK_RBRACE);
	p_attributes(p, at);
	p->open.n--;
	if (!p->failed)
		finish_sou(p, t, &v, at, loc);
}

static struct type *new_type(struct parser *p, enum type_kind kind, const char *name)
{
	struct type *t = arena_new(p->a, struct type);

	t->kind = kind;
	t->name = name;
	t->align = 1;
	return t;
}

/*
 * Returns the type that "struct tag {" declares: a new type, or the type that was only a forward
 * reference until now.
 */
static struct type *declare(struct parser *p, enum tag_kind tk, const char *tag, struct loc loc)
{
	enum type_kind kind = tk == TAG_STRUCT ? T_STRUCT : T_UNION;
	struct type *t = tag ? scope_own(p->scope, tk, tag) : NULL;

	if (t && t->kind != T_FWD)
		p_fail(p, D_DECL_TYPERED, loc, "type redeclared: %s", p_type_text(p, t));
	if (!t || t->kind != T_FWD) {
		t = new_type(p, kind, tag);
		if (tag && !p->failed)
			scope_add(p->scope, tk, tag, t);
	}
	t->kind = kind;
	return t;
}

/*
 * Returns the type that "struct tag" names. Where unknown tags are allowed, an unknown tag becomes
 * a forward reference.
 */
static struct type *refer(struct parser *p, const char *mod, enum tag_kind tk, const char *tag,
			  struct loc loc)
{
	struct type *t = scope_own(p->scope, tk, tag);
	size_t i;

	for (i = 0; t && i < p->open.n; i++)
		if (p->open.v[i] == t)
			return t;
	t = p->known_tags || mod ? p_find_type(p, mod, tk, tag) : scope_find(p->scope, tk, tag);
	if (t)
		return t;
	if (p->known_tags) {
		bool first = !p->failed;

		p_fail(p, D_TYPE_ERR, loc, "failed to resolve type %s %s: Unknown type name",
		       tk == TAG_STRUCT ? "struct" : "union", tag);
		if (first)
			p_hint_type(p, tag);
		return &type_error;
	}
	t = new_type(p, T_FWD, tag);
	if (!mod) /* other modules must not find a type of this module */
		scope_add(p->scope, tk, tag, t);
	return t;
}

/*
 * tag = [[IDENT] "`"] name. Sets @mod to the IDENT if there is a "`". Returns NULL if there is no
 * name.
 */
static const char *take_tag(struct parser *p, const char **mod)
{
	const char *tag = NULL;

	if (p_is(p, TOK_IDENT) || tok_is_member_name(p->tok.kind))
		tag = p_member_name(p);
	if (p_accept(p, TOK_BACKQUOTE)) {
		*mod = tag ? tag : "";
		tag = p_member_name(p);
	}
	return tag;
}

/* Fails if the tag of a struct, union or enum that is declared here has a module. */
static void no_scope(struct parser *p, const char *mod, const char *tag, struct loc loc)
{
	if (mod)
		p_fail(p, D_DECL_SCOPE, loc,
		       "D scoping operator may not be used in a type name (%s`%s)", mod,
		       tag ? tag : "");
}

struct type *p_sou(struct parser *p, const char *mod, bool *body)
{
	enum tag_kind tk = p_is(p, TOK_STRUCT) ? TAG_STRUCT : TAG_UNION;
	struct loc loc = p_loc(p);
	struct attrs at = {0};
	struct type *t = &type_error;
	const char *tag;

	if (!p_enter(p))
		return t;
	p_next(p);
	p_attributes(p, &at);
	tag = take_tag(p, &mod);
	if (p_is(p, TOK_LBRACE)) {
		no_scope(p, mod, tag, loc);
		t = declare(p, tk, tag, loc);
		take_body(p, t, &at);
		*body = true;
	} else if (tag && !p->failed) {
		t = refer(p, mod, tk, tag, loc);
	} else {
		p_syntax(p);
	}
	p_leave(p);
	return t;
}

/* ------------------------------------------------------------------------- enum */

/*
 * enumerator = IDENT ["=" expr]. @next is the enumerator's value if there is no expression. Sets
 * @next to the value of the enumerator after this one.
 */
static void take_enumerator(struct parser *p, int64_t *next)
{
	struct enumerator en = {.value = *next};
	struct loc loc = p_loc(p);

	en.name = p_ident(p);
	if (p_accept(p, TOK_ASSIGN) && !p_const(p, p_assign_expr(p), &en.value))
		p_fail(p, D_DECL_ENCONST, loc, "enumerator must be integral constant: %s", en.name);
	if (scope_own(p->scope, TAG_ENUMERATOR, en.name))
		p_fail(p, D_DECL_IDRED, loc, "identifier redeclared: %s", en.name);
	if (!p->o->lib && (en.value > INT32_MAX || en.value < INT32_MIN))
		p_fail(p, D_DECL_ENOFLOW, loc, "enumerator value overflows an int: %s", en.name);
	vec_apush(p->a, &p->enums, en);
	*next = (int64_t)((uint64_t)en.value + 1);
}

/*
 * Sets the size and sign of an enum to those of int, because D converts enums to int. If int cannot
 * hold the values, uses the size and sign that gcc uses: unsigned, or 8 bytes.
 */
static void size_enum(struct type *t)
{
	int64_t least = 0, most = 0;

	for (uint32_t i = 0; i < t->nenumerator; i++) {
		int64_t v = t->enumerator[i].value;

		least = v < least ? v : least;
		most = v > most ? v : most;
	}
	t->sgn = least < 0 || most <= INT32_MAX;
	t->size = least < INT32_MIN || most > (t->sgn ? INT32_MAX : UINT32_MAX) ? 8 : 4;
	t->align = t->size;
}

static void finish_enum(struct parser *p, struct type *t, struct loc loc)
{
	size_t n = p->enums.n;
	const char **name = arena_newn(p->a, const char *, n + 1);

	t->enumerator = p->enums.v;
	t->nenumerator = (uint32_t)n;
	for (size_t i = 0; i < n; i++)
		name[i] = p->enums.v[i].name;
	size_enum(t);
	check_unique(p, name, n, loc);
	*p->enum_end = arena_new(p->a, struct decl_enum);
	**p->enum_end = (struct decl_enum){.type = t, .loc = loc};
	p->enum_end = &(*p->enum_end)->next;
}

static struct type *take_enum_body(struct parser *p, const char *tag, struct loc loc)
{
	struct type *t = tag ? scope_own(p->scope, TAG_ENUM, tag) : NULL;
	enum_vec outer = p->enums;
	int64_t next = 0;

	if (t)
		p_fail(p, D_DECL_TYPERED, loc, "type redeclared: %s", p_type_text(p, t));
	t = new_type(p, T_ENUM, tag);
	p->enums = (enum_vec){0};
	p_expect(p, TOK_LBRACE);
	do {
		if (p_is(p, TOK_RBRACE) && p->enums.n)
			break;
		take_enumerator(p, &next);
	} while (p_accept(p, TOK_COMMA));
	p_expect(p, TOK_RBRACE);
	if (!p->failed) {
		finish_enum(p, t, loc);
		scope_add(p->scope, TAG_ENUM, tag, t);
	}
	p->enums = outer;
	return t;
}

struct type *p_enum(struct parser *p, const char *mod, bool *body)
{
	struct loc loc = p_loc(p);
	struct type *t = &type_error;
	const char *tag;

	if (!p_enter(p))
		return t;
	p_next(p);
	tag = take_tag(p, &mod);
	if (p_is(p, TOK_LBRACE)) {
		no_scope(p, mod, tag, loc);
		t = take_enum_body(p, tag, loc);
		*body = true;
	} else if (!tag) {
		p_syntax(p);
	} else if (!p->failed) {
		t = p_find_type(p, mod, TAG_ENUM, tag);
		if (!t) {
			p_fail(p, D_TYPE_ERR, loc,
			       "failed to resolve type enum %s: Unknown type name", tag);
			t = &type_error;
		}
	}
	p_leave(p);
	return t;
}
