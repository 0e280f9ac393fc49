/*
 * text.c - routines over characters.
 *
 * Each is one loop after another of at most strsize rounds, eight characters a round where that
 * can be.  Within a round nothing branches but what leaves the loop: the verifier would walk
 * both ways of every round.  So values are chosen by arithmetic: a condition is 0 or 1.
 */
#include "compiler/code/text.h"

#include "compiler/code/irgen.h"

#define ONES 0x0101010101010101
#define HIGH ((int64_t)0x8080808080808080)

/* A routine that is being made. */
struct maker {
	struct irb *b;
	uint32_t room; /* of a text, a power of two */
	uint32_t size; /* of a text where it goes to: strsize, in words of 8 */
};

/* -------------------------------------------------------------- 0 and 1 */

/* x < y, of numbers that differ by less than 2^63. */
static int less(struct irb *b, int x, int y)
{
	return irb_bini(b, IR_SHR, irb_bin(b, IR_SUB, x, y), 63);
}

/* v == 0, for 0 to 2^63. */
static int is_zero(struct irb *b, int v)
{
	return irb_bini(b, IR_SHR, irb_bini(b, IR_SUB, v, 1), 63);
}

/* v == 0, for any. */
static int is_zero64(struct irb *b, int v)
{
	int some = irb_bin(b, IR_OR, v, irb_neg(b, v));

	return irb_bini(b, IR_XOR, irb_bini(b, IR_SHR, some, 63), 1);
}

static int equal(struct irb *b, int x, int y)
{
	return is_zero(b, irb_bin(b, IR_XOR, x, y));
}

static int not(struct irb *b, int x)
{
	return irb_bini(b, IR_XOR, x, 1);
}

/* yes ? x : y */
static int choose(struct irb *b, int yes, int x, int y)
{
	int by = irb_bin(b, IR_MUL, irb_bin(b, IR_SUB, x, y), yes);

	return irb_bin(b, IR_ADD, y, by);
}

/* -------------------------------------------------------------- in memory */

static int get_word(struct irb *b, int words, int i)
{
	return irb_loadv(b, words, 8 * i, 8, false);
}

static void set_word(struct irb *b, int words, int i, int v)
{
	irb_store(b, words, 8 * i, 8, v);
}

/* The same number, of which the verifier knows nothing. */
static int forget(struct irb *b, int words, int i, int v)
{
	set_word(b, words, i, v);
	return get_word(b, words, i);
}

/* The address of byte @i of a text. */
static int place(const struct maker *m, int text, int i)
{
	return irb_bin(m->b, IR_ADD, text, irb_bini(m->b, IR_AND, i, m->room - 1));
}

static int byte_at(const struct maker *m, int text, int i)
{
	return irb_loadv(m->b, place(m, text, i), 0, 1, false);
}

/* A bit in each byte of @x that is NUL; above the lowest of them also in others. */
static int nuls(struct irb *b, int x)
{
	int below = irb_bini(b, IR_SUB, x, ONES), clear = irb_bini(b, IR_XOR, x, -1);

	return irb_bini(b, IR_AND, irb_bin(b, IR_AND, below, clear), HIGH);
}

/* The lowest bit of what nuls() gave, as the bit of value 1 of that byte. */
static int lowest(struct irb *b, int nul)
{
	return irb_bini(b, IR_SHR, irb_bin(b, IR_AND, nul, irb_neg(b, nul)), 7);
}

/*
 * Leaves loop @l if x cc imm.  That way comes first: the verifier follows it at once, and finds
 * what it has seen already in later rounds, where else all of them would wait.
 */
static void leave_if(struct irb *b, const struct irb_loop *l, enum ir_cc cc, int x, int64_t imm)
{
	int leave = irb_block(b, "leave"), more = irb_block(b, "more");

	irb_bri(b, cc, x, imm, leave, more);
	irb_place(b, leave);
	irb_jmp(b, l->done);
	irb_place(b, more);
}

/* ------------------------------------------------------------- routines */

