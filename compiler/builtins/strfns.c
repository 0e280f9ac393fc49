/*
 * strfns.c - subroutines that find, copy or change parts of strings.
 *
 * They evaluate their arguments from left to right, and call the routines of
 * compiler/code/strings/text.c.
 */
#include "compiler/builtins/strfns.h"

#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/strings/strings.h"
#include "compiler/code/strings/text.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/strclass.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"

/*
 * Returns a register with argument @i, an integer. Returns @otherwise if the argument is missing.
 */
static int int_arg(struct fire *g, const struct expr *call, uint32_t i, int64_t otherwise)
{
	return i < call->narg ? irb_scalar(g->b, gen(g, call->arg[i])) : irb_const(g->b, otherwise);
}

/* Reserves @size bytes of scratch memory. Returns a register with their address. */
static int work_area(struct fire *g, uint32_t size)
{
	struct dest d = scratch_slot(g, size);

	return irb_addr(g->b, d.base, d.off);
}

/*
 * Returns the maximum sizes of the texts of a call, and of the result in slot @d, the memory for
 * one string.
 */
static struct text_size sizes(struct fire *g, const struct expr *call, struct dest d)
{
	struct text_size s = {.text = str_class(g->c, call->arg[0]).text};

	if (call->narg > 1 && expr_is_string(call->arg[1]))
		s.part = str_class(g->c, call->arg[1]).text;
	if (d.size)
		s.dst = str_class(g->c, call).size - 4;
	return s;
}

/* Returns a register with the smaller of two unsigned numbers. */
static int smaller(struct irb *b, int x, int y)
{
	return irb_select(b, irb_neg(b, irb_set(b, CC_ULT, x, y)), x, y);
}

#define NO_RESULT ((struct dest){0})

void chars_substr(struct fire *g, const struct expr *call, struct dest d)
{
	int text = gen_chars(g, call->arg[0]), words = gen_words(g);
	int index = int_arg(g, call, 1, 0);
	struct text_size all = sizes(g, call, d);

	tx_set_word(g->b, words, 0, index);
	tx_set_word(g->b, words, 1, int_arg(g, call, 2, g->c->opt->strsize));
	gen_text(g, RT_SUBSTR, all, 3, (int[]){gen_chars_into(g, d), text, words});
}

void chars_toupper(struct fire *g, const struct expr *call, struct dest d)
{
	int text = gen_chars(g, call->arg[0]);
	struct text_size all = sizes(g, call, d);

	gen_text(g, RT_UPPER, all, 2, (int[]){gen_chars_into(g, d), text});
}

void chars_tolower(struct fire *g, const struct expr *call, struct dest d)
{
	int text = gen_chars(g, call->arg[0]);
	struct text_size all = sizes(g, call, d);

	gen_text(g, RT_LOWER, all, 2, (int[]){gen_chars_into(g, d), text});
}

/* ------------------------------------------------------------------ searching */

/* Writes the result of a search: the text from the match on, or NULL. */
static void rest_or_null(struct fire *g, const struct expr *call, struct dest d, int text,
			 int words)
{
	struct irb *b = g->b;
	int found = irb_block(b, "found"), none = irb_block(b, "none"), done = irb_block(b, "rest");
	struct text_size all = sizes(g, call, d);

	irb_bri(b, CC_SGE, irb_loadv(b, words, 0, 8, false), 0, found, none);
	irb_place(b, found);
	gen_text(g, RT_COPY, all, 3, (int[]){gen_chars_into(g, d), text, words});
	irb_jmp(b, done);
	irb_place(b, none);
	gen_str_null(g, call, d);
	irb_jmp(b, done);
	irb_place(b, done);
}

/*
 * Searches argument 0 for argument 1, from the position in argument 2 on. Finds the last match if
 * @last, else the first. Sets word 0 of @words to the position of the match, or to -1 if there is
 * none. Returns a register with the address of the characters of argument 0.
 */
static int find(struct fire *g, const struct expr *call, int words, bool last)
{
	int text = gen_chars(g, call->arg[0]), part = gen_chars(g, call->arg[1]);
	struct text_size all = sizes(g, call, NO_RESULT);
	int table;

	tx_set_word(g->b, words, 0, int_arg(g, call, 2, last ? INT64_MAX : 0));
	irb_storei(g->b, words, 8, 8, last);
	if (str_class(g->c, call->arg[1]).text <= 9) {
		gen_text(g, RT_FIND8, all, 3, (int[]){text, part, words});
		return text;
	}
	table = work_area(g, 2 * text_capacity(g->c->opt->strsize));
	gen_text(g, RT_FIND, all, 4, (int[]){text, part, words, table});
	return text;
}

