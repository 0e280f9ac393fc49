/*
 * type.c - built-in types, derived types, and properties of types.
 *
 * The members of a struct from the kernel's BTF are read when they are first needed. Otherwise, the
 * origin of a type does not matter here.
 */
#include "ir/types/type.h"

#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "ir/types/btf.h"

/*
 * The value of ptr_to_me in built-in types. These types outlive every arena, so no pointer type may
 * be cached there. The value makes type_ptr() create a new pointer type each time.
 */
#define SHARED &type_error

#define INT_TYPE(id, cname, bytes, is_signed, character) \
	struct type id = { \
		.kind = T_INT, \
		.size = bytes, \
		.align = bytes, \
		.name = cname, \
		.sgn = is_signed, \
		.is_char = character, \
		.ptr_to_me = SHARED, \
	}

#define OTHER_TYPE(id, k, cname, bytes, alignment) \
	struct type id = { \
		.kind = k, \
		.size = bytes, \
		.align = alignment, \
		.name = cname, \
		.ptr_to_me = SHARED, \
	}

OTHER_TYPE(type_void, T_VOID, "void", 0, 1);
OTHER_TYPE(type_string, T_STRING, "string", 0, 1);
OTHER_TYPE(type_agg, T_AGG, "aggregation", 0, 1);
OTHER_TYPE(type_unknown, T_UNKNOWN, "<unknown>", 0, 1);
OTHER_TYPE(type_error, T_ERROR, "<error>", 0, 1);
OTHER_TYPE(type_float, T_FLOAT, "float", 4, 4);
OTHER_TYPE(type_double, T_FLOAT, "double", 8, 8);
OTHER_TYPE(type_ldouble, T_FLOAT, "long double", 16, 16);

INT_TYPE(type_char, "char", 1, true, true);
INT_TYPE(type_schar, "signed char", 1, true, true);
INT_TYPE(type_uchar, "unsigned char", 1, false, true);
INT_TYPE(type_short, "short", 2, true, false);
INT_TYPE(type_ushort, "unsigned short", 2, false, false);
INT_TYPE(type_int, "int", 4, true, false);
INT_TYPE(type_uint, "unsigned int", 4, false, false);
INT_TYPE(type_long, "long", 8, true, false);
INT_TYPE(type_ulong, "unsigned long", 8, false, false);
INT_TYPE(type_llong, "long long", 8, true, false);
INT_TYPE(type_ullong, "unsigned long long", 8, false, false);
INT_TYPE(type_bool, "_Bool", 1, false, false);

struct type *type_strip(struct type *t)
{
	while (t->kind == T_TYPEDEF)
		t = t->to;
	return t;
}

/* ----------------------------------------------------------------- members */

struct member *type_members(struct type *t, uint32_t *n)
{
	t = type_strip(t);
	if (t->lazy)
		btf_complete(t->lazy, t);
	*n = t->nmember;
	return t->nmember ? t->member : NULL;
}

struct enumerator *type_enumerators(struct type *t, uint32_t *n)
{
	t = type_strip(t);
	if (t->lazy)
		btf_complete(t->lazy, t);
	*n = t->nenumerator;
	return t->nenumerator ? t->enumerator : NULL;
}

/*
 * Real structs nest anonymous members a few levels deep. Damaged BTF could nest such members
 * forever, or so widely that a search never ends. So the depth and the number of visited members
 * are limited.
 */
#define FIND_DEPTH 16
#define FIND_BUDGET 100000

static bool find_member(struct type *t, const char *name, struct member *out, int depth,
			uint32_t *budget)
{
	uint32_t i, n;
	struct member *m = type_members(t, &n);

	for (i = 0; i < n && *budget; i++, m++) {
		--*budget;
		if (m->name) {
			if (strcmp(m->name, name))
				continue;
			*out = *m;
			return true;
		}
		if (depth == FIND_DEPTH || !type_is_sou(m->type))
			continue;
		if (find_member(m->type, name, out, depth + 1, budget)) {
			out->bitoff += m->bitoff;
			return true;
		}
	}
	return false;
}

