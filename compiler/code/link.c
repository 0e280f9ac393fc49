/*
 * link.c - gathers the clauses of each hook into one unit and generates it.
 *
 * ERROR is a function of the units whose clauses may fault, called at the fault.  A unit's
 * code: is tracing on?  Then, for each probe that the hook fires, the
 * more special first: its guard, and if that holds its clauses in program order.
 */
#include "compiler/code/link.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ir/bpf/bpf.h"
#include "ir/bpf/insn.h"
#include "compiler/code/aggmaps.h"
#include "compiler/code/carry.h"
#include "compiler/code/layout.h"
#include "ir/area.h"
#include "ir/helpers.h"
#include "ir/types/btf.h"

/* One clause at one probe. */
struct site {
	struct enabling *en;
	/* 1 + index in program.clause; 0: hidden.  Of a family: of the first of ... */
	uint32_t epid;
	struct probe **probe; /* the clause's probes of the family, */
	uint32_t nprobe;      /* whose epids follow each other */
	uint32_t length;      /* operations, as they were last generated */
};

/* A probe fired from one hook. */
struct firing {
	struct probe *probe;
	struct hook_use *use;
	VEC(struct site) site;
};

struct hook_unit {
	struct hook *hook;
	VEC(struct firing) firing;
	uint32_t backup_of; /* 1 + index of the unit it steps in for; 0: it is no twin */
	uint32_t busy;      /* offset, in the MAP_PERCPU value, of what says that it runs */
	bool within;        /* it may fire within what another unit's program calls */
	bool continues;     /* the clauses of the unit before it, at the same hook; see split() */
	/* its first firing began in the part before; its last goes on in the next */
	bool resumes, goes_on;
	int carry; /* the map for what such a firing takes along; 0: none */
};

struct linker {
	struct compiler *c;
	struct program *p;
	struct layout layout;
	VEC(struct hook_unit) unit;
	VEC(struct unit) out;   /* one for each of @unit that has been generated */
	struct hook_unit error; /* ERROR: a function of every unit whose clauses may fault */
	VEC(struct probe *) probe;
	VEC(struct clause_info) clause;
	bool hidden; /* some clauses are */
	/* offset, in the MAP_PERCPU value, of how many programs run within which others must not */
	uint32_t running;
	const struct compile_dump *dump;
};

/* ------------------------------------------------------------------- target */

enum { KF_CAST, KF_CTX, KF_DYNPTR, KF_SLICE, KF_MAX };

static const char *const kfunc_names[KF_MAX] = {"bpf_rdonly_cast", "bpf_cast_to_kern_ctx",
						"bpf_dynptr_from_skb", "bpf_dynptr_slice"};

void link_target(const struct compiler *c, struct ir_target *t)
{
	struct type *ip = kernel_struct(&c->names->kernel, KS_IPHDR);

	t->replay = c->opt->replay;
	t->off_skb_len = kernel_offset(&c->names->kernel, KM_SKB_LEN);
	t->off_skb_data_len = kernel_offset(&c->names->kernel, KM_SKB_DATA_LEN);
	t->off_skb_data = kernel_offset(&c->names->kernel, KM_SKB_DATA);
	t->off_skb_protocol = kernel_offset(&c->names->kernel, KM_SKB_PROTOCOL);
	t->iphdr_btf_id = ip ? ip->btf_id : 0;
	t->kfunc_cast = KF_CAST;
	t->kfunc_dynptr_from_skb = KF_DYNPTR;
	t->kfunc_dynptr_slice = KF_SLICE;
	if (c->opt->replay || c->opt->nocast)
		return;
	t->rdonly_cast = btf_find_func(c->names->btf, kfunc_names[KF_CAST]) != 0;
	t->skb_dynptr = btf_find_func(c->names->btf, kfunc_names[KF_SLICE]) != 0;
	/*
	 * Before it had memory of its own it asked kmalloc(), which the probe may be in the middle
	 * of.
	 */
	t->task_storage = kernel_offset(&c->names->kernel, KM_STORAGE_MEMORY) != 0;
}

static void add_kfuncs(struct linker *l)
{
	struct program *p = l->p;

	p->nkfunc = KF_MAX;
	p->kfunc = arena_newn(l->c->arena, struct kfunc, KF_MAX);
	for (int i = 0; i < KF_MAX; i++) {
		p->kfunc[i].name = kfunc_names[i];
		if (l->c->names->btf)
			p->kfunc[i].btf_id = btf_find_func(l->c->names->btf, kfunc_names[i]);
	}
}

/* ---------------------------------------------------------------- gathering */

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

/* The names of a family's probes, before any other text, as one text has one index: the first. */
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

/* The probes of a family are one firing. */
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

	l->hidden |= en->hidden;
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

static void gather(struct linker *l)
{
	for (struct enabling *en = l->c->probes->enablings; en; en = en->next)
		for (uint32_t i = 0; i < en->nprobe; i++)
			if (!en->probe[i]->family || en->probe[i]->family->seen != en)
				gather_probe(l, en, en->probe[i]);
}

/* ERROR has no program of its own: it fires where the fault is. */
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

static bool has_twin(const struct linker *l, const struct hook_unit *hu)
{
	return hu->hook->needs_backup && !hu->backup_of && !l->c->opt->replay;
}

static void insert_unit(struct linker *l, uint32_t at, struct hook_unit hu)
{
	vec_apush(l->c->arena, &l->unit, hu);
	memmove(&l->unit.v[at + 1], &l->unit.v[at], (l->unit.n - 1 - at) * sizeof(hu));
	l->unit.v[at] = hu;
}