/* How long the text is; goes through word @i. */
static int length(const struct maker *m, int text, int words, int i)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int nul = irb_var(b), at = irb_var(b), first;

	irb_assign_imm(b, nul, 0);
	irb_assign_imm(b, at, 0);
	irb_loop(b, &l, m->room, 8);
	irb_assign(b, at, l.i);
	irb_assign(b, nul, nuls(b, irb_loadv(b, irb_bin(b, IR_ADD, text, l.i), 0, 8, false)));
	leave_if(b, &l, CC_NE, nul, 0);
	irb_loop_end(b, &l);
	/* The byte's number, out of the bit of value 1 in it. */
	first = irb_bini(b, IR_MUL, lowest(b, nul), 0x0001020304050607);
	return forget(b, words, i, irb_bin(b, IR_ADD, at, irb_bini(b, IR_SHR, first, 56)));
}

static void make_len(const struct maker *m)
{
	int text = irb_param(m->b, 0), words = irb_param(m->b, 1);

	length(m, text, words, 0);
}

/* The first @n bytes of eight, at most all of them. */
static int keep(struct irb *b, int v, int n)
{
	int eight = irb_const(b, 8), mask = irb_const(b, -1);
	int half = irb_bini(b, IR_SHL, choose(b, less(b, n, eight), n, eight), 2); /* 64 is no shift */

	mask = irb_bin(b, IR_SHL, irb_bin(b, IR_SHL, mask, half), half);
	return irb_bin(b, IR_AND, v, irb_bini(b, IR_XOR, mask, -1));
}

/* Words 0 and 1: from where, and how many. */
static void copy(const struct maker *m, int dst, int text, int words)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int from = get_word(b, words, 0), n = get_word(b, words, 1), left, v, to;

	irb_loop(b, &l, m->size, 8);
	left = irb_bin(b, IR_SUB, n, l.i);
	leave_if(b, &l, CC_SLT, left, 0);
	v = irb_loadv(b, place(m, text, irb_bin(b, IR_ADD, from, l.i)), 0, 8, false);
	to = irb_bin(b, IR_ADD, dst, l.i);
	irb_store(b, to, 0, 8, keep(b, v, left));
	irb_loop_end(b, &l);
}

static void make_copy(const struct maker *m)
{
	int dst = irb_param(m->b, 0), text = irb_param(m->b, 1), words = irb_param(m->b, 2);

	copy(m, dst, text, words);
}

/* In block @block: variable @v becomes @value; then on at @next. */
static void arm(struct irb *b, int block, int v, int value, int next)
{
	irb_place(b, block);
	irb_assign(b, v, value);
	irb_jmp(b, next);
}

/*
 * What substr() takes: @index from the end if it is negative, and what of that lies before
 * the text counts among the @n; a negative @n leaves that many off the end.
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

static void substr_count(struct irb *b, int index, int n, int len)
{
	int low = irb_block(b, "not before"), in = irb_block(b, "in the text"), none = irb_block(b, "none");
	int off = irb_block(b, "off the end"), all = irb_block(b, "at most"), cut = irb_block(b, "cut");
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
	int index = irb_var(b), n = irb_var(b), len = length(m, text, words, 2);

	irb_assign(b, index, get_word(b, words, 0));
	irb_assign(b, n, get_word(b, words, 1));
	substr_from(b, index, n, len);
	substr_count(b, index, n, len);
	set_word(b, words, 0, index);
	set_word(b, words, 1, n);
	copy(m, dst, text, words);
}

/* Eight characters: letters from @first to 26 behind it are of the other case. */
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
	nul = nuls(b, v);
	upto = irb_bini(b, IR_SUB, lowest(b, nul), 1); /* none: all */
	v = irb_bin(b, IR_AND, other_case(b, v, first), upto);
	irb_store(b, irb_bin(b, IR_ADD, dst, l.i), 0, 8, v);
	leave_if(b, &l, CC_NE, nul, 0);
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

