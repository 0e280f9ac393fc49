/*
 * numtext.c - routines that write addresses and numbers as characters.
 *
 * As in text.c, characters are chosen without branches, because each branch for a digit would
 * double the code that the verifier walks.
 */
#include "compiler/code/strings/numtext.h"

#include "compiler/code/eval/routine.h"
#include "compiler/code/strings/text_int.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"

/* Copies the text that begins at offset @from of @work to @dst, at most @room bytes. */
static void take_out(struct irb *b, int dst, uint32_t room, int work, int from)
{
	int at = irb_bin(b, IR_ADD, work, from);

	irb_call(b, IR_CALL, HELPER_probe_read_kernel_str, 3,
		 (struct ir_arg[]){{ARG_REG, dst, 0}, {ARG_IMM, 0, room}, {ARG_REG, at, 0}});
}

/* The next character is written at offset @at (a variable) of @work. */
struct pen {
	int work, at;
};

static struct pen new_pen(struct irb *b, int work)
{
	struct pen p = {work, irb_var(b)};

	irb_assign_imm(b, p.at, 0);
	return p;
}

/* Writes @size characters and then advances by only @n, so that only the first @n remain. */
static void pen_write(struct irb *b, const struct pen *p, unsigned size, int chars, int n)
{
	int to = irb_bin(b, IR_ADD, p->work, irb_bini(b, IR_AND, p->at, 63));

	irb_store(b, to, 0, size, chars);
	irb_update(b, IR_ADD, p->at, n);
}

static void pen_end(struct irb *b, const struct pen *p)
{
	int nul = irb_const(b, 0);

	pen_write(b, p, 1, nul, nul);
}

/* ------------------------------------------------------------------ addresses */

/*
 * Returns a register with the digits of byte @v and a dot after them; the first character is in the
 * lowest byte. Sets *@n to the number of characters.
 */
static int octet_chars(struct irb *b, int v, int *n)
{
	int tens = irb_bini(b, IR_MOD, irb_bini(b, IR_DIV, v, 10), 10), all, skip,
	    two = irb_at_least(b, v, 10);

	all = irb_bini(b, IR_ADD, irb_bini(b, IR_DIV, v, 100),
		       '0' | '0' << 8 | '0' << 16 | '.' << 24);
	all = irb_bin(b, IR_ADD, all, irb_bini(b, IR_SHL, tens, 8));
	all = irb_bin(b, IR_ADD, all, irb_bini(b, IR_SHL, irb_bini(b, IR_MOD, v, 10), 16));
	*n = irb_bin(b, IR_ADD, two, irb_at_least(b, v, 100));
	skip = irb_bini(b, IR_SHL, irb_bin(b, IR_SUB, irb_const(b, 2), *n), 3);
	*n = irb_bini(b, IR_ADD, *n, 2);
	return irb_bin(b, IR_SHR, all, skip);
}

/* Writes the four bytes at @address as decimal numbers with dots between them. */
static void write_quad(struct irb *b, const struct pen *p, int address)
{
	struct irb_loop l;
	int chars, n;

	irb_loop(b, &l, 4, 1);
	chars = octet_chars(b, irb_loadv(b, irb_bin(b, IR_ADD, address, l.i), 0, 1, false), &n);
	pen_write(b, p, 4, chars, n);
	irb_loop_end(b, &l);
	irb_updatei(b, IR_SUB, p->at, 1); /* removes the dot after the last number */
	pen_end(b, p);
}

static void make_ip4(struct irb *b, uint32_t room)
{
	int dst = irb_param(b, 0), address = irb_param(b, 1), work = irb_param(b, 2);
	struct pen p = new_pen(b, work);

	write_quad(b, &p, address);
	take_out(b, dst, room, work, irb_const(b, 0));
	irb_ret(b);
}

static int hex_digit(struct irb *b, int v)
{
	int letter = irb_bini(b, IR_MUL, irb_at_least(b, v, 10), 'a' - '9' - 1);

	return irb_bini(b, IR_ADD, irb_bin(b, IR_ADD, v, letter), '0');
}

