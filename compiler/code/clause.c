/*
 * clause.c - the code of one clause at one probe: predicate, record, statements, faults. It is a
 * part of a unit, the eBPF program of one hook.
 *
 * The record of a clause has a fixed layout, which is computed from all its actions first. Then
 * code reserves the record, and runs the statements in order; each action writes its fields. A
 * fault discards the record.
 */
#include "compiler/code/clause.h"

#include <stddef.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/stack.h"
#include "compiler/code/memory/alloca.h"
#include "compiler/code/memory/keys.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/strclass.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/table.h"
#include "ir/types/type.h"
#include "providers/provider.h"

/* ------------------------------------------------------------ record layout */

/*
 * An action that goes into the clause's record, and the expressions that give the values of its
 * fields.
 */
struct pending {
	const struct expr *call;
	VEC(const struct expr *) arg;
};

/* The layout of a clause's record. It is the same at all probes of the clause. */
struct recording {
	VEC(struct pending) pending; /* actions, in the order of the program's text */
	VEC(struct action_info) act; /* the same actions, for dtrace when it reads the record */
	/*
	 * The record has @nwhen flags, one byte each, which say which branches ran. @when is the
	 * offset of the next flag.
	 */
	uint32_t nwhen, when;
	/* offset of the next field; and size of the record, 0 if the clause has no record */
	uint32_t off, size;
	/* offset of struct spec_id in the record; 0 if the clause has no speculate() */
	uint32_t spec;
	uint32_t time; /* offset of the time in the record; 0 if the record has no time */
	bool commits;  /* the clause calls commit() or discard() */
};

/* Returns the action of the statement if the action goes into the clause's record, else NULL. */
static const struct action_def *action_of(const struct stmt *s)
{
	const struct action_def *def = s->kind == S_EXPR && s->expr->symkind == SYM_ACTION
					       ? s->expr->ref.action
					       : NULL;

	return def && def->emit ? def : NULL;
}

struct search {
	enum action_kind kind;
	bool found;
};

static void is_action(void *ctx, struct stmt *s)
{
	struct search *q = ctx;

	if (s->kind == S_EXPR && s->expr->symkind == SYM_ACTION)
		q->found |= s->expr->ref.action->kind == q->kind;
}

static bool has_action(struct stmt *s, enum action_kind kind)
{
	struct search q = {.kind = kind};

	stmt_each(s, is_action, &q);
	return q.found;
}

/*
 * Returns whether one of the statements from @s on is an action that goes into the record.
 * Statements in the branches of an if do not count.
 */
static bool records_itself(const struct stmt *s)
{
	for (; s; s = s->next)
		if (action_of(s))
			return true;
	return false;
}

static bool records(const struct stmt *s);

/*
 * Returns whether statement @s, or a statement in one of its branches, is an action that goes into
 * the record.
 */
static bool records_at(const struct stmt *s)
{
	return action_of(s) || records(s->body) || records(s->other);
}

static bool records(const struct stmt *s)
{
	for (; s; s = s->next)
		if (records_at(s))
			return true;
	return false;
}

/* Returns the number of branches that directly contain an action that goes into the record. */
static uint32_t count_branches(const struct stmt *s)
{
	uint32_t n = 0;

	for (; s; s = s->next) {
		n += records_itself(s->body) + count_branches(s->body);
		n += records_itself(s->other) + count_branches(s->other);
	}
	return n;
}

void record_arg(struct fire *g, struct action_info *act, const struct expr *e)
{
	struct recording *r = g->recording;
	struct type *t = type_strip(e->type);
	struct strclass cls = t->kind == T_STRING ? str_class(g->c, e) : (struct strclass){0};
	struct field f = field_of(t, cls, &r->off);
	uint32_t n = act->nfield;
	struct pending *p = &r->pending.v[r->pending.n - 1];

	f.label = expr_label(e);
	f.fixed = e->is_const || e->kind == E_STR;
	if (f.size > RECORD_MAX || r->off > RECORD_MAX) {
		diag_error(g->c->d, D_LIMIT, e->loc, "the clause records more than %u bytes",
			   RECORD_MAX);
		r->off = 0; /* the error is recorded; 0 only avoids an overflow */
	}
	if (!(n & (n - 1))) { /* the array has room for a power of two */
		struct field *all = arena_newn(g->c->arena, struct field, n ? 2 * n : 1);

		if (n)
			memcpy(all, act->field, n * sizeof(*all));
		act->field = all;
	}
	act->field[act->nfield++] = f;
	vec_apush(g->c->arena, &p->arg, e);
}