/* A position from -1 to @len, whatever is asked for. */
static int clamp(struct irb *b, int pos, int len)
{
	int v = irb_var(b), under = irb_block(b, "below"), in = irb_block(b, "not below");
	int over = irb_block(b, "above"), done = irb_block(b, "position");

	irb_assign(b, v, pos);
	irb_bri(b, CC_SLT, pos, 0, under, in);
	irb_place(b, under);
	irb_assign_imm(b, v, -1);
	irb_jmp(b, done);
	irb_place(b, in);
	irb_br(b, CC_SGT, pos, len, over, done);
	irb_place(b, over);
	irb_assign(b, v, len);
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

/* What a search looks for, and has come to. */
struct search {
	int text, words;
	int len, part;      /* lengths */
	int from, to, last; /* between which places; 1: the last of them */
	int result;         /* a variable */
};

enum { W_RESULT, W_FROM = 4, W_TO }; /* words */

/*
 * Where the part may begin, by Perl's rules: the first from the position on, which is at least 0;
 * the last up to it.  A part without characters is found even where the position is outside.
 */
static void search_range(struct irb *b, struct search *s)
{
	int pos = forget(b, s->words, W_FROM, clamp(b, get_word(b, s->words, 0), s->len));
	int before = irb_bini(b, IR_SHR, pos, 63), room = irb_bin(b, IR_SUB, s->len, s->part);
	int empty = is_zero(b, s->part), from, to;

	from = irb_bin(b, IR_ADD, pos, before);
	from = irb_bin(b, IR_MUL, from, not(b, s->last));
	to = choose(b, less(b, room, pos), room, pos);
	to = irb_bin(b, IR_ADD, to, irb_bin(b, IR_AND, before, empty));
	s->from = forget(b, s->words, W_FROM, from);
	s->to = forget(b, s->words, W_TO, choose(b, s->last, to, room));
}

static struct search begin_search(const struct maker *m, int text, int part, int words)
{
	struct search s = {.text = text, .words = words, .result = irb_var(m->b)};

	s.len = length(m, text, words, 2);
	s.part = length(m, part, words, 3);
	s.last = get_word(m->b, words, 1);
	search_range(m->b, &s);
	irb_assign_imm(m->b, s.result, -1);
	return s;
}

/* The part is at @at (@hit) or not: notes that.  Gives whether the search has ended. */
static int note_hit(struct irb *b, const struct search *s, int at, int hit)
{
	int over = less(b, s->to, at), first;

	hit = irb_bin(b, IR_AND, hit, not(b, over));
	irb_assign(b, s->result, choose(b, hit, at, s->result));
	first = irb_bin(b, IR_AND, hit, not(b, s->last));
	return irb_bin(b, IR_OR, over, first);
}

static void end_search(struct irb *b, const struct search *s)
{
	int at = forget(b, s->words, W_RESULT, s->result);

	set_word(b, s->words, 1, irb_bin(b, IR_SUB, s->len, at));
}

/* Eight characters at each place, of which those in @mask must be @want. */
static void search8(const struct maker *m, const struct search *s, int want, int mask)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int at, v, end;

	irb_loop(b, &l, m->room, 1);
	at = irb_bin(b, IR_ADD, s->from, l.i);
	v = irb_bin(b, IR_AND, irb_loadv(b, place(m, s->text, at), 0, 8, false), mask);
	end = note_hit(b, s, at, is_zero64(b, irb_bin(b, IR_XOR, v, want)));
	leave_if(b, &l, CC_NE, end, 0);
	irb_loop_end(b, &l);
	end_search(b, s);
}

static void make_find8(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), part = irb_param(b, 1), words = irb_param(b, 2);
	struct search s = begin_search(m, text, part, words);
	int mask = keep(b, irb_const(b, -1), s.part);
	int want = irb_bin(b, IR_AND, irb_loadv(b, part, 0, 8, false), mask);

	search8(m, &s, want, mask);
}

/* The NUL is found, too. */
static void make_chr(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), words = irb_param(b, 1);
	struct search s = {.text = text, .words = words, .result = irb_var(b)};
	int want = irb_bini(b, IR_AND, get_word(b, words, 2), 0xff);

	s.len = s.to = length(m, text, words, 3);
	s.from = irb_const(b, 0);
	s.last = get_word(b, words, 1);
	irb_assign_imm(b, s.result, -1);
	search8(m, &s, want, irb_const(b, 0xff));
}

