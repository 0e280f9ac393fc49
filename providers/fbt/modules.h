/*
 * modules.h - the types of kernel modules.
 */
#ifndef PROVIDERS_FBT_MODULES_H
#define PROVIDERS_FBT_MODULES_H

struct btf;
struct host_env;

/*
 * Returns the types of @mod, read on first use; for "vmlinux", those of the kernel. NULL: it has
 * none.
 */
struct btf *module_types(struct host_env *e, const char *mod);

/* Closes the types of all modules. */
void module_types_release(struct host_env *e);

#endif
