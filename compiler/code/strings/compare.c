/*
 * compare.c - comparisons of strings. Strings that differ in form are first written into slots; a
 * slot is the memory for one string.
 */
#include <string.h>

#include "base/minmax.h"
#include "base/diag.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/family.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/routine.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/strings/strings.h"
#include "compiler/code/strings/strings_int.h"
#include "compiler/code/strings/text.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/enumstr.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"

/* Jumps to @t if the @n bytes at @m equal those at @want, else to @f. */
static void equal_bytes(struct fire *g, struct mem m, const void *want, uint32_t n, int t, int f)
{
	struct irb *b = g->b;
	uint32_t i, k;

	for (i = 0; i < n; i += k) {
		struct mem at = m;
		int next = irb_block(b, "same");
		uint64_t w = 0;

		k = 8;
		while (k > n - i || (at.off + (int32_t)i) % (int32_t)k)
			k /= 2;
		at.off += (int32_t)i;
		memcpy(&w, (const char *)want + i, k);
		irb_bri(b, CC_EQ, mem_load(g, at, k, false), (int64_t)w, next, f);
		irb_place(b, next);
	}
	irb_jmp(b, t);
}

static void equal_ip6(struct fire *g, struct mem m, const uint8_t *addr, enum dstr_tag tag, int t,
		      int f)
{
	uint8_t mapped[16] = {[10] = 0xff, [11] = 0xff}, compat[16] = {0};
	int second;

	if (tag == DSTR_IP6) {
		equal_bytes(g, m, addr, 16, t, f);
		return;
	}
	if (tag == DSTR_NTOP6) { /* inet_ntoa6() prints such an address as an IPv4 address */
		irb_jmp(g->b, f);
		return;
	}
	second = irb_block(g->b, "or compatible");
	memcpy(mapped + 12, addr, 4);
	memcpy(compat + 12, addr, 4);
	equal_bytes(g, m, mapped, 16, t, second);
	irb_place(g->b, second);
	if (addr[0] || addr[1] || addr[2] || addr[3] > 1)
		equal_bytes(g, m, compat, 16, t, f);
	else
		irb_jmp(g->b, f); /* "::" and "::1" are IPv6 addresses */
}

static void equal_known(struct fire *g, const struct expr *e, const char *s, int t, int f);

/*
 * Compares any string with text @s: writes the string into a slot, and tests the slot's tag and
 * payload.
 */
static void equal_slot(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	struct irb *b = g->b;
	struct strclass k = str_class(g->c, e);
	bool text = !str_is_exact(k);
	struct dest d = scratch_slot(g, text ? str_as_text(k).size : k.size);
	struct mem m = {.base = d.base, .off = d.off, .own = true, .lib = true}, pay = m;
	enum dstr_tag tag = DSTR_INTERN;
	uint8_t addr[16];
	uint32_t index = str_index(g->c, s);
	int is;

	pay.off += PAYLOAD;
	d.null = NULL_EMPTY;
	d.text = text;
	gen_str(g, e, d);
	if (text) {
		if (strlen(s) + 1 + PAYLOAD <= d.size)
			equal_bytes(g, pay, s, (uint32_t)strlen(s) + 1, t, f);
		else
			irb_jmp(b, f);
		return;
	}
	is = irb_block(b, "same kind");
	if (!str_is_address(s, &tag, addr)) {
		/* "" is tagged DSTR_TEXT, as is a variable without a value */
		tag = *s ? DSTR_INTERN : DSTR_TEXT;
		memcpy(addr, &index, 4);
	}
	if (tag != DSTR_TEXT && !(k.forms & FORM(tag))) { /* the slot cannot have this tag */
		irb_jmp(b, f);
		return;
	}
	irb_bri(b, CC_EQ, mem_load(g, m, 4, false), tag, is, f);
	irb_place(b, is);
	equal_bytes(g, pay, addr,
		    tag == DSTR_IP6 || tag == DSTR_NTOP6 ? 16
		    : tag == DSTR_TEXT                   ? 0
							 : 4,
		    t, f);
}