static void lay_out_action(struct fire *g, const struct action_def *def, const struct expr *call,
			   uint32_t when)
{
	struct recording *r = g->recording;
	struct action_info info = {.kind = def->kind, .when = when};

	vec_apush(g->c->arena, &r->pending, (struct pending){.call = call});
	def->emit(g, call, &info);
	vec_apush(g->c->arena, &r->act, info);
}

static void lay_out_stmts(struct fire *g, const struct stmt *s, uint32_t when);

static void lay_out_branch(struct fire *g, const struct stmt *s)
{
	struct recording *r = g->recording;

	lay_out_stmts(g, s, records_itself(s) ? r->when++ : 0);
}

/*
 * Gives the fields of both branches of an if the same bytes of the record, because only one of the
 * branches runs.
 */
static void lay_out_if(struct fire *g, const struct stmt *s)
{
	struct recording *r = g->recording;
	uint32_t from = r->off, end;

	lay_out_branch(g, s->body);
	end = r->off;
	r->off = from;
	lay_out_branch(g, s->other);
	if (r->off < end)
		r->off = end;
}

/*
 * Lays out the actions of a list of statements. @when is the offset of the flag that says whether
 * the branch with these statements ran. It is 0 if no such flag is needed.
 */
static void lay_out_stmts(struct fire *g, const struct stmt *s, uint32_t when)
{
	for (; s; s = s->next) {
		const struct action_def *def = action_of(s);

		if (def)
			lay_out_action(g, def, s->expr, when);
		else if (s->kind == S_IF)
			lay_out_if(g, s);
	}
}

/* Lays out the record of a clause with an empty body, which has DTrace's default action. */
static void lay_out_default(struct fire *g)
{
	vec_apush(g->c->arena, &g->recording->act, (struct action_info){.kind = ACT_DEFAULT});
}

static struct recording *lay_out(struct fire *g, const struct enabling *en)
{
	struct recording *r = arena_new(g->c->arena, struct recording);

	r->nwhen = count_branches(en->body);
	r->when = sizeof(struct record);
	r->off = r->when + ((r->nwhen + 7) & ~7u);
	if (has_action(en->body, ACT_SPECULATE)) {
		r->spec = r->off;
		r->off += sizeof(struct spec_id);
	}
	if (g->c->opt->timed) {
		r->time = r->off;
		r->off += sizeof(uint64_t);
	}
	r->commits = has_action(en->body, ACT_COMMIT) || has_action(en->body, ACT_DISCARD);
	g->recording = r;
	lay_out_stmts(g, en->body, 0);
	if (!en->clause->body && en->clause->ndesc)
		lay_out_default(g);
	r->size = r->act.n ? (r->off + 7) & ~7u : 0;
	return r;
}

/* -------------------------------------------------------------------- faults */

int fire_epid(struct fire *g)
{
	return g->epid_at ? g->epid_at : irb_const(g->b, g->epid);
}

static void store_epid(struct fire *g, int base, int32_t off)
{
	if (g->epid_at)
		irb_store(g->b, base, off, 4, g->epid_at);
	else
		irb_storei(g->b, base, off, 4, g->epid);
}

