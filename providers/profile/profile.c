/*
 * profile.c - the profile provider: tick-N on one CPU, profile-N on all CPUs.
 *
 * Probes are created when a program names them. dtrace itself runs the eBPF programs of tick-N on a
 * timer, because perf events stall on idle CPUs. Perf's cpu-clock runs the eBPF programs of
 * profile-N.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/duration.h"
#include "providers/provider.h"
#include "ir/types/type.h"

#define NSEC_MIN 200000ull /* the smallest interval */

/*
 * Converts a rate such as "10ms" to nanoseconds. A rate without a suffix or with "hz" is a number
 * of events per second. If @s is invalid, returns 0 and sets *@why to the last part of an error
 * message.
 */
static uint64_t parse_rate(const char *s, const char **why)
{
	char *end;
	uint64_t n, unit;

	errno = 0;
	n = strtoull(s, &end, 10);
	*why = errno ? "the number is too large" : "the number is 0";
	if (errno || !n)
		return 0;
	if (!*end || !strcmp(end, "hz"))
		return 1000000000ull / n ? 1000000000ull / n : 1;
	unit = duration_unit(end);
	*why = unit ? "the number is too large"
		    : "the unit is unknown (use ns, us, ms, s, m, h, d or hz)";
	return !unit || n > INT64_MAX / unit ? 0 : n * unit;
}

static struct host_probe *make(struct host_env *e, const char *name, bool tick, uint64_t ns)
{
	static uint32_t next_id = ID_ON_DEMAND;
	struct host_probe *p = arena_new(e->arena, struct host_probe);

	*p = (struct host_probe){next_id++, "profile", "", "", arena_strdup(e->arena, name), {0}};
	p->hook.kind = tick ? HOOK_RUN : HOOK_PROFILE;
	p->hook.run = RUN_TICK;
	p->hook.target = p->name;
	p->hook.period_ns = ns;
	p->hook.gated = !tick;
	p->hook.plain = p->hook.by_task = true;
	p->hook.sampled = !tick;
	p->hook.is_run = p->hook.in_turn = tick;
	p->hook.stack.kind = tick ? STACK_OF_CODE : STACK_OF_SAMPLE;
	if (tick)
		hook_is_test_run(&p->hook);
	p->hook.narg = 2;
	p->hook.arg = arena_newn(e->arena, struct type *, 2);
	p->hook.arg[0] = p->hook.arg[1] = &type_long;
	return p;
}

static struct host_probe *profile_find(struct host_env *e, const char *func, const char *name,
				       struct diag *d)
{
	bool tick = !strncmp(name, "tick-", 5);
	const char *rate = name + (tick ? 5 : 8), *why;
	uint64_t ns;

	(void)func;
	if ((!tick && strncmp(name, "profile-", 8)) || *rate < '0' || *rate > '9')
		return NULL;
	ns = parse_rate(rate, &why);
	if (!ns) {
		diag_error(d, D_PDESC_ZERO, NOLOC, "%s: %s", name, why);
		return NULL;
	}
	if (ns < NSEC_MIN) {
		diag_error(d, D_PDESC_ZERO, NOLOC,
			   "the interval of %s is too short: the smallest is 200us", name);
		return NULL;
	}
	return make(e, name, tick, ns);
}

static void profile_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	(void)e, (void)fn, (void)ctx; /* probes are created on demand, so they are not listed */
}

static const struct provider_stability stability = {
	{UNSTABLE_COMMON, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, UNSTABLE_COMMON, UNSTABLE_COMMON}};

const struct host_provider provider_profile = {
	.name = "profile",
	.stability = &stability,
	.missing = "",
	.find = profile_find,
	.each = profile_each,
};
