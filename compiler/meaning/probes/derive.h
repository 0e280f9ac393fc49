/*
 * derive.h - derivations whose hooks are derived probes themselves.
 */
#ifndef COMPILER_MEANING_PROBES_DERIVE_H
#define COMPILER_MEANING_PROBES_DERIVE_H

#include <stdint.h>

#include "base/diag.h"

struct compiler;
struct expr;
struct hook_on;
struct probe;

/*
 * Returns the hooks of @group, with each stable probe (one that is declared in D) replaced by all
 * hooks that this probe has on this kernel. So all hooks in the result are host probes, which are
 * kernel hooks themselves. A replaced hook gets both guards, and its args[] become the stable
 * probe's native arguments. The result is in the compiler's arena. If a stable probe has no hook on
 * this kernel, returns NULL, and sets *@why to the name of what the kernel lacks.
 */
const struct hook_on *derive_group(struct compiler *c, const struct hook_on *group,
				   const char **why);

/*
 * Returns native argument @i of @p at its hook @on, as an expression at @loc without types. The
 * expression casts the argument to its declared type, because at some hooks the argument is a plain
 * 0.
 */
struct expr *derive_native(struct compiler *c, const struct probe *p, const struct hook_on *on,
			   uint64_t i, struct loc loc);

/*
 * Returns @p if it is about packets or connections, else the first such probe that it derives from,
 * or NULL if there is none.
 */
const struct probe *derive_filtered(struct compiler *c, const struct probe *p);

#endif
