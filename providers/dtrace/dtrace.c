/*
 * dtrace.c - the dtrace provider: BEGIN and END, which dtrace runs itself, and ERROR, which runs in
 * the program in which a fault occurs.
 */
#include "base/arena.h"
#include "providers/provider.h"
#include "ir/types/type.h"

static const char *const names[] = {"BEGIN", "END", "ERROR", NULL};
static const enum run_kind runs[] = {RUN_BEGIN, RUN_END, RUN_ERROR};

#define NARG 10

static struct host_probe *make(struct host_env *e, unsigned i)
{
	struct host_probe *p = arena_new(e->arena, struct host_probe);

	*p = (struct host_probe){ID_DTRACE + i, "dtrace", "", "", names[i], {.kind = HOOK_RUN}};
	p->hook.target = names[i];
	p->hook.run = runs[i];
	p->hook.plain = p->hook.is_run = p->hook.in_turn = p->hook.by_task = true;
	hook_is_test_run(&p->hook);
	p->hook.arg = arena_newn(e->arena, struct type *, NARG);
	p->hook.narg = NARG;
	for (unsigned k = 0; k < NARG; k++)
		p->hook.arg[k] = &type_long;
	return p;
}

static const struct provider_stability stability = {
	{STABLE_COMMON, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, STABLE_COMMON, STABLE_COMMON}};

const struct host_provider provider_dtrace = {
	.name = "dtrace",
	.stability = &stability,
	.missing = "",
	.only = names,
	.make = make,
};