void chars_strstr(struct fire *g, const struct expr *call, struct dest d)
{
	int words = gen_words(g), text = find(g, call, words, false);

	rest_or_null(g, call, d, text, words);
}

int emit_index(struct fire *g, struct expr **arg, uint32_t narg)
{
	int words = gen_words(g);

	find(g, &(struct expr){.arg = arg, .narg = narg}, words, false);
	return irb_loadv(g->b, words, 0, 4, true);
}

int emit_rindex(struct fire *g, struct expr **arg, uint32_t narg)
{
	int words = gen_words(g);

	find(g, &(struct expr){.arg = arg, .narg = narg}, words, true);
	return irb_loadv(g->b, words, 0, 4, true);
}

static void find_char(struct fire *g, const struct expr *call, struct dest d, bool last)
{
	int text = gen_chars(g, call->arg[0]), words = gen_words(g);

	tx_set_word(g->b, words, 2, int_arg(g, call, 1, 0));
	irb_storei(g->b, words, 8, 8, last);
	gen_text(g, RT_CHR, sizes(g, call, NO_RESULT), 2, (int[]){text, words});
	rest_or_null(g, call, d, text, words);
}

void chars_strchr(struct fire *g, const struct expr *call, struct dest d)
{
	find_char(g, call, d, false);
}

void chars_strrchr(struct fire *g, const struct expr *call, struct dest d)
{
	find_char(g, call, d, true);
}

void chars_json(struct fire *g, const struct expr *call, struct dest d)
{
	int text = gen_chars(g, call->arg[0]), path = gen_chars(g, call->arg[1]),
	    words = gen_words(g);
	int table = work_area(g, json_table_size());

	gen_text(g, RT_JSON, sizes(g, call, NO_RESULT), 4, (int[]){text, path, words, table});
	rest_or_null(g, call, d, text, words);
}

/* --------------------------------------------------------------- taking apart */

/*
 * strtok() keeps its string in the state of the firing (one run of a probe's clauses), for later
 * calls with NULL. The first word of this state is the current position in the string.
 */
void chars_strtok(struct fire *g, const struct expr *call, struct dest d)
{
	struct irb *b = g->b;
	struct dest state = token_state(g);
	struct text_size all;
	int delims, words, at = irb_addr(b, state.base, state.off), found = irb_block(b, "token"),
			   none = irb_block(b, "no token");
	int done = irb_block(b, "strtok");

	if (!str_is_null(call->arg[0])) {
		gen_chars_at(g, call->arg[0],
			     (struct dest){.base = state.base, .off = state.off + TOKEN_TEXT});
		irb_storei(b, state.base, state.off, 8, 0);
	}
	delims = gen_chars(g, call->arg[1]);
	words = gen_words(g);
	all = sizes(g, call, d);
	all.text = g->c->opt->strsize; /* the string may be that of an earlier call */
	gen_text(g, RT_TOKEN, all, 4, (int[]){gen_chars_into(g, d), at, delims, words});
	irb_bri(b, CC_EQ, irb_loadv(b, words, 8, 8, false), 0, none, found);
	irb_place(b, none);
	gen_str_null(g, call, d);
	irb_jmp(b, done);
	irb_place(b, found);
	irb_jmp(b, done);
	irb_place(b, done);
}

static void path_part(struct fire *g, const struct expr *call, struct dest d, enum text_routine r)
{
	int text = gen_chars(g, call->arg[0]), words = gen_words(g);
	struct text_size all = sizes(g, call, d);

	gen_text(g, r, all, 3, (int[]){gen_chars_into(g, d), text, words});
}

/*
 * Copies the DNS name at address @arg[0] to scratch memory. From that address on, @arg[1] bytes of
 * the message were captured. Sets word 0 of @words to the number of copied bytes. Returns a
 * register with the address of the copy.
 */
