/*
 * key.c - type-checks the keys of associative arrays and aggregations.
 */
#include "compiler/meaning/typing/calls/key.h"

#include <string.h>

#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/typing/types/fit.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/calls/shown.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

int key_wrong_number(struct compiler *c, const struct expr *e, const char *name, uint32_t nkey)
{
	return diag_error(c->d, D_PROTO_LEN, e->loc,
			  "%s[ ] prototype mismatch: %u key%s passed, %u expected", name, e->narg,
			  e->narg == 1 ? "" : "s", nkey);
}

int key_wrong_type(struct compiler *c, const struct expr *e, const char *name, uint32_t i,
		   struct type *want, struct type *is)
{
	return diag_error(c->d, D_PROTO_ARG, e->loc,
			  "%s[ ] key #%u is incompatible with prototype:\n\tprototype: %s\n\t      "
			  "key: %s",
			  name, i + 1, type_text(c, want), type_text(c, is));
}

/*
 * Returns whether @e may be a key: a number, a pointer, a string, or a struct or union. The key of
 * a struct or union is its bytes.
 */
static bool is_key(const struct expr *e)
{
	return type_is_scalar(e->type) || expr_is_text(e) ||
	       (type_is_sou(e->type) && type_strip(e->type)->size);
}

int sema_keys(struct compiler *c, struct expr **arg, uint32_t narg, struct loc loc,
	      const char *what)
{
	for (uint32_t i = 0; i < narg; i++) {
		if (sema_expr(c, arg[i]))
			return -1;
		if (type_is_shown(arg[i]->type) && !strcmp(what, KEY_OF_AGGREGATION))
			continue;
		if (!is_key(arg[i]))
			return diag_error(c->d, D_KEY_TYPE, loc,
					  "%s expression may not be used as %s index: key #%u",
					  type_text(c, arg[i]->type), what, i + 1);
	}
	return 0;
}

struct type *key_type(const struct expr *arg)
{
	return expr_is_text(arg) ? &type_string : arg->type;
}
