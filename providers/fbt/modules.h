/*
 * modules.h - the types of kernel modules.
 */
#ifndef PROVIDERS_FBT_MODULES_H
#define PROVIDERS_FBT_MODULES_H

struct btf;
struct host_env;

/*
 * Returns the BTF of module @mod, which is read on first use, or the BTF of the kernel itself if
 * @mod is "vmlinux". Returns NULL if the module has no BTF.
 */
struct btf *module_types(struct host_env *e, const char *mod);

/* Closes the types of all modules. */
void module_types_release(struct host_env *e);

#endif
