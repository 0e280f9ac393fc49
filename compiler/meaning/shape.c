/*
 * shape.c - describes a type as plain data (a struct shape), which dtrace needs to print a value
 * for print().
 */
#include "compiler/meaning/shape.h"

#include <string.h>

#include "base/arena.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "ir/program.h"
#include "ir/types/type.h"

static void of_members(struct compiler *c, struct type *t, struct shape *s)
{
	uint32_t n;
	struct member *m = type_members(t, &n);
	struct shape_member *out = arena_newn(c->arena, struct shape_member, n);

	s->kind = SHAPE_STRUCT;
	s->member = out;
	s->n = n;
	for (uint32_t i = 0; i < n; i++)
		out[i] = (struct shape_member){.name = m[i].name,
					       .shape = shape_of(c, m[i].type),
					       .bitoff = m[i].bitoff,
					       .bits = m[i].bits};
}

static void of_enum(struct compiler *c, struct type *t, struct shape *s)
{
	uint32_t n;
	struct enumerator *e = type_enumerators(t, &n);
	struct shape_tag *out = arena_newn(c->arena, struct shape_tag, n);

	s->kind = SHAPE_ENUM;
	s->tag = out;
	s->n = n;
	for (uint32_t i = 0; i < n; i++)
		out[i] = (struct shape_tag){e[i].name, e[i].value};
}

static void of_array(struct compiler *c, struct type *t, struct shape *s)
{
	s->kind = SHAPE_ARRAY;
	s->of = shape_of(c, t->to);
	s->n = t->nelem;
}

const struct shape *shape_of(struct compiler *c, struct type *named)
{
	struct shape *s = arena_new(c->arena, struct shape);
	struct type *t = type_strip(named);

	*s = (struct shape){.kind = SHAPE_INT, .name = type_text(c, named), .size = t->size};
	if (type_is_sou(named) && !type_strip(named)->name && named->kind != T_TYPEDEF)
		s->name = named->kind == T_UNION ? "union" : "struct";
	switch (t->kind) {
	case T_STRUCT:
	case T_UNION:
		of_members(c, t, s);
		break;
	case T_ENUM:
		of_enum(c, t, s);
		break;
	case T_ARRAY:
		of_array(c, t, s);
		break;
	case T_PTR:
		s->kind = SHAPE_POINTER;
		s->function = type_is(t->to, T_FUNC);
		break;
	case T_FLOAT:
		s->kind = SHAPE_FLOAT;
		break;
	case T_STRING:
		s->kind = SHAPE_STRING;
		break;
	default:
		s->sgn = type_is_signed(t);
		/* a type such as u8 is no character */
		if (t->is_char && t->name && !strcmp(t->name, "char"))
			s->kind = SHAPE_CHAR;
	}
	return s;
}
