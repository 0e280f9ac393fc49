/*
 * textjson.c - the routine of json(text, path), which finds an element of a JSON text.
 *
 * First, the routine turns the path into a table of steps: each step is a name, or the index of an
 * element. Then it reads the text once. In the container of the current step, it compares names or
 * counts commas until the wanted value begins. If the path has another step, this step
 * then applies inside the value. Otherwise the routine looks for the value's end.
 */
#include "compiler/code/strings/text.h"
#include "compiler/code/strings/text_int.h"
#include "ir/ir.h"

/*
 * The state between two characters, as indexes of words of the table. After these words, the table
 * has a word for each step.
 */
enum {
	J_STRING,  /* 1 within a string */
	J_ESCAPED, /* 1 within a string, after a backslash */
	J_DEPTH,   /* number of containers (objects and arrays) that are open */
	J_PHASE,   /* the phase, of enum phase */
	J_LEVEL,   /* the depth directly within the searched container */
	J_ARRAY,   /* 1 if the searched container is an array, 0 if it is an object */
	J_WANTED,  /* index of the wanted element, or offset of the wanted name in the path */
	J_COUNT,   /* number of commas in the array so far */
	J_NAME,    /* 1 if a string here is a name, 0 if it is a value */
	J_SAME,    /* 1 if the name matches so far */
	J_LENGTH,  /* length of the name so far */
	J_TAKEN,   /* number of steps taken so far */
	J_STEPS,   /* number of steps of the path */
	J_BEGIN,   /* offset of the value in the text */
	J_END,     /* offset of the value's end */
	J_QUOTED,  /* 1 if the value is a string; J_END is then after its closing quotation mark */
	J_OUTSIDE, /* depth around the value: a comma or bracket at this depth ends the value */
	J_WORDS
};

/*
 * Bit IS_ARRAY of a step is set if the step is an array index. The bits below it are the value for
 * J_WANTED.
 */
enum { STEPS_MAX = 64, IS_ARRAY = 32 };

#define WANTED_MAX (1 << 24) /* greater than any index */

enum phase { SEARCHING, FOUND, TAKING, DONE, FAILED };

uint32_t json_table_size(void)
{
	return 8 * (J_WORDS + STEPS_MAX);
}

static int both(struct irb *b, int x, int y)
{
	return irb_bin(b, IR_AND, x, y);
}

static int either(struct irb *b, int x, int y)
{
	return irb_bin(b, IR_OR, x, y);
}

static int but_not(struct irb *b, int x, int y)
{
	return both(b, x, tx_not(b, y));
}

static int is(struct irb *b, int v, int imm)
{
	return tx_is_zero(b, irb_bini(b, IR_XOR, v, imm));
}

/* Sets word @w of the table to @v if @yes is 1. */
static void set_if(struct irb *b, int table, int w, int yes, int v)
{
	tx_set_word(b, table, w, tx_choose(b, yes, v, tx_get_word(b, table, w)));
}

/* -------------------------------------------------------------------- steps */

static int step_at(struct irb *b, int table, int n)
{
	return irb_bin(b, IR_ADD, table,
		       irb_bini(b, IR_SHL, irb_bini(b, IR_AND, n, STEPS_MAX - 1), 3));
}

/*
 * Returns @old, a step. If @c is a digit and the step is an index, the digit is appended to the
 * index.
 */
static int with_digit(struct irb *b, int old, int c)
{
	int d = irb_bini(b, IR_SUB, c, '0'), n = irb_bini(b, IR_AND, old, UINT32_MAX), next;
	int digit = tx_less(b, d, irb_const(b, 10));

	digit = but_not(b, digit, irb_bini(b, IR_SHR, d, 63));
	digit = both(b, digit, irb_bini(b, IR_SHR, old, IS_ARRAY));
	digit = both(b, digit, tx_less(b, n, irb_const(b, WANTED_MAX)));
	next = irb_bin(b, IR_ADD, irb_bini(b, IR_MUL, n, 10), d);
	return irb_bin(b, IR_ADD, old, irb_bin(b, IR_MUL, irb_bin(b, IR_SUB, next, n), digit));
}

