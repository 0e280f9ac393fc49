/*
 * settle.c - sets the unknown types of variables and keys. Only clauses whose probes do not exist
 * here leave types unknown.
 */
#include "compiler/meaning/typing/types/settle.h"

#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/typing/typing.h"
#include "ir/types/type.h"

void settle_type(struct compiler *c, struct type **t, struct type *is)
{
	if (!type_is(*t, T_UNKNOWN))
		return;
	if (!type_is(is, T_UNKNOWN))
		*t = is;
	else if (!c->typing->absent)
		*t = &type_long;
}

static void settle_all(struct compiler *c, struct type **t, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		settle_type(c, &t[i], &type_unknown);
}

/*
 * If keys of @a have unknown types, gives them the types of the keys of a->beside: one printa()
 * prints both aggregations in the same columns.
 */
static void settle_beside(struct agg *a)
{
	for (uint32_t k = 0; a->beside && k < a->nkey; k++)
		if (type_is(a->key[k], T_UNKNOWN)) {
			a->key[k] = a->beside->key[k];
			a->key_class[k] = a->beside->key_class[k];
		}
}

void sema_settle(struct compiler *c)
{
	/* This runs twice, because a->beside may get its own types only in the first round. */
	for (int i = 0; i < 2; i++)
		for (struct agg *a = c->names->aggs; a; a = a->next)
			settle_beside(a);
	for (struct var *v = c->names->vars; v; v = v->next) {
		settle_all(c, &v->type, 1);
		settle_all(c, v->key, v->nkey);
	}
	for (struct agg *a = c->names->aggs; a; a = a->next)
		settle_all(c, a->key, a->nkey);
}
