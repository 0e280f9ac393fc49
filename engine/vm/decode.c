/*
 * decode.c - decodes eBPF instructions to operations (struct vm_op), which the interpreter runs and
 * the compiler to native code reads.
 *
 * The decoder refuses what the verifier's first pass refuses: unknown codes, registers that do not
 * exist, jumps out of their function. check.c tests everything that depends on values.
 */
#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/vm/jit.h"
#include "engine/vm/helpers.h"
#include "engine/vm/internal.h"
#include "engine/vm/isa.h"
#include "engine/vm/ops.h"

struct decoder {
	struct vm *vm;
	const struct program *p;
	struct vm_code *c;
	struct diag *d;
	const void *const *label;
	uint32_t at;     /* index of the current instruction */
	uint32_t *func;  /* number of the function of each instruction */
	bool *second;    /* for each instruction, whether it is the second half of an LD_IMM64 */
	uint8_t *opcode; /* enum vm_opcode of each instruction */
};

#define refuse(dec, ...) refuse_tag(dec, D_VERIFY, __VA_ARGS__)

static int __attribute__((format(printf, 3, 4))) refuse_tag(struct decoder *dec, enum dtag tag,
							    const char *fmt, ...)
{
	struct strbuf b = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&b, fmt, ap);
	va_end(ap);
	diag_error(dec->d, tag, NOLOC, "unit '%s', instruction %u: %s", dec->c->name, dec->at, b.s);
	strbuf_release(&b);
	return -1;
}

static int bad_code(struct decoder *dec, const struct insn *in)
{
	return refuse(dec, "unknown instruction %#x (offset %d, immediate %d)", in->code, in->off,
		      in->imm);
}

static int set(struct decoder *dec, unsigned opcode)
{
	dec->c->op[dec->at].label = dec->label[opcode];
	dec->opcode[dec->at] = (uint8_t)opcode;
	return 0;
}

/* -------------------------------------------------------------- arithmetic */

static int decode_end(struct decoder *dec, const struct insn *in)
{
	bool swap = isa_class(in->code) == CL_ALU64, be = in->code & SRC_X;
	unsigned size;

	if (in->src || in->off || (swap && be))
		return bad_code(dec, in);
	switch (in->imm) {
	case 16:
		size = 0;
		break;
	case 32:
		size = 1;
		break;
	case 64:
		size = 2;
		break;
	default:
		return bad_code(dec, in);
	}
	return set(dec, (swap ? OP_SWAP16 : be ? OP_BE16 : OP_LE16) + size);
}

static int decode_movsx(struct decoder *dec, const struct insn *in)
{
	bool wide = isa_class(in->code) == CL_ALU64;

	switch (in->off) {
	case 8:
		return set(dec, wide ? OP_MOVSX8 : OP_MOVSX8W);
	case 16:
		return set(dec, wide ? OP_MOVSX16 : OP_MOVSX16W);
	case 32:
		if (wide)
			return set(dec, OP_MOVSX32);
	}
	return bad_code(dec, in);
}

/*
 * Returns whether the verifier refuses the immediate @imm as operand of @op: a division by 0, or a
 * shift by at least the width of the operation.
 */
static bool bad_operand(unsigned op, bool wide, int32_t imm)
{
	if (op == ALU_DIV || op == ALU_MOD)
		return imm == 0;
	if (op == ALU_LSH || op == ALU_RSH || op == ALU_ARSH)
		return imm < 0 || imm >= (wide ? 64 : 32);
	return false;
}