/*
 * Adds the steps of the path to the table. In the path, a point begins a name, and a bracket begins
 * an index. The first name has no point before it.
 */
void make_json_steps(const struct maker *m)
{
	struct irb *b = m->b;
	int path = irb_param(b, 0), words = irb_param(b, 1), table = irb_param(b, 2);
	int c, dot, array, begins, first, n, at, v, name;
	struct tx_piece p;

	tx_piece(m, &p, words, 0);
	c = tx_byte_at(m, path, p.at);
	tx_leave_if(b, &p.l, CC_EQ, c, 0);
	dot = is(b, c, '.');
	array = is(b, c, '[');
	begins = either(b, dot, array);
	first = both(b, array, tx_is_zero(b, p.at));
	first = but_not(b, begins, first);
	n = irb_bin(b, IR_ADD, tx_get_word(b, table, J_STEPS), first);
	tx_set_word(b, table, J_STEPS, n);
	at = step_at(b, table, n);
	name = irb_bin(b, IR_MUL, irb_bini(b, IR_ADD, p.at, 1), dot);
	v = either(b, name, irb_bini(b, IR_SHL, array, IS_ARRAY));
	name = with_digit(b, irb_loadv(b, at, 8 * J_WORDS, 8, false), c);
	irb_store(b, at, 8 * J_WORDS, 8, tx_choose(b, begins, v, name));
	tx_piece_end(m, &p);
}

static void take_apart(const struct maker *m, int path, int words, int table)
{
	struct irb *b = m->b;

	irb_storei(b, table, 8 * J_STEPS, 8, 0);
	irb_storei(b, table, 8 * J_WORDS, 8, 0);
	tx_pieces(m, m->part, RT_JSON_STEPS, 3, (int[]){path, words, table}, words);
	tx_set_word(b, table, J_STEPS, irb_bini(b, IR_ADD, tx_get_word(b, table, J_STEPS), 1));
}

/* --------------------------------------------------------------- characters */

/*
 * One character, and the results of tests on that character. All members but @c, @i, @depth and
 * @phase are 0 or 1.
 */
struct seen {
	int c, i;
	/* string: the character is in a string; quote: it begins or ends a string */
	int string, quote;
	int open, close, array, comma, blank, colon;
	int depth; /* depth of containers before this character */
	int phase;
};

static void in_strings(struct irb *b, int table, struct seen *s)
{
	int escaped = tx_get_word(b, table, J_ESCAPED), plain = tx_not(b, escaped);

	s->string = tx_get_word(b, table, J_STRING);
	s->quote = both(b, is(b, s->c, '"'), plain);
	tx_set_word(b, table, J_ESCAPED, both(b, both(b, is(b, s->c, '\\'), s->string), plain));
	tx_set_word(b, table, J_STRING, irb_bin(b, IR_XOR, s->string, s->quote));
}

static struct seen see(struct irb *b, int table, int c, int i)
{
	struct seen s = {.c = c, .i = i};
	/* The code of a brace is that of its bracket with the bit 0x20. */
	int plain, lower = irb_bini(b, IR_OR, c, 0x20);

	in_strings(b, table, &s);
	plain = tx_not(b, either(b, s.string, s.quote));
	s.open = both(b, plain, is(b, lower, '{'));
	s.close = both(b, plain, is(b, lower, '}'));
	s.array = is(b, c, '[');
	s.comma = both(b, plain, is(b, c, ','));
	s.colon = both(b, plain, is(b, c, ':'));
	s.blank = both(b, plain, tx_less(b, c, irb_const(b, ' ' + 1)));
	s.depth = tx_get_word(b, table, J_DEPTH);
	tx_set_word(b, table, J_DEPTH,
		    irb_bin(b, IR_SUB, irb_bin(b, IR_ADD, s.depth, s.open), s.close));
	s.phase = tx_get_word(b, table, J_PHASE);
	return s;
}