bool type_member(struct type *t, const char *name, struct member *out)
{
	uint32_t budget = FIND_BUDGET;

	return type_is_sou(t) && find_member(t, name, out, 0, &budget);
}

/* ----------------------------------------------------------- derived types */

struct type *type_userland_ptr(struct arena *a, struct type *to)
{
	struct type *t = arena_new(a, struct type);

	t->kind = T_PTR;
	t->size = t->align = sizeof(void *);
	t->to = to;
	t->userland = true;
	return t;
}

bool type_is_userland(struct type *t)
{
	return type_is(t, T_PTR) && type_strip(t)->userland;
}

struct type *type_ptr(struct arena *a, struct type *to)
{
	bool shared = to->ptr_to_me == SHARED;
	struct type *t;

	if (to->ptr_to_me && !shared)
		return to->ptr_to_me;
	t = arena_new(a, struct type);
	t->kind = T_PTR;
	t->size = t->align = sizeof(void *);
	t->to = to;
	if (!shared)
		to->ptr_to_me = t;
	return t;
}

struct type *type_xlated(struct arena *a, struct type *to)
{
	struct type *t = arena_new(a, struct type);

	t->kind = T_XLATED;
	t->size = to->size;
	t->align = to->align;
	t->to = to;
	return t;
}

struct type *type_array(struct arena *a, struct type *of, uint32_t nelem)
{
	struct type *t = arena_new(a, struct type);
	uint64_t size = (uint64_t)type_strip(of)->size * nelem;

	t->kind = T_ARRAY;
	t->to = of;
	t->nelem = size > UINT32_MAX ? 0 : nelem;
	t->size = size > UINT32_MAX ? 0 : (uint32_t)size;
	t->align = type_strip(of)->align;
	return t;
}

struct type *type_typedef(struct arena *a, const char *name, struct type *to)
{
	struct type *t = arena_new(a, struct type);

	t->kind = T_TYPEDEF;
	t->size = to->size;
	t->align = to->align;
	t->name = name;
	t->to = to;
	return t;
}

/* -------------------------------------------------------------- properties */

bool type_is_integer(struct type *t)
{
	t = type_strip(t);
	return t->kind == T_INT || t->kind == T_ENUM || t->kind == T_UNKNOWN;
}

bool type_is_scalar(struct type *t)
{
	t = type_strip(t);
	return t->kind == T_PTR || type_is_integer(t);
}

bool type_is_sou(struct type *t)
{
	t = type_strip(t);
	return t->kind == T_STRUCT || t->kind == T_UNION;
}

bool type_is_signed(struct type *t)
{
	t = type_strip(t);
	return type_is_integer(t) && t->sgn;
}

/*
 * Limits the depth of the recursion, because damaged BTF can have function types that take
 * themselves as parameters.
 */
#define SAME_DEPTH 32

static bool same(struct type *a, struct type *b, int depth);

/*
 * Compares types that have a tag. A forward declaration is the same as the struct or union of that
 * name.
 */
static bool same_tag(struct type *a, struct type *b)
{
	if (a->kind != b->kind && a->kind != T_FWD && b->kind != T_FWD)
		return false;
	return a->name && b->name && !strcmp(a->name, b->name);
}

static bool same_func(struct type *a, struct type *b, int depth)
{
	uint32_t i, na, nb;
	struct member *ma = type_members(a, &na), *mb = type_members(b, &nb);

	if (na != nb || !same(a->to, b->to, depth))
		return false;
	for (i = 0; i < na; i++)
		if (!same(ma[i].type, mb[i].type, depth))
			return false;
	return true;
}

/*
 * Returns whether both types are plain char, which some compilers make signed and others unsigned.
 */
static bool both_plain_char(struct type *a, struct type *b)
{
	return a->is_char && b->is_char && a->name && b->name && !strcmp(a->name, "char") &&
	       !strcmp(b->name, "char");
}

