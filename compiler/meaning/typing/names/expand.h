/*
 * expand.h - replaces the names of inlines and the members of translators by their definitions.
 */
#ifndef COMPILER_MEANING_TYPING_NAMES_EXPAND_H
#define COMPILER_MEANING_TYPING_NAMES_EXPAND_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

struct compiler;
struct decl_inline;
struct expr;

#define DEPTH_MAX 64 /* greatest depth of nested inlines and translators */

/*
 * Returns a clone of definition @def that replaces @e, a use of its name. If the clone of a
 * library's definition has an error, the error is reported at the user's text. Returns NULL with
 * the error recorded if definitions have added too many nodes to the clause.
 */
struct expr *expand_copy(struct compiler *c, const struct expr *def, const struct expr *e);

/*
 * Type-checks @body, a clone of a definition. The definition sees only the bindings (parameters and
 * their expressions) from number @from on, which are removed afterwards. Returns 0, or -1 with the
 * error recorded.
 */
int expand_type(struct compiler *c, struct expr *body, size_t from);

/*
 * Replaces @e, which names inline @in, by the definition of @in, converted to the inline's type.
 * @arg has the @narg arguments, with their types. Returns 0, or -1 with the error recorded.
 */
int expand_inline(struct compiler *c, struct expr *e, struct decl_inline *in, struct expr **arg,
		  uint32_t narg);

/*
 * Type-checks @e, "name[args]", where the name is that of inline @in. Returns 0, or -1 with the
 * error recorded.
 */
int sema_inline_call(struct compiler *c, struct expr *e, struct decl_inline *in);

/* Records at @loc that @body, the definition of @in, does not have the type of @in. Returns -1. */
int inline_incompatible(struct compiler *c, const struct decl_inline *in, const struct expr *body,
			struct loc loc);

#endif