static int decode_alu(struct decoder *dec, const struct insn *in)
{
	bool x = in->code & SRC_X, wide = isa_class(in->code) == CL_ALU64;
	unsigned op = isa_op(in->code), row = op;

	if (in->dst == 10)
		return refuse(dec, "r10 is read-only");
	if (op == ALU_END)
		return decode_end(dec, in);
	if (op > ALU_END || (x ? in->imm : in->src))
		return bad_code(dec, in);
	if (op == ALU_NEG && (x || in->imm))
		return bad_code(dec, in);
	if (!x && bad_operand(op, wide, in->imm))
		return refuse(dec, "the immediate operand %d is out of range", in->imm);
	if (op == ALU_MOV && x && in->off)
		return decode_movsx(dec, in);
	if ((op == ALU_DIV || op == ALU_MOD) && in->off == 1)
		row = op == ALU_DIV ? 13 : 14;
	else if (in->off)
		return bad_code(dec, in);
	return set(dec, OP_ADD64K + row * 4 + (wide ? 0 : 2) + x);
}

/* ---------------------------------------------------------- loads and stores */

static int decode_imm64(struct decoder *dec, const struct insn *in)
{
	struct vm_op *op = &dec->c->op[dec->at];
	uint32_t map = (uint32_t)in->imm;
	struct vm_map *m;

	if (in->code != LD_IMM64 || in->off || !dec->second[dec->at + 1])
		return bad_code(dec, in);
	if (in->dst == 10)
		return refuse(dec, "r10 is read-only");
	if (!in->src) {
		op[1].value = (uint32_t)in->imm | (uint64_t)(uint32_t)in[1].imm << 32;
		return set(dec, OP_IMM64);
	}
	if (in->src > INSN_MAP_VALUE)
		return bad_code(dec, in);
	if (map >= dec->vm->nmap)
		return refuse(dec, "map %u does not exist", map);
	m = &dec->vm->map[map];
	if (in->src == INSN_MAP_VALUE) {
		if ((m->kind != MAP_GLOBAL && m->kind != MAP_PERCPU) ||
		    (uint32_t)in[1].imm >= m->value_size)
			return refuse(dec, "a value of map %u has no byte %d", map, in[1].imm);
		op[1].value = vm_addr(m->value) + (uint32_t)in[1].imm;
	} else {
		if (in[1].imm)
			return bad_code(dec, in);
		op[1].value = vm_addr(m);
	}
	return set(dec, OP_IMM64);
}

static int decode_ldx(struct decoder *dec, const struct insn *in)
{
	unsigned size = in->code >> 3 & 3;

	if (in->dst == 10)
		return refuse(dec, "r10 is read-only");
	if (in->imm)
		return bad_code(dec, in);
	if (isa_mode(in->code) == MODE_MEM)
		return set(dec, OP_LDXW + size);
	if (isa_mode(in->code) == MODE_MEMSX && isa_bytes(in->code) < 8)
		return set(dec, OP_LDSXW + size);
	return bad_code(dec, in);
}

static int decode_st(struct decoder *dec, const struct insn *in)
{
	if (isa_mode(in->code) != MODE_MEM || in->src)
		return bad_code(dec, in);
	return set(dec, OP_STW + (in->code >> 3 & 3));
}

static int decode_atomic(struct decoder *dec, const struct insn *in)
{
	unsigned bytes = isa_bytes(in->code);

	if (bytes < 4)
		return bad_code(dec, in);
	switch (in->imm) {
	case ATOMIC_ADD:
		return set(dec, bytes == 8 ? OP_ATOMIC_ADD64 : OP_ATOMIC32);
	case ATOMIC_ADD | ATOMIC_FETCH:
	case ATOMIC_OR | ATOMIC_FETCH:
	case ATOMIC_AND | ATOMIC_FETCH:
	case ATOMIC_XOR | ATOMIC_FETCH:
	case ATOMIC_XCHG:
		if (in->src == 10)
			return refuse(dec, "r10 is read-only");
		break;
	case ATOMIC_OR:
	case ATOMIC_AND:
	case ATOMIC_XOR:
	case ATOMIC_CMPXCHG:
		break;
	default:
		return bad_code(dec, in);
	}
	return set(dec, bytes == 8 ? OP_ATOMIC64 : OP_ATOMIC32);
}

