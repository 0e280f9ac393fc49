/*
 * dtrace.c - the dtrace provider: BEGIN, END and ERROR, which we run ourselves.
 */
#include <string.h>

#include "base/arena.h"
#include "providers/provider.h"
#include "types/type.h"

static const struct {
	const char *name;
	enum run_kind run;
} probes[] = {{"BEGIN", RUN_BEGIN}, {"END", RUN_END}, {"ERROR", RUN_ERROR}};

#define NPROBE (sizeof(probes) / sizeof(*probes))
#define NARG 10

static struct host_probe *make(struct host_env *e, unsigned i)
{
	struct host_probe *p = arena_new(e->arena, struct host_probe);

	*p = (struct host_probe){ID_DTRACE + i, "dtrace", "", "", probes[i].name, {.kind = HOOK_RUN}};
	p->hook.target = probes[i].name;
	p->hook.run = probes[i].run;
	p->hook.plain = p->hook.is_run = p->hook.in_turn = p->hook.by_task = true;
	hook_is_test_run(&p->hook);
	p->hook.arg = arena_newn(e->arena, struct type *, NARG);
	p->hook.narg = NARG;
	for (unsigned k = 0; k < NARG; k++)
		p->hook.arg[k] = &type_long;
	return p;
}

static struct host_probe *dtrace_find(struct host_env *e, const char *func, const char *name,
				      struct diag *d)
{
	(void)func, (void)d;
	for (unsigned i = 0; i < NPROBE; i++)
		if (!strcmp(probes[i].name, name))
			return make(e, i);
	return NULL;
}

static void dtrace_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	for (unsigned i = 0; i < NPROBE; i++)
		fn(ctx, make(e, i));
}

static const struct provider_stability stability = {
	{STABLE_COMMON, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, STABLE_COMMON, STABLE_COMMON}};

const struct host_provider provider_dtrace = {
	.name = "dtrace",
	.stability = &stability,
	.missing = "",
	.find = dtrace_find,
	.each = dtrace_each,
};