/* Fires ERROR, then jumps to @next, or to the end of the unit if ERROR called exit(). */
static void fire_error(struct fire *g, int next)
{
	struct irb *b = g->b;
	int where, r;
	struct ir_arg arg[ERROR_NPARAM] = {0};

	if (!g->u->has_error) {
		irb_jmp(b, next);
		return;
	}
	if (g->epid_at)
		where = irb_bini(b, IR_SHL, g->epid_at, 32);
	else
		where = irb_const(b, (int64_t)g->epid << 32);
	where = irb_bin(b, IR_OR, g->fault.info, where);
	arg[ERROR_CTX] = g->u->error_ctx ? (struct ir_arg){ARG_REG, irb_ctx(b), 0}
					 : (struct ir_arg){ARG_IMM, 0, 0};
	arg[ERROR_WHERE] = (struct ir_arg){ARG_REG, where, 0};
	arg[ERROR_PC] = (struct ir_arg){ARG_REG, g->fault.pc, 0};
	arg[ERROR_VALUE] = (struct ir_arg){ARG_REG, g->fault.value, 0};
	arg[ERROR_SCRATCH] = (struct ir_arg){ARG_REG, g->u->scratch_base, 0};
	r = irb_call(b, IR_LCALL, ERROR_FUNC, ERROR_NPARAM, arg);
	if (g->u->error_exits)
		irb_bri(b, CC_EQ, r, 0, next, g->u->end);
	else
		irb_jmp(b, next);
}

void gen_send(struct irb *b, int32_t rec, uint32_t size, int32_t counter, int lost, int told)
{
	int r = irb_call(b, IR_CALL, HELPER_ringbuf_output, 4,
			 (struct ir_arg[]){{ARG_MAP, 0, MAP_ID_RING},
					   {ARG_FRAME, 0, rec},
					   {ARG_IMM, 0, size},
					   {ARG_IMM, 0, 0}});

	irb_bri(b, CC_EQ, r, 0, told, lost);
	irb_place(b, lost);
	irb_count(b, counter);
	irb_jmp(b, told);
	irb_place(b, told);
}

/*
 * Sends a fault record with the values of the three fault registers (value, info, pc), fires ERROR,
 * and jumps to @next.
 */
static void report_fault(struct fire *g, int next)
{
	struct irb *b = g->b;
	int32_t rec = irb_frame(b, sizeof(struct fault_record));
	int cpu = irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL);
	int lost = irb_cold_block(b, "fault lost"), told = irb_cold_block(b, "fault told");

	irb_storei(b, FRAME, rec, 4, 0);
	irb_store(b, FRAME, rec + 4, 4, cpu);
	store_epid(g, FRAME, rec + 8);
	irb_store(b, FRAME, rec + 12, 4, irb_bini(b, IR_SHR, g->fault.info, 16));
	irb_store(b, FRAME, rec + 16, 4, g->fault.pc);
	irb_store(b, FRAME, rec + 20, 4, irb_bini(b, IR_AND, g->fault.info, 0xffff));
	irb_store(b, FRAME, rec + 24, 8, g->fault.value);
	gen_send(b, rec, sizeof(struct fault_record), offsetof(struct percpu, err_drops), lost,
		 told);
	fire_error(g, next);
}

/* ---------------------------------------------------------------- statements */

static bool writes_itself(const struct expr *e)
{
	return e->symkind == SYM_ACTION && e->ref.action->write;
}

static void write_fields(struct fire *g, const struct pending *p, const struct action_info *act)
{
	for (size_t i = 0; i < p->arg.n; i++) {
		const struct field *f = &act->field[i];
		struct dest d = {g->rec, (int32_t)f->off, f->size, false, false, NULL_FAULT};
		const struct expr *e = p->arg.v[i];

		if (writes_itself(e))
			e->ref.action->write(g, e, d);
		else if (f->kind == FIELD_STRING)
			gen_str(g, e, d);
		else if (f->kind == FIELD_STACK || f->kind == FIELD_USTACK)
			gen_stack(g, e, d);
		else if (f->kind >= FIELD_SYM && f->kind <= FIELD_UADDR)
			gen_symbol(g, e, d);
		else if (f->kind == FIELD_BYTES)
			mem_copy_whole(g, gen_mem(g, e), d, 0, f->size);
		else
			irb_store(g->b, g->rec, (int32_t)f->off, f->size, gen(g, e));
		g->action++;
	}
	if (!p->arg.n)
		g->action++;
}

