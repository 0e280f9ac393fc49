/*
 * text.c - routines (eBPF functions) over characters: the simple ones, and the table of all
 * routines.
 *
 * A routine consists of loops of at most strsize rounds. Where possible, a round handles eight
 * characters. The only branch in a round ends the loop, because the verifier walks both ways of a
 * branch in every round. So a condition is a number, 0 or 1, and values are chosen by arithmetic.
 */
#include "compiler/code/strings/text.h"

#include "base/xalloc.h"
#include "compiler/code/eval/routine.h"
#include "compiler/code/strings/text_int.h"
#include "ir/ir.h"
#include "ir/program.h"

static void leave_if_not_same(struct irb *b, const struct irb_loop *l, int x, int y)
{
	int leave = irb_block(b, "leave"), more = irb_block(b, "more");

	irb_br(b, CC_NE, x, y, leave, more);
	irb_place(b, leave);
	irb_jmp(b, l->done);
	irb_place(b, more);
}

static void make_len(const struct maker *m)
{
	int text = irb_param(m->b, 0), words = irb_param(m->b, 1);

	tx_length(m, m->text, text, words, 0);
}

static void make_copy(const struct maker *m)
{
	int dst = irb_param(m->b, 0), text = irb_param(m->b, 1), words = irb_param(m->b, 2);

	tx_copy(m, dst, text, words);
}

/* Places block @block, which sets variable @v to @value and jumps to @next. */
static void arm(struct irb *b, int block, int v, int value, int next)
{
	irb_place(b, block);
	irb_assign(b, v, value);
	irb_jmp(b, next);
}

/*
 * Computes in @index where the result of substr() begins. A negative @index counts from the end of
 * the text. If that place is before the text, the result begins at 0, and the missing characters
 * are subtracted from @n.
 */
static void substr_from(struct irb *b, int index, int n, int len)
{
	int back = irb_block(b, "from the end"), before = irb_block(b, "before the text");
	int some = irb_block(b, "some of it"), in = irb_block(b, "index"), reach;

	irb_bri(b, CC_SLT, index, 0, back, in);
	irb_place(b, back);
	irb_assign(b, index, irb_bin(b, IR_ADD, index, len));
	irb_bri(b, CC_SLT, index, 0, before, in);
	irb_place(b, before);
	reach = irb_bin(b, IR_ADD, index, n);
	irb_bri(b, CC_SGT, reach, 0, some, in);
	irb_place(b, some);
	irb_assign(b, n, reach);
	irb_assign_imm(b, index, 0);
	irb_jmp(b, in);
	irb_place(b, in);
}

/*
 * Computes in @n the number of characters of the result of substr(). A negative @n omits that many
 * characters at the end.
 */
static void substr_count(struct irb *b, int index, int n, int len)
{
	int low = irb_block(b, "not before"), in = irb_block(b, "in the text"),
	    none = irb_block(b, "none");
	int off = irb_block(b, "off the end"), all = irb_block(b, "at most"),
	    cut = irb_block(b, "cut");
	int still = irb_block(b, "still negative"), done = irb_block(b, "count"), left;

	irb_bri(b, CC_SLT, index, 0, none, low);
	irb_place(b, low);
	irb_br(b, CC_SLT, index, len, in, none);
	irb_place(b, in);
	left = irb_bin(b, IR_SUB, len, index);
	irb_bri(b, CC_SLT, n, 0, off, all);
	irb_place(b, off);
	irb_assign(b, n, irb_bin(b, IR_ADD, n, left));
	irb_bri(b, CC_SLT, n, 0, still, done);
	irb_place(b, all);
	irb_br(b, CC_SGT, n, left, cut, done);
	arm(b, cut, n, left, done);
	irb_place(b, none);
	irb_assign_imm(b, index, 0);
	irb_jmp(b, still);
	irb_place(b, still);
	irb_assign_imm(b, n, 0);
	irb_jmp(b, done);
	irb_place(b, done);
}