/* ---------------------------------------------- a part of any length */

/* Entry @i of the table: u16. */
static int entry(const struct maker *m, int table, int i)
{
	int off = irb_bini(m->b, IR_SHL, irb_bini(m->b, IR_AND, i, m->room - 1), 1);

	return irb_bin(m->b, IR_ADD, table, off);
}

/*
 * One step of Knuth, Morris and Pratt: @k characters of the part stand before @i, where the next
 * is the same (@same) or not.  Then i goes on, or k goes back to the longest beginning that also stands there.
 */
static int kmp_step(const struct maker *m, int table, int i, int k, int same)
{
	struct irb *b = m->b;
	int none = is_zero(b, k), at = irb_bin(b, IR_ADD, irb_bini(b, IR_SUB, k, 1), none);
	int back = irb_loadv(b, entry(m, table, at), 0, 2, false), now;

	back = irb_bin(b, IR_AND, back, irb_bini(b, IR_SUB, none, 1));
	now = choose(b, same, irb_bini(b, IR_ADD, k, 1), back);
	irb_change(b, IR_ADD, i, irb_bin(b, IR_OR, same, none));
	irb_assign(b, k, now);
	return now;
}

/* Of each beginning of the part: how long a shorter one it ends with. */
static void make_table(const struct maker *m, int part, int table, int n)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int i = irb_var(b), k = irb_var(b);

	irb_storei(b, table, 0, 2, 0);
	irb_assign_imm(b, i, 1);
	irb_assign_imm(b, k, 0);
	irb_loop(b, &l, 2 * m->room, 1);
	leave_if(b, &l, CC_EQ, less(b, i, n), 0);
	{
		int at = entry(m, table, i), same = byte_at(m, part, i);

		same = equal(b, same, byte_at(m, part, k));
		irb_store(b, at, 0, 2, kmp_step(m, table, i, k, same));
	}
	irb_loop_end(b, &l);
}

static void make_find(const struct maker *m)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int text = irb_param(b, 0), part = irb_param(b, 1), words = irb_param(b, 2), table = irb_param(b, 3);
	struct search s = begin_search(m, text, part, words);
	int i = irb_var(b), k = irb_var(b), end, same;

	make_table(m, part, table, s.part);
	irb_assign(b, i, s.from);
	irb_assign_imm(b, k, 0);
	irb_loop(b, &l, 2 * m->room, 1);
	same = equal(b, k, s.part);
	end = note_hit(b, &s, irb_bin(b, IR_SUB, i, s.part), same);
	leave_if(b, &l, CC_NE, end, 0);
	same = byte_at(m, text, i);
	same = equal(b, same, byte_at(m, part, k));
	kmp_step(m, table, i, k, same);
	irb_loop_end(b, &l);
	end_search(b, &s);
}

/* ------------------------------------------------------------------ the table */

uint32_t text_capacity(uint32_t strsize)
{
	uint32_t room = 128; /* a number in base 2 fits */

	while (room < strsize)
		room *= 2;
	return room;
}

static void make_routine(struct irb *b, uint32_t strsize, void (*make)(const struct maker *m))
{
	struct maker m = {.b = b, .room = text_capacity(strsize), .size = (strsize + 7) & ~7u};

	make(&m);
	irb_ret(b);
}

#define ROUTINES(X) \
	X(LEN, len) \
	X(COPY, copy) \
	X(SUBSTR, substr) \
	X(UPPER, upper) \
	X(LOWER, lower) \
	X(FIND8, find8) \
	X(FIND, find) \
	X(CHR, chr)

#define X(id, what) \
	static void gen_##what(struct irb *b, uint32_t strsize) { make_routine(b, strsize, make_##what); }
ROUTINES(X)
#undef X

static const struct routine routines[RT_MAX] = {
#define X(id, what) [RT_##id] = {"text " #what, gen_##what},
	ROUTINES(X)
#undef X
};

const struct routine *text_routine(enum text_routine r)
{
	return &routines[r];
}