/*
 * Evaluates @e to a register that later assignments do not change. An address becomes a number,
 * because the key of an aggregation is hashed, and the verifier refuses arithmetic on pointers.
 */
static int steady_number(struct fire *g, const struct expr *e)
{
	int r = irb_scalar(g->b, gen(g, e));

	return r > 0 && irb_reg(g->b, r)->is_var ? irb_value(g->b, r) : r;
}

/* Stores the numbers among the fields of key @d, and zeros in its padding. */
static void store_key(struct fire *g, const struct agg *a, struct dest d, const int *number)
{
	const struct agg_info *ai = &g->p->agg[a->index];
	uint32_t at = AGG_GEN_SIZE;

	for (uint32_t i = 0; i <= a->nkey; i++) {
		uint32_t end = i < a->nkey ? ai->key[i].off : ai->key_size;

		for (uint32_t n; at < end; at += n) {
			for (n = 8; at % n || at + n > end;)
				n /= 2;
			irb_storei(g->b, d.base, d.off + (int32_t)at, n, 0);
		}
		if (i == a->nkey)
			return;
		if (number[i])
			irb_store(g->b, d.base, d.off + (int32_t)at, ai->key[i].size, number[i]);
		at += ai->key[i].size;
	}
}

/*
 * Evaluates the key of aggregation @a, and returns the key's address in memory. If every 8-byte
 * word of the key is in a register or a constant, nothing is stored: @word gets the words, and
 * *@nword their number.
 */
static struct ir_arg agg_key(struct fire *g, const struct agg *a, const struct expr *lhs,
			     struct ir_arg *word, unsigned *nword)
{
	const struct agg_info *ai = &g->p->agg[a->index];
	struct dest d = {.base = FRAME, .size = ai->key_size};
	int *number = arena_newn(g->c->arena, int, a->nkey + 1);

	if (ai->map < 0)
		return (struct ir_arg){ARG_IMM, 0, 0};
	if (ai->key_size <= 128)
		d.off = irb_frame(g->b, ai->key_size);
	else
		d = scratch_slot(g, ai->key_size);
	for (uint32_t i = 0; i < a->nkey; i++) {
		const struct field *f = &ai->key[i];

		if (f->kind == FIELD_INT || f->kind == FIELD_UINT)
			number[i] = steady_number(g, lhs->arg[i]);
		else
			gen_key_field(g, lhs->arg[i], a->key[i],
				      (struct dest){d.base, d.off + (int32_t)f->off, f->size, true,
						    false, NULL_FAULT});
		g->action++;
	}
	store_key(g, a, d, number);
	if (d.base != FRAME)
		return (struct ir_arg){ARG_REG, irb_addr(g->b, d.base, d.off), 0};
	if (irb_take_words(g->b, d.off, ai->key_size, AGG_GEN_SIZE, word))
		*nword = ai->key_size / 8;
	return (struct ir_arg){ARG_FRAME, 0, d.off};
}

static void gen_agg(struct fire *g, const struct expr *e)
{
	const struct agg *a = e->a->ref.agg;
	const struct expr *call = e->b;
	uint32_t first_incr = (uint32_t)(a->fn->nvalue + a->fn->nparam_max);
	bool atomic = a->nunits > 1 || g->u->nests;
	struct ir_arg key, word[TABLE_KEY_MAX / 8];
	unsigned nword = 0;
	int value = NOREG, incr = NOREG;

	g->action++; /* an update has three action numbers: first that of the aggregation's ID */
	key = agg_key(g, a, e->a, word, &nword);
	if (a->fn->nvalue)
		value = gen_before(g, call->arg[0],
				   call->narg > first_incr ? call->arg[first_incr] : NULL);
	if (a->fn->weighted && call->narg > first_incr)
		incr = gen(g, call->arg[first_incr]);
	irb_agg(g->b, (int)a->index, key, word, nword, value, incr, atomic);
	g->action += 2; /* then those of the value and of the function */
}