/*
 * Behind unit @i, so that it is attached, and run, after the one it steps in for and before
 * the next part.  The firings are those of the first.
 */
static void add_twin(struct linker *l, uint32_t i)
{
	struct hook_unit backup = l->unit.v[i];

	backup.backup_of = i + 1;
	insert_unit(l, i + 1, backup);
}

static int by_rank(const void *a, const void *b)
{
	const struct firing *x = a, *y = b;

	if (x->probe->rank != y->probe->rank)
		return x->probe->rank > y->probe->rank ? 1 : -1;
	if (x->probe != y->probe)
		return x->probe->info - y->probe->info;
	return (x->use > y->use) - (x->use < y->use); /* both of its hooks, as they were written */
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

/* How many units update each aggregation: more than one means they can interrupt each other. */
static void count_agg_units(struct linker *l)
{
	for (struct agg *a = l->c->names->aggs; a; a = a->next) {
		a->nunits = 0;
		a->last_unit = 0;
	}
	for (size_t u = 0; u < l->unit.n; u++) {
		count_in_firings(&l->unit.v[u], u + 1);
		count_in_firings(&l->error, u + 1); /* it fires in any of them */
	}
}

/* --------------------------------------------------------------- generating */

static void count_event(struct irb *b, bool atomic)
{
	int base = irb_percpu(b, 0);
	int32_t off = offsetof(struct percpu, events);

	if (atomic)
		irb_atomic_add(b, base, off, irb_const(b, 1));
	else
		irb_store(b, base, off, 8,
			  irb_bini(b, IR_ADD, irb_loadv(b, base, off, 8, false), 1));
}

/* Goes on, on that CPU alone. */
static void test_cpu(struct irb *b, uint32_t cpu, int skip)
{
	int here = irb_block(b, "its CPU");

	irb_bri(b, CC_EQ, irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL), cpu, here,
		skip);
	irb_place(b, here);
}

/* All probes of the family that clauses of the firing are of: goes on if it is one of them. */
static void any_of_family(struct linker *l, struct fire *g, const struct firing *f, int skip)
{
	VEC(struct probe *) all = {0};
	bool *has;

	if (!f->probe->family->names) {
		family_one(g);
		return; /* it is nowhere else, and it has no other numbers */
	}
	has = xcalloc(f->probe->family->names->n, sizeof(*has));
	for (size_t i = 0; i < f->site.n; i++)
		for (uint32_t k = 0; k < f->site.v[i].nprobe; k++) {
			struct probe *p = f->site.v[i].probe[k];

			if (!has[p->number])
				vec_apush(l->c->arena, &all, p);
			has[p->number] = true;
		}
	xfree(has);
	if (all.n == 1)
		family_one(g);
	else
		family_number(g, skip);
	family_which(g, all.v, (uint32_t)all.n, skip);
}

/* A clause's epids at the other probes of the family: it records the same. */
static void same_for_all(struct linker *l, const struct site *s)
{
	const struct clause_info *first = &l->clause.v[s->epid - 1];

	for (uint32_t i = 1; i < s->nprobe; i++) {
		struct clause_info *ci = &l->clause.v[s->epid - 1 + i];
		uint32_t probe = ci->probe;

		*ci = *first;
		ci->probe = probe;
	}
}

static void gen_site(struct linker *l, struct fire *g, const struct firing *f, const struct site *s)
{
	struct clause_info none = {0};
	int other, which;

	if (!f->probe->family) {
		gen_clause(g, s->en, g->hidden ? &none : &l->clause.v[s->epid - 1], s->epid);
		return;
	}
	other = irb_block(g->b, "other probes");
	irb_push(g->b);
	which = family_which(g, s->probe, s->nprobe, other);
	g->probe = s->probe[0];
	g->among = s->probe;
	g->namong = s->nprobe;
	g->epid_at = s->nprobe > 1 ? irb_bini(g->b, IR_ADD, which, s->epid - 1) : NOREG;
	gen_clause(g, s->en, &l->clause.v[s->epid - 1], s->epid);
	same_for_all(l, s);
	irb_jmp(g->b, other);
	irb_pop(g->b);
	irb_place(g->b, other);
}

enum { RESUMES = 1, GOES_ON = 2 };

static void gen_firing(struct linker *l, struct irb *b, struct unit_build *u, struct firing *f,
		       int map, unsigned cut)
{
	struct fire g = {.c = l->c,
			 .layout = &l->layout,
			 .b = b,
			 .p = l->p,
			 .u = u,
			 .probe = f->probe,
			 .hook = f->use,
			 .hidden = f->site.v[0].en->hidden};
	int skip = irb_block(b, "next probe");
	int32_t frame = irb_frame_mark(b);

	irb_push(b);
	if (u->gate && !g.hidden) {
		int open = irb_block(b, "open");

		irb_bri(b, CC_EQ, u->gate, GATE_OPEN, open, skip);
		irb_place(b, open);
	}
	if (l->c->opt->only_cpu && u->hook->gated && !g.hidden && !(cut & RESUMES))
		test_cpu(b, l->c->opt->only_cpu - 1, skip);
	if (f->probe->family) /* costs less than a guard */
		any_of_family(l, &g, f, skip);
	g.in_native = true;
	if (f->use->guard)
		gen_require(&g, f->use->guard, skip);
	g.in_native = false;
	if (f->use->filter)
		gen_require(&g, f->use->filter, skip);
	if (l->c->opt->counted && u->hook->gated && !g.hidden && !(cut & RESUMES))
		count_event(b, u->hook->nests);
	token_init(&g);
	if (!carry_wanted(l->c, u->hook, g.hidden))
		map = 0;
	if (cut & RESUMES && map)
		carry_take(&g, map, skip);
	else
		this_init(&g);
	for (size_t i = 0; i < f->site.n; i++) {
		uint32_t before = b->ninsn;

		gen_site(l, &g, f, &f->site.v[i]);
		f->site.v[i].length = b->ninsn - before;
	}
	if (cut & GOES_ON && map)
		carry_put(&g, map);
	irb_jmp(b, skip);
	irb_pop(b);
	irb_frame_release(b, frame);
	irb_place(b, skip);
}

