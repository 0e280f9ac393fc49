/*
 * insn.c - computes the length of instructions, and knows which instructions cannot be probed.
 *
 * An x86-64 instruction begins with prefixes and REX. The opcode follows: one byte, or two or three
 * bytes that begin with 0f. A VEX or EVEX prefix replaces the first bytes of the opcode, so only
 * one opcode byte follows it. ModRM, SIB, a displacement and an immediate may follow. Sources:
 * Intel SDM volume 2, appendix A; for the refused opcodes the kernel's arch/x86/kernel/uprobes.c.
 */
#include "procinfo/insn.h"

#include <string.h>

#ifdef __x86_64__

/*
 * A set of opcodes, with a bit for each opcode. An element has 16 bits; the lowest bit is the first
 * opcode.
 */
typedef const uint16_t opcodes[16];

static bool contains(opcodes set, uint8_t op)
{
	return set[op >> 4] >> (op & 15) & 1;
}

/* One-byte opcodes with a ModRM byte. */
static opcodes modrm_one = {
	0x0f0f, 0x0f0f, 0x0f0f, 0x0f0f, 0x0000, 0x0000, 0x0a08, 0x0000,
	0xffff, 0x0000, 0x0000, 0x0000, 0x00c3, 0xff0f, 0x0000, 0xc0c0,
};

/* Opcodes after 0f without a ModRM byte. */
static opcodes plain_two = {
	0x4bf4, 0x0000, 0x0000, 0x00ff, 0x0000, 0x0000, 0x0000, 0x0080,
	0xffff, 0x0000, 0x0707, 0x0000, 0xff00, 0x0000, 0x0000, 0x0000,
};

/*
 * imm8_one has the one-byte opcodes with an immediate of one byte. imm32_one has the one-byte
 * opcodes with an immediate of four bytes, or of two bytes after the operand-size prefix.
 */
static opcodes imm8_one = {
	0x1010, 0x1010, 0x1010, 0x1010, 0x0000, 0x0000, 0x0c00, 0xffff,
	0x0009, 0x0000, 0x0100, 0x00ff, 0x2043, 0x0000, 0x08ff, 0x0000,
};
static opcodes imm32_one = {
	0x2020, 0x2020, 0x2020, 0x2020, 0x0000, 0x0000, 0x0300, 0x0000,
	0x0002, 0x0000, 0x0200, 0xff00, 0x0080, 0x0000, 0x0300, 0x0000,
};

/* One-byte opcodes that are invalid in 64-bit mode. */
static opcodes invalid_one = {
	0x40c0, 0xc0c0, 0x8080, 0x8080, 0x0000, 0x0000, 0x0007, 0x0000,
	0x0004, 0x0400, 0x0000, 0x0000, 0x4000, 0x0070, 0x0400, 0x0000,
};

/* One-byte opcodes that the kernel refuses, because it cannot execute them out of line. */
static opcodes refused_one = {
	0x40c0, 0xc0c0, 0x8080, 0x8080, 0x0000, 0x0000, 0xf007, 0x0000,
	0x0004, 0x0400, 0x0000, 0x0000, 0xf030, 0x0070, 0xf4f0, 0x0c13,
};

enum map { MAP_ONE, MAP_0F, MAP_0F38, MAP_0F3A };

struct decoder {
	const uint8_t *at, *end;
	bool word;    /* there is an operand-size prefix */
	bool wide;    /* the bit REX.W is set */
	bool address; /* there is an address-size prefix */
	bool vex, bad_prefix;
	unsigned map;
	uint8_t op;
};

static bool is_prefix(uint8_t c)
{
	return c && memchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", c, 11);
}

static uint8_t next(struct decoder *t)
{
	return t->at < t->end ? *t->at++ : (t->at = t->end + 1, 0);
}

static void skip_prefixes(struct decoder *t)
{
	while (t->at < t->end && is_prefix(*t->at)) {
		t->word |= *t->at == 0x66;
		t->address |= *t->at == 0x67;
		t->bad_prefix |= memchr("\x26\x2e\x36\x3e\xf0", *t->at, 5) != NULL;
		t->at++;
	}
	if (t->at < t->end && (*t->at & 0xf0) == 0x40)
		t->wide = next(t) & 8;
}

/*
 * Parses a VEX (c5, c4) or EVEX (62) prefix, which contains the opcode map, and the opcode after
 * it. Returns false if there is no such prefix.
 */
