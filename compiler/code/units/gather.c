/* gather.c - gathers the clauses of each hook in one unit, the eBPF program of the hook. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "compiler/code/eval/family.h"
#include "compiler/code/units/units.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "providers/provider.h"

static bool same_hook(const struct hook *a, const struct hook *b)
{
	return a->kind == b->kind && a->run == b->run && a->period_ns == b->period_ns &&
	       !strcmp(a->target, b->target);
}

static struct hook_unit *unit_for(struct linker *l, struct hook *h)
{
	for (size_t i = 0; i < l->unit.n; i++)
		if (same_hook(l->unit.v[i].hook, h))
			return &l->unit.v[i];
	vec_apush(l->c->arena, &l->unit, (struct hook_unit){.hook = h});
	return &l->unit.v[l->unit.n - 1];
}

/*
 * Adds the names of a family's probes (which differ only by a number) to program.str, before any
 * other string. A string has only one index there, that of its first occurrence. If one of the
 * names was there already, the indexes of the names would not be consecutive.
 */
static void name_family(struct compiler *c, struct family *f)
{
	const struct family_names *names = f ? f->names : NULL;

	if (!names || f->has_str)
		return;
	f->has_str = true;
	f->str = (uint32_t)c->wants->str.n;
	for (size_t i = 0; i < c->probes->stable.n; i++) {
		const struct family *other = c->probes->stable.v[i]->family;

		if (other && other != f && other->names == names && other->has_str) {
			f->str = other->str;
			return;
		}
	}
	for (uint32_t i = 0; i < names->n; i++)
		str_add(c, names->func[i] ? names->func[i] : "");
}

static struct firing *firing_for(struct linker *l, struct hook_unit *u, struct probe *p,
				 struct hook_use *use)
{
	for (size_t i = 0; i < u->firing.n; i++)
		if (u->firing.v[i].use == use &&
		    (u->firing.v[i].probe == p ||
		     (p->family && u->firing.v[i].probe->family == p->family)))
			return &u->firing.v[i];
	vec_apush(l->c->arena, &u->firing, ((struct firing){.probe = p, .use = use}));
	name_family(l->c, p->family);
	return &u->firing.v[u->firing.n - 1];
}

static void note_probe(struct linker *l, struct probe *p)
{
	if (p->info >= 0)
		return;
	if (p->host && p->family)
		family_join(l->c, p);
	p->info = (int32_t)l->probe.n;
	vec_apush(l->c->arena, &l->probe, p);
}

static void add_clause(struct linker *l, struct probe *p)
{
	note_probe(l, p);
	vec_apush(l->c->arena, &l->clause, (struct clause_info){.probe = (uint32_t)p->info});
}

/*
 * Adds the clause at all its probes of the family, as one site. The clause gets an epid (enabled
 * probe ID) at each of these probes.
 */
static void gather_family(struct linker *l, const struct enabling *en, struct probe *first,
			  struct site *s)
{
	VEC(struct probe *) all = {0};

	first->family->seen = en;
	for (uint32_t i = 0; i < en->nprobe; i++)
		if (en->probe[i]->family == first->family) {
			vec_apush(l->c->arena, &all, en->probe[i]);
			add_clause(l, en->probe[i]);
		}
	s->probe = all.v;
	s->nprobe = (uint32_t)all.n;
}

static void gather_probe(struct linker *l, struct enabling *en, struct probe *p)
{
	struct site s = {.en = en, .epid = en->hidden ? 0 : (uint32_t)l->clause.n + 1};

	if (p->family)
		gather_family(l, en, p, &s);
	else if (!en->hidden)
		add_clause(l, p);
	for (uint32_t k = 0; k < p->nhook; k++) {
		struct hook_unit *u = unit_for(l, &p->hook[k].host->hook);
		struct firing *f = firing_for(l, u, p, &p->hook[k]);

		vec_apush(l->c->arena, &f->site, s);
	}
}

static void gather_all(struct linker *l)
{
	for (struct enabling *en = l->c->probes->enablings; en; en = en->next)
		for (uint32_t i = 0; i < en->nprobe; i++)
			if (!en->probe[i]->family || en->probe[i]->family->seen != en)
				gather_probe(l, en, en->probe[i]);
}

/* Moves ERROR to @l->error: it has no program of its own, because it fires where the fault is. */
static void take_error(struct linker *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->unit.n; i++)
		if (l->unit.v[i].hook->run == RUN_ERROR)
			l->error = l->unit.v[i];
		else
			l->unit.v[n++] = l->unit.v[i];
	l->unit.n = n;
}

bool unit_has_backup(const struct linker *l, const struct hook_unit *hu)
{
	return hu->hook->needs_backup && !hu->backup_of && !l->c->opt->replay;
}

void units_insert(struct linker *l, uint32_t at, struct hook_unit hu)
{
	vec_apush(l->c->arena, &l->unit, hu);
	memmove(&l->unit.v[at + 1], &l->unit.v[at], (l->unit.n - 1 - at) * sizeof(hu));
	l->unit.v[at] = hu;
}

/*
 * Inserts the backup, which acts while its unit is interrupted (nesting.c), directly after unit @i.
 * The kernel therefore attaches and runs the backup after the unit, and before the next part of the
 * unit. The unit and its backup have the same firings.
 */
void units_add_backup(struct linker *l, uint32_t i)
{
	struct hook_unit backup = l->unit.v[i];

	backup.backup_of = i + 1;
	units_insert(l, i + 1, backup);
}

static int by_rank(const void *a, const void *b)
{
	const struct firing *x = a, *y = b;

	if (x->probe->rank != y->probe->rank)
		return x->probe->rank > y->probe->rank ? 1 : -1;
	if (x->probe != y->probe)
		return x->probe->info - y->probe->info;
	/* the probe's derivation names the hook twice */
	return (x->use > y->use) - (x->use < y->use);
}

static void count_agg(void *unit, struct stmt *s)
{
	const struct expr *e = s->expr;
	struct agg *a = e->kind == E_ASSIGN && e->a->kind == E_AGG ? e->a->ref.agg : NULL;

	if (!a || a->last_unit == *(size_t *)unit)
		return;
	a->last_unit = *(size_t *)unit;
	a->nunits++;
}

static void count_in_firings(const struct hook_unit *hu, size_t unit)
{
	for (size_t f = 0; f < hu->firing.n; f++)
		for (size_t k = 0; k < hu->firing.v[f].site.n; k++)
			stmt_each(hu->firing.v[f].site.v[k].en->body, count_agg, &unit);
}

void units_count_aggs(struct linker *l)
{
	for (struct agg *a = l->c->names->aggs; a; a = a->next) {
		a->nunits = 0;
		a->last_unit = 0;
	}
	for (size_t u = 0; u < l->unit.n; u++) {
		count_in_firings(&l->unit.v[u], u + 1);
		count_in_firings(&l->error, u + 1); /* ERROR fires in any unit */
	}
}

static bool is_hidden(const struct firing *f)
{
	return f->site.v[0].en->hidden;
}

unsigned unit_count_hidden(const struct hook_unit *hu)
{
	unsigned n = 0;

	for (size_t i = 0; i < hu->firing.n; i++)
		n += is_hidden(&hu->firing.v[i]);
	return n;
}

void units_gather(struct linker *l)
{
	gather_all(l);
	take_error(l);
	units_count_aggs(l);
	for (size_t i = 0; i < l->unit.n; i++)
		qsort(l->unit.v[i].firing.v, l->unit.v[i].firing.n, sizeof(struct firing), by_rank);
}