/*
 * Generates a routine that writes two hexadecimal digits for each byte of a link address of @n
 * bytes, and colons between them.
 */
static void make_link(struct irb *b, uint32_t room, uint32_t n)
{
	int dst = irb_param(b, 0), address = irb_param(b, 1), work = irb_param(b, 2), v, chars,
	    three;
	struct pen p = new_pen(b, work);
	struct irb_loop l;

	irb_loop(b, &l, n, 1);
	v = irb_loadv(b, irb_bin(b, IR_ADD, address, l.i), 0, 1, false);
	chars = irb_bini(b, IR_SHL, hex_digit(b, irb_bini(b, IR_AND, v, 15)), 8);
	chars = irb_bin(b, IR_OR, chars, hex_digit(b, irb_bini(b, IR_SHR, v, 4)));
	chars = irb_bini(b, IR_OR, chars, ':' << 16);
	three = irb_const(b, 3);
	pen_write(b, &p, 4, chars, three);
	irb_loop_end(b, &l);
	irb_updatei(b, IR_SUB, p.at, 1); /* removes the colon after the last byte */
	pen_end(b, &p);
	take_out(b, dst, room, work, irb_const(b, 0));
	irb_ret(b);
}

static void make_ether(struct irb *b, uint32_t room)
{
	make_link(b, room, 6);
}

static void make_infiniband(struct irb *b, uint32_t room)
{
	make_link(b, room, 20);
}

/* Returns a register with group @i of an address, in host byte order. */
static int group_of(struct irb *b, int address, int i)
{
	int at = irb_bin(b, IR_ADD, address, irb_bini(b, IR_SHL, i, 1));

	return irb_swap(b, irb_loadv(b, at, 0, 2, false), 2);
}

/* Returns a register in which bit i is set if group i of the address is zero. */
static int zero_groups(struct irb *b, int address)
{
	struct irb_loop l;
	int mask = irb_var(b), zero;

	irb_assign_imm(b, mask, 0);
	irb_loop(b, &l, 8, 1);
	zero = tx_not(b, irb_at_least(b, group_of(b, address, l.i), 1));
	irb_update(b, IR_OR, mask, irb_bin(b, IR_SHL, zero, l.i));
	irb_loop_end(b, &l);
	return irb_value(b, mask);
}

/*
 * Finds the longest run of zero groups, the first one of several. Bit i of @mask says that group i
 * is zero. A run shorter than @least does not count. Sets *@start to the first group of the run,
 * and *@end to the group after the run. In round k of the loop, bit i of `runs` says that the k
 * groups from group i on are zero.
 */
static void longest_run(struct irb *b, int mask, int least, int *start, int *end)
{
	int runs = mask, best = mask, len = irb_const(b, 0), low, some;

	for (int k = 1; k <= 8; k++) {
		if (k > 1)
			runs = irb_bin(b, IR_AND, runs, irb_bini(b, IR_SHR, mask, k - 1));
		some = irb_at_least(b, runs, 1);
		len = irb_bin(b, IR_ADD, len, some);
		best = irb_bin(b, IR_ADD, best,
			       irb_bin(b, IR_MUL, irb_bin(b, IR_SUB, runs, best), some));
	}
	low = irb_bin(b, IR_AND, best, irb_neg(b, best));
	*start = irb_const(b, 0);
	for (int i = 1; i < 8; i++)
		*start = irb_bin(b, IR_ADD, *start, irb_at_least(b, low, 1 << i));
	if (least > 1)
		len = irb_bin(b, IR_MUL, len, irb_at_least(b, len, least));
	*end = irb_bin(b, IR_ADD, *start, len);
}

/*
 * Returns a register with the hexadecimal digits of group @v; the first digit is in the lowest
 * byte. Sets *@n to the number of digits.
 */