static void make_substr(const struct maker *m)
{
	struct irb *b = m->b;
	int dst = irb_param(b, 0), text = irb_param(b, 1), words = irb_param(b, 2);
	int index = irb_var(b), n = irb_var(b), len = tx_length(m, m->text, text, words, 2);

	irb_assign(b, index, tx_get_word(b, words, 0));
	irb_assign(b, n, tx_get_word(b, words, 1));
	substr_from(b, index, n, len);
	substr_count(b, index, n, len);
	tx_set_word(b, words, 0, index);
	tx_set_word(b, words, 1, n);
	tx_copy(m, dst, text, words);
}

/* Returns @v, eight characters, with another case for the letters in [first, first + 26). */
static int other_case(struct irb *b, int v, int first)
{
	int low = irb_bini(b, IR_AND, v, ~HIGH), clear = irb_bini(b, IR_XOR, v, -1);
	int from = irb_bini(b, IR_ADD, low, ONES * (0x80 - first));
	int over = irb_bini(b, IR_ADD, low, ONES * (0x80 - first - 26));
	int is = irb_bin(b, IR_AND, irb_bin(b, IR_XOR, from, over), clear);

	is = irb_bini(b, IR_SHR, irb_bini(b, IR_AND, is, HIGH), 2);
	return irb_bin(b, IR_XOR, v, is);
}

static void make_case(const struct maker *m, int first)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int dst = irb_param(b, 0), text = irb_param(b, 1), v, nul, upto;

	irb_loop(b, &l, m->size, 8);
	v = irb_loadv(b, irb_bin(b, IR_ADD, text, l.i), 0, 8, false);
	nul = tx_nuls(b, v);
	upto = irb_bini(b, IR_SUB, tx_lowest(b, nul), 1); /* all bits are set if there is no NUL */
	v = irb_bin(b, IR_AND, other_case(b, v, first), upto);
	irb_store(b, irb_bin(b, IR_ADD, dst, l.i), 0, 8, v);
	tx_leave_if(b, &l, CC_NE, nul, 0);
	irb_loop_end(b, &l);
}

static void make_upper(const struct maker *m)
{
	make_case(m, 'a');
}

static void make_lower(const struct maker *m)
{
	make_case(m, 'A');
}

/* Compares two slots by words of 8 bytes. Big-endian words compare as their characters do. */
static void make_compare(const struct maker *m)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int x = irb_param(b, 0), y = irb_param(b, 1), wx = irb_var(b), wy = irb_var(b), less;

	irb_assign_imm(b, wx, 0);
	irb_assign_imm(b, wy, 0);
	irb_loop(b, &l, m->size, 8);
	irb_assign(b, wx, irb_loadv(b, irb_bin(b, IR_ADD, x, l.i), 0, 8, false));
	irb_assign(b, wy, irb_loadv(b, irb_bin(b, IR_ADD, y, l.i), 0, 8, false));
	leave_if_not_same(b, &l, wx, wy);
	irb_loop_end(b, &l);
	wx = irb_swap(b, wx, 8);
	wy = irb_swap(b, wy, 8);
	less = irb_set(b, CC_ULT, wx, wy);
	irb_ret_reg(b, irb_bin(b, IR_SUB, irb_set(b, CC_UGT, wx, wy), less));
}

static void make_zero(const struct maker *m)
{
	struct irb_loop l;
	int dst = irb_param(m->b, 0);

	irb_loop(m->b, &l, m->size, 8);
	irb_storei(m->b, irb_bin(m->b, IR_ADD, dst, l.i), 0, 8, 0);
	irb_loop_end(m->b, &l);
}

/* Returns the base-2 logarithm of the smallest power of two that is at least @n and at least 8. */
static uint32_t log_of(uint32_t n)
{
	uint32_t log = 3;

	while (1u << log < n)
		log++;
	return log;
}

uint32_t text_capacity(uint32_t strsize)
{
	/* a text has room for a number in base 2 */
	return 1u << log_of(strsize < 128 ? 128 : strsize);
}

uint32_t text_variant(uint32_t strsize, struct text_size s)
{
	uint32_t room = log_of(text_capacity(strsize)), text = log_of(s.text + 1),
		 part = log_of(s.part + 1);

	/*
	 * Allow one byte more than the size. If an array of characters has no NUL, a NUL is put
	 * after the array.
	 */
	return room | (text < room ? text : room) << 5 | (part < room ? part : room) << 10 |
	       (s.dst + 7) / 8 << 15;
}