static bool same_stripped(struct type *a, struct type *b, int depth)
{
	switch (a->kind) {
	case T_INT:
		return a->size == b->size && (a->sgn == b->sgn || both_plain_char(a, b));
	case T_FLOAT:
		return a->size == b->size;
	case T_PTR:
	case T_XLATED:
		return same(a->to, b->to, depth);
	case T_ARRAY:
		return a->nelem == b->nelem && same(a->to, b->to, depth);
	case T_STRUCT:
	case T_UNION:
	case T_FWD:
	case T_ENUM:
		return same_tag(a, b);
	case T_FUNC:
		return same_func(a, b, depth);
	case T_VOID:
	case T_STRING:
	case T_AGG:
		return true;
	case T_STACK:
	case T_SYMBOL:
		return a->field == b->field;
	case T_TYPEDEF: /* the caller has stripped typedefs */
	case T_UNKNOWN: /* the caller handles unknown types */
	case T_ERROR:
		break;
	}
	return false;
}

static bool is_tagged(struct type *t)
{
	return t->kind == T_STRUCT || t->kind == T_UNION || t->kind == T_FWD;
}

/*
 * Returns whether the type is unknown or erroneous. It then fits every other type, so that one
 * mistake causes one error only.
 */
static bool fits_all(const struct type *t)
{
	return t->kind == T_UNKNOWN || t->kind == T_ERROR;
}

static bool same(struct type *a, struct type *b, int depth)
{
	a = type_strip(a);
	b = type_strip(b);
	if (a == b || fits_all(a) || fits_all(b))
		return true;
	if (depth == 0)
		return false;
	if (a->kind != b->kind && !(is_tagged(a) && is_tagged(b)))
		return false;
	return same_stripped(a, b, depth - 1);
}

bool type_same(struct type *a, struct type *b)
{
	return same(a, b, SAME_DEPTH);
}

/* ------------------------------------------------------------------- names */

/* Appends a blank after a name, if a *, ( or [ is to follow. */
static void name_gap(struct strbuf *out)
{
	char last = out->len ? out->s[out->len - 1] : ' ';

	if (!strchr(" *()[]", last))
		strbuf_addc(out, ' ');
}

static void name_base(struct type *t, struct strbuf *out)
{
	const char *key = t->kind == T_STRUCT || t->kind == T_FWD ? "struct "
			  : t->kind == T_UNION                    ? "union "
			  : t->kind == T_ENUM                     ? "enum "
								  : "";

	strbuf_adds(out, key);
	strbuf_adds(out, t->name ? t->name : "<anon>");
}

static bool needs_parens(struct type *to)
{
	return to->kind == T_ARRAY || to->kind == T_FUNC;
}

/* Appends the part of a declaration that comes before the declared name, which has type @t. */
static void name_left(struct type *t, struct strbuf *out)
{
	switch (t->kind) {
	case T_PTR:
		name_left(t->to, out);
		name_gap(out);
		strbuf_adds(out, needs_parens(t->to) ? "(*" : "*");
		break;
	case T_ARRAY:
	case T_FUNC:
		name_left(t->to, out);
		break;
	case T_VOID:
	case T_INT:
	case T_FLOAT:
	case T_ENUM:
	case T_STRUCT:
	case T_UNION:
	case T_FWD:
	case T_TYPEDEF:
	case T_STRING:
	case T_STACK:
	case T_SYMBOL:
	case T_AGG:
	case T_XLATED:
	case T_UNKNOWN:
	case T_ERROR:
		name_base(t, out);
		break;
	}
}

/* Appends the part of a declaration that comes after the declared name. */
static void name_right(struct type *t, struct strbuf *out)
{
	for (; t->kind == T_PTR || t->kind == T_ARRAY || t->kind == T_FUNC; t = t->to) {
		if (t->kind == T_PTR) {
			if (needs_parens(t->to))
				strbuf_addc(out, ')');
			continue;
		}
		name_gap(out);
		if (t->kind == T_FUNC)
			strbuf_adds(out, "()");
		else
			strbuf_addf(out, "[%u]", t->nelem);
	}
}

void type_name(struct type *t, struct strbuf *out)
{
	if (t->kind == T_XLATED)
		t = t->to;
	if (t->kind == T_PTR && t->userland)
		strbuf_adds(out, "userland ");
	name_left(t, out);
	name_right(t, out);
}
