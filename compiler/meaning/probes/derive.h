/*
 * derive.h - derivations whose hooks are derived probes themselves.
 */
#ifndef COMPILER_MEANING_PROBES_DERIVE_H
#define COMPILER_MEANING_PROBES_DERIVE_H

struct compiler;
struct hook_on;

/*
 * Returns the hooks of @group, with each stable probe replaced by all hooks that this probe has on
 * this kernel. So all hooks in the result are host probes, which are kernel hooks themselves. A
 * replaced hook gets both guards, and its args[] become the stable probe's native arguments. The
 * result is in the compiler's arena. If a stable probe has no hook on this kernel, returns NULL,
 * and sets *@why to the name of what the kernel lacks.
 */
const struct hook_on *derive_group(struct compiler *c, const struct hook_on *group,
				   const char **why);

#endif
