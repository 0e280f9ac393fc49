/*
 * derive.h - derivations whose hooks are derived probes themselves.
 */
#ifndef COMPILER_MEANING_PROBES_DERIVE_H
#define COMPILER_MEANING_PROBES_DERIVE_H

struct compiler;
struct hook_on;

/*
 * Returns the hooks of @group as hooks on host probes, which are kernel hooks themselves. A hook on
 * a stable probe is replaced by all hooks that this probe has on this kernel. Each of them gets
 * both guards, and args[] become the stable probe's native arguments. The result is in the
 * compiler's arena. Returns NULL if a stable probe has no hook on this kernel, and sets *@why to
 * the name of what the kernel lacks.
 */
const struct hook_on *derive_group(struct compiler *c, const struct hook_on *group,
				   const char **why);

#endif
