/*
 * agg_update.c - the code that updates the values of aggregations.
 *
 * There is one C function for each aggregating function of D. agg/value.h describes the values, and
 * agg/hist.h the numbers of the buckets.
 */
#include "ir/agg_update.h"

#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/value.h"
#include "ir/helpers.h"
#include "ir/ir.h"

/* Emits *(u64 *)(base + off) += by, atomically if @atomic. */
static void add(struct irb *b, int base, int32_t off, int by, bool atomic)
{
	if (atomic)
		irb_atomic_add(b, base, off, by);
	else
		irb_store(b, base, off, 8,
			  irb_bin(b, IR_ADD, irb_loadv(b, base, off, 8, false), by));
}

/* Returns a register with word @i of the value. */
static int load_word(struct irb *b, const struct agg_update *u, int i)
{
	return irb_loadv(b, u->slot, u->off + 8 * i, 8, false);
}

static void store_word(struct irb *b, const struct agg_update *u, int i, int v)
{
	irb_store(b, u->slot, u->off + 8 * i, 8, v);
}

static void add_to_word(struct irb *b, const struct agg_update *u, int i, int by)
{
	add(b, u->slot, u->off + 8 * i, by, u->atomic);
}

/* Adds @by to word @i of the value. Returns a register with the old word. */
static int fetch_and_add(struct irb *b, const struct agg_update *u, int i, int by)
{
	int old;

	if (u->atomic)
		return irb_fetch_add(b, u->slot, u->off + 8 * i, by);
	old = load_word(b, u, i);
	store_word(b, u, i, irb_bin(b, IR_ADD, old, by));
	return old;
}

/*
 * Emits a call of the engine, which finds the value of the key, and adds @by to word @word of the
 * value and @also to word 0.
 */
static void add_by_key(struct irb *b, const struct agg_update *u, struct ir_arg word,
		       struct ir_arg by, int64_t also)
{
	irb_call(b, IR_CALL, HELPER_agg_add, 5,
		 (struct ir_arg[]){{ARG_MAP, 0, u->ai->map},
				   *u->key,
				   word,
				   by,
				   {ARG_IMM, 0, also}});
}

bool irb_agg_by_key(const struct agg_info *ai)
{
	switch (ai->kind.fn) {
	case AGG_COUNT:
	case AGG_SUM:
	case AGG_AVG:
	case AGG_QUANTIZE:
	case AGG_LQUANTIZE:
	case AGG_LLQUANTIZE:
		return true;
	default:
		return false;
	}
}

static void update_count(struct irb *b, const struct agg_update *u)
{
	if (u->key)
		add_by_key(b, u, arg_imm(COUNT_N), arg_imm(1), 0);
	else
		add_to_word(b, u, COUNT_N, irb_const(b, 1));
}

static void update_sum(struct irb *b, const struct agg_update *u)
{
	if (u->key) {
		add_by_key(b, u, arg_imm(SUM_TOTAL), arg_reg(u->value), 0);
		return;
	}
	add_to_word(b, u, SUM_TOTAL, u->value);
	/*
	 * An aggregation with keys has a key only after an update. Without keys, a total of 0 does
	 * not show whether there was an update, so updates are counted.
	 */
	if (u->ai->map < 0)
		add_to_word(b, u, SUM_N, irb_const(b, 1));
}

/* Returns a register with the current generation of the aggregation, plus 1. */
static int next_generation(struct irb *b, const struct agg_update *u)
{
	int at = irb_global(b, GLOBAL_GEN_OFF + 4 * (int64_t)u->ai->index);

	return irb_bini(b, IR_ADD, irb_loadv(b, at, 0, 4, false), 1);
}

/*
 * Updates the value of min() or max(). A value of another generation counts as unset. eBPF has no
 * atomic minimum, so a concurrent update by a program that interrupts this one may be lost.
 */
static void update_extreme(struct irb *b, const struct agg_update *u, enum ir_cc better)
{
	int gen = next_generation(b, u);
	int same = irb_block(b, "same generation"), set = irb_block(b, "set");
	int done = irb_block(b, "done");

	irb_br(b, CC_EQ, load_word(b, u, EXTREME_GEN), gen, same, set);
	irb_place(b, same);
	irb_br(b, better, u->value, load_word(b, u, EXTREME_VALUE), set, done);
	irb_place(b, set);
	store_word(b, u, EXTREME_GEN, gen);
	store_word(b, u, EXTREME_VALUE, u->value);
	irb_jmp(b, done);
	irb_place(b, done);
}

