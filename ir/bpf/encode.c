/*
 * encode.c - encodes plain IR as instructions, after register allocation.
 *
 * Blocks are placed in order, and cold blocks (which are rarely executed) after the others. A long
 * program is divided into sections, and the cold blocks of each section follow that section. For
 * each jump, the target block is recorded; jumps.c sets the distances.
 */
#include "base/diag.h"
#include "base/xalloc.h"
#include "ir/bpf/bpf.h"
#include "ir/bpf/insn.h"

#define TMP BPF_R0
#define TMP2 BPF_R5 /* used as a temporary only if values were spilled */

struct enc {
	const struct ir_func *f;
	struct bpf_alloc al;
	struct bpf_code c;
	VEC(int) layout;
	int next; /* the next block in the layout; NOBLOCK if there is none */
	/* virtual register whose value is in memory, and now also in TMP; 0 if there is none */
	int tmp_holds;
};

/*
 * Returns whether the instruction changes TMP. Atomic operations that return the old value do not
 * count here, because store_result() follows them.
 */
static bool writes_tmp(struct insn in)
{
	unsigned class = in.code & 7;

	if (class == C_ST || class == C_STX)
		return false;
	if (class == C_JMP)
		return (in.code & 0xf0) == J_CALL;
	return in.dst == TMP;
}

static void put(struct enc *e, struct insn in)
{
	if (writes_tmp(in))
		e->tmp_holds = 0;
	vec_push(&e->c.out, in);
}

static bool fits32(int64_t v)
{
	return v >= INT32_MIN && v <= INT32_MAX;
}

static void put_const(struct enc *e, int reg, int64_t v)
{
	if (fits32(v)) {
		put(e, bpf_movi(reg, (int32_t)v));
		return;
	}
	put(e, bpf_insn(C_LD | M_IMM | S_DW, reg, 0, 0, (int32_t)v));
	put(e, bpf_insn(0, 0, 0, 0, (int32_t)(v >> 32)));
}

static void put_ref(struct enc *e, int reg, int kind, int64_t imm, int64_t off)
{
	put(e, bpf_insn(C_LD | M_IMM | S_DW, reg, kind, 0, imm));
	put(e, bpf_insn(0, 0, 0, 0, off));
}

static void rematerialize(struct enc *e, int dst, const struct ir_insn *in)
{
	if (in->op == IR_CONST) {
		put_const(e, dst, in->imm);
	} else if (in->op == IR_GLOBAL) {
		put_ref(e, dst, INSN_MAP_VALUE, in->id, in->imm);
	} else { /* IR_ADDR with the base FRAME */
		put(e, bpf_mov(dst, BPF_FP));
		put(e, bpf_alui(A_ADD, dst, in->off));
	}
}

static bool fits16(int32_t off)
{
	return off >= INT16_MIN && off <= INT16_MAX;
}

static int in_reg(struct enc *e, int reg, int tmp);

/*
 * Returns a register and sets *@off so that register + *@off is the address of the spilled value
 * with location @p. May overwrite @tmp.
 */
static int spill_address(struct enc *e, const struct bpf_location *p, int tmp, int *off)
{
	int base = p->in_scratch ? in_reg(e, e->f->spill_base, tmp) : BPF_FP;

	*off = p->slot;
	if (fits16(p->slot))
		return base;
	*off = 0;
	if (base != tmp)
		put(e, bpf_mov(tmp, base));
	put(e, bpf_alui(A_ADD, tmp, p->slot));
	return tmp;
}

/*
 * Returns the machine register that has the value of @reg. Loads or recomputes the value into @tmp
 * if no register has it.
 */
static int in_reg(struct enc *e, int reg, int tmp)
{
	int base, off;
	const struct bpf_location *p;

	if (reg == FRAME)
		return BPF_FP;
	p = &e->al.place[reg];
	if (p->reg >= 0)
		return p->reg;
	if (p->remat) {
		rematerialize(e, tmp, p->remat);
	} else if (reg == e->tmp_holds) {
		if (tmp != TMP)
			put(e, bpf_mov(tmp, TMP));
	} else {
		base = spill_address(e, p, tmp, &off);
		put(e, bpf_ldx(8, tmp, base, off));
		e->tmp_holds = tmp == TMP ? reg : e->tmp_holds;
	}
	return tmp;
}

/*
 * Returns the machine register in which to compute @reg. If this is only a temporary,
 * store_result() must be called afterwards to store the value.
 */