static bool parse_vex(struct decoder *t)
{
	uint8_t first = t->at < t->end ? *t->at : 0;

	if (first != 0xc5 && first != 0xc4 && first != 0x62)
		return false;
	t->at++;
	t->vex = true;
	t->map = first == 0xc5 ? MAP_0F : t->at < t->end ? *t->at & (first == 0x62 ? 7 : 31) : 0;
	t->at += first == 0xc5 ? 1 : first == 0xc4 ? 2 : 3;
	t->op = next(t);
	return true;
}

static void parse_opcode(struct decoder *t)
{
	if (parse_vex(t))
		return;
	t->op = next(t);
	if (t->op != 0x0f)
		return;
	t->map = MAP_0F;
	t->op = next(t);
	if (t->op == 0x38 || t->op == 0x3a) {
		t->map = t->op == 0x38 ? MAP_0F38 : MAP_0F3A;
		t->op = next(t);
	}
}

static bool has_modrm(const struct decoder *t)
{
	switch (t->map) {
	case MAP_ONE:
		return contains(modrm_one, t->op);
	case MAP_0F:
		return !contains(plain_two, t->op);
	default:
		return true;
	}
}

/* Skips ModRM, SIB and displacement. Returns the reg field of ModRM. */
static unsigned parse_modrm(struct decoder *t)
{
	uint8_t modrm = next(t), mod = modrm >> 6, rm = modrm & 7, base = rm;

	if (mod != 3 && rm == 4)
		base = next(t) & 7;
	if (mod == 1)
		t->at += 1;
	else if (mod == 2 || (mod == 0 && base == 5))
		t->at += 4;
	return modrm >> 3 & 7;
}

/* Returns the size of the immediate in bytes. @reg is the reg field of ModRM. */
static size_t immediate_size(const struct decoder *t, unsigned reg)
{
	if (t->map == MAP_0F3A)
		return 1;
	if (t->map == MAP_0F)
		return (t->op >= 0x70 && t->op <= 0x73) || t->op == 0xa4 || t->op == 0xac ||
				       t->op == 0xba || t->op == 0xc2 ||
				       (t->op >= 0xc4 && t->op <= 0xc6)
			       ? 1
		       : t->op >= 0x80 && t->op <= 0x8f && !t->vex ? 4
								   : 0;
	if (t->map != MAP_ONE)
		return 0;
	if (t->op == 0xc2 || t->op == 0xc8) /* 0xc2 is ret, 0xc8 is enter */
		return t->op == 0xc2 ? 2 : 3;
	if (t->op >= 0xa0 && t->op <= 0xa3)
		return t->address ? 4 : 8;
	/*
	 * The field selects the instruction: 0 and 1 select "test", which has an immediate. The
	 * others ("not", "neg", "mul" and "div") have none.
	 */
	if (t->op == 0xf6 || t->op == 0xf7)
		return reg > 1 ? 0 : t->op == 0xf6 ? 1 : t->word ? 2 : 4;
	if (t->op >= 0xb8 && t->op <= 0xbf && t->wide)
		return 8;
	if (t->op == 0xe8 || t->op == 0xe9)
		return 4;
	return contains(imm8_one, t->op) ? 1 : contains(imm32_one, t->op) ? (t->word ? 2 : 4) : 0;
}

size_t insn_length(const uint8_t *code, size_t n)
{
	struct decoder t = {.at = code, .end = code + n};
	unsigned reg = 0;

	skip_prefixes(&t);
	parse_opcode(&t);
	if (t.map == MAP_ONE && contains(invalid_one, t.op))
		return 0;
	if (has_modrm(&t))
		reg = parse_modrm(&t);
	t.at += immediate_size(&t, reg);
	return t.at <= t.end ? (size_t)(t.at - code) : 0;
}

/*
 * Refuses all instructions with a VEX or EVEX prefix. The kernel decodes the opcode of such an
 * instruction as if it had no prefix. So the kernel refuses some of these instructions, and
 * emulates others as jumps: vzeroupper has the opcode of ja.
 */
bool insn_refused(const uint8_t *code, size_t n)
{
	struct decoder t = {.at = code, .end = code + n};

	skip_prefixes(&t);
	parse_opcode(&t);
	return t.bad_prefix || t.vex || (t.map == MAP_ONE && contains(refused_one, t.op));
}

#elif defined(__aarch64__) /* every instruction has four bytes */

size_t insn_length(const uint8_t *code, size_t n)
{
	(void)code;
	return n < 4 ? 0 : 4;
}

bool insn_refused(const uint8_t *code, size_t n)
{
	(void)code, (void)n;
	return false;
}

#else
#error "dtrace runs on x86-64 and arm64 only, see docs/limits.md"
#endif