static void run_action(struct fire *g, const struct expr *call)
{
	const struct action_def *def = call->ref.action;

	if (def->act)
		def->act(g, call);
}

/*
 * Generates the next action that goes into the record. Sets the flag of the action's branch, unless
 * *@said says that this flag is set already.
 */
static void gen_action(struct fire *g, uint32_t *said)
{
	size_t i = g->next_action++;
	const struct action_info *act = &g->recording->act.v[i];

	if (act->when != *said)
		irb_storei(g->b, g->rec, (int32_t)act->when, 1, 1);
	*said = act->when;
	run_action(g, g->recording->pending.v[i].call);
	write_fields(g, &g->recording->pending.v[i], act);
}

static void gen_expr_stmt(struct fire *g, const struct expr *e)
{
	if (e->kind == E_ASSIGN && e->a->kind == E_AGG) {
		gen_agg(g, e);
		return;
	}
	if (e->symkind == SYM_ACTION)
		run_action(g, e);
	else
		gen_effect(g, e);
	g->action++;
}

static void gen_stmts(struct fire *g, const struct stmt *s);
static void gen_recorded(struct fire *g, const struct stmt *s);

static void gen_branch(struct fire *g, const struct stmt *s, int block, int end)
{
	irb_push(g->b);
	irb_place(g->b, block);
	if (g->rec)
		gen_stmts(g, s);
	else
		gen_recorded(g, s);
	irb_jmp(g->b, end);
	irb_pop(g->b);
}

/* Generates an if statement. Reports of faults count its condition as an action. */
static void gen_if(struct fire *g, const struct stmt *s)
{
	int yes = irb_block(g->b, "then"), end = irb_block(g->b, "end of if");
	int no = s->other ? irb_block(g->b, "else") : end;

	gen_cond(g, s->expr, yes, no);
	g->action++;
	gen_branch(g, s->body, yes, end);
	if (s->other)
		gen_branch(g, s->other, no, end);
	irb_place(g->b, end);
}

/*
 * Generates statement @s. A recording action also sets the flag of its branch in the record; *@said
 * is the offset of this flag if an earlier statement of the list has set it already, else 0.
 */
static void gen_stmt(struct fire *g, const struct stmt *s, uint32_t *said)
{
	int32_t frame = irb_frame_mark(g->b);
	uint32_t scratch = g->u->scratch_used;

	if (s->kind == S_IF)
		gen_if(g, s);
	else if (action_of(s))
		gen_action(g, said);
	else
		gen_expr_stmt(g, s->expr);
	irb_frame_release(g->b, frame);
	/* the strings of this-> variables are at lower offsets and stay */
	scratch_release(g, scratch);
}

static void gen_stmts(struct fire *g, const struct stmt *s)
{
	uint32_t said = 0;

	for (; s; s = s->next)
		gen_stmt(g, s, &said);
}

/* ------------------------------------------------------------------ records */

int gen_walltime(struct fire *g)
{
	int tai = irb_call(g->b, IR_PURECALL, HELPER_ktime_get_tai_ns, 0, NULL);
	int off = irb_loadv(g->b, irb_global(g->b, offsetof(struct globals, tai_offset)), 0, 8,
			    false);

	return irb_bin(g->b, IR_ADD, tai, off);
}

static void reserve(struct fire *g)
{
	const struct recording *r = g->recording;
	struct irb *b = g->b;
	int full = irb_cold_block(b, "no room"), go = irb_block(b, "body");
	int cpu = irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL);

	g->rec = irb_reserve(b, r->size, full);
	irb_jmp(b, go);
	irb_place(b, full);
	irb_count(b, offsetof(struct percpu, drops));
	irb_jmp(b, g->next);
	irb_place(b, go);
	store_epid(g, g->rec, offsetof(struct record, epid));
	irb_store(b, g->rec, offsetof(struct record, cpu), 4, cpu);
	for (uint32_t i = 0; i < r->nwhen; i += 8)
		irb_storei(b, g->rec, (int32_t)(sizeof(struct record) + i), 8, 0);
	if (r->spec)
		irb_storei(b, g->rec, (int32_t)r->spec, 8, 0);
	if (r->time)
		irb_store(b, g->rec, (int32_t)r->time, 8, gen_walltime(g));
}

