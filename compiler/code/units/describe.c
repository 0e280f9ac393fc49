/*
 * describe.c - describes a unit (the eBPF program of one hook) and its probes for the engine.
 */

#include "base/arena.h"
#include "base/diag.h"
#include "compiler/code/units/units.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "providers/kernel.h"
#include "providers/provider.h"

/*
 * In replay, an event has two arguments, a packet and its socket. A program can also find the
 * socket in the packet, at skb->sk.
 */
bool unit_reads_socket(struct linker *l, const struct hook *h, const struct ir_func *f)
{
	return h->of_replay &&
	       ir_may_read(f, 1, (int32_t)kernel_offset(&l->c->names->kernel, KM_SKB_SK),
			   sizeof(uint64_t));
}

bool unit_ignores_packet(const struct hook *h, const struct ir_func *f)
{
	return h->of_replay && !ir_may_read(f, 0, 0, 0);
}

bool unit_is_stateful(const struct linker *l, const struct ir_unit *u)
{
	const struct layout *lay = &l->layout;

	for (size_t i = 0; l->c->opt->replay && i < u->func.n; i++)
		if (ir_is_stateful(u->func.v[i], lay->map.v, lay->mem_off, lay->zeros_off))
			return true;
	return false;
}

/*
 * Describes the points at which a unit is attached, for a family (probes that share the unit) of
 * kernel hooks. Point i belongs to the probe with the number i in the family.
 */
static void describe_points(const struct linker *l, const struct hook_unit *hu, struct unit *u)
{
	const struct family *f = hu->firing.v[0].probe->family;

	u->npoint = (uint32_t)f->at.n;
	u->point = arena_newn(l->c->arena, struct attach_point, u->npoint);
	for (uint32_t i = 0; i < u->npoint; i++) {
		u->point[i] = f->at.v[i]->host->hook.point;
		u->point[i].cookie = i;
	}
}

/* Describes the only attach point of a unit for one function. */
static void describe_point(const struct linker *l, const struct hook *h, struct unit *u)
{
	u->npoint = 1;
	u->point = arena_new(l->c->arena, struct attach_point);
	*u->point = h->point;
}

static bool only_samples(const struct linker *l, const struct hook_unit *hu)
{
	for (size_t i = 0; i < hu->firing.n; i++)
		for (size_t k = 0; k < hu->firing.v[i].site.n; k++) {
			uint32_t epid = hu->firing.v[i].site.v[k].epid;
			const struct clause_info *ci = epid ? &l->clause.v[epid - 1] : NULL;

			if (!ci || ci->nact != 1 || ci->act->kind != ACT_SAMPLE)
				return false;
		}
	return true;
}

/*
 * Returns where the enabling (a clause with one of its descriptions) was written, such as
 * "udp:::send, line 3 of x.d". For an enabling on the command line, returns only the probe
 * description.
 */
static const char *where_written(struct linker *l, const struct enabling *en)
{
	const struct probe_desc *d = en->desc;
	unsigned line, col;
	const char *file;

	if (!d->loc.src || d->loc.src->kind != SRC_FILE)
		return d->text;
	loc_line(d->loc, &line, &col, &file);
	return arena_printf(l->c->arena, "%s, line %u of %s", d->text, line, file);
}

const char *unit_longest_clause(struct linker *l, const struct hook_unit *hu)
{
	const struct site *longest = NULL;

	for (size_t i = 0; i < hu->firing.n; i++)
		for (size_t k = 0; k < hu->firing.v[i].site.n; k++) {
			const struct site *s = &hu->firing.v[i].site.v[k];

			if (!s->en->hidden && s->en->desc &&
			    (!longest || s->length > longest->length))
				longest = s;
		}
	return longest ? where_written(l, longest->en) : NULL;
}

static void describe_served(const struct linker *l, const struct hook_unit *hu, struct unit *u)
{
	VEC(uint32_t) served = {0};

	for (size_t i = 0; i < hu->firing.n; i++)
		for (size_t k = 0; k < hu->firing.v[i].site.n; k++) {
			const struct site *s = &hu->firing.v[i].site.v[k];

			for (uint32_t n = 0; s->epid && n < (s->nprobe ? s->nprobe : 1); n++)
				vec_apush(l->c->arena, &served, l->clause.v[s->epid - 1 + n].probe);
		}
	u->probe = served.v;
	u->nprobe = (uint32_t)served.n;
}

struct unit unit_describe(const struct linker *l, const struct hook_unit *hu, bool socket)
{
	const struct hook *h = hu->hook;
	struct unit u = {.hook = h->kind,
			 .target = h->target,
			 .run = h->run,
			 .period_ns = h->period_ns,
			 .attach_btf_id = h->attach_btf_id,
			 .is_backup = hu->backup_of,
			 .active_at = unit_active_at(l, hu),
			 .part = hu->continues ? l->out.v[l->out.n - 1].part + 1 : 0,
			 .socket = socket,
			 .samples = only_samples(l, hu),
			 .has_hidden = unit_count_hidden(hu) > 0,
			 .has_probes = unit_count_hidden(hu) < hu->firing.n};

	describe_served(l, hu, &u);
	if (h->many)
		describe_points(l, hu, &u);
	else if (h->point.addr)
		describe_point(l, h, &u);
	return u;
}

#define RING_BUSY (4u << 20)    /* size of DTrace's default buffer */
#define RING_QUIET (256u << 10) /* enough if only BEGIN, END, ticks and faults make records */

uint32_t ring_size_for(const struct linker *l)
{
	uint32_t size = RING_QUIET;

	for (size_t u = 0; u < l->unit.n; u++)
		for (size_t f = 0; f < l->unit.v[u].firing.n; f++)
			for (size_t k = 0; k < l->unit.v[u].firing.v[f].site.n; k++) {
				uint32_t epid = l->unit.v[u].firing.v[f].site.v[k].epid;
				uint32_t rec = epid ? l->clause.v[epid - 1].rec_size : 0;

				if (rec && l->unit.v[u].hook->gated)
					size = RING_BUSY;
				while (rec > size / 16)
					size *= 2;
			}
	return size;
}

void describe_probes(struct linker *l)
{
	l->p->nprobe = (uint32_t)l->probe.n;
	l->p->probe = arena_newn(l->c->arena, struct probe_info, l->probe.n);
	for (size_t i = 0; i < l->probe.n; i++) {
		const struct probe *p = l->probe.v[i];

		l->p->probe[i] = (struct probe_info){p->id, p->prov, p->mod, p->func, p->name};
	}
}