static int group_chars(struct irb *b, int v, int *n)
{
	int all = irb_const(b, 0), pad, two = irb_at_least(b, v, 0x10);

	for (int i = 0; i < 4; i++) {
		int digit = irb_bini(b, IR_AND, irb_bini(b, IR_SHR, v, 12 - 4 * i), 15);
		int letter = irb_bini(b, IR_MUL, irb_at_least(b, digit, 10), 'a' - '0' - 10);

		digit = irb_bini(b, IR_ADD, irb_bin(b, IR_ADD, digit, letter), '0');
		all = irb_bin(b, IR_OR, all, irb_bini(b, IR_SHL, digit, 8 * i));
	}
	*n = irb_bin(b, IR_ADD, two, irb_at_least(b, v, 0x100));
	*n = irb_bini(b, IR_ADD, irb_bin(b, IR_ADD, *n, irb_at_least(b, v, 0x1000)), 1);
	pad = irb_bin(b, IR_SUB, irb_const(b, 4), *n);
	return irb_bin(b, IR_SHR, all, irb_bini(b, IR_SHL, pad, 3));
}

/*
 * Writes the eight groups of an address with colons between them. "::" replaces the longest run of
 * zero groups if that run has at least @least groups.
 */
static void write_groups(struct irb *b, const struct pen *p, int address, int least)
{
	struct irb_loop l;
	int start, end, out, first, n, chars, colon = irb_const(b, ':');

	longest_run(b, zero_groups(b, address), least, &start, &end);
	irb_loop(b, &l, 8, 1);
	out = tx_less(b, l.i, start);
	out = irb_bin(b, IR_OR, out, tx_not(b, tx_less(b, l.i, end)));
	first = tx_not(b,
		       irb_bin(b, IR_OR, out, irb_at_least(b, irb_bin(b, IR_XOR, start, l.i), 1)));
	n = irb_bin(b, IR_OR, first, irb_bin(b, IR_AND, out, irb_at_least(b, l.i, 1)));
	pen_write(b, p, 1, colon, n);
	chars = group_chars(b, group_of(b, address, l.i), &n);
	pen_write(b, p, 4, chars, irb_bin(b, IR_MUL, n, out));
	irb_loop_end(b, &l);
	/* If the run of zero groups ends the text, write the second colon of "::". */
	pen_write(b, p, 1, colon, irb_at_least(b, end, 8));
	pen_end(b, p);
}

void numtext_branch6(struct irb *b, int mid, int last, int quad, int groups)
{
	int other = irb_block(b, "not mapped"), zero = irb_block(b, "zero");

	irb_bri(b, CC_EQ, mid, 0xffff, quad, other);
	irb_place(b, other);
	irb_bri(b, CC_EQ, mid, 0, zero, groups);
	irb_place(b, zero);
	irb_bri(b, CC_UGT, last, 1, quad, groups);
}

/* Jumps to @quad if the last four bytes are an IPv4 address, else to @groups. */
static void quad_or_groups(struct irb *b, int address, int quad, int groups)
{
	int low = irb_block(b, "low"), high = irb_loadv(b, address, 0, 4, false), mid;

	high = irb_bin(b, IR_OR, high, irb_loadv(b, address, 4, 4, false));
	irb_bri(b, CC_EQ, high, 0, low, groups);
	irb_place(b, low);
	mid = irb_swap(b, irb_loadv(b, address, 8, 4, false), 4);
	numtext_branch6(b, mid, irb_swap(b, irb_loadv(b, address, 12, 4, false), 4), quad, groups);
}

/*
 * Writes what inet_ntop() writes before an IPv4 address in an IPv6 address: "::ffff:" if the
 * address is mapped, else "::".
 */
static void write_embedding(struct irb *b, const struct pen *p, int address)
{
	int colons = irb_const(b, ':' | ':' << 8), two = irb_const(b, 2);
	int mapped = irb_at_least(b, irb_loadv(b, address, 8, 4, false), 1);
	int ffff = irb_const(b, 'f' | 'f' << 8 | 'f' << 16 | 'f' << 24), colon = irb_const(b, ':');

	pen_write(b, p, 2, colons, two);
	pen_write(b, p, 4, ffff, irb_bini(b, IR_SHL, mapped, 2));
	pen_write(b, p, 1, colon, mapped);
}