static int gen_labels(struct fire *g, struct expr *const *arg, int words)
{
	struct irb *b = g->b;
	int from = irb_scalar(b, gen(g, arg[0])), n = irb_scalar(b, gen(g, arg[1]));
	int labels = work_area(g, DNS_NAME + 1), r;

	n = irb_bini(b, IR_AND, smaller(b, n, irb_const(b, DNS_NAME)), DNS_NAME);
	r = irb_call(b, IR_CALL, HELPER_probe_read_kernel, 3,
		     (struct ir_arg[]){{ARG_REG, labels, 0}, {ARG_REG, n, 0}, {ARG_REG, from, 0}});
	tx_set_word(b, words, 0, irb_bin(b, IR_MUL, n, irb_set(b, CC_EQ, r, irb_const(b, 0))));
	return labels;
}

/*
 * Writes __dns_name(labels, n): the text of the name whose labels are at address labels in a DNS
 * message. From that address on, n bytes of the message were captured.
 */
void chars_dns_name(struct fire *g, const struct expr *call, struct dest d)
{
	int words = gen_words(g), labels = gen_labels(g, call->arg, words);
	int work = work_area(g, text_capacity(g->c->opt->strsize) + TEXT_SLACK);
	struct text_size s = {.dst = str_class(g->c, call).size - 4};

	gen_text(g, RT_DNS, s, 4, (int[]){gen_chars_into(g, d), labels, work, words});
}

/*
 * Emits the code of __dns_length(labels, n). Returns a register with the length of the name in
 * bytes: -1 if the bytes are not a name, or 0 if the end of the name was not captured.
 */
int emit_dns_length(struct fire *g, struct expr **arg, uint32_t narg)
{
	uint32_t scratch = g->u->scratch_used;
	int words = gen_words(g), labels = gen_labels(g, arg, words), n;

	(void)narg;
	gen_text(g, RT_DNS_LENGTH, (struct text_size){0}, 2, (int[]){labels, words});
	n = irb_loadv(g->b, words, 8, 4, true);
	scratch_release(g, scratch);
	return n;
}

void chars_basename(struct fire *g, const struct expr *call, struct dest d)
{
	path_part(g, call, d, RT_BASENAME);
}

void chars_dirname(struct fire *g, const struct expr *call, struct dest d)
{
	path_part(g, call, d, RT_DIRNAME);
}

void chars_cleanpath(struct fire *g, const struct expr *call, struct dest d)
{
	uint32_t room = text_capacity(g->c->opt->strsize);
	int text = gen_chars(g, call->arg[0]), words = gen_words(g), table = work_area(g, 2 * room);
	int work = work_area(g, room + TEXT_SLACK);
	struct text_size all = sizes(g, call, d);

	gen_text(g, RT_CLEANPATH, all, 5, (int[]){gen_chars_into(g, d), text, words, table, work});
}

int emit_strtoll(struct fire *g, struct expr **arg, uint32_t narg)
{
	int text = gen_chars(g, arg[0]), words = gen_words(g);

	tx_set_word(g->b, words, 0, narg > 1 ? gen_base(g, arg[1]) : irb_const(g->b, 10));
	gen_text(g, RT_STRTOLL, sizes(g, &(struct expr){.arg = arg, .narg = 1}, NO_RESULT), 2,
		 (int[]){text, words});
	return irb_loadv(g->b, words, 0, 8, false);
}

/* ------------------------------------------------------------------- arguments */

/*
 * Returns the smaller of @max + 1 and @room, which are sizes of a string with its NUL. The verifier
 * accepts the result as the size of @room bytes of memory.
 */
static struct ir_arg size_with_nul(struct irb *b, int max, uint32_t room)
{
	int size, less, done;
	int64_t c;

	if (irb_is_const(b, max, &c))
		return (struct ir_arg){ARG_IMM, 0, (uint64_t)c < room ? c + 1 : room};
	size = irb_var(b);
	less = irb_block(b, "cut");
	done = irb_block(b, "size");
	irb_assign_imm(b, size, room);
	irb_bri(b, CC_ULT, max, room, less, done);
	irb_place(b, less);
	irb_assign(b, size, irb_bini(b, IR_ADD, max, 1));
	irb_jmp(b, done);
	irb_place(b, done);
	return (struct ir_arg){ARG_REG, irb_value(b, size), 0};
}

#define PSARGS 80 /* maximum size of the arguments in bytes, NUL included */

/* Returns the word @w with each NUL byte replaced by a blank. */
static int blank_nuls(struct irb *b, int w)
{
	int low7 = irb_const(b, 0x7f7f7f7f7f7f7f7f);
	int some = irb_bin(b, IR_ADD, irb_bin(b, IR_AND, w, low7), low7);
	int high = irb_bin(b, IR_OR, irb_bin(b, IR_OR, some, w), low7);

	return irb_bin(b, IR_OR, w, irb_bini(b, IR_SHR, irb_bini(b, IR_XOR, high, -1), 2));
}

