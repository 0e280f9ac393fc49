/*
 * clause.c - one clause at one probe: predicate, record, statements, faults.
 *
 * The record of a clause has a fixed layout: first all its actions are looked at
 * to lay it out, then it is reserved, and the statements run in their order, each
 * action writing its fields.  A fault discards the record.
 */
#include <stddef.h>
#include <string.h>

#include "base/xalloc.h"
#include "builtins/agg.h"
#include "compiler/irgen.h"
#include "ir/helpers.h"


/* ------------------------------------------------------------ record layout */

/* An action of the clause being generated, with the expressions behind its fields. */
struct pending {
	const struct expr *call;
	struct action_info *info;
	VEC(const struct expr *) arg;
};

static VEC(struct pending) *cur_pending; /* only while gen_clause() lays a record out */
static uint32_t cur_off;

static struct type *record_type(struct compiler *c, const struct expr *e)
{
	struct type *t = type_strip(e->type);

	(void)c;
	if (t->kind == T_ARRAY && type_strip(t->to)->is_char)
		return &type_string;
	return t;
}

void record_arg(struct fire *g, struct action_info *act, const struct expr *e)
{
	struct type *t = record_type(g->c, e);
	struct strclass cls = t->kind == T_STRING ? str_class(g->c, e) : (struct strclass){0};
	struct field f = field_of(g->c, t, cls, &cur_off);
	struct field *all = arena_newn(g->c->arena, struct field, act->nfield + 1);
	struct pending *p = &cur_pending->v[cur_pending->n - 1];

	if (f.size > RECORD_MAX || cur_off > RECORD_MAX) {
		diag_error(g->c->d, D_LIMIT, e->loc, "the clause records more than %u bytes", RECORD_MAX);
		cur_off = 0; /* the error is told: what is left need not fit */
	}
	if (act->nfield)
		memcpy(all, act->field, act->nfield * sizeof(*all));
	all[act->nfield++] = f;
	act->field = all;
	vec_apush(g->c->arena, &p->arg, e);
}

/* What the clause records; fills @ci the first time, later firings find the same. */
static void lay_out(struct fire *g, struct stmt *s, struct clause_info *ci)
{
	VEC(struct action_info) acts = {0};

	cur_off = sizeof(struct record);
	for (; s; s = s->next) {
		struct action_info info = {0};
		struct pending p = {.call = s->expr};
		const struct action_def *def;

		if (s->expr->symkind != SYM_ACTION)
			continue;
		def = s->expr->sym;
		info.kind = def->kind;
		vec_apush(g->c->arena, cur_pending, p);
		def->emit(g, s->expr, &info);
		vec_apush(g->c->arena, &acts, info);
	}
	ci->act = acts.v;
	ci->nact = (uint32_t)acts.n;
	ci->rec_size = acts.n ? (cur_off + 7) & ~7u : 0;
}

/* -------------------------------------------------------------------- faults */

/* ERROR fires, here and now; goes on at @next. */
static void fire_error(struct fire *g, int next)
{
	struct irb *b = g->b;
	int where, r;
	struct ir_arg arg[ERROR_NPARAM] = {0};

	if (!g->u->has_error) {
		irb_jmp(b, next);
		return;
	}
	where = irb_bin(b, IR_OR, g->fault_info, irb_const(b, (int64_t)g->epid << 32));
	arg[ERROR_CTX] = g->u->error_ctx ? (struct ir_arg){ARG_REG, irb_ctx(b), 0} : (struct ir_arg){ARG_IMM, 0, 0};
	arg[ERROR_WHERE] = (struct ir_arg){ARG_REG, where, 0};
	arg[ERROR_PC] = (struct ir_arg){ARG_REG, g->fault_pc, 0};
	arg[ERROR_VALUE] = (struct ir_arg){ARG_REG, g->fault_value, 0};
	arg[ERROR_SCRATCH] = (struct ir_arg){ARG_REG, g->u->scratch_base, 0};
	r = irb_call(b, IR_LCALL, ERROR_FUNC, ERROR_NPARAM, arg);
	if (g->u->error_exits)
		irb_bri(b, CC_EQ, r, 0, next, g->u->end);
	else
		irb_jmp(b, next);
}