static void gen_firings(struct linker *l, struct hook_unit *hu, struct irb *b, struct unit_build *u)
{
	for (size_t i = 0; i < hu->firing.n; i++) {
		bool first = i == 0, last = i == hu->firing.n - 1;

		gen_firing(l, b, u, &hu->firing.v[i], hu->carry,
			   (first && hu->resumes ? RESUMES : 0) |
				   (last && hu->goes_on ? GOES_ON : 0));
	}
}

/*
 * bpf_cast_to_kern_ctx: what args[0] is when the context is not the arguments.  Whenever a pointer
 * to a structure is loaded through what that gives, the verifier looks through all names of all
 * types: a millisecond for each way that leads there.  Of sockops' such a one, the socket, is all
 * that is loaded; a cast ends that.
 */
static int behind_ctx(struct linker *l, struct irb *b, const struct hook *h)
{
	struct type *t = type_strip(type_strip(h->arg[0])->to);
	int r;

	if (l->c->opt->replay)
		r = irb_load(b, irb_ctx(b), 0, 8, false);
	else
		r = irb_call(b, IR_KCALL, KF_CTX, 1, (struct ir_arg[]){{ARG_REG, irb_ctx(b), 0}});
	if (h->kind == HOOK_SOCKOPS && l->c->target->rdonly_cast && t->btf_id)
		r = irb_cast(b, r, t->btf_id);
	trust(b, r, PC_TRUSTED, t);
	return r;
}

/* An iterator's objects are NULL when there are no more: nothing fires for that. */
static void need_objects(const struct hook *h, struct irb *b, int off)
{
	for (uint32_t i = 1; i < h->narg; i++) {
		int more;

		if (!type_is(h->arg[i], T_PTR))
			continue;
		more = irb_block(b, "object");
		irb_bri(b, CC_EQ, irb_load(b, irb_ctx(b), (int32_t)(8 * i), 8, false), 0, off,
			more);
		irb_place(b, more);
	}
}

/*
 * At a tracepoint the kernel itself skips a program that is running already on the CPU.
 * There a twin is attached behind it: the same program, but that it does nothing unless the
 * first's busy word is set.  For an event like all others the first has been and gone.  If it
 * is busy it was interrupted, and has been skipped for this event: the twin takes it.  Each of
 * the two has its own scratch.
 */
static void enter_twin(struct irb *b, uint32_t busy, int off)
{
	int mine = irb_cold_block(b, "first is busy");

	irb_bri(b, CC_EQ, irb_loadv(b, irb_percpu(b, busy), 0, 8, false), 0, off, mine);
	irb_place(b, mine);
	irb_count(b, offsetof(struct percpu, backup_runs));
}

static bool is_hidden(const struct firing *f)
{
	return f->site.v[0].en->hidden;
}

/*
 * What a program calls takes locks: the ring's, a map's, those of a map's free elements.  A
 * function of the kernel may return, or a wait for a lock be over, while one of them is held, and a
 * program that runs there and wants the same lock waits for ever, with its CPU.  So those where
 * that may be do nothing while another of ours runs on the CPU, which each of those counts.
 * Programs of kprobes and of perf events the kernel itself keeps out of each other, and any program
 * out of itself.
 */
static bool kept_apart(enum hook_kind k)
{
	return k == HOOK_KPROBE || k == HOOK_KRETPROBE || k == HOOK_KINST || k == HOOK_PROFILE;
}

/* BEGIN and END run while nothing else does. */
static bool runs_alone(const struct hook *h)
{
	return h->is_run && h->run != RUN_TICK;
}

/* Does one of our own texts name the hook that it is fired from? */
static bool is_named_by_us(const struct firing *f)
{
	return (f->probe->host ? f->site.v[0].en->clause->loc : f->probe->deriv->loc).src->ours;
}

/*
 * Of functions, those that somebody else names may be any.  What our probes are derived from is
 * none that a program calls, and must fire also in an interrupt that comes while another program
 * runs.
 */
static bool may_fire_within(const struct hook_unit *hu)
{
	for (size_t i = 0; hu->hook->function && i < hu->firing.n; i++)
		if (!is_named_by_us(&hu->firing.v[i]))
			return true;
	return hu->hook->of_locks;
}

static bool fires_within(const struct hook_unit *inner, const struct hook_unit *outer)
{
	return inner->within && inner != outer && !runs_alone(outer->hook) &&
	       !(kept_apart(inner->hook->kind) && kept_apart(outer->hook->kind));
}

static bool must_count(const struct linker *l, const struct hook_unit *outer)
{
	for (size_t i = 0; i < l->unit.n; i++)
		if (fires_within(&l->unit.v[i], outer))
			return true;
	return false;
}