static void add_phase(struct irb *b, int table, int by)
{
	tx_set_word(b, table, J_PHASE, irb_bin(b, IR_ADD, tx_get_word(b, table, J_PHASE), by));
}

/* Returns 1 if @c, a character of the path, ends a name. */
static int ends_name(struct irb *b, int c)
{
	int dot = is(b, c, '.'), array = is(b, c, '[');

	dot = either(b, dot, array);
	return either(b, dot, tx_is_zero(b, c));
}

/*
 * If @here is 1, compares the next character of a name with the path. Returns 1 when the name ends
 * and is the wanted name, else 0.
 */
static int compare_name(const struct maker *m, int path, int table, const struct seen *s, int here)
{
	struct irb *b = m->b;
	int n = tx_get_word(b, table, J_LENGTH), begins, within, ends, p, same;
	int at = irb_bin(b, IR_ADD, tx_get_word(b, table, J_WANTED), n);

	here = both(b, here, tx_get_word(b, table, J_NAME));
	begins = but_not(b, both(b, here, s->quote), s->string);
	ends = both(b, both(b, here, s->quote), s->string);
	within = but_not(b, both(b, here, s->string), s->quote);
	p = tx_byte_at(m, path, at);
	same = but_not(b, within, tx_equal(b, s->c, p)); /* 1 if they differ; inverted below */
	same = but_not(b, tx_get_word(b, table, J_SAME), same);
	tx_set_word(b, table, J_SAME, either(b, same, begins));
	n = irb_bin(b, IR_ADD, n, within);
	tx_set_word(b, table, J_LENGTH, irb_bin(b, IR_MUL, n, tx_not(b, begins)));
	set_if(b, table, J_NAME, ends, irb_const(b, 0));
	same = both(b, ends, same);
	return both(b, same, ends_name(b, p));
}

/*
 * Handles a character in the searched container. Sets the phase to FOUND if the next value is the
 * wanted one, and to FAILED at the end of the container.
 */
static void search(const struct maker *m, int path, int table, const struct seen *s)
{
	struct irb *b = m->b;
	int there = tx_equal(b, s->depth, tx_get_word(b, table, J_LEVEL));
	int here = both(b, there, is(b, s->phase, SEARCHING));
	int hit = compare_name(m, path, table, s, here), comma = both(b, here, s->comma);
	int array = tx_get_word(b, table, J_ARRAY), n, lost;

	n = irb_bin(b, IR_ADD, tx_get_word(b, table, J_COUNT), comma);
	tx_set_word(b, table, J_COUNT, n);
	set_if(b, table, J_NAME, comma, tx_not(b, array));
	n = tx_equal(b, n, tx_get_word(b, table, J_WANTED));
	hit = either(b, hit, both(b, both(b, comma, array), n));
	lost = irb_bini(b, IR_MUL, both(b, here, s->close), FAILED - SEARCHING);
	add_phase(b, table, irb_bin(b, IR_ADD, hit, lost));
}

/*
 * If @into is 1, enters the container that begins here: makes this container the searched one, and
 * takes a step.
 */
static void step_into(struct irb *b, int table, const struct seen *s, int step, int into)
{
	int wanted = irb_bini(b, IR_AND, step, UINT32_MAX), zero = irb_const(b, 0), first;

	set_if(b, table, J_LEVEL, into, irb_bini(b, IR_ADD, s->depth, 1));
	set_if(b, table, J_ARRAY, into, s->array);
	set_if(b, table, J_WANTED, into, wanted);
	set_if(b, table, J_COUNT, into, zero);
	set_if(b, table, J_NAME, into, tx_not(b, s->array));
	tx_set_word(b, table, J_TAKEN, irb_bin(b, IR_ADD, tx_get_word(b, table, J_TAKEN), into));
	first = both(b, s->array, tx_is_zero(b, wanted)); /* element 0 is the next value */
	add_phase(b, table, irb_neg(b, but_not(b, into, first)));
}