static void equal_cond(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	struct irb *b = g->b;
	int yes = irb_block(b, "then"), no = irb_block(b, "else");

	gen_cond(g, e->a, yes, no);
	irb_place(b, yes);
	equal_known(g, e->b, s, t, f);
	irb_place(b, no);
	equal_known(g, e->c, s, t, f);
}

static void equal_mem(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	const struct expr *of = str_memory(e);
	uint32_t max = str_text_room(g->c, of) - 1, len = (uint32_t)strlen(s);

	if (!type_is(of->type, T_ARRAY))
		equal_slot(g, e, s, t, f);
	else if (len <= max)
		equal_bytes(g, gen_mem(g, of), s, min_u32(len + 1, max), t, f);
	else
		irb_jmp(g->b, f);
}

static void equal_enum(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	int64_t value;

	if (enumstr_value(g->c, e, s, &value))
		irb_bri(g->b, CC_EQ, irb_ext(g->b, gen(g, e->arg[2]), 4, false), value, t, f);
	else
		equal_slot(g, e, s, t, f);
}

/*
 * Compares the number in @e with the number that has the name @s at this moment. A container has
 * several control groups, so a comparison with its name is an error.
 */
static void equal_named(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	enum named_kind what = (enum named_kind)e->arg[0]->value;
	const char *why = NULL;
	uint64_t id;

	if (!*s || !strcmp(s, NAMED_UNKNOWN)) {
		irb_jmp(g->b, f); /* no number has the name "" or "unknown" */
		return;
	}
	if (!g->c->opt->named || !g->c->opt->named(what, s, &id, &why))
		diag_error(g->c->d, D_UNKNOWN, e->loc, "\"%s\": %s", s,
			   why ? why
			       : "this run does not know the number that belongs to the name");
	else
		irb_bri(g->b, CC_EQ, irb_scalar(g->b, gen(g, e->arg[1])), (int64_t)id, t, f);
}

static void equal_ip(struct fire *g, struct sval v, const char *s, int t, int f)
{
	enum dstr_tag tag;
	uint8_t addr[16];

	if (!str_is_address(s, &tag, addr) || (v.form == S_IP4 && tag != DSTR_IP4))
		irb_jmp(g->b, f);
	else if (v.form == S_IP4)
		equal_bytes(g, gen_pointed(g, v.e->arg[0], 4), addr, 4, t, f);
	else
		equal_ip6(g, gen_pointed(g, v.e->arg[0], 16), addr, tag, t, f);
}

/* Jumps to @t if string @e is the text @s, else to @f. */
static void equal_known(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	struct sval v = sval_of(e);

	switch (v.form) {
	case S_NAME:
		if (family_names_it(g, v.e)) {
			family_equal(g, v.e, s, t, f);
			return;
		}
		/* fall through */
	case S_NULL:
	case S_LITERAL:
		irb_jmp(g->b, !strcmp(str_known(g, v.e), s) ? t : f);
		return;
	case S_COND:
		equal_cond(g, v.e, s, t, f);
		return;
	case S_MEM:
		equal_mem(g, v.e, s, t, f);
		return;
	case S_ENUM:
		equal_enum(g, v.e, s, t, f);
		return;
	case S_NAMED:
		equal_named(g, v.e, s, t, f);
		return;
	case S_IP4:
	case S_IP6:
		if (str_is_exact(str_class(g->c, v.e)))
			equal_ip(g, v, s, t, f);
		else
			equal_slot(g, v.e, s, t, f);
		return;
	default:
		equal_slot(g, v.e, s, t, f);
	}
}

/*
 * Writes both strings into slots, in the same form. The form is characters if @text is set, or if
 * one of the strings needs that form. Returns the size of each slot.
 */
static uint32_t both_slots(struct fire *g, const struct expr *x, const struct expr *y, bool text,
			   struct dest *dx, struct dest *dy)
{
	struct strclass both = str_union(str_class(g->c, x), str_class(g->c, y));

