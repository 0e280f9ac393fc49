/*
 * disasm.c - disassembles instructions in the notation of the kernel's verifier log.
 */
#include "base/strbuf.h"
#include "ir/bpf/bpf.h"
#include "ir/bpf/insn.h"
#include "ir/helpers.h"

static const char *const alu_op[] = {"+=",  "-=", "*=", "/=", "|=",   "&=",  "<<=", ">>=",
				     "neg", "%=", "^=", "=",  "s>>=", "end", "?",   "?"};
static const char *const jmp_op[] = {"goto", "==",   ">", ">=", "&",  "!=",  "s>", "s>=",
				     "call", "exit", "<", "<=", "s<", "s<=", "?",  "?"};
static const char *const mem_size[] = {"u32", "u16", "u8", "u64"};

/* Returns the name of a helper that generated code calls, or NULL for other helpers. */
static const char *helper_name(int32_t n)
{
	switch (n) {
#define X(name, number) \
	case number: \
		return #name;
		HELPERS(X)
#undef X
	}
	return NULL;
}

static void dis_alu(const struct insn *in, struct strbuf *out)
{
	char w = (in->code & 7) == C_ALU64 ? 'r' : 'w';
	int op = in->code & 0xf0;

	if (op == A_END)
		strbuf_addf(out, "r%d = %s%d r%d", in->dst, in->code & X ? "be" : "le", in->imm,
			    in->dst);
	else if (op == A_NEG)
		strbuf_addf(out, "%c%d = -%c%d", w, in->dst, w, in->dst);
	else if (in->code & X)
		strbuf_addf(out, "%c%d %s %c%d", w, in->dst, alu_op[op >> 4], w, in->src);
	else
		strbuf_addf(out, "%c%d %s %d", w, in->dst, alu_op[op >> 4], in->imm);
}

static void dis_jmp(const struct insn *in, const struct program *p, struct strbuf *out)
{
	int op = in->code & 0xf0;
	char w = (in->code & 7) == C_JMP ? 'r' : 'w';

	if (op == J_EXIT) {
		strbuf_adds(out, "exit");
	} else if (op == J_CALL) {
		if (in->src == INSN_KFUNC && p && (uint32_t)in->imm < p->nkfunc)
			strbuf_addf(out, "call %s", p->kfunc[in->imm].name);
		else if (in->src == INSN_LOCAL)
			strbuf_addf(out, "call pc%+d", in->imm);
		else if (helper_name(in->imm))
			strbuf_addf(out, "call %s", helper_name(in->imm));
		else
			strbuf_addf(out, "call #%d", in->imm);
	} else if (op == J_A) {
		strbuf_addf(out, "goto pc%+d", in->off);
	} else if (in->code & X) {
		strbuf_addf(out, "if %c%d %s %c%d goto pc%+d", w, in->dst, jmp_op[op >> 4], w,
			    in->src, in->off);
	} else {
		strbuf_addf(out, "if %c%d %s %d goto pc%+d", w, in->dst, jmp_op[op >> 4], in->imm,
			    in->off);
	}
}

static void dis_mem(const struct insn *in, struct strbuf *out)
{
	const char *size = mem_size[(in->code >> 3) & 3];

	switch (in->code & 7) {
	case C_LDX:
		strbuf_addf(out, "r%d = *(%s *)(r%d %+d)", in->dst, size, in->src, in->off);
		break;
	case C_ST:
		strbuf_addf(out, "*(%s *)(r%d %+d) = %d", size, in->dst, in->off, in->imm);
		break;
	default:
		strbuf_addf(out, "%s*(%s *)(r%d %+d) %s r%d",
			    (in->code & 0xe0) == M_ATOMIC ? "lock " : "", size, in->dst, in->off,
			    (in->code & 0xe0) == M_ATOMIC ? "+=" : "=", in->src);
		break;
	}
}

static void dis_imm64(const struct insn *in, const struct program *p, struct strbuf *out)
{
	int64_t v = (int64_t)((uint64_t)(uint32_t)in[0].imm | (uint64_t)(uint32_t)in[1].imm << 32);

	if (in->src == INSN_MAP)
		strbuf_addf(out, "r%d = map[%s]", in->dst,
			    p && (uint32_t)in->imm < p->nmap ? p->map[in->imm].name : "?");
	else if (in->src == INSN_MAP_VALUE)
		strbuf_addf(out, "r%d = &map[%s][0]+%d", in->dst,
			    p && (uint32_t)in->imm < p->nmap ? p->map[in->imm].name : "?",
			    in[1].imm);
	else
		strbuf_addf(out, "r%d = 0x%llx ll", in->dst, (long long)v);
}

void bpf_disasm(const struct insn *insn, uint32_t n, const struct program *p, struct strbuf *out)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct insn *in = &insn[i];
		int class = in->code & 7;

		strbuf_addf(out, "%4u: ", i);
		if (in->code == (C_LD | M_IMM | S_DW)) {
			dis_imm64(in, p, out);
			i++;
		} else if (class == C_ALU || class == C_ALU64) {
			dis_alu(in, out);
		} else if (class == C_JMP || class == C_JMP32) {
			dis_jmp(in, p, out);
		} else {
			dis_mem(in, out);
		}
		strbuf_addc(out, '\n');
	}
}