static bool must_ask(const struct linker *l, const struct hook_unit *inner)
{
	for (size_t i = 0; inner->within && i < l->unit.n; i++)
		if (fires_within(inner, &l->unit.v[i]))
			return true;
	return false;
}

static bool has_keys(const struct linker *l)
{
	for (const struct agg *a = l->c->names->aggs; a; a = a->next)
		if (a->nkey)
			return true;
	return false;
}

/*
 * Keys of aggregations, which we delete, take the locks of a map, too: the kernel then keeps out
 * what it keeps apart, and no other.
 */
static bool must_ask_changer(const struct linker *l, const struct hook_unit *inner)
{
	return inner->within && !kept_apart(inner->hook->kind) && has_keys(l);
}

/* Before any unit is generated, or cut in parts, which are as it was. */
static void find_within(struct linker *l)
{
	for (size_t i = 0; i < l->unit.n && !l->c->opt->replay; i++) {
		struct hook_unit *hu = &l->unit.v[i];

		hu->within = may_fire_within(hu);
		l->p->checks_map_writer |= must_ask_changer(l, hu);
		if (hu->within && !l->running) {
			l->running = l->layout.percpu_size;
			l->layout.percpu_size += sizeof(uint64_t);
		}
	}
}

static void ask_changer(struct irb *b, int other)
{
	int map_writer = irb_loadv(b, irb_global(b, offsetof(struct globals, map_writer)), 0, 4,
				   false),
	    us;
	int some = irb_cold_block(b, "maps are changed"), none = irb_block(b, "maps stay");

	irb_bri(b, CC_EQ, map_writer, 0, none, some);
	irb_place(b, some);
	us = irb_ext(b, irb_call(b, IR_PURECALL, HELPER_get_current_pid_tgid, 0, NULL), 4, false);
	irb_br(b, CC_EQ, us, map_writer, other, none);
	irb_place(b, none);
}

/* Goes on if no lock of a map can be held here. */
static void ask_running(struct linker *l, const struct hook_unit *hu, struct irb *b, int off)
{
	bool map_writer = must_ask_changer(l, hu), running = must_ask(l, hu);
	int other, alone;

	if (!map_writer && !running)
		return;
	other = irb_cold_block(b, "another runs");
	alone = irb_block(b, "alone");
	if (map_writer)
		ask_changer(b, other);
	if (running)
		irb_bri(b, CC_EQ, irb_loadv(b, irb_percpu(b, l->running), 0, 8, false), 0, alone,
			other);
	else
		irb_jmp(b, alone);
	irb_place(b, other);
	if (!hu->continues)
		irb_count(b, offsetof(struct percpu, nested));
	irb_jmp(b, off);
	irb_place(b, alone);
}

/* Others may run on the CPU in between: where programs can be preempted, as interrupts. */
static void count_running(struct linker *l, struct irb *b, int by)
{
	int base = irb_percpu(b, l->running);

	irb_atomic_add(b, base, 0, irb_const(b, by));
}

static unsigned count_hidden(const struct hook_unit *hu)
{
	unsigned n = 0;

	for (size_t i = 0; i < hu->firing.n; i++)
		n += is_hidden(&hu->firing.v[i]);
	return n;
}

/* Replay fires nothing outside the run. */
static void test_gate(struct linker *l, const struct hook_unit *hu, struct irb *b,
		      struct unit_build *u, int on, int off)
{
	int gate;

	if (!hu->hook->gated || l->c->opt->replay) {
		irb_jmp(b, on);
		return;
	}
	gate = irb_loadv(b, irb_global(b, offsetof(struct globals, gate)), 0, 4, false);
	if (count_hidden(hu))
		u->gate = gate;
	if (l->hidden && !u->gate)
		irb_bri(b, CC_EQ, gate, GATE_OPEN, on, off);
	else
		irb_bri(b, CC_NE, gate, GATE_CLOSED, on, off);
}

/* Is every run of the unit to claim its scratch? */
static bool claims(const struct linker *l, const struct hook_unit *hu)
{
	return hu->hook->nests && !hu->hook->needs_backup && !l->c->opt->replay;
}

/* What ERROR is told, as arg0 ...; see struct fault_record. */
static void take_fault(struct irb *b, struct unit_build *u)
{
	int where = irb_param(b, ERROR_WHERE), pc = irb_param(b, ERROR_PC);
	int value = irb_param(b, ERROR_VALUE);

	u->scratch_base = irb_param(b, ERROR_SCRATCH);
	irb_reg(b, u->scratch_base)->ptr = true;
	u->fault_arg[0] = irb_const(b, 0);
	u->fault_arg[1] = irb_bini(b, IR_SHR, where, 32);
	u->fault_arg[2] = irb_bini(b, IR_SHR, irb_ext(b, where, 4, false), 16);
	u->fault_arg[3] = pc;
	u->fault_arg[4] = irb_ext(b, where, 2, false);
	u->fault_arg[5] = value;
}

static bool has_operand(const struct ir_insn *in, int reg)
{
	for (unsigned k = 0; k < in->narg; k++)
		if (in->arg[k].kind == ARG_REG && in->arg[k].reg == reg)
			return true;
	return in->a == reg || in->b == reg;
}

static bool looks_at_ctx(const struct ir_func *f, int ctx)
{
	for (size_t i = 0; i < f->order.n; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++)
			if (has_operand(&blk->insn.v[j], ctx))
				return true;
	}
	return false;
}

