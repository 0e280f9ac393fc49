/*
 * enumstr.c - __enum_string("tag", "PREFIX_", value): the kernel's name for a value of an enum.
 *
 * The names of all values are consecutive in program.str, so that the resulting string is an index
 * and no code has to search for it. If a name starts with PREFIX_, that prefix is removed. A value
 * that the enum does not have, or that is too large for the table of names, becomes "<unknown>".
 */
#include "compiler/meaning/enumstr.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/meaning/wants.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/* the largest enum of the kernel that is used this way has about 150 values */
#define VALUES_MAX 1024

static struct type *enum_type(struct compiler *c, const struct expr *e)
{
	return scope_find(&c->names->kernel, TAG_ENUM, expr_target(e->arg[0])->str);
}

static const char *shown(const struct expr *e, const char *name)
{
	const char *prefix = expr_target(e->arg[1])->str;
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) ? name : name + n;
}

int enumstr_check(struct compiler *c, const struct expr *e)
{
	struct type *t;

	if (expr_target(e->arg[0])->kind != E_STR || expr_target(e->arg[1])->kind != E_STR)
		return diag_error(c->d, D_PROTO_ARG, e->loc,
				  "%s( ) wants an enum's name and a prefix as literals", e->name);
	t = enum_type(c, e);
	c->typing->lacks |= !t && e->lib;
	if (!t)
		return diag_error(c->d, D_UNKNOWN, e->loc, "this kernel has no enum %s",
				  expr_target(e->arg[0])->str);
	return 0;
}

uint32_t enumstr_room(struct compiler *c, const struct expr *e)
{
	uint32_t n, room = sizeof(ENUMSTR_UNKNOWN);
	const struct enumerator *v = type_enumerators(enum_type(c, e), &n);

	for (uint32_t i = 0; i < n; i++)
		if (strlen(v[i].name) + 1 > room)
			room = (uint32_t)strlen(v[i].name) + 1;
	return room;
}

bool enumstr_value(struct compiler *c, const struct expr *e, const char *name, int64_t *value)
{
	uint32_t n;
	const struct enumerator *v = type_enumerators(enum_type(c, e), &n);

	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(shown(e, v[i].name), name)) {
			*value = v[i].value;
			return true;
		}
	return false;
}

const char *enumstr_name(struct compiler *c, const struct expr *e, uint32_t i)
{
	uint32_t n;
	const struct enumerator *v = type_enumerators(enum_type(c, e), &n);

	return i < n ? shown(e, v[i].name) : NULL;
}

/*
 * Sets @name[value] to the first name of each value. An alias such as ..._MAX comes later in the
 * enum and is ignored.
 */
static void fill(const struct expr *e, const struct enumerator *v, uint32_t n, const char **name,
		 uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		name[i] = ENUMSTR_UNKNOWN;
	for (uint32_t i = n; i-- > 0;)
		if (v[i].value >= 0 && v[i].value < size)
			name[v[i].value] = shown(e, v[i].name);
}

const struct enum_names *enumstr_table(struct compiler *c, const struct expr *e)
{
	struct type *t = enum_type(c, e);
	struct enum_names new = {t, expr_target(e->arg[1])->str, (uint32_t)c->wants->str.n, 0};
	uint32_t n;
	const struct enumerator *v = type_enumerators(t, &n);
	const char **name;

	for (size_t i = 0; i < c->wants->enum_names.n; i++)
		if (c->wants->enum_names.v[i].type == t &&
		    !strcmp(c->wants->enum_names.v[i].prefix, new.prefix))
			return &c->wants->enum_names.v[i];
	for (uint32_t i = 0; i < n; i++)
		if (v[i].value >= new.n && v[i].value < VALUES_MAX)
			new.n = (uint32_t)v[i].value + 1;
	name = arena_newn(c->arena, const char *, new.n);
	fill(e, v, n, name, new.n);
	for (uint32_t i = 0; i < new.n; i++)
		str_add(c, name[i]);
	vec_apush(c->arena, &c->wants->enum_names, new);
	return &c->wants->enum_names.v[c->wants->enum_names.n - 1];
}