/*
 * Handles a character in phase FOUND, where a value may begin. If no step is left, records where
 * the value begins. Otherwise enters the object or array that begins, or fails if none begins.
 */
static void begin_value(struct irb *b, int table, const struct seen *s)
{
	int found = is(b, s->phase, FOUND),
	    begins = but_not(b, found, either(b, s->blank, s->colon));
	int step, into, other;
	int taken = tx_get_word(b, table, J_TAKEN),
	    last = tx_equal(b, taken, tx_get_word(b, table, J_STEPS));
	int end = but_not(b, both(b, begins, last), s->close);

	step = irb_loadv(b, step_at(b, table, taken), 8 * J_WORDS, 8, false);
	into = but_not(b, both(b, begins, s->open), last);
	into = both(b, into, tx_equal(b, s->array, irb_bini(b, IR_SHR, step, IS_ARRAY)));
	step_into(b, table, s, step, into);
	set_if(b, table, J_BEGIN, end, irb_bin(b, IR_ADD, s->i, s->quote));
	set_if(b, table, J_QUOTED, end, s->quote);
	set_if(b, table, J_OUTSIDE, end, s->depth);
	other = but_not(b, begins, either(b, end, into));
	other = irb_bini(b, IR_MUL, other, FAILED - FOUND);
	add_phase(b, table, irb_bin(b, IR_ADD, end, other));
}

/*
 * Looks for the end of the value that was found. The value ends before the next comma or closing
 * bracket outside of it. Blanks before that character do not belong to the value.
 */
static void take(struct irb *b, int table, const struct seen *s)
{
	int outside = tx_equal(b, s->depth, tx_get_word(b, table, J_OUTSIDE));
	int ends = both(b, outside, either(b, s->comma, s->close)), taking;

	add_phase(b, table, both(b, is(b, s->phase, TAKING), ends));
	taking = but_not(b, is(b, tx_get_word(b, table, J_PHASE), TAKING), s->blank);
	set_if(b, table, J_END, taking, irb_bini(b, IR_ADD, s->i, 1));
}

void make_json_some(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), path = irb_param(b, 1), words = irb_param(b, 2),
	    table = irb_param(b, 3), c;
	struct tx_piece p;
	struct seen s;

	tx_piece(m, &p, words, 0);
	c = tx_byte_at(m, text, p.at);
	tx_leave_if(b, &p.l, CC_EQ, c, 0);
	s = see(b, table, c, p.at);
	search(m, path, table, &s);
	begin_value(b, table, &s);
	take(b, table, &s);
	tx_leave_if(b, &p.l, CC_UGE, tx_get_word(b, table, J_PHASE), DONE);
	tx_piece_end(m, &p);
}

void make_json(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), path = irb_param(b, 1), words = irb_param(b, 2),
	    table = irb_param(b, 3);
	int many, begin, done, n;

	for (int i = 0; i < J_WORDS; i++)
		irb_storei(b, table, 8 * i, 8, 0);
	take_apart(m, path, words, table);
	n = tx_get_word(b, table, J_STEPS);
	many = tx_not(b, tx_less(b, n, irb_const(b, STEPS_MAX + 1)));
	tx_set_word(b, table, J_PHASE,
		    irb_bini(b, IR_ADD, irb_bini(b, IR_MUL, many, FAILED - FOUND), FOUND));
	tx_pieces(m, m->text, RT_JSON_SOME, 4, (int[]){text, path, words, table}, words);
	done = is(b, tx_get_word(b, table, J_PHASE), DONE);
	begin = tx_get_word(b, table, J_BEGIN);
	n = irb_bin(b, IR_SUB, tx_get_word(b, table, J_END), begin);
	n = irb_bin(b, IR_SUB, n, tx_get_word(b, table, J_QUOTED));
	tx_set_word(b, words, 0, tx_choose(b, done, begin, irb_const(b, -1)));
	tx_set_word(b, words, 1, n);
}