/*
 * ERROR's clauses, as a function of the unit that @u is built for.  Its scratch is the first
 * of the unit's.
 */
static struct ir_func *gen_error(struct linker *l, struct unit_build *u, uint32_t index)
{
	struct irb b;
	struct unit_build e = {.hook = u->hook, .index = index, .routines = u->routines};
	int on, ctx;

	irb_init(&b, l->c->arena, "ERROR");
	b.verified = !l->c->opt->replay;
	on = irb_block(&b, "on");
	e.end = irb_cold_block(&b, "exit");
	ctx = irb_ctx(&b);
	take_fault(&b, &e);
	irb_jmp(&b, on);
	irb_place(&b, on);
	gen_firings(l, &l->error, &b, &e);
	irb_ret(&b);
	u->error_exits = b.f->block.v[e.end]->npred > 0;
	irb_place(&b, e.end);
	irb_ret_reg(&b, irb_const(&b, 1));
	u->has_error = true;
	u->error_ctx = looks_at_ctx(b.f, ctx);
	u->scratch_used = u->scratch_max = e.scratch_used > e.scratch_max ? e.scratch_used
									  : e.scratch_max;
	return b.f;
}

#define WAITING 4096 /* bytes of scratch for values where the stack is not enough */

/* Generates the unit's functions into @iru; the register of its area. */
static int gen_unit(struct linker *l, struct hook_unit *hu, uint32_t index, struct ir_unit *iru)
{
	struct irb b;
	struct routines routines = {.unit = iru, .c = l->c, .verified = !l->c->opt->replay};
	struct unit_build u = {.hook = hu->hook, .index = index, .routines = &routines};
	struct ir_func *error;
	bool counted = must_count(l, hu);
	int off, on, none;

	vec_apush(l->c->arena, &iru->func, NULL);
	if (l->error.firing.n && count_hidden(hu) < hu->firing.n) {
		vec_apush(l->c->arena, &iru->func, NULL);
		error = gen_error(l, &u, index); /* which adds routines to the same table */
		iru->func.v[ERROR_FUNC] = error;
	}
	irb_init(&b, l->c->arena, hu->hook->target);
	b.verified = !l->c->opt->replay;
	b.f->ret = hu->hook->ret;
	off = irb_cold_block(&b, "off");
	on = irb_block(&b, "on");
	u.end = irb_block(&b, "end");
	irb_ctx(&b);
	test_gate(l, hu, &b, &u, on, off);
	irb_place(&b, on);
	if (hu->hook->behind)
		u.behind = behind_ctx(l, &b, hu->hook);
	if (hu->hook->ends)
		need_objects(hu->hook, &b, off);
	if (hu->backup_of)
		enter_twin(&b, l->unit.v[hu->backup_of - 1].busy, off);
	ask_running(l, hu, &b, off);
	if (counted)
		count_running(l, &b, 1);
	if (has_twin(l, hu))
		irb_storei(&b, irb_percpu(&b, hu->busy), 0, 8, 1);
	none = counted ? irb_cold_block(&b, "no area") : off;
	u.scratch_base = irb_area(&b, none);
	gen_firings(l, hu, &b, &u);
	irb_jmp(&b, u.end);
	irb_place(&b, u.end);
	irb_area_release(&b);
	if (has_twin(l, hu))
		irb_storei(&b, irb_percpu(&b, hu->busy), 0, 8, 0);
	if (counted) {
		irb_jmp(&b, none);
		irb_place(&b, none);
		count_running(l, &b, -1);
	}
	irb_ret(&b);
	irb_place(&b, off);
	irb_ret(&b);
	b.f->area.size = u.scratch_used > u.scratch_max ? u.scratch_used : u.scratch_max;
	iru->func.v[0] = b.f;
	return u.scratch_base;
}

/* An event of replay's own has the packet and its socket, which the packet points to as well. */
static bool looks_at_socket(struct linker *l, const struct hook *h, const struct ir_func *f)
{
	return h->of_replay &&
	       ir_may_read(f, 1, (int32_t)kernel_offset(&l->c->names->kernel, KM_SKB_SK),
			   sizeof(uint64_t));
}

static bool remembers(const struct linker *l, const struct ir_unit *u)
{
	const struct layout *lay = &l->layout;

	for (size_t i = 0; l->c->opt->replay && i < u->func.n; i++)
		if (ir_is_stateful(u->func.v[i], lay->map.v, lay->mem_off, lay->zeros_off))
			return true;
	return false;
}

/* Instructions: longer ones take the verifier a time that grows as the square. */
#define UNIT_LONG 24000

/* The maps that the unit's code looks at. */
static uint32_t count_maps(const struct program *p, const struct unit *u)
{
	bool *seen = xcalloc(p->nmap, sizeof(*seen));
	uint32_t n = 0;

	for (uint32_t i = 0; i < u->ninsn; i++) {
		const struct insn *in = &u->insn[i];

		if (!bpf_is_wide(in))
			continue;
		if ((in->src == INSN_MAP || in->src == INSN_MAP_VALUE) && !seen[in->imm]) {
			seen[in->imm] = true;
			n++;
		}
		i++; /* its second half */
	}
	xfree(seen);
	return n;
}

static void optimise(struct linker *l, struct ir_unit *u)
{
	for (size_t i = 0; i < u->func.n; i++)
		ir_prune(u->func.v[i]);
	ir_drop_functions(u); /* if no clause can fault, ERROR never fires */
	for (size_t i = 0; i < u->func.n; i++) {
		ir_check(u->func.v[i]);
		ir_optimise(u->func.v[i]);
		if (l->dump && l->dump->ir)
			ir_print(u->func.v[i], l->dump->ir);
	}
}