/* Writes a fault record out of the three fault registers; goes on at @next. */
static void report_fault(struct fire *g, int next)
{
	struct irb *b = g->b;
	int32_t rec = irb_frame(b, sizeof(struct fault_record));
	int cpu = irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL);
	int lost = irb_cold_block(b, "fault lost"), told = irb_cold_block(b, "fault told"), r;

	irb_storei(b, FRAME, rec, 4, 0);
	irb_store(b, FRAME, rec + 4, 4, cpu);
	irb_storei(b, FRAME, rec + 8, 4, g->epid);
	irb_store(b, FRAME, rec + 12, 4, irb_bini(b, IR_SHR, g->fault_info, 16));
	irb_store(b, FRAME, rec + 16, 4, g->fault_pc);
	irb_store(b, FRAME, rec + 20, 4, irb_bini(b, IR_AND, g->fault_info, 0xffff));
	irb_store(b, FRAME, rec + 24, 8, g->fault_value);
	r = irb_call(b, IR_CALL, HELPER_ringbuf_output, 4,
		     (struct ir_arg[]){{ARG_MAP, 0, MAP_ID_RING},
				       {ARG_FRAME, 0, rec},
				       {ARG_IMM, 0, sizeof(struct fault_record)},
				       {ARG_IMM, 0, 0}});
	irb_bri(b, CC_EQ, r, 0, told, lost);
	irb_place(b, lost);
	irb_count(b, offsetof(struct percpu, err_drops));
	irb_jmp(b, told);
	irb_place(b, told);
	fire_error(g, next);
}

/* ---------------------------------------------------------------- statements */

static void write_fields(struct fire *g, const struct pending *p, const struct action_info *act)
{
	for (size_t i = 0; i < p->arg.n; i++) {
		const struct field *f = &act->field[i];
		struct dest d = {g->rec, (int32_t)f->off, f->size, false, false, NULL_FAULT};
		const struct expr *e = p->arg.v[i];

		if (f->kind == FIELD_STRING)
			gen_str(g, e, d);
		else if (f->kind == FIELD_STACK)
			gen_stack(g, e, d);
		else if (f->kind == FIELD_BYTES)
			mem_copy(g, gen_mem(g, e), d, 0, f->size);
		else
			irb_store(g->b, g->rec, (int32_t)f->off, f->size, gen(g, e));
		g->action++;
	}
	if (!p->arg.n)
		g->action++;
}

static struct ir_arg agg_key(struct fire *g, const struct agg *a, const struct expr *lhs)
{
	const struct agg_info *ai = &g->p->agg[a->index];
	struct dest d = {.base = FRAME, .size = ai->key_size};
	uint32_t at = 4;

	if (ai->map < 0)
		return (struct ir_arg){ARG_IMM, 0, 0};
	if (ai->key_size <= 128)
		d.off = irb_frame(g->b, ai->key_size);
	else
		d = scratch_slot(g, ai->key_size);
	/* Padding is part of the key: it must always be the same. */
	for (uint32_t i = 0; i < a->nkey; i++) {
		const struct field *f = &ai->key[i];

		for (; at < f->off; at++)
			irb_storei(g->b, d.base, d.off + (int32_t)at, 1, 0);
		gen_key_field(g, lhs->arg[i], a->key[i],
			      (struct dest){d.base, d.off + (int32_t)f->off, f->size, true, false, NULL_FAULT});
		at = f->off + f->size;
		g->action++;
	}
	for (; at < ai->key_size; at++)
		irb_storei(g->b, d.base, d.off + (int32_t)at, 1, 0);
	if (d.base == FRAME)
		return (struct ir_arg){ARG_FRAME, 0, d.off};
	return (struct ir_arg){ARG_REG, irb_addr(g->b, d.base, d.off), 0};
}

static void gen_agg(struct fire *g, const struct expr *e)
{
	const struct agg *a = e->a->sym;
	const struct expr *call = e->b;
	uint32_t first_incr = (uint32_t)(a->fn->nvalue + a->fn->nparam_max);
	bool atomic = a->nunits > 1 || g->u->hook->nests;
	struct ir_arg key;
	int value = NOREG, incr = NOREG;

	g->action++; /* the aggregation's id */
	key = agg_key(g, a, e->a);
	if (a->fn->nvalue)
		value = gen_before(g, call->arg[0], call->narg > first_incr ? call->arg[first_incr] : NULL);
	if (a->fn->weighted && call->narg > first_incr)
		incr = gen(g, call->arg[first_incr]);
	irb_agg(g->b, (int)a->index, key, value, incr, atomic);
	g->action += 2; /* the value and the function */
}

/* What a statement used is free for the next; this-> strings lie below. */
static void release_scratch(struct fire *g, uint32_t mark)
{
	if (g->u->scratch_used > g->u->scratch_max)
		g->u->scratch_max = g->u->scratch_used;
	g->u->scratch_used = mark;
}