/*
 * Copies the first @n characters at @text to slot @d, which has room for a text of at most @room
 * bytes.
 */
static void put_first(struct fire *g, struct dest d, uint32_t room, int text, int n)
{
	int words = gen_words(g);

	tx_set_word(g->b, words, 0, irb_const(g->b, 0));
	tx_set_word(g->b, words, 1, n);
	gen_text(g, RT_COPY, (struct text_size){.dst = room}, 3,
		 (int[]){gen_chars_into(g, d), text, words});
}

/*
 * Writes __psargs(address, n), the arguments of a process on one line. The process has n bytes of
 * arguments at the address, with a NUL after each argument. No byte after these is read: the end of
 * the process's memory may follow.
 */
void chars_psargs(struct fire *g, const struct expr *call, struct dest d)
{
	struct irb *b = g->b;
	uint32_t room = text_capacity(g->c->opt->strsize), n = room < PSARGS ? room : PSARGS;
	int from = irb_scalar(b, gen(g, call->arg[0])), len = irb_scalar(b, gen(g, call->arg[1]));
	struct dest tmp = scratch_slot(g, room + TEXT_SLACK);
	int text = irb_addr(b, tmp.base, tmp.off), r;

	len = irb_bini(b, IR_SUB, len, 1);
	r = irb_call(b, IR_CALL, HELPER_probe_read_user, 3,
		     (struct ir_arg[]){{ARG_REG, text, 0},
				       size_with_nul(b, len, n),
				       {ARG_REG, from, 0}});
	for (uint32_t i = 0; i < n; i += 8)
		irb_store(b, text, (int32_t)i, 8,
			  blank_nuls(b, irb_loadv(b, text, (int32_t)i, 8, false)));
	len = smaller(b, len, irb_const(b, n - 1));
	len = irb_bin(b, IR_AND, len, irb_neg(b, irb_set(b, CC_EQ, r, irb_const(b, 0))));
	put_first(g, d, g->c->opt->strsize, text, len);
}

/* ---------------------------------------------------------------- link addresses */

enum { ETHERNET = 1, INFINIBAND = 32 }; /* types of links (ARPHRD_*) */

void chars_link_ntop(struct fire *g, const struct expr *call, struct dest d)
{
	struct irb *b = g->b;
	int ether = irb_block(b, "ethernet"), other = irb_block(b, "not ethernet"),
	    ib = irb_block(b, "infiniband");
	int done = irb_block(b, "link address"), type = irb_scalar(b, gen(g, call->arg[0]));

	irb_bri(b, CC_EQ, type, ETHERNET, ether, other);
	irb_place(b, ether);
	gen_link_text(g, call->arg[1], false, d);
	irb_jmp(b, done);
	irb_place(b, other);
	irb_bri(b, CC_EQ, type, INFINIBAND, ib, fault_block(g, FAULT_ILLOP, NOREG));
	irb_place(b, ib);
	gen_link_text(g, call->arg[1], true, d);
	irb_jmp(b, done);
	irb_place(b, done);
}

void chars_strict6(struct fire *g, const struct expr *call, struct dest d)
{
	gen_strict_text(g, call->arg[0], d);
}

/* ----------------------------------------------------------- a process's memory */

/*
 * Writes copyinstr(address, max): a string in the memory of the current process, cut to max bytes.
 * Bytes after these need not be readable.
 */
void chars_copyinstr(struct fire *g, const struct expr *call, struct dest d)
{
	struct irb *b = g->b;
	uint32_t room = g->c->opt->strsize;
	int from = irb_scalar(b, gen(g, call->arg[0])), max = int_arg(g, call, 1, room);
	struct dest tmp = scratch_slot(g, text_capacity(room) + TEXT_SLACK);
	int text = irb_addr(b, tmp.base, tmp.off), ok = irb_block(b, "copied in"), len;

	len = irb_call(b, IR_CALL, HELPER_probe_read_user_str, 3,
		       (struct ir_arg[]){{ARG_REG, text, 0},
					 size_with_nul(b, max, room),
					 {ARG_REG, from, 0}});
	irb_bri(b, CC_SGT, len, 0, ok, fault_block(g, FAULT_BADADDR, from));
	irb_place(b, ok);
	put_first(g, d, room, text, irb_bini(b, IR_SUB, len, 1));
}