	text |= !str_is_exact(both);
	if (text)
		both = str_as_text(both);
	*dx = scratch_slot(g, both.size);
	*dy = scratch_slot(g, both.size);
	dx->text = dy->text = text;
	dx->null = dy->null = NULL_EMPTY;
	gen_str(g, x, *dx);
	gen_str(g, y, *dy);
	return both.size;
}

/* maximum size in bytes of a slot that is compared in line; a routine compares longer slots */
#define COMPARED_INLINE 64

/*
 * Returns a register with the 8 bytes at offset @i of a slot, or with 4 bytes if no more are left.
 */
static int slot_word(struct fire *g, struct dest d, uint32_t i)
{
	return irb_loadv(g->b, d.base, d.off + (int32_t)i, d.size - i < 8 ? 4 : 8, false);
}

/* Compares slots @dx and @dy as memcmp() does. Returns a register with a number < 0, 0 or > 0. */
static int compare_long(struct fire *g, struct dest dx, struct dest dy, uint32_t size)
{
	struct ir_arg arg[2] = {{ARG_REG, irb_addr(g->b, dx.base, dx.off), 0}};

	arg[1] = (struct ir_arg){ARG_REG, irb_addr(g->b, dy.base, dy.off), 0};
	if (size % 8) {
		irb_storei(g->b, dx.base, dx.off + (int32_t)size, 4, 0);
		irb_storei(g->b, dy.base, dy.off + (int32_t)size, 4, 0);
	}
	return gen_routine(g, text_routine(RT_COMPARE),
			   text_variant(g->c->opt->strsize, (struct text_size){.dst = size}), 2,
			   arg);
}

static void equal_any(struct fire *g, const struct expr *x, const struct expr *y, int t, int f)
{
	const char *kx = str_known(g, x), *ky = str_known(g, y);
	struct dest dx, dy;
	uint32_t size;

	if (ky || kx) {
		equal_known(g, ky ? x : y, ky ? ky : kx, t, f);
		return;
	}
	size = both_slots(g, x, y, false, &dx, &dy);
	if (size > COMPARED_INLINE) {
		irb_bri(g->b, CC_EQ, compare_long(g, dx, dy, size), 0, t, f);
		return;
	}
	for (uint32_t i = 0; i < size; i += 8) {
		int next = irb_block(g->b, "same");
		int wx = slot_word(g, dx, i), wy = slot_word(g, dy, i);

		irb_br(g->b, CC_EQ, wx, wy, next, f);
		irb_place(g->b, next);
	}
	irb_jmp(g->b, t);
}

void gen_str_equal(struct fire *g, const struct expr *x, const struct expr *y, int t, int f)
{
	uint32_t scratch = g->u->scratch_used;

	equal_any(g, x, y, t, f);
	scratch_release(g, scratch);
}

/*
 * Compares the slots of both strings word by word. The tags are compared too, but they are equal.
 * The code swaps the bytes of a word, because big-endian words compare as their characters do.
 */
void gen_str_order(struct fire *g, enum binary_op op, const struct expr *x, const struct expr *y,
		   int t, int f)
{
	struct irb *b = g->b;
	bool less = op == B_LT || op == B_LE, equal_ok = op == B_LE || op == B_GE;
	struct dest dx, dy;
	uint32_t size = both_slots(g, x, y, true, &dx, &dy);

	if (size > COMPARED_INLINE) {
		enum ir_cc cc = less ? equal_ok ? CC_SLE : CC_SLT : equal_ok ? CC_SGE : CC_SGT;

		irb_bri(b, cc, compare_long(g, dx, dy, size), 0, t, f);
		return;
	}
	for (uint32_t i = 0; i < size; i += 8) {
		unsigned n = size - i < 8 ? 4 : 8;
		int wx = irb_swap(b, slot_word(g, dx, i), n),
		    wy = irb_swap(b, slot_word(g, dy, i), n);
		int differ = irb_block(b, "differ"), next = irb_block(b, "same");

		irb_br(b, CC_EQ, wx, wy, next, differ);
		irb_place(b, differ);
		irb_br(b, less ? CC_ULT : CC_UGT, wx, wy, t, f);
		irb_place(b, next);
	}
	irb_jmp(b, equal_ok ? t : f);
}