/* From what the clauses mean to plain operations. */
static void lower(struct linker *l, const struct hook *h, struct ir_unit *u)
{
	struct ir_target target = *l->c->target;

	/* The kernel does not trust a function's arguments so far. */
	if (h->function)
		target.skb_dynptr = false;
	ir_expand(u, l->p, &target, l->layout.zeros_off);
	for (size_t i = 0; i < u->func.n; i++) {
		ir_thread_jumps(u->func.v[i]);
		ir_tidy(u->func.v[i]);
		ir_check(u->func.v[i]);
	}
	/* those called where it turned out that nothing leads; the kernel counts calls */
	ir_drop_functions(u);
	for (size_t i = 0; l->dump && l->dump->plain && i < u->func.n; i++)
		ir_print(u->func.v[i], l->dump->plain);
}

/*
 * Room for the unit's scratch, which is known now: beside the counters, else in a map of its own.
 */
static int place_area(struct linker *l, const struct hook_unit *hu, struct ir_area *a)
{
	struct layout *lay = &l->layout;
	uint32_t size = a->size;

	a->claim = claims(l, hu);
	a->busy = hu->busy;
	size *= a->claim ? AREAS : 1;
	if (!size)
		return 0;
	if (!l->c->opt->replay && size > PERCPU_MAX)
		return diag_error(l->c->d, D_LIMIT, NOLOC,
				  "the clauses of '%s' need %u bytes of memory for strings and "
				  "keys; "
				  "the kernel allows %u",
				  hu->hook->target, size, PERCPU_MAX);
	layout_place_area(l->c, lay, size, &a->map, &a->off);
	l->p->map = lay->map.v;
	l->p->nmap = (uint32_t)lay->map.n;
	return 0;
}

static void forget_area(struct linker *l, const struct ir_area *a)
{
	if (a->size)
		layout_forget_area(&l->layout, a->map, a->size * (a->claim ? AREAS : 1));
}

/* Values wait in the unit's scratch, as its stack is not enough. */
static void wait_in_scratch(struct ir_func *f, int area)
{
	f->area.size += WAITING;
	f->spill_size = WAITING;
	f->spill_base = area;
}

static void describe_funcs(const struct linker *l, const struct ir_unit *iru, struct unit *u)
{
	u->nfunc = (uint32_t)iru->func.n;
	u->func = arena_newn(l->c->arena, struct unit_func, iru->func.n);
	for (size_t i = 0; i < iru->func.n; i++) {
		const struct ir_func *f = iru->func.v[i];

		u->func[i] = (struct unit_func){f->name, f->start, f->params};
	}
}

/* Code of the unit, whose functions @iru stay as they are.  BPF_STACK_EXCEEDED: it needs too much
 * stack. */
static int encode_unit(struct linker *l, struct hook_unit *hu, const struct ir_unit *iru,
		       struct unit *u)
{
	struct strbuf *plain = l->dump ? l->dump->plain : NULL;
	size_t dumped = plain ? plain->len : 0;
	struct ir_unit lowered = {0};
	struct ir_area *area = &iru->func.v[0]->area;
	int res;

	if (place_area(l, hu, area))
		return -1;
	for (size_t i = 0; i < iru->func.n; i++)
		vec_apush(l->c->arena, &lowered.func, iru->func.v[i]);
	lower(l, hu->hook, &lowered);
	res = bpf_generate(l->c->arena, &lowered, &u->insn, &u->ninsn, l->c->d);
	describe_funcs(l, &lowered, u);
	if (res == BPF_STACK_EXCEEDED) {
		forget_area(l, area);
		if (plain)
			plain->len = dumped;
	}
	return res;
}

/* -------------------------------------------------------------------- parts */

/*
 * The clauses of a hook that are too many for one program go over several, which the kernel
 * runs one after the other.  What a clause leaves in this-> for those in the next part goes
 * through a map (carry.c).
 */

static size_t count_sites(const struct hook_unit *hu)
{
	size_t n = 0;

	for (size_t i = 0; i < hu->firing.n; i++)
		n += hu->firing.v[i].site.n;
	return n;
}

static bool can_split(const struct linker *l, const struct hook_unit *hu)
{
	return !l->c->opt->replay && hu->hook->in_turn && !hu->backup_of && count_sites(hu) > 1;
}

/* Moves clauses [@from, @to) of @hu, counted through all its firings, to @part. */
static void take_sites(struct linker *l, const struct hook_unit *hu, size_t from, size_t to,
		       struct hook_unit *part)
{
	size_t at = 0;

	memset(&part->firing, 0, sizeof(part->firing));
	for (size_t i = 0; i < hu->firing.n; i++) {
		const struct firing *f = &hu->firing.v[i];
		struct firing some = {.probe = f->probe, .use = f->use};

		for (size_t k = 0; k < f->site.n; k++, at++)
			if (at >= from && at < to)
				vec_apush(l->c->arena, &some.site, f->site.v[k]);
		if (some.site.n)
			vec_apush(l->c->arena, &part->firing, some);
	}
}