void record_speculatively(struct fire *g, int id, int turn)
{
	irb_store(g->b, g->rec, (int32_t)(g->recording->spec + offsetof(struct spec_id, id)), 4,
		  id);
	irb_store(g->b, g->rec, (int32_t)(g->recording->spec + offsetof(struct spec_id, turn)), 4,
		  turn);
}

void leave_clause(struct fire *g)
{
	if (g->rec)
		irb_discard(g->b, g->rec);
	irb_jmp(g->b, g->next);
}

/* Reserves the record. From here on, a fault discards the record. */
static void open_record(struct fire *g)
{
	struct late l = {.block = irb_cold_block(g->b, "fault with record")};

	reserve(g);
	l.rec = g->rec;
	vec_apush(g->c->arena, &g->late, l);
	g->fault.block = l.block;
}

/* Jumps to @yes if a branch that records has run, else to @no. */
static void test_branches(struct fire *g, int yes, int no)
{
	struct irb *b = g->b;
	int any = NOREG;

	for (uint32_t i = 0; i < g->recording->nwhen; i += 8) {
		int word = irb_loadv(b, g->rec, (int32_t)(sizeof(struct record) + i), 8, false);

		any = any == NOREG ? word : irb_bin(b, IR_OR, any, word);
	}
	irb_bri(b, CC_NE, any, 0, yes, no);
}

/* Commits the record if a branch that records has run; else discards it. */
static void commit_or_discard(struct fire *g)
{
	struct irb *b = g->b;
	int some = irb_block(b, "some"), none = irb_block(b, "none"), end = irb_block(b, "done");

	test_branches(g, some, none);
	irb_place(b, some);
	irb_commit(b, g->rec);
	irb_jmp(b, end);
	irb_place(b, none);
	irb_discard(b, g->rec);
	irb_jmp(b, end);
	irb_place(b, end);
}

enum { EXITS_NOT, EXITS_PERHAPS, EXITS };

static int exits(const struct stmt *s)
{
	int res = EXITS_NOT;

	for (; s; s = s->next) {
		const struct action_def *def = action_of(s);

		if (def && def->kind == ACT_EXIT)
			return EXITS;
		if (exits(s->body) || exits(s->other))
			res = EXITS_PERHAPS;
	}
	return res;
}

/*
 * Returns a register that is not 0 if a branch with exit() has run. Returns NOREG if no branch has
 * an exit().
 */
static int load_exits(struct fire *g)
{
	const struct recording *r = g->recording;
	int any = NOREG;

	for (size_t i = 0; i < r->act.n; i++) {
		const struct action_info *act = &r->act.v[i];
		int said;

		if (act->kind != ACT_EXIT || !act->when)
			continue;
		said = irb_loadv(g->b, g->rec, (int32_t)act->when, 1, false);
		any = any == NOREG ? said : irb_bin(g->b, IR_OR, any, said);
	}
	return any;
}

/*
 * Closes the gate (globals.gate), so that nothing fires on any CPU, and ends this run of the unit.
 */
static void gen_exit(struct fire *g)
{
	irb_storei(g->b, irb_global(g->b, offsetof(struct globals, gate)), 0, 4, GATE_CLOSED);
	irb_jmp(g->b, g->u->end);
}

/*
 * Commits the record at the end of the statements. exit() takes effect only now, because a fault in
 * a later statement would discard the record of the exit().
 */
