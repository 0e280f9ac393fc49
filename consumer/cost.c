/* cost.c - prints the CPU time of each BPF program of a run. */
#include "consumer/cost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "consumer/oformat/oformat.h"
#include "engine/source.h"

/* number of probes that are named in text output if a program has more than NAMES_SHOWN + 1 */
#define NAMES_SHOWN 3

/*
 * Returns the form of the name of a hook. %s stands for the target of a unit (a BPF program): a
 * function, a tracepoint ...
 */
static const char *name_form(enum hook_kind kind)
{
	/* without a default, so that the compiler demands a line for each new kind */
	switch (kind) {
	case HOOK_RUN:
		return "dtrace:::%s";
	case HOOK_PROFILE:
		return "profile:::%s";
	case HOOK_RAWTP:
		return "rawtp:::%s";
	case HOOK_CGROUP_SKB:
		return "cgroup_skb:::%s";
	case HOOK_SOCKOPS:
		return "sockops:::%s";
	case HOOK_FENTRY:
		return "fbt::%s:entry";
	case HOOK_FEXIT:
		return "fbt::%s:return";
	case HOOK_REPLAY:
		return "replay:::%s";
	case HOOK_CGROUP_SOCK:
		return "cgroup_sock:::%s";
	case HOOK_ITER:
		return "iter:::%s";
	case HOOK_KPROBE:
	case HOOK_KRETPROBE:
	case HOOK_UPROBE:
	case HOOK_URETPROBE:
	case HOOK_KINST:
		break;
	}
	return "%s";
}

char *hook_name(const struct unit *u)
{
	const char *target = u->target ? u->target : "", *form = name_form(u->hook);
	size_t before = strcspn(form, "%");
	struct strbuf b = {0};

	strbuf_addf(&b, "%.*s%s%s", (int)before, form, target, form + before + 2);
	return b.s;
}

bool cost_of_unit(struct source *src, const struct unit *u, uint32_t i, struct unit_cost *out)
{
	return u->hook != HOOK_RUN && src->ops->cost && src->ops->cost(src, i, out);
}

uint64_t cost_each(const struct unit_cost *c)
{
	return c->runs ? c->ns / c->runs : 0;
}

double cost_share(const struct unit_cost *c)
{
	return c->elapsed_ns ? 100.0 * (double)c->ns / (double)c->elapsed_ns : 0;
}

/*
 * Returns the name of a probe without its module. A function called "none" is left out, too:
 * "ip:::send", "syscall::read:entry". The caller frees the name with xfree().
 */
static char *probe_name(const struct probe_info *i)
{
	struct strbuf b = {0};

	strbuf_addf(&b, "%s::%s:%s", i->prov, strcmp(i->func, "none") ? i->func : "", i->name);
	return b.s;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sets c->probe to the names of the unit's probes, sorted and without duplicates. */
static void name_probes(const struct program *p, const struct unit *u, struct oformat_cost *c)
{
	char **name = xcalloc(u->nprobe + 1, sizeof(*name));
	size_t n = 0;

	for (uint32_t i = 0; i < u->nprobe; i++)
		name[i] = probe_name(&p->probe[u->probe[i]]);
	qsort(name, u->nprobe, sizeof(*name), compare_names);
	for (uint32_t i = 0; i < u->nprobe; i++) {
		if (n && !strcmp(name[n - 1], name[i]))
			xfree(name[i]);
		else
			name[n++] = name[i];
	}
	c->probe = name;
	c->nprobe = n;
}

static void release_cost(struct oformat_cost *c)
{
	for (size_t i = 0; i < c->nprobe; i++)
		xfree(c->probe[i]);
	xfree(c->probe);
	xfree(c->hook);
}

/*
 * Prints the names of the probes. If there are many, prints the first names and a number:
 * "ip:::send, tcp:::send, udp:::send and 4 more".
 */
static void print_probes(FILE *err, const struct oformat_cost *c)
{
	size_t shown = c->nprobe > NAMES_SHOWN + 1 ? NAMES_SHOWN : c->nprobe;

	for (size_t i = 0; i < shown; i++)
		fprintf(err, "%s%s", i ? ", " : " ", c->probe[i]);
	if (shown < c->nprobe)
		fprintf(err, " and %zu more", c->nprobe - shown);
	if (!c->nprobe)
		fprintf(err, " only clauses of libraries");
}

static void print_cost(FILE *err, const struct oformat_cost *c)
{
	fprintf(err, "dtrace: %12" PRIu64 " %9" PRIu64 " %8.3f  %s", c->cost.runs,
		cost_each(&c->cost), cost_share(&c->cost), c->hook);
	if (c->part)
		fprintf(err, ", part %u", c->part + 1);
	if (c->is_backup)
		fprintf(err, ", when interrupted");
	fprintf(err, ":");
	print_probes(err, c);
	fprintf(err, "\n");
}

void cost_print(const struct program *p, struct source *src, FILE *err, struct oformat *f)
{
	VEC(struct oformat_cost) v = {0};

	for (uint32_t i = 0; i < p->nunit; i++) {
		const struct unit *u = &p->unit[i];
		struct oformat_cost c = {.part = u->part, .is_backup = u->is_backup};

		if (!cost_of_unit(src, u, i, &c.cost))
			continue;
		c.hook = hook_name(u);
		name_probes(p, u, &c);
		vec_push(&v, c);
	}
	if (v.n)
		fprintf(err, "dtrace: %12s %9s %8s  %s\n", "runs", "ns each", "% of CPU",
			"program and its probes");
	else
		fprintf(err, "dtrace: -x cost measured nothing: it applies to live runs only, and "
			     "needs CAP_SYS_ADMIN\n");
	for (size_t i = 0; i < v.n; i++)
		print_cost(err, &v.v[i]);
	fflush(err);
	if (f->ops->costs)
		f->ops->costs(f, v.v, v.n);
	for (size_t i = 0; i < v.n; i++)
		release_cost(&v.v[i]);
	vec_free(&v);
}
