/*
 * modules.h - the types that modules of the kernel have of their own.
 */
#ifndef PROVIDERS_FBT_MODULES_H
#define PROVIDERS_FBT_MODULES_H

struct btf;
struct host_env;

/* Those of @mod, read when first asked for; the kernel's own of "vmlinux".  NULL: it has none. */
struct btf *module_types(struct host_env *e, const char *mod);

void module_types_release(struct host_env *e);

#endif
