/*
 * spec.c - speculations: records that are shown later, or never.
 *
 * The consumer, the part of dtrace that reads records, keeps the records of a speculation. The
 * value of MAP_GLOBAL has one word for each speculation, which are numbered from 1. The lowest bits
 * of the word are the state; the other bits count how often the speculation was taken (turns).
 *
 * The program reserves a record before it tests that the record's speculation is in use. A
 * speculation becomes free only after its ending record is reserved. So in the ring of records, the
 * ending record of one turn comes after all records of that turn, and before all records of the
 * next turn.
 */
#include "compiler/builtins/spec.h"

#include <stddef.h>

#include "compiler/code/clause.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/layout.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/meaning/compiler.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"

enum { SPEC_FREE, SPEC_USED, SPEC_ENDING, SPEC_STATE, SPEC_TURN };

/* Returns a register with the address of the state of speculation number @id + @base. */
static int state_of(struct fire *g, int id, int base)
{
	int off = irb_bini(g->b, IR_SHL, id, 3);

	return irb_bin(g->b, IR_ADD, irb_global(g->b, g->layout->spec_off + 8 * base), off);
}

static void count_failed(struct fire *g, size_t counter)
{
	int one = irb_const(g->b, 1);

	irb_atomic_add(g->b, irb_global(g->b, 0), (int32_t)counter, one);
}

/*
 * Called if no speculation is free. Counts the reason: all are in use, or one is being ended. Jumps
 * to @next. Register @busy has the states of all speculations, combined by or.
 */
static void none_free(struct fire *g, int busy, int next)
{
	int wait = irb_cold_block(g->b, "one is ending"), no = irb_cold_block(g->b, "all in use");

	irb_bri(g->b, CC_NE, irb_bini(g->b, IR_AND, busy, SPEC_ENDING), 0, wait, no);
	irb_place(g->b, wait);
	count_failed(g, offsetof(struct globals, spec_busy));
	irb_jmp(g->b, next);
	irb_place(g->b, no);
	count_failed(g, offsetof(struct globals, spec_unavail));
	irb_jmp(g->b, next);
}

/*
 * Tries the speculations in turn and takes the first free one. Writes the number of that
 * speculation to @slot. Combines the states of all tried speculations in @busy by or.
 */
static void take_free(struct fire *g, struct dest slot, int busy)
{
	struct irb *b = g->b;
	struct irb_loop l;
	int mine = irb_block(b, "free"), i = irb_loop(b, &l, opts_nspec(g->c->opt), 1), at, state,
	    free;

	at = state_of(g, i, 1);
	state = irb_loadv(b, at, 0, 8, false);
	irb_update(b, IR_OR, busy, state);
	free = irb_bini(b, IR_AND, state, ~(int64_t)SPEC_STATE);
	irb_br(b, CC_EQ, irb_cmpxchg(b, at, free, irb_bini(b, IR_ADD, free, SPEC_USED)), free, mine,
	       l.next);
	irb_place(b, mine);
	irb_store(b, slot.base, slot.off, 8, irb_bini(b, IR_ADD, i, 1));
	irb_jmp(b, l.done);
	irb_loop_end(b, &l);
}

int emit_speculation(struct fire *g, struct expr **arg, uint32_t narg)
{
	struct irb *b = g->b;
	struct dest slot = scratch_slot(g, 8);
	int busy = irb_var(b), none = irb_cold_block(b, "no speculation"),
	    done = irb_block(b, "speculation"), id;

	(void)arg, (void)narg;
	irb_assign_imm(b, busy, 0);
	irb_storei(b, slot.base, slot.off, 8, 0);
	if (opts_nspec(g->c->opt))
		take_free(g, slot, busy);
	id = irb_loadv(b, slot.base, slot.off, 8, false);
	irb_bri(b, CC_EQ, id, 0, none, done);
	irb_place(b, none);
	none_free(g, busy, done);
	irb_place(b, done);
	return id;
}

/*
 * The speculation that an action names: registers with its number, the address of its state, and
 * the state.
 */
struct named {
	int id, at, state;
};

/*
 * Loads the state of the speculation that @call names. Jumps to @no unless that speculation is in
 * use. A number that is too high is a fault.
 */
static struct named find_used(struct fire *g, const struct expr *call, int no)
{
	struct irb *b = g->b;
	struct named n = {.id = irb_ext(b, gen(g, call->arg[0]), 4, false)};
	int one = irb_block(b, "one"), known = irb_block(b, "known"), used = irb_block(b, "used");

	irb_bri(b, CC_EQ, n.id, 0, no, one);
	irb_place(b, one);
	irb_bri(b, CC_UGT, n.id, opts_nspec(g->c->opt), fault_block(g, FAULT_ILLOP, NOREG), known);
	irb_place(b, known);
	n.at = state_of(g, n.id, 0);
	n.state = irb_loadv(b, n.at, 0, 8, false);
	irb_bri(b, CC_EQ, irb_bini(b, IR_AND, n.state, SPEC_STATE), SPEC_USED, used, no);
	irb_place(b, used);
	return n;
}

void act_speculate(struct fire *g, const struct expr *call)
{
	int no = irb_cold_block(g->b, "not in use"), yes = irb_block(g->b, "speculating");
	struct named n = find_used(g, call, no);

	record_speculatively(g, n.id, n.state);
	irb_jmp(g->b, yes);
	irb_place(g->b, no);
	leave_clause(g);
	irb_place(g->b, yes);
}

/*
 * Sends the ending record of speculation @n, which commits or discards it. If the ring is full,
 * counts a drop, and the speculation's records are never shown.
 */
static void send_end(struct fire *g, const struct named *n, bool commit)
{
	struct irb *b = g->b;
	int32_t rec = irb_frame(b, sizeof(struct spec_record));
	int cpu = irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL);
	int lost = irb_cold_block(b, "end lost"), told = irb_block(b, "end told");

	irb_storei(b, FRAME, rec, 4, (int32_t)EPID_SPEC);
	irb_store(b, FRAME, rec + (int32_t)offsetof(struct spec_record, cpu), 4, cpu);
	irb_store(b, FRAME, rec + (int32_t)offsetof(struct spec_record, spec.id), 4, n->id);
	irb_store(b, FRAME, rec + (int32_t)offsetof(struct spec_record, spec.turn), 4, n->state);
	irb_storei(b, FRAME, rec + (int32_t)offsetof(struct spec_record, commit), 8, commit);
	gen_send(b, rec, sizeof(struct spec_record), offsetof(struct percpu, drops), lost, told);
}

/*
 * Commits or discards a speculation. If several clauses try at the same time, only one of them ends
 * the speculation.
 */
static void end(struct fire *g, const struct expr *call, bool commit)
{
	struct irb *b = g->b;
	int no = irb_block(b, "ended"), mine = irb_block(b, "ours to end");
	struct named n = find_used(g, call, no);
	int ending = irb_bini(b, IR_ADD, n.state, SPEC_ENDING - SPEC_USED);

	irb_br(b, CC_EQ, irb_cmpxchg(b, n.at, n.state, ending), n.state, mine, no);
	irb_place(b, mine);
	send_end(g, &n, commit);
	irb_store(b, n.at, 0, 8, irb_bini(b, IR_ADD, n.state, SPEC_TURN + SPEC_FREE - SPEC_USED));
	irb_jmp(b, no);
	irb_place(b, no);
}

void act_commit(struct fire *g, const struct expr *call)
{
	end(g, call, true);
}

void act_discard(struct fire *g, const struct expr *call)
{
	end(g, call, false);
}