static void gen_stmts(struct fire *g, struct stmt *s, struct clause_info *ci)
{
	size_t next = 0;

	for (; s; s = s->next) {
		const struct expr *e = s->expr;
		int32_t frame = irb_frame_mark(g->b);
		uint32_t scratch = g->u->scratch_used;

		if (e->symkind == SYM_ACTION) {
			write_fields(g, &cur_pending->v[next], &ci->act[next]);
			next++;
		} else if (e->kind == E_ASSIGN && e->a->kind == E_AGG) {
			gen_agg(g, e);
		} else {
			gen_effect(g, e);
			g->action++;
		}
		irb_frame_release(g->b, frame);
		release_scratch(g, scratch);
	}
}

/* ------------------------------------------------------------------ clauses */

static void reserve(struct fire *g, const struct clause_info *ci, int next)
{
	struct irb *b = g->b;
	int full = irb_cold_block(b, "no room"), go = irb_block(b, "body");
	int cpu = irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL);

	g->rec = irb_reserve(b, ci->rec_size, full);
	irb_jmp(b, go);
	irb_place(b, full);
	irb_count(b, offsetof(struct percpu, drops));
	irb_jmp(b, next);
	irb_place(b, go);
	irb_storei(b, g->rec, offsetof(struct record, epid), 4, g->epid);
	irb_store(b, g->rec, offsetof(struct record, cpu), 4, cpu);
}

static void init_faults(struct fire *g)
{
	g->fault_value = irb_var(g->b);
	g->fault_info = irb_var(g->b);
	g->fault_pc = irb_var(g->b);
	irb_assign_imm(g->b, g->fault_value, 0);
	irb_assign_imm(g->b, g->fault_info, 0);
	irb_assign_imm(g->b, g->fault_pc, 0);
}

static bool exits(const struct clause_info *ci)
{
	for (uint32_t i = 0; i < ci->nact; i++)
		if (ci->act[i].kind == ACT_EXIT)
			return true;
	return false;
}

/*
 * The clause has come to its end.  If it has called exit() nothing fires any more, on any
 * CPU, and what would follow in this run does not.  Not earlier: a fault in a later
 * statement takes the record away that says so.
 */
static void finish_clause(struct fire *g, const struct clause_info *ci, int next)
{
	struct irb *b = g->b;

	if (g->rec)
		irb_commit(b, g->rec);
	if (exits(ci)) {
		irb_storei(b, irb_global(b, offsetof(struct globals, gate)), 0, 4, GATE_CLOSED);
		next = g->u->end;
	}
	irb_jmp(b, next);
}

void gen_clause(struct fire *g, struct enabling *en, struct clause_info *ci, uint32_t epid)
{
	struct irb *b = g->b;
	int next = irb_block(b, "next clause"), early = irb_cold_block(b, "fault handler");
	int late = irb_cold_block(b, "fault with record");
	VEC(struct pending) pending = {0};
	uint32_t scratch = g->u->scratch_used;
	int32_t frame = irb_frame_mark(b);

	cur_pending = (void *)&pending;
	g->c->d->now = DIAG_IN_ACTIONS;
	lay_out(g, en->body, ci);
	if (!en->clause->body && en->clause->ndesc) { /* empty body: the default action */
		ci->act = arena_new(g->c->arena, struct action_info);
		ci->act->kind = ACT_DEFAULT;
		ci->nact = 1;
		ci->rec_size = sizeof(struct record);
	}
	g->epid = epid;
	g->action = 0;
	g->rec = NOREG;
	g->fault = early;
	irb_push(b);
	init_faults(g);
	g->c->d->now = DIAG_IN_PREDICATE;
	if (en->pred)
		gen_require(g, en->pred, next);
	g->c->d->now = DIAG_IN_ACTIONS;
	if (ci->rec_size) {
		reserve(g, ci, next);
		g->fault = late;
	}
	g->action = 1;
	gen_stmts(g, en->body, ci);
	g->c->d->now = DIAG_OUTSIDE;
	finish_clause(g, ci, next);
	place_faults(g);
	irb_place(b, late);
	if (g->rec)
		irb_discard(b, g->rec);
	irb_jmp(b, early);
	irb_place(b, early);
	report_fault(g, next);
	irb_pop(b);
	irb_place(b, next);
	irb_frame_release(b, frame);
	release_scratch(g, scratch);
}
