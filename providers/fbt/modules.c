/*
 * modules.c - the types that modules of the kernel have of their own.
 */
#include "providers/fbt/modules.h"

#include <string.h>

#include "base/arena.h"
#include "providers/provider.h"
#include "types/btf.h"

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
	*m = (struct module_types){mod, btf_open_on(e->btf, arena_printf(e->arena, FOLDER "%s", mod), e->arena),
				   e->modules};
	e->modules = m;
	return m->btf;
}

void module_types_release(struct host_env *e)
{
	for (struct module_types *m = e->modules; m; m = m->next)
		btf_close(m->btf);
	e->modules = NULL;
}