static void update_min(struct irb *b, const struct agg_update *u)
{
	update_extreme(b, u, CC_SLT);
}

static void update_max(struct irb *b, const struct agg_update *u)
{
	update_extreme(b, u, CC_SGT);
}

static void update_avg(struct irb *b, const struct agg_update *u)
{
	_Static_assert(AVG_N == 0, "add_by_key() needs the count in word 0");
	if (u->key) {
		add_by_key(b, u, arg_imm(AVG_TOTAL), arg_reg(u->value), 1);
		return;
	}
	add_to_word(b, u, AVG_N, irb_const(b, 1));
	add_to_word(b, u, AVG_TOTAL, u->value);
}

/*
 * Adds the value and its square. A 64-bit value has a square of 128 bits. With |v| = h * 2^32 + l:
 *   v^2 = h^2 * 2^64 + 2hl * 2^32 + l^2
 */
static void update_stddev(struct irb *b, const struct agg_update *u)
{
	int sign = irb_bini(b, IR_SAR, u->value, 63);
	int mag = irb_bin(b, IR_SUB, irb_bin(b, IR_XOR, u->value, sign), sign);
	int h = irb_bini(b, IR_SHR, mag, 32), l = irb_ext(b, mag, 4, false);
	int hl = irb_bin(b, IR_MUL, h, l);
	int low = irb_bin(b, IR_MUL, l, l), mid = irb_bini(b, IR_SHL, hl, 33);
	int carry = irb_bini(b, IR_SHR, hl, 31),
	    high = irb_bin(b, IR_ADD, irb_bin(b, IR_MUL, h, h), carry);
	int sum, old;

	add_to_word(b, u, STDDEV_N, irb_const(b, 1));
	add_to_word(b, u, STDDEV_TOTAL, u->value);
	sum = irb_bin(b, IR_ADD, low, mid);
	high = irb_bin(b, IR_ADD, high, irb_set(b, CC_ULT, sum, low));
	old = fetch_and_add(b, u, STDDEV_SQ_LOW, sum);
	high = irb_bin(b, IR_ADD, high, irb_set(b, CC_ULT, irb_bin(b, IR_ADD, old, sum), old));
	add_to_word(b, u, STDDEV_SQ_HIGH, high);
}

/*
 * Adds the increment to bucket @index, or 1 if the program gave no increment. The index is in
 * range, but the verifier has lost that knowledge, so the code compares the index again.
 */
static void add_to_bucket(struct irb *b, const struct agg_update *u, int index)
{
	int ok, done, by, word;

	if (u->key) {
		add_by_key(b, u, arg_reg(index), u->incr ? arg_reg(u->incr) : arg_imm(1), 0);
		return;
	}
	ok = irb_block(b, "bucket"), done = irb_block(b, "counted");
	irb_bri(b, CC_ULT, index, hist_buckets(&u->ai->kind), ok, done);
	irb_place(b, ok);
	by = u->incr ? u->incr : irb_const(b, 1);
	word = irb_bin(b, IR_ADD, u->slot, irb_bini(b, IR_SHL, index, 3));
	add(b, word, u->off, by, u->atomic);
	irb_jmp(b, done);
	irb_place(b, done);
}

/*
 * Returns a register with floor(log2(v)), which is computed by bisection. @v must be greater than
 * 0.
 */
static int emit_log2(struct irb *b, int v)
{
	int x = irb_var(b), k = irb_var(b);

	irb_assign(b, x, v);
	irb_assign_imm(b, k, 0);
	for (int step = 32; step; step /= 2) {
		int big = irb_block(b, "big"), next = irb_block(b, "half");

		irb_bri(b, CC_UGE, x, (int64_t)1 << step, big, next);
		irb_place(b, big);
		irb_assign(b, x, irb_bini(b, IR_SHR, x, step));
		irb_assign(b, k, irb_bini(b, IR_ADD, k, step));
		irb_jmp(b, next);
		irb_place(b, next);
	}
	return k;
}

