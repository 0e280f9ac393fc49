/*
 * chill.c - chill(), which makes the CPU wait at the probe.
 *
 * The program waits in a loop. The verifier walks every round of the loop, so the number of rounds
 * is limited. Each round copies memory only to spend time: the more time is left, the more bytes it
 * copies.
 */
#include "compiler/builtins/chill.h"

#include <stddef.h>

#include "base/diag.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/layout.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"

#define ROUNDS 2000         /* the verifier keeps a state for each round, at most 8192 in all */
#define MOST 500000000      /* maximum wait in ns, on one CPU in each interval */
#define INTERVAL 1000000000 /* length of an interval in ns */
/* log2 of the maximum number of bytes that a round copies: 4 MB take at least 250 us */
#define COPY_SHIFT 22
#define RATE_SHIFT 2 /* log2 of the number of bytes to copy for each ns that is left */

int chill_check(struct compiler *c, struct expr *call)
{
	if (c->opt->replay)
		return diag_error(c->d, D_UNSUPPORTED, call->loc,
				  "chill( ) is not possible in replay: a capture has no CPU that "
				  "could wait");
	c->wants->chills = true;
	return 0;
}

/* Returns the address of this CPU's struct chill_account in @map. */
static int account(struct irb *b, int map)
{
	int cpu = irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL);
	int at = irb_bini(b, IR_SHL, irb_bini(b, IR_AND, cpu, CHILL_CPUS - 1), 4);

	return irb_bin(b, IR_ADD, irb_map_value(b, map, 0), at);
}

static int now(struct irb *b)
{
	return irb_call(b, IR_CALL, HELPER_ktime_get_ns, 0, NULL);
}

/*
 * If the interval in @account began more than INTERVAL before time @at, starts a new interval at
 * @at.
 */
static void begin_interval(struct irb *b, int account, int at)
{
	int anew = irb_block(b, "another second"), same = irb_block(b, "this second");
	int age = irb_bin(b, IR_SUB, at,
			  irb_loadv(b, account, offsetof(struct chill_account, since), 8, false));

	irb_bri(b, CC_UGT, age, INTERVAL, anew, same);
	irb_place(b, anew);
	irb_store(b, account, offsetof(struct chill_account, since), 8, at);
	irb_storei(b, account, offsetof(struct chill_account, ns), 8, 0);
	irb_jmp(b, same);
	irb_place(b, same);
}

/*
 * Returns the number of bytes to copy in this round: @left << RATE_SHIFT, limited to 4 MB - 1. The
 * limit is computed without a branch.
 */
static int amount(struct irb *b, int left)
{
	int n = irb_bini(b, IR_SHL, left, RATE_SHIFT);
	int over = irb_bini(b, IR_SAR, irb_neg(b, irb_bini(b, IR_SHR, n, COPY_SHIFT)), 63);

	return irb_bini(b, IR_AND, irb_bin(b, IR_OR, n, over), (1 << COPY_SHIFT) - 1);
}

static void wait_until(struct irb *b, int map, int end)
{
	struct irb_loop l;
	int left, more, to, size, from;

	irb_loop(b, &l, ROUNDS, 1);
	more = irb_block(b, "wait on");
	left = irb_bin(b, IR_SUB, end, now(b));
	irb_bri(b, CC_SLE, left, 0, l.done, more);
	irb_place(b, more);
	to = irb_map_value(b, map, CHILL_ACCOUNTS);
	size = amount(b, left);
	from = irb_scalar(b, irb_map_value(b, map, CHILL_ACCOUNTS));
	irb_call(b, IR_CALL, HELPER_probe_read_kernel, 3,
		 (struct ir_arg[]){{ARG_REG, to, 0}, {ARG_REG, size, 0}, {ARG_REG, from, 0}});
	irb_loop_end(b, &l);
}

void chill_act(struct fire *g, const struct expr *call)
{
	struct irb *b = g->b;
	int map = g->layout->chill_map, ns = irb_scalar(b, gen(g, call->arg[0]));
	int acc = account(b, map), begin = now(b), sum;
	int fits = irb_block(b, "may wait"), right = irb_block(b, "a time");

	begin_interval(b, acc, begin);
	irb_bri(b, CC_UGT, ns, MOST, fault_block(g, FAULT_ILLOP, NOREG), right);
	irb_place(b, right);
	sum = irb_bin(b, IR_ADD, irb_loadv(b, acc, offsetof(struct chill_account, ns), 8, false),
		      ns);
	irb_bri(b, CC_UGT, sum, MOST, fault_block(g, FAULT_ILLOP, NOREG), fits);
	irb_place(b, fits);
	irb_store(b, acc, offsetof(struct chill_account, ns), 8, sum);
	wait_until(b, map, irb_bin(b, IR_ADD, begin, ns));
}