/* How many clauses, from clause @from on, make the next of @parts parts that are about as long. */
static size_t fill_part(const struct hook_unit *hu, size_t from, uint32_t parts)
{
	size_t at = 0, n = 0, left = count_sites(hu) - from;
	uint64_t all = 0, taken = 0;

	for (size_t i = 0; i < hu->firing.n; i++)
		for (size_t k = 0; k < hu->firing.v[i].site.n; k++)
			all += at++ < from ? 0 : hu->firing.v[i].site.v[k].length;
	at = 0;
	for (size_t i = 0; i < hu->firing.n; i++)
		for (size_t k = 0; k < hu->firing.v[i].site.n; k++) {
			uint32_t length = hu->firing.v[i].site.v[k].length;

			if (at++ < from)
				continue;
			if (n && (left - n < parts || taken + length / 2 > all / parts))
				return n;
			taken += length;
			n++;
		}
	return n;
}

static bool same_firing(const struct hook_unit *a, const struct hook_unit *b)
{
	const struct firing *last = &a->firing.v[a->firing.n - 1], *first = &b->firing.v[0];

	return last->use == first->use && last->probe == first->probe;
}

/* The map for what the firings of the parts from @i to @last take along. */
static void share_carry(struct linker *l, uint32_t i, uint32_t last)
{
	bool any = false;

	for (uint32_t k = i; k <= last; k++)
		any |= l->unit.v[k].goes_on;
	if (!any || l->unit.v[i].carry)
		return;
	l->unit.v[i].carry = carry_map(l->c, &l->layout, l->unit.v[i].hook);
	for (uint32_t k = i + 1; k <= last; k++)
		l->unit.v[k].carry = l->unit.v[i].carry;
	l->p->map = l->layout.map.v;
	l->p->nmap = (uint32_t)l->layout.map.n;
}

/*
 * Cuts unit @i, which has been generated, in @n parts, @i and those that follow.  None has code
 * yet.
 */
static int cut(struct linker *l, uint32_t i, uint32_t n)
{
	struct hook_unit whole = l->unit.v[i];
	size_t sites = count_sites(&whole), from = 0;
	uint32_t last;

	n = n > sites ? (uint32_t)sites : n;
	last = i + n - 1;
	for (uint32_t k = i; k <= last; k++) {
		struct hook_unit part = whole;
		size_t take = fill_part(&whole, from, last + 1 - k);

		take_sites(l, &whole, from, from + take, &part);
		from += take;
		part.goes_on = k == last && whole.goes_on;
		if (k == i) {
			l->unit.v[i] = part;
			continue;
		}
		part.continues = true;
		part.busy = l->layout.percpu_size;
		l->layout.percpu_size += AREA_BUSY;
		part.resumes = l->unit.v[k - 1].goes_on = same_firing(&l->unit.v[k - 1], &part);
		insert_unit(l, k, part);
	}
	share_carry(l, i, last);
	count_agg_units(l);
	return l->layout.percpu_size > PERCPU_MAX ? layout_percpu_full(l->c) : 0;
}

/* ------------------------------------------------------------------- output */

static int too_many_maps(const struct linker *l, const struct unit *u)
{
	return diag_error(
		l->c->d, D_LIMIT, NOLOC,
		"the clauses of '%s' need %u maps (one for each associative array and self "
		"variable, two for keyed aggregations of one size, and 3); the kernel allows %d",
		u->target, count_maps(l->p, u), UNIT_MAPS);
}

static void dump_code(const struct linker *l, const struct unit *u)
{
	if (!l->dump || !l->dump->bpf)
		return;
	strbuf_addf(l->dump->bpf, "unit %s%s (%u instructions)\n", u->target,
		    u->is_backup ? ", its backup" : "", u->ninsn);
	bpf_disasm(u->insn, u->ninsn, l->p, l->dump->bpf);
}

/* Where a unit goes whose probes are a family of host probes: by their numbers. */
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

/* "udp:::send, line 3 of x.d"; of a text on the command line the description alone. */
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

/*
 * The user's longest clause of a unit, which the kernel may find too long; NULL: none of them is
 * the user's.
 */
static const char *longest_clause(struct linker *l, const struct hook_unit *hu)
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

static struct unit describe(const struct linker *l, const struct hook_unit *hu, bool socket)
{
	const struct hook *h = hu->hook;
	struct unit u = {.hook = h->kind,
			 .target = h->target,
			 .run = h->run,
			 .period_ns = h->period_ns,
			 .attach_btf_id = h->attach_btf_id,
			 .is_backup = hu->backup_of,
			 .part = hu->continues ? l->out.v[l->out.n - 1].part + 1 : 0,
			 .socket = socket,
			 .samples = only_samples(l, hu),
			 .has_hidden = count_hidden(hu) > 0,
			 .has_probes = count_hidden(hu) < hu->firing.n};

	if (h->many)
		describe_points(l, hu, &u);
	return u;
}

/* In how many a unit of about @length instructions is cut: each has a start of its own. */
static uint32_t parts_for(uint32_t length)
{
	return length / (UNIT_LONG - UNIT_LONG / 16) + 1;
}

/*
 * Of which one becomes 1 to 2.2 instructions: more than twice what is too long need not be tried.
 */
static uint32_t count_ops(const struct ir_unit *u)
{
	uint32_t n = 0;

	for (size_t i = 0; i < u->func.n; i++)
		for (size_t k = 0; k < u->func.v[i]->order.n; k++)
			n += (uint32_t)u->func.v[i]->block.v[u->func.v[i]->order.v[k]]->insn.n;
	return n;
}