static void update_quantize(struct irb *b, const struct agg_update *u)
{
	int index = irb_var(b), pos = irb_block(b, "positive"),
	    notpos = irb_block(b, "not positive");
	int neg = irb_block(b, "negative"), zero = irb_block(b, "zero"),
	    done = irb_block(b, "index"), mag;

	irb_bri(b, CC_SGT, u->value, 0, pos, notpos);
	irb_place(b, pos);
	irb_assign(b, index, irb_bini(b, IR_ADD, emit_log2(b, u->value), QUANTIZE_ZERO + 1));
	irb_jmp(b, done);
	irb_place(b, notpos);
	irb_bri(b, CC_EQ, u->value, 0, zero, neg);
	irb_place(b, neg);
	mag = irb_neg(b, u->value);
	/* the value -2^63 counts as part of the bucket of -2^62 */
	mag = irb_bin(b, IR_SUB, mag, irb_bini(b, IR_SHR, mag, 63));
	irb_assign(b, index, irb_bini(b, IR_ADD, irb_neg(b, emit_log2(b, mag)), QUANTIZE_ZERO - 1));
	irb_jmp(b, done);
	irb_place(b, zero);
	irb_assign_imm(b, index, QUANTIZE_ZERO);
	irb_jmp(b, done);
	irb_place(b, done);
	add_to_bucket(b, u, index);
}

/* If @value < @bound, sets @index to @i and jumps to @done. Continues in a new block otherwise. */
static void below(struct irb *b, int value, int64_t bound, int index, unsigned i, int done)
{
	int yes = irb_block(b, "below"), no = irb_block(b, "not below");

	irb_bri(b, CC_SLT, value, bound, yes, no);
	irb_place(b, yes);
	irb_assign_imm(b, index, i);
	irb_jmp(b, done);
	irb_place(b, no);
}

static void update_lquantize(struct irb *b, const struct agg_update *u)
{
	const int64_t *param = u->ai->kind.param;
	int64_t base = param[0], limit = param[1], step = param[2];
	unsigned levels = lquantize_levels(param);
	int index = irb_var(b), in = irb_block(b, "in range"), over = irb_block(b, "over");
	int done = irb_block(b, "index");

	below(b, u->value, base, index, 0, done);
	irb_bri(b, CC_SLT, u->value, limit, in, over);
	irb_place(b, in);
	irb_assign(b, index,
		   irb_bini(b, IR_ADD,
			    irb_bini(b, IR_DIV, irb_bin(b, IR_SUB, u->value, irb_const(b, base)),
				     step),
			    1));
	irb_jmp(b, done);
	irb_place(b, over);
	irb_assign_imm(b, index, levels + 1);
	irb_jmp(b, done);
	irb_place(b, done);
	add_to_bucket(b, u, index);
}

/*
 * Handles the buckets for values in [@from, @to). All these buckets have the same @width, and the
 * first one has the number @i. If @value < @to, sets @index and jumps to @done. Continues in a new
 * block otherwise.
 */
static void run_of_buckets(struct irb *b, int value, int64_t from, int64_t to, int64_t width,
			   unsigned i, int index, int done)
{
	int in = irb_block(b, "in run"), no = irb_block(b, "above run");

	irb_bri(b, CC_SLT, value, to, in, no);
	irb_place(b, in);
	irb_assign(b, index,
		   irb_bini(b, IR_ADD,
			    irb_bini(b, IR_DIV, irb_bin(b, IR_SUB, value, irb_const(b, from)),
				     width),
			    i));
	irb_jmp(b, done);
	irb_place(b, no);
}

/*
 * Emits one division for each run of buckets of equal width. An order of magnitude has one or two
 * such runs.
 */
static void update_llquantize(struct irb *b, const struct agg_update *u)
{
	const int64_t *param = u->ai->kind.param;
	unsigned n = llquantize_buckets(param), i = 1, first;
	int index = irb_var(b), done = irb_block(b, "index");

	below(b, u->value, llquantize_value(param, 1), index, 0, done);
	while (i < n - 1) {
		int64_t from = llquantize_value(param, i);
		int64_t width = llquantize_value(param, i + 1) - from;

		first = i;
		do
			i++;
		while (i < n - 1 &&
		       llquantize_value(param, i + 1) - llquantize_value(param, i) == width);
		run_of_buckets(b, u->value, from, llquantize_value(param, i), width, first, index,
			       done);
	}
	irb_assign_imm(b, index, n - 1);
	irb_jmp(b, done);
	irb_place(b, done);
	add_to_bucket(b, u, index);
}

typedef void update_fn(struct irb *b, const struct agg_update *u);

#define UPDATE(ID, name) [AGG_##ID] = update_##name,

static update_fn *const update[AGG_FN_MAX] = {AGG_FNS(UPDATE)};

void irb_agg_update(struct irb *b, const struct agg_update *u)
{
	update[u->ai->kind.fn](b, u);
}