static int out_reg(struct enc *e, int reg)
{
	return e->al.place[reg].reg >= 0 ? e->al.place[reg].reg : TMP;
}

static void store_result(struct enc *e, int reg)
{
	const struct bpf_location *p = &e->al.place[reg];

	int base, off;

	if (p->reg >= 0 || (!p->in_scratch && !p->slot))
		return;
	base = spill_address(e, p, TMP2, &off);
	put(e, bpf_stx(8, base, off, TMP));
	e->tmp_holds = reg;
}

/* Emits code that sets machine register @dst to the value of virtual register @reg. */
static void load_into(struct enc *e, int dst, int reg)
{
	int r = in_reg(e, reg, dst);

	if (r != dst)
		put(e, bpf_mov(dst, r));
}

static int alu_code(enum ir_op op)
{
	static const uint8_t code[] = {
		[IR_ADD] = A_ADD, [IR_SUB] = A_SUB, [IR_MUL] = A_MUL,  [IR_DIV] = A_DIV,
		[IR_MOD] = A_MOD, [IR_AND] = A_AND, [IR_OR] = A_OR,    [IR_XOR] = A_XOR,
		[IR_SHL] = A_LSH, [IR_SHR] = A_RSH, [IR_SAR] = A_ARSH,
	};

	return code[op];
}

static void enc_alu(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst), b = in->b ? in_reg(e, in->b, TMP2) : 0;

	load_into(e, dst, in->a);
	if (in->b)
		put(e, bpf_alu(alu_code(in->op), dst, b));
	else
		put(e, bpf_alui(alu_code(in->op), dst, (int32_t)in->imm));
	store_result(e, in->dst);
}

static void enc_ext(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst), bits = 64 - 8 * in->size;

	if (in->size == 4 && !in->sgn) {
		put(e, bpf_insn(C_ALU | A_MOV | X, dst, in_reg(e, in->a, dst), 0, 0));
	} else {
		load_into(e, dst, in->a);
		if (in->sgn) {
			put(e, bpf_alui(A_LSH, dst, bits));
			put(e, bpf_alui(A_ARSH, dst, bits));
		} else {
			put(e, bpf_alui(A_AND, dst, in->size == 1 ? 0xff : 0xffff));
		}
	}
	store_result(e, in->dst);
}

static void enc_swap(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst);

	load_into(e, dst, in->a);
	put(e, bpf_insn(C_ALU | A_END | X, dst, 0, 0, in->size * 8)); /* X means: to big endian */
	store_result(e, in->dst);
}

static void enc_neg(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst);

	load_into(e, dst, in->a);
	put(e, bpf_alui(A_NEG, dst, 0));
	store_result(e, in->dst);
}

static int jump_code(enum ir_cc cc)
{
	static const uint8_t code[] = {
		[CC_EQ] = J_EQ,   [CC_NE] = J_NE,   [CC_ULT] = J_LT,   [CC_ULE] = J_LE,
		[CC_UGT] = J_GT,  [CC_UGE] = J_GE,  [CC_SLT] = J_SLT,  [CC_SLE] = J_SLE,
		[CC_SGT] = J_SGT, [CC_SGE] = J_SGE, [CC_BITS] = J_SET,
	};

	return code[cc];
}

/* Emits a conditional jump over @off instructions. */
static void put_cond(struct enc *e, enum ir_cc cc, const struct ir_insn *in, int off)
{
	int a = in_reg(e, in->a, TMP);

	if (in->b)
		put(e, bpf_insn((unsigned)(C_JMP | jump_code(cc) | X), a, in_reg(e, in->b, TMP2),
				off, 0));
	else
		put(e, bpf_insn((unsigned)(C_JMP | jump_code(cc) | K), a, 0, off, in->imm));
}

/*
 * Reads the operands before it writes the result, because the result may share a register with an
 * operand.
 */
static void enc_set(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst);

	put_cond(e, in->cc, in, 2);
	put(e, bpf_movi(dst, 0));
	put(e, bpf_insn(C_JMP | J_A, 0, 0, 1, 0));
	put(e, bpf_movi(dst, 1));
	store_result(e, in->dst);
}

/*
 * Returns a register for the base of the address a + off, and sets *@off to the offset that
 * remains. Instructions have only 16 bits for an offset.
 */
