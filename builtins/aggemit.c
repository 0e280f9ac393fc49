/*
 * aggemit.c - the code that updates an aggregation's value in place.
 *
 * One function per aggregating function, called through agg_fns[]->  The value
 * layouts are drawn in ir/program.h; bucket numbers in builtins/agg.h.
 */
#include "builtins/agg.h"
#include "builtins/aggemit.h"
#include "ir/helpers.h"
#include "ir/ir.h"

/* *(u64 *)(slot + off) += by */
static void bump(struct irb *b, int slot, int32_t off, int by, bool atomic)
{
	if (atomic)
		irb_atomic_add(b, slot, off, by);
	else
		irb_store(b, slot, off, 8, irb_bin(b, IR_ADD, irb_loadv(b, slot, off, 8, false), by));
}

/* The increment, 1 if the program gave none. */
static int weight(struct irb *b, int incr)
{
	return incr ? incr : irb_const(b, 1);
}

void agg_emit_count(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value,
		    int incr, bool atomic)
{
	(void)ai, (void)value, (void)incr;
	bump(b, slot, off, irb_const(b, 1), atomic);
}

void agg_emit_sum(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value, int incr,
		  bool atomic)
{
	(void)incr;
	bump(b, slot, off, value, atomic);
	if (ai->map < 0) /* a total of 0 is not the same as no updates */
		bump(b, slot, off + 8, irb_const(b, 1), atomic);
}

/*
 * {generation + 1, value}: a value of another generation counts as never set.
 * Interrupting programs may be lost here: there is no atomic minimum.
 */
static void emit_extreme(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value,
			 enum ir_cc better)
{
	int gen = irb_bini(b, IR_ADD,
			   irb_loadv(b, irb_global(b, GLOBAL_GEN_OFF + 4 * (int64_t)ai->index), 0, 4,
				     false),
			   1);
	int same = irb_block(b, "same generation"), set = irb_block(b, "set");
	int done = irb_block(b, "done");

	irb_br(b, CC_EQ, irb_loadv(b, slot, off, 8, false), gen, same, set);
	irb_place(b, same);
	irb_br(b, better, value, irb_loadv(b, slot, off + 8, 8, false), set, done);
	irb_place(b, set);
	irb_store(b, slot, off, 8, gen);
	irb_store(b, slot, off + 8, 8, value);
	irb_jmp(b, done);
	irb_place(b, done);
}

void agg_emit_min(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value, int incr,
		  bool atomic)
{
	(void)incr, (void)atomic;
	emit_extreme(b, ai, slot, off, value, CC_SLT);
}

void agg_emit_max(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value, int incr,
		  bool atomic)
{
	(void)incr, (void)atomic;
	emit_extreme(b, ai, slot, off, value, CC_SGT);
}

void agg_emit_avg(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value, int incr,
		  bool atomic)
{
	(void)ai, (void)incr;
	bump(b, slot, off, irb_const(b, 1), atomic);
	bump(b, slot, off + 8, value, atomic);
}

/*
 * The square of a 64-bit value has 128 bits.  With |v| = h * 2^32 + l:
 *   v^2 = h^2 * 2^64 + 2hl * 2^32 + l^2
 */
void agg_emit_stddev(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value,
		     int incr, bool atomic)
{
	int sign = irb_bini(b, IR_SAR, value, 63);
	int mag = irb_bin(b, IR_SUB, irb_bin(b, IR_XOR, value, sign), sign);
	int h = irb_bini(b, IR_SHR, mag, 32), l = irb_ext(b, mag, 4, false);
	int hl = irb_bin(b, IR_MUL, h, l);
	int low = irb_bin(b, IR_MUL, l, l), mid = irb_bini(b, IR_SHL, hl, 33);
	int carry = irb_bini(b, IR_SHR, hl, 31), high = irb_bin(b, IR_ADD, irb_bin(b, IR_MUL, h, h), carry);
	int sum, old, total;

	agg_emit_avg(b, ai, slot, off, value, incr, atomic);
	sum = irb_bin(b, IR_ADD, low, mid);
	high = irb_bin(b, IR_ADD, high, irb_set(b, CC_ULT, sum, low));
	old = irb_loadv(b, slot, off + 16, 8, false);
	total = irb_bin(b, IR_ADD, old, sum);
	high = irb_bin(b, IR_ADD, high, irb_set(b, CC_ULT, total, old));
	irb_store(b, slot, off + 16, 8, total);
	bump(b, slot, off + 24, high, false);
}

/* The address of word @index of a sparse value; to @full if there is no memory for it. */
static int sparse_word(struct irb *b, const struct agg_info *ai, int slot, int index, int full)
{
	int entry = irb_bin(b, IR_ADD, slot, irb_bini(b, IR_SHL, irb_bini(b, IR_SHR, index, 4), 3));
	int fresh = irb_cold_block(b, "no block"), have = irb_block(b, "block"), block = irb_var(b);

	_Static_assert(SPARSE_WORDS == 1 << 4, "the shift");
	irb_assign(b, block, irb_loadv(b, entry, 0, 8, false));
	irb_bri(b, CC_EQ, block, 0, fresh, have);
	irb_place(b, fresh);
	irb_assign(b, block, irb_call(b, IR_CALL, HELPER_sparse_block, 3,
				      (struct ir_arg[]){{ARG_MAP, 0, ai->map}, {ARG_REG, entry, 0},
							{ARG_IMM, 0, 8}}));
	irb_bri(b, CC_EQ, block, 0, full, have);
	irb_place(b, have);
	return irb_bin(b, IR_ADD, block, irb_bini(b, IR_SHL, irb_bini(b, IR_AND, index, SPARSE_WORDS - 1), 3));
}