/* The code of unit @i, into @u.  1: the unit was cut in parts, and has none. */
static int generate(struct linker *l, uint32_t i, struct unit *u)
{
	struct hook_unit *hu = &l->unit.v[i];
	struct ir_unit iru = {0};
	int res, area = gen_unit(l, hu, i, &iru);
	uint32_t ops;
	bool many;

	if (l->c->d->nerr)
		return -1;
	optimise(l, &iru);
	ops = count_ops(&iru);
	if (ops > 2 * UNIT_LONG && can_split(l, hu))
		return cut(l, i, parts_for(ops / 5 * 8)) ? -1 : 1;
	*u = describe(l, hu, looks_at_socket(l, hu->hook, iru.func.v[0]));
	u->stateful = remembers(l, &iru);
	u->longest = longest_clause(l, hu);
	res = encode_unit(l, hu, &iru, u);
	if (res == BPF_STACK_EXCEEDED) {
		wait_in_scratch(iru.func.v[0], area);
		res = encode_unit(l, hu, &iru, u);
	}
	if (res)
		return -1;
	many = !l->c->opt->replay && count_maps(l->p, u) > UNIT_MAPS;
	if ((many || u->ninsn > UNIT_LONG) && can_split(l, hu)) {
		forget_area(l, &iru.func.v[0]->area);
		return cut(l, i, u->ninsn > UNIT_LONG ? parts_for(u->ninsn) : 2) ? -1 : 1;
	}
	return many ? too_many_maps(l, u) : 0;
}

static size_t length(const struct strbuf *b)
{
	return b ? b->len : 0;
}

/* What was dumped of a unit that has been cut in two. */
static void cut_dump(struct strbuf *b, size_t len)
{
	if (b)
		b->len = len;
}

/* Generates all units, which become more on the way. */
static int generate_all(struct linker *l)
{
	static const struct compile_dump none;
	const struct compile_dump *dump = l->dump ? l->dump : &none;

	for (uint32_t i = 0; i < l->unit.n; i++) {
		size_t ir = length(dump->ir), plain = length(dump->plain);
		struct unit u;
		int res;

		while ((res = generate(l, i, &u)) > 0) {
			cut_dump(dump->ir, ir);
			cut_dump(dump->plain, plain);
		}
		if (res)
			return -1;
		dump_code(l, &u);
		vec_apush(l->c->arena, &l->out, u);
		if (has_twin(l, &l->unit.v[i]))
			add_twin(l, i);
	}
	return 0;
}

/*
 * Words that say which areas are in use, or that a unit runs, which its twin asks.  Before any
 * area has its place: what is left beside the counters is then known.
 */
static int place_busy_words(struct linker *l)
{
	find_within(l);
	for (size_t i = 0; i < l->unit.n; i++) {
		struct hook_unit *hu = &l->unit.v[i];

		hu->busy = l->layout.percpu_size;
		l->layout.percpu_size += has_twin(l, hu) ? sizeof(uint64_t)
					 : claims(l, hu) ? AREA_BUSY
							 : 0;
	}
	if (l->c->opt->replay || l->layout.percpu_size <= PERCPU_MAX)
		return 0;
	return layout_percpu_full(l->c);
}

#define RING_BUSY (4u << 20)    /* DTrace's default buffer */
#define RING_QUIET (256u << 10) /* only BEGIN, END, ticks and faults */

/* Room for records: little when no live probe makes any. */
static uint32_t ring_size(const struct linker *l)
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

static void fill_probes(struct linker *l)
{
	l->p->nprobe = (uint32_t)l->probe.n;
	l->p->probe = arena_newn(l->c->arena, struct probe_info, l->probe.n);
	for (size_t i = 0; i < l->probe.n; i++) {
		const struct probe *p = l->probe.v[i];

		l->p->probe[i] = (struct probe_info){p->id, p->prov, p->mod, p->func, p->name};
	}
}

struct program *link_program(struct compiler *c, const struct room *room,
			     const struct compile_dump *dump)
{
	struct program *p = arena_new(c->arena, struct program);
	struct linker l = {.c = c, .p = p, .dump = dump};

	gather(&l);
	take_error(&l);
	count_agg_units(&l);
	for (size_t i = 0; i < l.unit.n; i++)
		qsort(l.unit.v[i].firing.v, l.unit.v[i].firing.n, sizeof(struct firing), by_rank);
	layout_make(c, &l.layout, room);
	if (c->d->nerr)
		return NULL;
	p->map = l.layout.map.v;
	p->nmap = (uint32_t)l.layout.map.n;
	p->agg = l.layout.agg;
	p->nagg = c->names->nagg;
	add_kfuncs(&l);
	fill_probes(&l);
	if (place_busy_words(&l))
		return NULL;
	if (generate_all(&l))
		return NULL;
	p->unit = l.out.v;
	p->nunit = (uint32_t)l.out.n;
	layout_finish(&l.layout);
	if (agg_first_generations(c, &l.layout))
		vec_apush(c->arena, &l.layout.init, *agg_first_generations(c, &l.layout));
	p->init = l.layout.init.v;
	p->ninit = (uint32_t)l.layout.init.n;
	p->map[MAP_ID_RING].max_entries = ring_size(&l);
	p->clause = l.clause.v;
	p->nclause = (uint32_t)l.clause.n;
	p->str = c->wants->str.v;
	p->nstr = (uint32_t)c->wants->str.n;
	p->late_args = l.layout.placed_off;
	p->names = c->wants->uses_names;
	p->strsize = c->opt->strsize;
	p->destructive = c->wants->destructive;
	p->impossible = c->wants->impossible;
	return p;
}