static int base_in_range(struct enc *e, const struct ir_insn *in, int tmp, int *off)
{
	*off = in->off;
	if (fits16(in->off))
		return in_reg(e, in->a, tmp);
	*off = 0;
	load_into(e, tmp, in->a);
	put(e, bpf_alui(A_ADD, tmp, in->off));
	return tmp;
}

static void enc_load(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst), bits = 64 - 8 * in->size, off;
	int base = base_in_range(e, in, TMP, &off);

	put(e, bpf_ldx(in->size, dst, base, off));
	if (in->sgn && in->size < 8) {
		put(e, bpf_alui(A_LSH, dst, bits));
		put(e, bpf_alui(A_ARSH, dst, bits));
	}
	store_result(e, in->dst);
}

static void enc_store(struct enc *e, const struct ir_insn *in)
{
	int off, base = base_in_range(e, in, TMP, &off);

	if (in->b)
		put(e, bpf_stx(in->size, base, off, in_reg(e, in->b, TMP2)));
	else
		put(e, bpf_st(in->size, base, off, (int32_t)in->imm));
}

static void enc_atomic(struct enc *e, const struct ir_insn *in)
{
	int off, base = base_in_range(e, in, TMP, &off), v = in_reg(e, in->b, TMP2);

	put(e, bpf_insn(C_STX | M_ATOMIC | S_DW, base, v, off, A_ADD));
}

/* The exchange puts the old value into the register that has the operand. */
static void enc_exchange(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst), base = in_reg(e, in->a, TMP2);

	load_into(e, dst, in->b);
	put(e, bpf_insn(C_STX | M_ATOMIC | S_DW, base, dst, in->off, A_XCHG));
	store_result(e, in->dst);
}

static void enc_fetch(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst), base = in_reg(e, in->a, TMP2);

	load_into(e, dst, in->b);
	put(e, bpf_insn(C_STX | M_ATOMIC | S_DW, base, dst, in->off, A_FETCH_ADD));
	store_result(e, in->dst);
}

/*
 * Emits the instruction addr_space_cast (Linux 6.9), which converts an address in dtrace's process
 * to an address that the program can use.
 */
static void enc_arena(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst);

	put(e, bpf_insn(C_ALU64 | A_MOV | X, dst, in_reg(e, in->a, dst), 1, 1));
	store_result(e, in->dst);
}

static void enc_addr(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst);

	load_into(e, dst, in->a);
	put(e, bpf_alui(A_ADD, dst, in->off));
	store_result(e, in->dst);
}

/* ------------------------------------------------------------------- calls */

/*
 * Returns whether machine register @reg still has the value of an argument that was not moved yet.
 * Argument @except does not count.
 */
static bool blocked(const struct enc *e, const struct ir_arg *arg, const bool *done, unsigned n,
		    unsigned except, int reg)
{
	for (unsigned i = 0; i < n; i++)
		if (i != except && !done[i] && arg[i].kind == ARG_REG &&
		    e->al.place[arg[i].reg].reg == reg)
			return true;
	return false;
}

static bool move_args(struct enc *e, const struct ir_arg *arg, bool *done, unsigned n)
{
	bool moved = false;

	for (unsigned i = 0; i < n; i++) {
		if (done[i] || blocked(e, arg, done, n, i, BPF_R1 + (int)i))
			continue;
		load_into(e, BPF_R1 + (int)i, arg[i].reg);
		done[i] = moved = true;
	}
	return moved;
}

/*
 * Breaks a cycle of arguments that are in each other's registers. Moves the first argument to r0,
 * which frees its register for the others.
 */
static void move_cycle(struct enc *e, const struct ir_arg *arg, bool *done, unsigned n,
		       unsigned first)
{
	put(e, bpf_mov(TMP, e->al.place[arg[first].reg].reg));
	done[first] = true;
	while (move_args(e, arg, done, n))
		;
	put(e, bpf_mov(BPF_R1 + (int)first, TMP));
}

/*
 * Moves arguments that are in registers first, in an order in which no move overwrites an argument
 * that is still needed. Then computes constants and addresses in place. Five arguments can form two
 * cycles.
 */
