/*
 * modules.c - reads the types of kernel modules from their BTF.
 */
#include "providers/fbt/modules.h"

#include <dirent.h>
#include <string.h>

#include "base/arena.h"
#include "providers/provider.h"
#include "ir/types/btf.h"

#define FOLDER "/sys/kernel/btf/"

struct module_types {
	const char *mod;
	struct btf *btf;
	struct module_types *next;
};

struct btf *module_types(struct host_env *e, const char *mod)
{
	struct module_types *m;

	if (!e->btf || !strcmp(mod, "vmlinux"))
		return e->btf;
	for (m = e->modules; m; m = m->next)
		if (!strcmp(m->mod, mod))
			return m->btf;
	m = arena_new(e->arena, struct module_types);
	*m = (struct module_types){mod,
				   btf_open_on(e->btf, arena_printf(e->arena, FOLDER "%s", mod),
					       e->arena),
				   e->modules};
	e->modules = m;
	return m->btf;
}

static struct type *type_of(struct host_env *e, const char *mod, enum tag_kind kind,
			    const char *name)
{
	struct btf *b = strcmp(mod, "vmlinux") ? module_types(e, mod) : NULL;

	return b ? btf_find(b, kind, name) : NULL;
}

struct type *module_type(void *ctx, const char *mod, enum tag_kind kind, const char *name)
{
	struct host_env *e = ctx;
	struct type *t = NULL;
	struct dirent *entry;
	DIR *dir;

	if (!e->btf || (mod && strchr(mod, '/')))
		return NULL;
	if (mod)
		return type_of(e, mod, kind, name);
	dir = opendir(FOLDER);
	while (!t && dir && (entry = readdir(dir)))
		if (*entry->d_name != '.')
			t = type_of(e, arena_printf(e->arena, "%s", entry->d_name), kind, name);
	if (dir)
		closedir(dir);
	return t;
}

void module_types_release(struct host_env *e)
{
	for (struct module_types *m = e->modules; m; m = m->next)
		btf_close(m->btf);
	e->modules = NULL;
}
