/*
 * key_words.c - puts keys of aggregations into registers, as words of 8 bytes.
 *
 * A key is stored field by field, but hashed and compared word by word. A load of 8 bytes must wait
 * until shorter stores to these bytes have left the processor's store buffer, which costs 12 cycles
 * or more. So the words are put together in registers, and are stored only where the key is needed
 * in memory.
 */
#include "ir/ir.h"
#include "ir/table.h"

/*
 * The functions below share an array `from`. For each byte of a key, it has the index of the store
 * that supplies the byte; the store is in the current block. OTHERS: other code adds the byte,
 * which belongs to the generation. NO_STORE: no store was found.
 */
enum { OTHERS = -1, NO_STORE = -2 };

/* Returns whether @in does not access the stack, and has no effect but its result. */
static bool is_harmless(const struct ir_insn *in)
{
	switch ((enum ir_op)in->op) {
	case IR_NOP:
	case IR_MOV:
		return true;
	case IR_CALL:
	case IR_KCALL:
	case IR_LCALL:
	case IR_CMPXCHG:
		return false;
	case IR_LOADV:
		return in->a != FRAME;
	default:
		return in->dst && in->a != FRAME && in->b != FRAME && in->op != IR_READ;
	}
}

/*
 * Finds the stores that supply the bytes of the key, going back from the end of the block. Returns
 * whether they supply all bytes after the first @skip.
 */
static bool find_stores(struct irb *b, int32_t off, uint32_t size, uint32_t skip, int *from)
{
	const struct ir_block *blk = b->f->block.v[b->cur];
	uint32_t left = size - skip;

	for (uint32_t i = 0; i < size; i++)
		from[i] = i < skip ? OTHERS : NO_STORE;
	for (size_t j = blk->insn.n; j-- > 0 && left;) {
		const struct ir_insn *in = &blk->insn.v[j];
		int32_t at = in->off - off;

		if (in->op != IR_STORE) {
			if (is_harmless(in))
				continue;
			return false;
		}
		if (in->a != FRAME || at < (int32_t)skip || at + in->size > (int32_t)size ||
		    in->off % in->size || (in->b > 0 && irb_reg(b, in->b)->is_var))
			return false;
		for (int k = 0; k < in->size; k++) {
			if (from[at + k] != NO_STORE)
				return false;
			from[at + k] = (int)j;
		}
		left -= in->size;
	}
	return !left;
}

/*
 * Returns the value that the store at index @at of the block stores. Only the bytes that are stored
 * count. A value that the block loaded with a sign is loaded again without it, because the code
 * that extends the sign would be wasted. The memory has not changed since the first load: an
 * IR_LOAD is only for memory that programs do not write.
 */
static int stored_value(struct irb *b, int at)
{
	const struct ir_block *blk = b->f->block.v[b->cur];
	struct ir_insn store = blk->insn.v[at], in;

	while (at-- > 0) {
		in = blk->insn.v[at];
		if (in.dst != store.b)
			continue;
		if (in.op == IR_LOAD && in.a != FRAME && !irb_reg(b, in.a)->is_var && in.sgn &&
		    in.size == store.size)
			return irb_load(b, in.a, in.off, in.size, false);
		break;
	}
	return irb_scalar(b, store.b); /* the verifier forbids arithmetic on pointers */
}

/* Returns the word at byte @at of the key. It is put together from the values of its stores. */
static struct ir_arg compose(struct irb *b, int32_t off, const int *from, uint32_t at)
{
	uint64_t number = 0;
	int word = NOREG;

	for (uint32_t i = at; i < at + 8;) {
		struct ir_insn in;
		unsigned shift = 8 * (i - at);
		int part, stored = from[i];

		if (stored == OTHERS) {
			i++;
			continue;
		}
		in = b->f->block.v[b->cur]->insn.v[stored];
		i = (uint32_t)(in.off - off) + in.size;
		if (in.b == NOREG) {
			uint64_t v = (uint64_t)in.imm;

			number |= (in.size < 8 ? v & ((1ull << 8 * in.size) - 1) : v) << shift;
			continue;
		}
		part = stored_value(b, stored);
		if (i < at + 8)
			part = irb_ext(b, part, in.size, false);
		part = irb_bini(b, IR_SHL, part, shift);
		word = word ? irb_bin(b, IR_OR, word, part) : part;
	}
	if (!word)
		return (struct ir_arg){ARG_IMM, 0, (int64_t)number};
	if (number)
		word = irb_bini(b, IR_OR, word, (int64_t)number);
	return (struct ir_arg){ARG_REG, word, 0};
}

bool irb_take_words(struct irb *b, int32_t off, uint32_t size, uint32_t skip, struct ir_arg *word)
{
	int from[TABLE_KEY_MAX];

	if (!irb_is_open(b) || size > TABLE_KEY_MAX || !find_stores(b, off, size, skip, from))
		return false;
	for (uint32_t at = 0; at < size; at += 8)
		word[at / 8] = compose(b, off, from, at);
	for (uint32_t i = skip; i < size; i++)
		b->f->block.v[b->cur]->insn.v[from[i]] = (struct ir_insn){.op = IR_NOP};
	return true;
}