static void put_args(struct enc *e, const struct ir_arg *arg, unsigned n)
{
	bool done[5] = {0};
	unsigned i;

	for (i = 0; i < n; i++)
		done[i] = arg[i].kind != ARG_REG;
	while (move_args(e, arg, done, n))
		;
	for (i = 0; i < n; i++)
		if (!done[i])
			move_cycle(e, arg, done, n, i);
	for (i = 0; i < n; i++) {
		int r = BPF_R1 + (int)i;

		switch (arg[i].kind) {
		case ARG_REG:
			break;
		case ARG_IMM:
			put_const(e, r, arg[i].imm);
			break;
		case ARG_FRAME:
			put(e, bpf_mov(r, BPF_FP));
			put(e, bpf_alui(A_ADD, r, (int32_t)arg[i].imm));
			break;
		case ARG_MAP:
			put_ref(e, r, INSN_MAP, arg[i].imm, 0);
			break;
		case ARG_GLOBAL:
			put_ref(e, r, INSN_MAP_VALUE, MAP_ID_GLOBAL, arg[i].imm);
			break;
		}
	}
}

static void put_result(struct enc *e, int dst)
{
	if (!dst)
		return;
	if (e->al.place[dst].reg > 0)
		put(e, bpf_mov(e->al.place[dst].reg, BPF_R0));
	else
		store_result(e, dst);
}

static void enc_call(struct enc *e, const struct ir_insn *in)
{
	put_args(e, in->arg, in->narg);
	if (in->op == IR_LCALL) {
		vec_push(&e->c.call, ((struct bpf_call){e->c.out.n, (int)in->imm}));
		put(e, bpf_insn(C_JMP | J_CALL, 0, INSN_LOCAL, 0, 0));
	} else {
		put(e,
		    bpf_insn(C_JMP | J_CALL, 0, in->op == IR_KCALL ? INSN_KFUNC : 0, 0, in->imm));
	}
	put_result(e, in->dst);
}

/* r0 has the expected value before the instruction, and the old value after it. */
static void enc_cmpxchg(struct enc *e, const struct ir_insn *in)
{
	put_args(e, in->arg, in->narg);
	put(e, bpf_mov(BPF_R0, BPF_R1 + 1));
	put(e, bpf_insn(C_STX | M_ATOMIC | (in->size == 4 ? S_W : S_DW), BPF_R1, BPF_R1 + 2, 0,
			A_CMPXCHG));
	put_result(e, in->dst);
}

/* ---------------------------------------------------------------- terminators */

static void put_jump(struct enc *e, struct insn in, int block)
{
	vec_push(&e->c.jump, ((struct bpf_jump){e->c.out.n, block}));
	put(e, in);
}

static void goto_block(struct enc *e, int block)
{
	if (block != e->next)
		put_jump(e, bpf_insn(C_JMP | J_A, 0, 0, 0, 0), block);
}

static void cond_to(struct enc *e, enum ir_cc cc, const struct ir_insn *in, int block)
{
	put_cond(e, cc, in, 0);
	vec_push(&e->c.jump, ((struct bpf_jump){e->c.out.n - 1, block}));
}

static void enc_br(struct enc *e, const struct ir_insn *in)
{
	if (in->t == in->f) {
		goto_block(e, in->t);
	} else if (in->t == e->next && in->cc != CC_BITS) {
		cond_to(e, ir_cc_invert(in->cc), in, in->f);
	} else {
		cond_to(e, in->cc, in, in->t);
		goto_block(e, in->f);
	}
}

static void enc_nop(struct enc *e, const struct ir_insn *in)
{
	(void)e, (void)in;
}

static void enc_const(struct enc *e, const struct ir_insn *in)
{
	put_const(e, out_reg(e, in->dst), in->imm);
	store_result(e, in->dst);
}

static void enc_mov(struct enc *e, const struct ir_insn *in)
{
	load_into(e, out_reg(e, in->dst), in->a);
	store_result(e, in->dst);
}

static void enc_param(struct enc *e, const struct ir_insn *in)
{
	int dst = out_reg(e, in->dst), param = BPF_R1 + (int)in->imm;

	if (dst != param)
		put(e, bpf_mov(dst, param));
	store_result(e, in->dst);
}

static void enc_global(struct enc *e, const struct ir_insn *in)
{
	put_ref(e, out_reg(e, in->dst), INSN_MAP_VALUE, in->id, in->imm);
	store_result(e, in->dst);
}

static void enc_pc(struct enc *e, const struct ir_insn *in)
{
	vec_push(&e->c.pc, e->c.out.n);
	put(e, bpf_movi(out_reg(e, in->dst), 0));
	store_result(e, in->dst);
}