static struct maker maker_of(uint32_t variant)
{
	return (struct maker){.variant = variant,
			      .room = 1u << (variant & 31),
			      .text = 1u << (variant >> 5 & 31),
			      .part = 1u << (variant >> 10 & 31),
			      .size = (variant >> 15) * 8};
}

/*
 * Returns the size in bytes of the memory that a parameter points to. @letter is the letter of the
 * parameter in ROUTINES.
 */
static uint32_t param_size(const struct maker *m, char letter)
{
	switch (letter) {
	case 'd': /* the slot for the result */
		return m->size;
	case 't': /* a text */
		return m->room + TEXT_SLACK;
	case 's': /* state of strtok() */
		return TOKEN_TEXT + m->room + TEXT_SLACK;
	case 'w':
		return TEXT_WORDS;
	case 'n': /* a table with a u16 for each byte of a text */
		return 2 * m->room;
	case 'l': /* a name in a DNS message */
		return DNS_NAME + 1;
	case 'j':
		return json_table_size();
	}
	BUG("no parameter is '%c'", letter);
}

static uint32_t param_sizes(uint32_t variant, const char *letters, uint32_t size[FUNC_PARAMS])
{
	struct maker m = maker_of(variant);
	uint32_t n = 0;

	for (; letters[n]; n++)
		size[n] = param_size(&m, letters[n]);
	return n;
}

static void make_routine(struct irb *b, struct routines *all, uint32_t variant,
			 void (*make)(const struct maker *m))
{
	struct maker m = maker_of(variant);

	m.b = b;
	m.all = all;
	m.table = text_routine(RT_LEN);
	make(&m);
	if (irb_is_open(b))
		irb_ret(b);
}

/* X(id, name, parameters), with a letter of param_size() for each parameter */
#define ROUTINES(X) \
	X(LEN, len, "tw") \
	X(COPY, copy, "dtw") \
	X(SUBSTR, substr, "dtw") \
	X(UPPER, upper, "dt") \
	X(LOWER, lower, "dt") \
	X(FIND8, find8, "ttw") \
	X(FIND, find, "ttwn") \
	X(CHR, chr, "tw") \
	X(TOKEN, token, "dstw") \
	X(BASENAME, basename, "dtw") \
	X(DIRNAME, dirname, "dtw") \
	X(CLEANPATH, cleanpath, "dtwnt") \
	X(STRTOLL, strtoll, "tw") \
	X(DIGITS, digits, "tw") \
	X(JSON, json, "ttwj") \
	X(COMPARE, compare, "dd") \
	X(ZERO, zero, "d") \
	X(FIND_BEGINS, find_begins, "twn") \
	X(FIND_SOME, find_some, "ttwn") \
	X(FIND8_SOME, find8_some, "tw") \
	X(SPAN_SOME, span_some, "tw") \
	X(PARTS_SOME, parts_some, "tw") \
	X(CLEAN_SOME, clean_some, "twnt") \
	X(NUMBER_SOME, number_some, "tw") \
	X(JSON_STEPS, json_steps, "twj") \
	X(JSON_SOME, json_some, "ttwj") \
	X(DNS_LENGTH, dns_length, "lw") \
	X(DNS, dns, "dltw")

#define X(id, what, params) \
	static void gen_##what(struct irb *b, struct routines *all, uint32_t variant) \
	{ \
		make_routine(b, all, variant, make_##what); \
	} \
	static uint32_t params_##what(uint32_t variant, uint32_t size[FUNC_PARAMS]) \
	{ \
		return param_sizes(variant, params, size); \
	}
ROUTINES(X)
#undef X

static const struct routine routines[RT_MAX] = {
#define X(id, what, params) [RT_##id] = {"text " #what, gen_##what, params_##what},
	ROUTINES(X)
#undef X
};

const struct routine *text_routine(enum text_routine r)
{
	return &routines[r];
}