static void make_text6(struct irb *b, uint32_t room, int least, bool embedding)
{
	int quad = irb_block(b, "quad"), groups = irb_block(b, "groups"),
	    done = irb_block(b, "text");
	int dst = irb_param(b, 0), address = irb_param(b, 1), work = irb_param(b, 2);
	struct pen p = new_pen(b, work);

	quad_or_groups(b, address, quad, groups);
	irb_place(b, quad);
	if (embedding)
		write_embedding(b, &p, address);
	write_quad(b, &p, irb_addr(b, address, 12));
	irb_jmp(b, done);
	irb_place(b, groups);
	write_groups(b, &p, address, least);
	irb_jmp(b, done);
	irb_place(b, done);
	take_out(b, dst, room, work, irb_const(b, 0));
	irb_ret(b);
}

static void make_ip6(struct irb *b, uint32_t room)
{
	make_text6(b, room, 1, false);
}

/* By RFC 5952, 4.2.2, a single zero group is written as 0, not as "::". */
static void make_strict6(struct irb *b, uint32_t room)
{
	make_text6(b, room, 2, false);
}

static void make_ntop6(struct irb *b, uint32_t room)
{
	make_text6(b, room, 1, true);
}

/* ------------------------------------------------------------------ numbers */

#define DIGITS 20 /* the 19 digits of 2^63 and a sign; digits are written from the end */

/* Writes the digits of @number to @work. Returns a register with the offset of the first digit. */
static int write_digits(struct irb *b, int work, int number)
{
	struct irb_loop l;
	int rest = irb_var(b), n = irb_var(b), digit, at;

	irb_assign(b, rest, number);
	irb_assign_imm(b, n, 1); /* 0 has one digit */
	irb_loop(b, &l, DIGITS, 1);
	digit = irb_bini(b, IR_MOD, rest, 10);
	at = irb_bin(b, IR_ADD, work, irb_bin(b, IR_SUB, irb_const(b, DIGITS), l.i));
	irb_store(b, at, 0, 1, irb_bini(b, IR_ADD, digit, '0'));
	irb_updatei(b, IR_DIV, rest, 10);
	irb_update(b, IR_ADD, n, irb_at_least(b, rest, 1));
	irb_loop_end(b, &l);
	irb_storei(b, work, DIGITS + 1, 1, 0);
	return irb_bin(b, IR_SUB, irb_const(b, DIGITS + 1), n);
}

static void make_int(struct irb *b, uint32_t room)
{
	int dst = irb_param(b, 0), number = irb_param(b, 1), work = irb_param(b, 2);
	int minus = irb_bini(b, IR_SHR, number, 63), flip = irb_neg(b, minus), from, sign, at;

	number = irb_bin(b, IR_ADD, irb_bin(b, IR_XOR, number, flip), minus);
	from = write_digits(b, work, number);
	sign = irb_bini(b, IR_AND, irb_bini(b, IR_SUB, from, 1), 63);
	at = irb_bin(b, IR_ADD, work, sign);
	irb_storei(b, at, 0, 1, '-');
	from = irb_bin(b, IR_SUB, from, minus);
	take_out(b, dst, room, work, irb_bini(b, IR_AND, from, 63));
	irb_ret(b);
}

/* ------------------------------------------------------------------ the rows */

#define ROUTINE(what, name, from) \
	static void gen_##what(struct irb *b, struct routines *all, uint32_t room) \
	{ \
		(void)all; \
		make_##what(b, room); \
	} \
	static uint32_t params_##what(uint32_t room, uint32_t size[FUNC_PARAMS]) \
	{ \
		size[0] = room; \
		size[1] = from; \
		size[2] = NUMTEXT_WORK; \
		return 3; \
	} \
	const struct routine numtext_##what = {name, gen_##what, params_##what}

ROUTINE(ip4, "text of an address", 4);
ROUTINE(ip6, "text of an IPv6 address", 16);
ROUTINE(strict6, "strict text of an IPv6 address", 16);
ROUTINE(ntop6, "inet_ntop() of an IPv6 address", 16);
ROUTINE(ether, "text of an Ethernet address", 6);
ROUTINE(infiniband, "text of an Infiniband address", 20);
ROUTINE(int, "text of a number", 0);