static void enc_jmp(struct enc *e, const struct ir_insn *in)
{
	goto_block(e, in->t);
}

static void enc_ret(struct enc *e, const struct ir_insn *in)
{
	if (in->a)
		load_into(e, BPF_R0, in->a);
	else
		put(e, bpf_movi(BPF_R0, (int32_t)in->imm));
	put(e, bpf_insn(C_JMP | J_EXIT, 0, 0, 0, 0));
}

/*
 * The encoder of each operation. Semantic operations have no encoder, because ir/expand.c has
 * expanded them.
 */
static void (*const encoder[])(struct enc *e, const struct ir_insn *in) = {
	[IR_NOP] = enc_nop,       [IR_CONST] = enc_const,   [IR_MOV] = enc_mov,
	[IR_ADD] = enc_alu,       [IR_SUB] = enc_alu,       [IR_MUL] = enc_alu,
	[IR_DIV] = enc_alu,       [IR_MOD] = enc_alu,       [IR_AND] = enc_alu,
	[IR_OR] = enc_alu,        [IR_XOR] = enc_alu,       [IR_SHL] = enc_alu,
	[IR_SHR] = enc_alu,       [IR_SAR] = enc_alu,       [IR_NEG] = enc_neg,
	[IR_EXT] = enc_ext,       [IR_SWAP] = enc_swap,     [IR_SET] = enc_set,
	[IR_CTX] = enc_param,     [IR_PARAM] = enc_param,   [IR_LOAD] = enc_load,
	[IR_LOADV] = enc_load,    [IR_STORE] = enc_store,   [IR_ATOMIC] = enc_atomic,
	[IR_XCHG] = enc_exchange, [IR_ADDR] = enc_addr,     [IR_CMPXCHG] = enc_cmpxchg,
	[IR_FETCH] = enc_fetch,   [IR_ARENA] = enc_arena,   [IR_GLOBAL] = enc_global,
	[IR_CALL] = enc_call,     [IR_PURECALL] = enc_call, [IR_KCALL] = enc_call,
	[IR_LCALL] = enc_call,    [IR_PC] = enc_pc,         [IR_JMP] = enc_jmp,
	[IR_BR] = enc_br,         [IR_RET] = enc_ret,
};

static void enc_insn(struct enc *e, const struct ir_insn *in)
{
	if (in->dst && e->al.place[in->dst].remat)
		return; /* the value is recomputed at each use */
	if (in->op >= sizeof(encoder) / sizeof(*encoder) || !encoder[in->op])
		BUG("unit %s: semantic operation %d was not expanded", e->f->name, in->op);
	encoder[in->op](e, in);
}

#define COLD_DISTANCE \
	2000 /* number of operations after which a section ends and its cold blocks follow */

static void order_cold_blocks(struct enc *e, size_t from, size_t to)
{
	for (; from < to; from++)
		if (e->f->block.v[e->f->order.v[from]]->cold)
			vec_push(&e->layout, e->f->order.v[from]);
}

static void order_blocks(struct enc *e)
{
	size_t cold = 0, n = 0;

	for (size_t i = 0; i < e->f->order.n; i++) {
		const struct ir_block *blk = e->f->block.v[e->f->order.v[i]];

		if (blk->cold)
			continue;
		vec_push(&e->layout, e->f->order.v[i]);
		n += blk->insn.n;
		if (n < COLD_DISTANCE)
			continue;
		order_cold_blocks(e, cold, i);
		cold = i;
		n = 0;
	}
	order_cold_blocks(e, cold, e->f->order.n);
}

static void encode(struct enc *e)
{
	const struct ir_func *f = e->f;

	e->c.nblock = f->block.n;
	e->c.start = xcalloc(f->block.n, sizeof(*e->c.start));
	order_blocks(e);
	for (size_t i = 0; i < e->layout.n; i++) {
		const struct ir_block *blk = f->block.v[e->layout.v[i]];

		e->c.start[e->layout.v[i]] = e->c.out.n;
		e->tmp_holds = 0;
		e->next = i + 1 < e->layout.n ? e->layout.v[i + 1] : NOBLOCK;
		for (size_t j = 0; j < blk->insn.n; j++)
			enc_insn(e, &blk->insn.v[j]);
	}
}

static void release(struct enc *e)
{
	vec_free(&e->c.out);
	vec_free(&e->c.jump);
	vec_free(&e->c.call);
	vec_free(&e->c.pc);
	vec_free(&e->layout);
	xfree(e->c.start);
}