static int decode_stx(struct decoder *dec, const struct insn *in)
{
	if (isa_mode(in->code) == MODE_ATOMIC)
		return decode_atomic(dec, in);
	if (isa_mode(in->code) != MODE_MEM || in->imm)
		return bad_code(dec, in);
	return set(dec, OP_STXW + (in->code >> 3 & 3));
}

/* ------------------------------------------------------------------- jumps */

/* Returns the index of the instruction that the jump or local call @in, at index @at, goes to. */
static int64_t target(uint32_t at, const struct insn *in)
{
	bool by_imm = isa_op(in->code) == JMP_CALL ||
		      (isa_op(in->code) == JMP_JA && isa_class(in->code) == CL_JMP32);

	return (int64_t)at + 1 + (by_imm ? in->imm : in->off);
}

static int check_target(struct decoder *dec, int64_t to, bool same_function)
{
	if (to < 0 || to >= dec->c->n || dec->second[to])
		return refuse(dec, "jump to instruction %lld, which does not exist", (long long)to);
	if (same_function && dec->func[to] != dec->func[dec->at])
		return refuse(dec, "jump to instruction %lld in another function", (long long)to);
	return 0;
}

static int decode_helper(struct decoder *dec, int row)
{
	dec->c->op[dec->at].imm = row;
	return set(dec, vm_helpers[row].opcode);
}

static int decode_call(struct decoder *dec, const struct insn *in)
{
	const char *name;
	int row;

	if (in->code != (CL_JMP | JMP_CALL << 4) || in->dst || in->off)
		return bad_code(dec, in);
	switch (in->src) {
	case 0:
		row = vm_helper_by_id((uint32_t)in->imm);
		if (row < 0)
			return refuse_tag(dec, D_UNSUPPORTED, "replay does not have helper %d",
					  in->imm);
		return decode_helper(dec, row);
	case INSN_LOCAL:
		if (check_target(dec, target(dec->at, in), false))
			return -1;
		return set(dec, OP_CALL_LOCAL);
	case INSN_KFUNC:
		if ((uint32_t)in->imm >= dec->p->nkfunc)
			return refuse(dec, "kfunc %d does not exist", in->imm);
		name = dec->p->kfunc[in->imm].name;
		row = vm_helper_by_name(name);
		if (row < 0)
			return refuse_tag(dec, D_UNSUPPORTED, "replay does not have kfunc '%s'",
					  name);
		return decode_helper(dec, row);
	}
	return bad_code(dec, in);
}

static int decode_ja(struct decoder *dec, const struct insn *in)
{
	int64_t to = target(dec->at, in);
	bool far = isa_class(in->code) == CL_JMP32;

	if ((in->code & SRC_X) || in->dst || in->src || (far ? in->off : in->imm))
		return bad_code(dec, in);
	dec->c->op[dec->at].imm = (int32_t)(to - dec->at - 1);
	return check_target(dec, to, true) ? -1 : set(dec, OP_JA);
}

static int decode_jump(struct decoder *dec, const struct insn *in)
{
	unsigned op = isa_op(in->code), row = op < JMP_CALL ? op - 1 : op - 3;
	bool x = in->code & SRC_X, wide = isa_class(in->code) == CL_JMP;

	switch (op) {
	case JMP_JA:
		return decode_ja(dec, in);
	case JMP_CALL:
		return decode_call(dec, in);
	case JMP_EXIT:
		if (in->code != (CL_JMP | JMP_EXIT << 4) || in->dst || in->src || in->off ||
		    in->imm)
			return bad_code(dec, in);
		return set(dec, OP_EXIT);
	}
	if (op > JMP_SLE || (x ? in->imm : in->src))
		return bad_code(dec, in);
	if (check_target(dec, target(dec->at, in), true))
		return -1;
	return set(dec, OP_JEQ64K + row * 4 + (wide ? 0 : 2) + x);
}

/* ------------------------------------------------------------------- a unit */

