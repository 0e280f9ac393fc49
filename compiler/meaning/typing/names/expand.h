/*
 * expand.h - definitions replace names.
 */
#ifndef COMPILER_MEANING_TYPING_NAMES_EXPAND_H
#define COMPILER_MEANING_TYPING_NAMES_EXPAND_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

struct compiler;
struct decl_inline;
struct expr;

#define DEPTH_MAX 64 /* nested inlines and translators */

/*
 * Returns a clone of definition @def, for @e. Errors in a library's definition are reported where
 * the user's text uses it. NULL with the error recorded: definitions have added too much to the
 * clause.
 */
struct expr *expand_copy(struct compiler *c, const struct expr *def, const struct expr *e);

/*
 * Types @body, a clone of a definition. It sees the bindings from number @from on, which are
 * removed afterwards. Returns 0, or -1 with the error recorded.
 */
int expand_type(struct compiler *c, struct expr *body, size_t from);

/*
 * Replaces @e, which names inline @in, by the definition of @in, converted to the inline's type.
 * @arg: the @narg arguments, typed. Returns 0, or -1 with the error recorded.
 */
int expand_inline(struct compiler *c, struct expr *e, struct decl_inline *in, struct expr **arg,
		  uint32_t narg);

/*
 * Types @e, "name[args]", where the name is inline @in. Returns 0, or -1 with the error recorded.
 */
int sema_inline_call(struct compiler *c, struct expr *e, struct decl_inline *in);

/*
 * Records at @loc that the definition of @in, typed as @body, does not have the type of @in.
 * Returns -1.
 */
int inline_incompatible(struct compiler *c, const struct decl_inline *in, const struct expr *body,
			struct loc loc);

#endif