/* Appends the code of one function. */
static void append_code(struct bpf_code *all, const struct bpf_code *c)
{
	size_t base = all->out.n;

	for (size_t i = 0; i < c->pc.n; i++)
		c->out.v[c->pc.v[i]].imm = (int32_t)((base + c->pc.v[i]) * sizeof(struct insn));
	for (size_t i = 0; i < c->call.n; i++)
		vec_push(&all->call,
			 ((struct bpf_call){base + c->call.v[i].at, c->call.v[i].func}));
	for (size_t i = 0; i < c->out.n; i++)
		vec_push(&all->out, c->out.v[i]);
}

static int generate(const struct ir_func *f, struct bpf_code *all, int32_t *stack, struct diag *d)
{
	struct enc e = {.f = f};
	int err;

	bpf_allocate_registers(f->arena, f, &e.al);
	*stack = e.al.frame;
	encode(&e);
	err = bpf_resolve_jumps(&e.c, f->name, d);
	if (!err)
		append_code(all, &e.c);
	release(&e);
	return err;
}

#define STACK_UNIT 32 /* the kernel rounds the stack of each function up to this many bytes */

/* The code of a unit, in which its functions stand one after the other. */
struct unit_code {
	struct bpf_code all;
	size_t *start; /* for each function, the index of its first instruction */
	/* for each function, the size of its own stack in bytes */
	int32_t *frame;
	/* for each function, the largest stack of the functions that it calls; -1 if unknown */
	int32_t *below;
	size_t n;
};

/* Returns the maximum stack in bytes that is in use while function @func runs. */
static int32_t max_stack(const struct unit_code *j, size_t func)
{
	size_t end = func + 1 < j->n ? j->start[func + 1] : SIZE_MAX;

	if (j->below[func] < 0) {
		j->below[func] = 0;
		for (size_t i = 0; i < j->all.call.n; i++) {
			const struct bpf_call *c = &j->all.call.v[i];
			int32_t n = c->at >= j->start[func] && c->at < end
					    ? max_stack(j, (size_t)c->func)
					    : 0;

			if (n > j->below[func])
				j->below[func] = n;
		}
	}
	if (j->n == 1)
		return j->frame[func];
	return (j->frame[func] + !j->frame[func] + STACK_UNIT - 1) / STACK_UNIT * STACK_UNIT +
	       j->below[func];
}

static void resolve_calls(struct unit_code *j)
{
	for (size_t i = 0; i < j->all.call.n; i++) {
		const struct bpf_call *c = &j->all.call.v[i];

		j->all.out.v[c->at].imm = (int32_t)((int64_t)j->start[c->func] - (int64_t)c->at -
						    1);
	}
}

static int generate_all(const struct ir_unit *u, struct unit_code *j, struct diag *d)
{
	int32_t need;

	for (size_t i = 0; i < j->n; i++) {
		j->below[i] = -1;
		j->start[i] = j->all.out.n;
		u->func.v[i]->start = (uint32_t)j->start[i];
		if (generate(u->func.v[i], &j->all, &j->frame[i], d))
			return -1;
	}
	resolve_calls(j);
	need = max_stack(j, 0);
	if (need <= BPF_STACK_MAX)
		return 0;
	if (!u->func.v[0]->spill_base)
		return BPF_STACK_EXCEEDED;
	return diag_error(d, D_LIMIT, NOLOC,
			  "the program for '%s' needs %d bytes of stack; the kernel allows %d",
			  u->func.v[0]->name, need, BPF_STACK_MAX);
}

int bpf_generate(struct arena *a, const struct ir_unit *u, struct insn **insn, uint32_t *n,
		 struct diag *d)
{
	struct unit_code j = {.n = u->func.n};
	int err;

	j.start = xcalloc(j.n, sizeof(*j.start));
	j.frame = xcalloc(j.n, sizeof(*j.frame));
	j.below = xcalloc(j.n, sizeof(*j.below));
	err = generate_all(u, &j, d);
	*insn = arena_memdup(a, j.all.out.v, j.all.out.n * sizeof(*j.all.out.v));
	*n = (uint32_t)j.all.out.n;
	vec_free(&j.all.out);
	vec_free(&j.all.call);
	xfree(j.start);
	xfree(j.frame);
	xfree(j.below);
	return err;
}