static int decode_one(struct decoder *dec)
{
	const struct insn *in = &dec->c->insn[dec->at];
	struct vm_op *op = &dec->c->op[dec->at];

	if (in->dst > 10 || (in->src > 10))
		return refuse(dec, "register r%d does not exist", in->dst > 10 ? in->dst : in->src);
	op->dst = in->dst;
	op->src = in->src;
	op->off = in->off;
	op->imm = in->imm;
	switch ((enum vm_class)isa_class(in->code)) {
	case CL_LD:
		return decode_imm64(dec, in);
	case CL_LDX:
		return decode_ldx(dec, in);
	case CL_ST:
		return decode_st(dec, in);
	case CL_STX:
		return decode_stx(dec, in);
	case CL_ALU:
	case CL_ALU64:
		return decode_alu(dec, in);
	case CL_JMP:
	case CL_JMP32:
		return decode_jump(dec, in);
	}
	return bad_code(dec, in);
}

static int mark_seconds(struct decoder *dec)
{
	for (dec->at = 0; dec->at < dec->c->n; dec->at++) {
		const struct insn *in = &dec->c->insn[dec->at];

		if (in->code != LD_IMM64)
			continue;
		if (dec->at + 1 == dec->c->n || in[1].code || in[1].dst || in[1].src || in[1].off)
			return refuse(dec, "a 64-bit load without its second half");
		dec->second[++dec->at] = true;
	}
	return 0;
}

static bool is_local_call(const struct insn *in)
{
	return in->code == (CL_JMP | JMP_CALL << 4) && in->src == INSN_LOCAL;
}

/*
 * Numbers the functions in dec->func. A function begins at instruction 0 and at each target of a
 * local call.
 */
static void mark_functions(struct decoder *dec)
{
	uint32_t n = dec->c->n, id = 0;

	for (uint32_t i = 0; i < n; i++) {
		int64_t to = target(i, &dec->c->insn[i]);

		if (!dec->second[i] && is_local_call(&dec->c->insn[i]) && to >= 0 && to < n)
			dec->func[to] = 1;
	}
	for (uint32_t i = 0; i < n; i++)
		dec->func[i] = id += dec->func[i];
}

/* Refuses functions that do not end in an exit or a jump. */
static int check_ends(struct decoder *dec)
{
	for (dec->at = 0; dec->at < dec->c->n; dec->at++) {
		bool last = dec->at + 1 == dec->c->n ||
			    dec->func[dec->at + 1] != dec->func[dec->at];
		unsigned opcode = dec->opcode[dec->at];

		if (last && (dec->second[dec->at] || (opcode != OP_EXIT && opcode != OP_JA)))
			return refuse(dec, "runs off the end of a function");
	}
	return 0;
}

static int decode_all(struct decoder *dec)
{
	if (!dec->c->n)
		return refuse(dec, "the unit is empty");
	if (mark_seconds(dec))
		return -1;
	mark_functions(dec);
	for (dec->at = 0; dec->at < dec->c->n; dec->at++)
		if (!dec->second[dec->at] && decode_one(dec))
			return -1;
	if (check_ends(dec))
		return -1;
	if (dec->vm->mode == VM_NATIVE)
		jit_make(dec->vm, dec->c, dec->opcode, dec->second);
	return 0;
}

int vm_decode(struct vm *vm, const struct program *p, struct vm_code *c, struct diag *d)
{
	struct decoder dec = {.vm = vm, .p = p, .c = c, .d = d};
	int err;

	dec.label = vm->mode == VM_CHECKED ? vm_labels_checked() : vm_labels_fast();
	dec.func = xcalloc(c->n, sizeof(*dec.func));
	dec.second = xcalloc((size_t)c->n + 1, sizeof(*dec.second));
	dec.opcode = xcalloc(c->n, sizeof(*dec.opcode));
	c->op = xcalloc(c->n, sizeof(*c->op));
	err = decode_all(&dec);
	xfree(dec.func);
	xfree(dec.second);
	xfree(dec.opcode);
	return err;
}
