/*
 * derive.h - derivations from probes that are derived themselves.
 */
#ifndef COMPILER_MEANING_PROBES_DERIVE_H
#define COMPILER_MEANING_PROBES_DERIVE_H

struct compiler;
struct hook_on;

/*
 * Returns the hooks of @group as hooks on host probes. A hook on a stable probe is replaced by the
 * probe's hooks on this kernel, with both guards; args[] of the group become the probe's native
 * arguments. The result is in the compiler's arena. NULL: a stable probe has no hook on this
 * kernel, and *@why names the missing facility.
 */
const struct hook_on *derive_group(struct compiler *c, const struct hook_on *group,
				   const char **why);

#endif
