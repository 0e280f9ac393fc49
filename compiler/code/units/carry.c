/*
 * carry.c - state passed between the programs of one firing (one run of a probe's clauses), when
 * its clauses do not fit in one program.
 *
 * Between two programs at one hook, another event may occur on the CPU, and the thread may move to
 * another CPU. So the state is kept by event, not by CPU. The key of an event is the address of the
 * programs' context, which is on the kernel's stack or is the packet or socket itself. No other
 * event at the hook has that address at the same time. The programs that dtrace runs itself (such
 * as BEGIN, END and tick-N) have the key 0, because they run one at a time.
 *
 * The next program continues a firing only if it finds an entry. carry_take() removes the entry,
 * and a firing that called exit() stores no new entry.
 */
#include "compiler/code/units/carry.h"

#include <stdbool.h>
#include <stddef.h>

#include "compiler/code/eval/fire.h"
#include "compiler/code/layout.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/memory/vars.h"
#include "compiler/code/strings/strings.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/types/type.h"
#include "providers/provider.h"

#define COPY_BY_WORDS 128
/*
 * Maximum number of firings that wait between two parts. Each CPU, and each preempted thread, has
 * at most one such firing.
 */
#define IN_FLIGHT 1024

static bool in_scratch(const struct var *v)
{
	return type_is(v->type, T_STRING) || var_in_memory(v);
}

static uint32_t size_of(const struct var *v)
{
	return (v->size + 7) & ~7u;
}

static void copy(struct fire *g, int to, int32_t at, int from, int32_t off, uint32_t n)
{
	struct mem m = {.base = from, .off = off, .own = true, .lib = true};

	if (n > COPY_BY_WORDS)
		irb_copy(g->b, to, at, from, off, n, NOBLOCK);
	else
		mem_copy(g, m, (struct dest){.base = to, .off = at, .size = n}, 0, n);
}

static uint32_t carry_size(const struct compiler *c, bool hidden)
{
	uint32_t n = (token_size(c) + 7) & ~7u;

	for (const struct var *v = c->names->vars; v; v = v->next)
		if (this_of(hidden, v))
			n += size_of(v);
	return n;
}

bool carry_wanted(const struct compiler *c, const struct hook *h, bool hidden)
{
	/*
	 * exit() closes the gate, which stops the later parts of a gated unit (a unit that acts
	 * only during the run). Other units, such as that of END, need the entry in the map: its
	 * absence says that exit() was called.
	 */
	return carry_size(c, hidden) || !h->gated;
}

int carry_map(struct compiler *c, struct layout *l, const struct hook *h)
{
	uint32_t size = carry_size(c, false), hidden = carry_size(c, true);

	if (!carry_wanted(c, h, false) && !carry_wanted(c, h, true))
		return 0;
	return layout_carry(c, l, (size > hidden ? size : hidden) + 8, IN_FLIGHT);
}

/* Writes the key of the event to the stack, and returns it as an argument for the map helpers. */
static struct ir_arg event_key(struct fire *g)
{
	struct irb *b = g->b;
	int32_t at = irb_frame(b, 8);

	if (g->u->hook->is_run)
		irb_storei(b, FRAME, at, 8, 0);
	else
		/* negated twice, the pointer is a number for the verifier */
		irb_store(b, FRAME, at, 8, irb_neg(b, irb_neg(b, irb_ctx(b))));
	return (struct ir_arg){ARG_FRAME, 0, at};
}

void carry_put(struct fire *g, int map)
{
	struct irb *b = g->b;
	struct ir_arg key;
	/* 8 more bytes, so that the size is positive even if there are no variables */
	struct dest d = scratch_slot(g, carry_size(g->c, g->hidden) + 8);
	int32_t frame = irb_frame_mark(b), at = d.off;
	int lost = irb_cold_block(b, "not taken along"), done = irb_block(b, "taken along"), r;

	for (const struct var *v = g->c->names->vars; v; v = v->next) {
		if (!this_of(g->hidden, v))
			continue;
		if (in_scratch(v))
			copy(g, d.base, at, g->u->scratch_base, g->locals.off[v->index],
			     size_of(v));
		else
			irb_store(b, d.base, at, 8, g->locals.reg[v->index]);
		at += (int32_t)size_of(v);
	}
	if (token_size(g->c))
		copy(g, d.base, at, g->u->scratch_base, g->token_off, token_size(g->c));

	key = event_key(g);
	r = irb_call(b, IR_CALL, HELPER_map_update_elem, 4,
		     (struct ir_arg[]){{ARG_MAP, 0, map},
				       key,
				       {ARG_REG, irb_addr(b, d.base, d.off), 0},
				       {ARG_IMM, 0, 0}});
	irb_bri(b, CC_EQ, r, 0, done, lost);
	irb_place(b, lost);
	irb_count(b, offsetof(struct percpu, nested));
	irb_jmp(b, done);
	irb_place(b, done);
	irb_frame_release(b, frame);
}

static void take(struct fire *g, const struct var *v, int from, int32_t at)
{
	struct irb *b = g->b;
	struct dest d;

	if (!in_scratch(v)) {
		g->locals.reg[v->index] = irb_var(b);
		irb_assign(b, g->locals.reg[v->index], irb_loadv(b, from, at, 8, false));
		return;
	}
	if (!var_in_memory(v)) {
		d = scratch_slot(g, size_of(v));
		g->locals.off[v->index] = d.off;
	}
	copy(g, g->u->scratch_base, g->locals.off[v->index], from, at, size_of(v));
}

void carry_take(struct fire *g, int map, int skip)
{
	struct irb *b = g->b;
	int32_t frame = irb_frame_mark(b), at = 0;
	struct ir_arg key = event_key(g);
	int there = irb_block(b, "taken along");
	int p = irb_call(b, IR_CALL, HELPER_map_lookup_elem, 2,
			 (struct ir_arg[]){{ARG_MAP, 0, map}, key});

	irb_bri(b, CC_EQ, p, 0, skip, there);
	irb_place(b, there);
	this_room(g);
	for (const struct var *v = g->c->names->vars; v; v = v->next) {
		if (!this_of(g->hidden, v))
			continue;
		take(g, v, p, at);
		at += (int32_t)size_of(v);
	}
	if (token_size(g->c))
		copy(g, g->u->scratch_base, g->token_off, p, at, token_size(g->c));
	irb_call(b, IR_CALL, HELPER_map_delete_elem, 2, (struct ir_arg[]){{ARG_MAP, 0, map}, key});
	irb_frame_release(b, frame);
}