static void close_record(struct fire *g, const struct stmt *s)
{
	struct irb *b = g->b;
	int how = exits(s), reached = how == EXITS_PERHAPS ? load_exits(g) : NOREG;

	if (records_itself(s) || !g->recording->nwhen)
		irb_commit(b, g->rec);
	else
		commit_or_discard(g);
	if (how == EXITS) {
		gen_exit(g);
	} else if (how == EXITS_PERHAPS) {
		int leave = irb_cold_block(b, "exit"), stay = irb_block(b, "no exit");

		irb_bri(b, CC_NE, reached, 0, leave, stay);
		irb_place(b, leave);
		gen_exit(g);
		irb_place(b, stay);
	}
}

/*
 * Returns whether the last statement is the only one that records, and is an if. The branches of
 * the if then reserve their own records.
 */
static bool leaves_it_to_branches(const struct stmt *s)
{
	for (; s->next; s = s->next)
		if (records_at(s))
			return false;
	return s->kind == S_IF;
}

/*
 * Generates the statements from @s on. If they need a record, also reserves and commits the record.
 */
static void gen_recorded(struct fire *g, const struct stmt *s)
{
	int fault = g->fault.block;
	uint32_t said = 0;

	if (!records(s) || leaves_it_to_branches(s)) {
		gen_stmts(g, s);
		return;
	}
	/*
	 * In a clause with commit(), the statements before the first recording action run before
	 * the clause's record is reserved. So the record by which commit() ends a speculation comes
	 * first in the ring.
	 */
	for (; g->recording->commits && !records_at(s); s = s->next)
		gen_stmt(g, s, &said);
	open_record(g);
	gen_stmts(g, s);
	close_record(g, s);
	g->rec = NOREG;
	g->fault.block = fault;
}

/* ------------------------------------------------------------------ clauses */

static void init_faults(struct fire *g)
{
	g->fault.value = irb_var(g->b);
	g->fault.info = irb_var(g->b);
	g->fault.pc = irb_var(g->b);
	irb_assign_imm(g->b, g->fault.value, 0);
	irb_assign_imm(g->b, g->fault.info, 0);
	irb_assign_imm(g->b, g->fault.pc, 0);
}

static void gen_body(struct fire *g, const struct enabling *en)
{
	g->action = 1;
	g->next_action = 0;
	g->c->d->now = DIAG_IN_ACTIONS;
	if (g->recording->size && !g->recording->pending.n) {
		open_record(g);
		close_record(g, NULL);
	} else {
		gen_recorded(g, en->body);
	}
	g->c->d->now = DIAG_OUTSIDE;
}

/* Places the blocks that handle faults. */
static void place_ways_out(struct fire *g, int early)
{
	place_faults(g);
	for (size_t i = 0; i < g->late.n; i++) {
		irb_place(g->b, g->late.v[i].block);
		irb_discard(g->b, g->late.v[i].rec);
		irb_jmp(g->b, early);
	}
	irb_place(g->b, early);
	report_fault(g, g->next);
}

void gen_clause(struct fire *g, struct enabling *en, struct clause_info *ci, uint32_t epid)
{
	struct irb *b = g->b;
	int next = irb_block(b, "next clause"), early = irb_cold_block(b, "fault handler");
	uint32_t scratch = g->u->scratch_used;
	int32_t frame = irb_frame_mark(b);

	g->next = next;
	g->c->d->now = DIAG_IN_ACTIONS;
	if (!en->recording)
		en->recording = lay_out(g, en);
	g->recording = en->recording;
	ci->act = g->recording->act.v;
	ci->nact = (uint32_t)g->recording->act.n;
	ci->rec_size = g->recording->size;
	ci->spec = g->recording->spec;
	ci->time = g->recording->time;
	g->epid = epid;
	g->action = 0;
	g->rec = NOREG;
	g->late.n = 0;
	g->fault.block = early;
	irb_push(b);
	init_faults(g);
	alloca_begin(g, en);
	g->c->d->now = DIAG_IN_PREDICATE;
	if (en->pred)
		gen_require(g, en->pred, next);
	gen_body(g, en);
	irb_jmp(b, next);
	place_ways_out(g, early);
	irb_pop(b);
	irb_place(b, next);
	irb_frame_release(b, frame);
	scratch_release(g, scratch);
}
