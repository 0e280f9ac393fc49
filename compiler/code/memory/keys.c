/*
 * keys.c - layout of keys and records, and stores of keys.
 */
#include "compiler/code/memory/keys.h"

#include <string.h>

#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/stack.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/meaning/strclass.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"

/* Returns whether values of @t are addresses, which are printed in hexadecimal. */
static bool is_address(const struct type *t)
{
	for (; t->kind == T_TYPEDEF; t = t->to)
		if (t->name && !strcmp(t->name, "uintptr_t"))
			return true;
	return t->kind == T_PTR;
}

struct field field_of(struct type *t, struct strclass cls, uint32_t *off)
{
	struct field f = {.address = is_address(t)};
	uint32_t align;

	t = type_strip(t);
	if (t->kind == T_STRING) {
		f.kind = FIELD_STRING;
		f.size = cls.size;
		f.array = cls.array;
		f.own = str_is_own(cls);
		f.layout = str_is_layout(cls);
		align = 4;
	} else if (t->kind == T_STACK || t->kind == T_SYMBOL) {
		f.kind = t->field;
		f.size = t->size;
		align = 8;
	} else if (type_is_scalar(t)) {
		f.kind = type_is_signed(t) ? FIELD_INT : FIELD_UINT;
		f.size = align = t->size;
	} else {
		f.kind = FIELD_BYTES;
		f.size = t->size;
		align = 8;
	}
	*off = (*off + align - 1) & ~(align - 1);
	f.off = *off;
	*off += f.size;
	return f;
}

uint32_t key_layout(struct type **key, const struct strclass *cls, uint32_t n, uint32_t start,
		    struct field *out)
{
	uint32_t off = start;

	for (uint32_t i = 0; i < n; i++) {
		struct field f = field_of(key[i], cls[i], &off);

		if (out)
			out[i] = f;
	}
	return (off + 7) & ~7u;
}

void gen_key_field(struct fire *g, const struct expr *e, struct type *t, struct dest d)
{
	if (type_is(t, T_STRING))
		gen_str(g, e, d);
	else if (type_is(t, T_STACK))
		gen_stack(g, e, d);
	else if (type_is(t, T_SYMBOL))
		gen_symbol(g, e, d);
	else if (type_is_sou(t))
		mem_copy_whole(g, gen_mem(g, e), d, 0, d.size);
	else
		irb_store(g->b, d.base, d.off, d.size, irb_scalar(g->b, gen(g, e)));
}