/* slot[index] += weight, @index below @n (clamped again: the verifier lost track of it). */
static void bump_bucket(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int index, int incr,
			bool atomic)
{
	int ok = irb_block(b, "bucket"), done = irb_block(b, "counted"), by, word;
	unsigned n = ai->value_size / 8;

	irb_bri(b, CC_ULT, index, n, ok, done);
	irb_place(b, ok);
	by = weight(b, incr);
	if (ai->sparse)
		word = sparse_word(b, ai, slot, index, done);
	else
		word = irb_bin(b, IR_ADD, slot, irb_bini(b, IR_SHL, index, 3));
	bump(b, word, off, by, atomic);
	irb_jmp(b, done);
	irb_place(b, done);
}

/* floor(log2(v)) of a v > 0, by halving. */
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

void agg_emit_quantize(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value,
		       int incr, bool atomic)
{
	int index = irb_var(b), pos = irb_block(b, "positive"), notpos = irb_block(b, "not positive");
	int neg = irb_block(b, "negative"), zero = irb_block(b, "zero"), done = irb_block(b, "index"), mag;

	irb_bri(b, CC_SGT, value, 0, pos, notpos);
	irb_place(b, pos);
	irb_assign(b, index, irb_bini(b, IR_ADD, emit_log2(b, value), QUANTIZE_ZERO + 1));
	irb_jmp(b, done);
	irb_place(b, notpos);
	irb_bri(b, CC_EQ, value, 0, zero, neg);
	irb_place(b, neg);
	mag = irb_neg(b, value);
	mag = irb_bin(b, IR_SUB, mag, irb_bini(b, IR_SHR, mag, 63)); /* -2^63 belongs to the bucket of -2^62 */
	irb_assign(b, index, irb_bini(b, IR_ADD, irb_neg(b, emit_log2(b, mag)), QUANTIZE_ZERO - 1));
	irb_jmp(b, done);
	irb_place(b, zero);
	irb_assign_imm(b, index, QUANTIZE_ZERO);
	irb_jmp(b, done);
	irb_place(b, done);
	bump_bucket(b, ai, slot, off, index, incr, atomic);
}

/* Goes to a new block, which is placed, unless value < bound: then index = @i, to @done. */
static void below(struct irb *b, int value, int64_t bound, int index, unsigned i, int done)
{
	int yes = irb_block(b, "below"), no = irb_block(b, "not below");

	irb_bri(b, CC_SLT, value, bound, yes, no);
	irb_place(b, yes);
	irb_assign_imm(b, index, i);
	irb_jmp(b, done);
	irb_place(b, no);
}

void agg_emit_lquantize(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value,
			int incr, bool atomic)
{
	int64_t base = ai->param[0], limit = ai->param[1], step = ai->param[2];
	unsigned levels = lquantize_levels(ai->param);
	int index = irb_var(b), in = irb_block(b, "in range"), over = irb_block(b, "over");
	int done = irb_block(b, "index");

	below(b, value, base, index, 0, done);
	irb_bri(b, CC_SLT, value, limit, in, over);
	irb_place(b, in);
	irb_assign(b, index,
		   irb_bini(b, IR_ADD,
			    irb_bini(b, IR_DIV, irb_bin(b, IR_SUB, value, irb_const(b, base)), step), 1));
	irb_jmp(b, done);
	irb_place(b, over);
	irb_assign_imm(b, index, levels + 1);
	irb_jmp(b, done);
	irb_place(b, done);
	bump_bucket(b, ai, slot, off, index, incr, atomic);
}

/* One run of buckets of equal width: [from, to), the first of them number @i. */
static void emit_run(struct irb *b, int value, int64_t from, int64_t to, int64_t width, unsigned i,
		     int index, int done)
{
	int in = irb_block(b, "in run"), no = irb_block(b, "above run");

	irb_bri(b, CC_SLT, value, to, in, no);
	irb_place(b, in);
	irb_assign(b, index,
		   irb_bini(b, IR_ADD,
			    irb_bini(b, IR_DIV, irb_bin(b, IR_SUB, value, irb_const(b, from)), width),
			    i));
	irb_jmp(b, done);
	irb_place(b, no);
}

/* Groups the buckets, as llquantize_value() gives them, into runs of equal width. */
void agg_emit_llquantize(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value,
			 int incr, bool atomic)
{
	unsigned n = llquantize_buckets(ai->param), i = 1, first;
	int index = irb_var(b), done = irb_block(b, "index");

	below(b, value, llquantize_value(ai->param, 1), index, 0, done);
	while (i < n - 1) {
		int64_t from = llquantize_value(ai->param, i);
		int64_t width = llquantize_value(ai->param, i + 1) - from;

		first = i;
		do
			i++;
		while (i < n - 1 &&
		       llquantize_value(ai->param, i + 1) - llquantize_value(ai->param, i) == width);
		emit_run(b, value, from, llquantize_value(ai->param, i), width, first, index, done);
	}
	irb_assign_imm(b, index, n - 1);
	irb_jmp(b, done);
	irb_place(b, done);
	bump_bucket(b, ai, slot, off, index, incr, atomic);
}
