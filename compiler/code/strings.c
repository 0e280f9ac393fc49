/*
 * strings.c - string expressions, kept in the cheapest form until somebody prints them.
 *
 * A string is written into a slot (tag and payload, see ir/program.h).  Which
 * forms an expression may take is known beforehand (str_class), so that slots
 * are no larger than needed: an address takes 20 bytes, a process name 20, a
 * literal 8.
 *
 * Variables hold characters, unless only addresses and a few literals are assigned to them.  Keys
 * that a program looks up hold characters too, because they must match in whatever form they come.
 * A name that only user space knows (DSTR_NAMED) is a number: a program cannot make characters of
 * it, so a use that needs them is an error.  The consumer makes the same text of every form, so
 * keys that print alike are one key.
 */
#include <arpa/inet.h>
#include <string.h>

#include "base/xalloc.h"
#include "compiler/meaning/enumstr.h"
#include "compiler/code/irgen.h"
#include "compiler/code/numtext.h"
#include "ir/helpers.h"

static uint32_t min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* ---------------------------------------------------------------- writing */

static void put_tag(struct fire *g, struct dest d, enum dstr_tag tag)
{
	irb_storei(g->b, d.base, d.off, 4, tag);
}

#define ZEROS_INLINE 512 /* bytes; more are written by a routine */

/* From byte @from of the slot on, in words of 8; gives where less than one is left. */
static uint32_t zero_long(struct fire *g, struct dest d, uint32_t from)
{
	uint32_t n;
	int at;

	if ((d.off + (int32_t)from) % 8) {
		irb_storei(g->b, d.base, d.off + (int32_t)from, 4, 0);
		from += 4;
	}
	n = (d.size - from) & ~7u;
	at = irb_addr(g->b, d.base, d.off + (int32_t)from);
	gen_text(g, RT_ZERO, (struct text_size){.dst = n}, 1, &at);
	return from + n;
}

/* Zeros from byte @from of the slot to its end, if the slot asks for that. */
static void zero_rest(struct fire *g, struct dest d, uint32_t from)
{
	unsigned n;

	if (d.zero && d.size > from + ZEROS_INLINE)
		from = zero_long(g, d, from);
	for (; d.zero && from < d.size; from += n) {
		n = (d.off + (int32_t)from) % 8 == 0 && d.size - from >= 8 ? 8 : 4;
		irb_storei(g->b, d.base, d.off + (int32_t)from, n, 0);
	}
}

static void put_intern(struct fire *g, struct dest d, const char *s)
{
	put_tag(g, d, DSTR_INTERN);
	irb_storei(g->b, d.base, d.off + PAYLOAD, 4, (int64_t)str_index(g->c, s));
	zero_rest(g, d, PAYLOAD + 4);
}

static void put_address(struct fire *g, struct dest d, enum dstr_tag tag, const uint8_t *addr)
{
	uint32_t n = tag == DSTR_IP4 ? 4 : 16, w;

	put_tag(g, d, tag);
	for (uint32_t i = 0; i < n; i += 4) {
		memcpy(&w, addr + i, 4);
		irb_storei(g->b, d.base, d.off + PAYLOAD + (int32_t)i, 4, (int32_t)w);
	}
	zero_rest(g, d, PAYLOAD + n);
}

/* The characters of @s, as many as there is room for, and zeros. */
static void put_chars(struct fire *g, struct dest d, const char *s)
{
	uint32_t room = min(d.size - PAYLOAD, g->c->opt->strsize),
		 len = min((uint32_t)strlen(s), room - 1), n, w;

	put_tag(g, d, DSTR_TEXT);
	for (n = 0; n <= len; n += 4) {
		w = 0;
		memcpy(&w, s + n, min(4, len - n));
		irb_storei(g->b, d.base, d.off + PAYLOAD + (int32_t)n, 4, (int32_t)w);
	}
	zero_rest(g, d, PAYLOAD + n);
}

static void put_literal(struct fire *g, struct dest d, const char *s)
{
	enum dstr_tag tag;
	uint8_t addr[16];

	if (d.text || !*s) /* an empty text is that of a variable that was never set */
		put_chars(g, d, s);
	else if (str_is_address(s, &tag, addr))
		put_address(g, d, tag, addr);
	else
		put_intern(g, d, s);
}

struct mem gen_pointed(struct fire *g, const struct expr *e, uint32_t n)
{
	struct mem m;

	if (!e->object)
		return (struct mem){.base = gen(g, e),
				    .owner = type_is(e->type, T_PTR)
						     ? type_strip(type_strip(e->type)->to)
						     : NULL,
				    .lib = e->lib,
				    .user = type_is_userland(e->type)};
	m = gen_mem(g, e->object);
	if (type_strip(e->object->type)->size < n)
		m.owner = NULL;
	return m;
}

static void put_ip(struct fire *g, struct dest d, enum dstr_tag tag, struct mem m)
{
	uint32_t n = tag == DSTR_IP4 ? 4 : 16;

	put_tag(g, d, tag);
	mem_copy(g, m, d, PAYLOAD, n);
	zero_rest(g, d, PAYLOAD + n);
}

struct mem gen_quad_or_groups(struct fire *g, struct mem m, int quad, int groups)
{
	struct irb *b = g->b;
	int low = irb_block(b, "low"), mid;
	struct mem at = m;

	irb_bri(b, CC_EQ, mem_load(g, m, 8, false), 0, low, groups);
	irb_place(b, low);
	at.off += 8;
	mid = irb_swap(b, mem_load(g, at, 4, false), 4);
	at.off += 4;
	numtext_branch6(b, mid, irb_swap(b, mem_load(g, at, 4, false), 4), quad, groups);
	return at;
}

/* In block @quad: the IPv4 address at @m into slot @d, and on at @done. */
static void put_quad(struct fire *g, struct dest d, struct mem m, int quad, int done)
{
	irb_place(g->b, quad);
	put_ip(g, d, DSTR_IP4, m);
	irb_jmp(g->b, done);
}

/* Where bytes are compared (d.zero), equal texts must have equal bytes; else the consumer knows. */
static void put_ip6(struct fire *g, struct mem m, struct dest d)
{
	struct irb *b = g->b;
	int quad, groups, done;

	if (!d.zero) {
		put_ip(g, d, DSTR_IP6, m);
		return;
	}
	quad = irb_block(b, "quad");
	groups = irb_block(b, "groups");
	done = irb_block(b, "address");
	put_quad(g, d, gen_quad_or_groups(g, m, quad, groups), quad, done);
	irb_place(b, groups);
	put_ip(g, d, DSTR_IP6, m);
	irb_jmp(b, done);
	irb_place(b, done);
}

/* As put_ip6(): inet_ntop() writes most addresses as inet_ntoa6() does. */
static void put_ntop6(struct fire *g, struct mem m, struct dest d)
{
	struct irb *b = g->b;
	int quad, groups;

	put_ip(g, d, d.zero ? DSTR_IP6 : DSTR_NTOP6, m);
	if (!d.zero)
		return;
	quad = irb_block(b, "quad");
	groups = irb_block(b, "groups");
	gen_quad_or_groups(g, m, quad, groups);
	irb_place(b, quad);
	put_tag(g, d, DSTR_NTOP6);
	irb_jmp(b, groups);
	irb_place(b, groups);
}

static void put_ip4(struct fire *g, struct mem m, struct dest d)
{
	put_ip(g, d, DSTR_IP4, m);
}

void slot_as_ip4(struct fire *g, struct dest d)
{
	struct irb *b = g->b;
	struct mem m = {.base = d.base, .off = d.off + PAYLOAD + 12, .own = true, .lib = true};
	int embedded = irb_block(b, "embedded"), other = irb_block(b, "other");

	irb_bri(b, CC_EQ, irb_loadv(b, d.base, d.off, 4, false), DSTR_NTOP6, embedded, other);
	put_quad(g, d, m, embedded, other);
	irb_place(b, other);
}

void put_address_of(struct fire *g, struct dest d, struct mem m, unsigned n)
{
	if (n == 4)
		put_ip(g, d, DSTR_IP4, m);
	else
		put_ip6(g, m, d);
}

/* inet_ntop(af, ptr): the family may be computed. */
static void of_family(struct fire *g, const struct expr *e, struct dest d,
		      void (*write4)(struct fire *g, struct mem m, struct dest d),
		      void (*write6)(struct fire *g, struct mem m, struct dest d))
{
	struct irb *b = g->b;
	int v4 = irb_block(b, "inet"), not4 = irb_block(b, "not inet"), v6 = irb_block(b, "inet6");
	int done = irb_block(b, "address"), af = gen(g, e->arg[0]);

	irb_bri(b, CC_EQ, af, AF_INET, v4, not4);
	irb_place(b, v4);
	write4(g, gen_pointed(g, e->arg[1], 4), d);
	irb_jmp(b, done);
	irb_place(b, not4);
	irb_bri(b, CC_EQ, af, AF_INET6, v6, fault_block(g, FAULT_ILLOP, NOREG));
	irb_place(b, v6);
	write6(g, gen_pointed(g, e->arg[1], 16), d);
	irb_jmp(b, done);
	irb_place(b, done);
}

static void put_join(struct fire *g, const struct expr *e, struct dest d)
{
	struct strclass x = str_class(g->c, e->arg[0]), y = str_class(g->c, e->arg[1]);
	struct dest first = {d.base, d.off + 8, x.size, d.zero, false, NULL_FAULT};
	struct dest second = {d.base,    d.off + 8 + (int32_t)x.size, y.size, d.zero, false,
			      NULL_FAULT};

	put_tag(g, d, DSTR_JOIN);
	irb_storei(g->b, d.base, d.off + PAYLOAD, 4, x.size);
	gen_str(g, e->arg[0], first);
	gen_str(g, e->arg[1], second);
	zero_rest(g, d, 8 + x.size + y.size);
}

int gen_base(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	int base = gen(g, e), over = irb_bini(b, IR_SUB, base, 2);
	int ok = irb_block(b, "base");

	irb_bri(b, CC_ULT, over, 35, ok, fault_block(g, FAULT_ILLOP, NOREG));
	irb_place(b, ok);
	return base;
}

static void put_lltostr(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int v = gen(g, e->arg[0]);

	put_tag(g, d, DSTR_INT);
	irb_store(b, d.base, d.off + PAYLOAD, 4, v);
	irb_store(b, d.base, d.off + PAYLOAD + 4, 4, irb_bini(b, IR_SHR, v, 32));
	if (e->narg > 1)
		irb_store(b, d.base, d.off + PAYLOAD + 8, 4, gen_base(g, e->arg[1]));
	else
		irb_storei(b, d.base, d.off + PAYLOAD + 8, 4, 10);
	zero_rest(g, d, PAYLOAD + 12);
}

/* ------------------------------------------------------------- as characters */

#define TEXT_SLOT(g) (PAYLOAD + text_capacity((g)->c->opt->strsize) + TEXT_SLACK)

int gen_words(struct fire *g)
{
	struct dest d = scratch_slot(g, TEXT_WORDS);

	return irb_addr(g->b, d.base, d.off);
}

void gen_text(struct fire *g, enum text_routine r, struct text_size s, unsigned n, const int *reg)
{
	struct ir_arg arg[5];

	for (unsigned i = 0; i < n; i++)
		arg[i] = (struct ir_arg){ARG_REG, reg[i], 0};
	gen_routine(g, text_routine(r), text_variant(g->c->opt->strsize, s), n, arg);
}

/* Copies the text at @src to @at, at most @room bytes; gives its length. */
static int copy_text(struct fire *g, int at, uint32_t room, int src)
{
	struct irb *b = g->b;
	int n = irb_call(b, IR_CALL, HELPER_probe_read_kernel_str, 3,
			 (struct ir_arg[]){{ARG_REG, at, 0},
					   {ARG_IMM, 0, room},
					   {ARG_REG, src, 0}});
	int ok = irb_block(b, "copied"), bad = irb_cold_block(b, "not copied"),
	    done = irb_block(b, "length");
	int len = irb_var(b);

	irb_bri(b, CC_ULE, irb_bini(b, IR_SUB, n, 1), room - 1, ok, bad);
	irb_place(b, ok);
	irb_assign(b, len, irb_bini(b, IR_SUB, n, 1));
	irb_jmp(b, done);
	irb_place(b, bad);
	irb_assign_imm(b, len, 0);
	irb_jmp(b, done);
	irb_place(b, done);
	return len;
}

/*
 * The second text is copied behind the first with room for all of it: work space
 * is twice as long as the result, which is cut to its own length then.
 */
static void text_join(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	struct strclass x = str_as_text(str_class(g->c, e->arg[0])),
			y = str_as_text(str_class(g->c, e->arg[1]));
	struct dest dx = scratch_slot(g, x.size), dy = scratch_slot(g, y.size);
	struct dest work = scratch_slot(g, x.size + y.size + 8);
	uint32_t room = min(min(d.size - PAYLOAD, g->c->opt->strsize), x.text + y.text);
	int at = irb_addr(b, work.base, work.off), len, end;

	dx.text = dy.text = true;
	gen_str(g, e->arg[0], dx);
	gen_str(g, e->arg[1], dy);
	zero_rest(g, work, 0);
	len = copy_text(g, at, x.size - PAYLOAD, irb_addr(b, dx.base, dx.off + PAYLOAD));
	end = irb_bin(b, IR_ADD, at, len);
	copy_text(g, end, y.size - PAYLOAD, irb_addr(b, dy.base, dy.off + PAYLOAD));
	irb_storei(b, work.base, work.off + (int32_t)room - 1, 1, 0);
	zero_rest(g, d, 0);
	put_tag(g, d, DSTR_TEXT);
	copy_text(g, irb_addr(b, d.base, d.off + PAYLOAD), room, at);
}

/* Calls a routine that writes @what as text into slot @d. */
static void write_text(struct fire *g, const struct routine *r, int what, struct dest d)
{
	struct irb *b = g->b;
	struct dest work = scratch_slot(g, NUMTEXT_WORK);
	int to, at;

	zero_rest(g, d, 0);
	put_tag(g, d, DSTR_TEXT);
	to = irb_addr(b, d.base, d.off + PAYLOAD);
	at = irb_addr(b, work.base, work.off);
	gen_routine(g, r, min(d.size - PAYLOAD, g->c->opt->strsize), 3,
		    (struct ir_arg[]){{ARG_REG, to, 0}, {ARG_REG, what, 0}, {ARG_REG, at, 0}});
}

static void text_base(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	struct dest work = scratch_slot(g, TEXT_SLOT(g));
	int words = gen_words(g), v = irb_scalar(b, gen_before(g, e->arg[0], e->arg[1])), from, to;

	irb_store(b, words, 0, 8, v);
	irb_store(b, words, 8, 8, gen_base(g, e->arg[1]));
	from = irb_addr(b, work.base, work.off);
	gen_text(g, RT_DIGITS, (struct text_size){0}, 2, (int[]){from, words});
	zero_rest(g, d, 0);
	put_tag(g, d, DSTR_TEXT);
	to = irb_addr(b, d.base, d.off + PAYLOAD);
	copy_text(g, to, min(d.size - PAYLOAD, g->c->opt->strsize), from);
}

static void text_int(struct fire *g, const struct expr *e, struct dest d)
{
	write_text(g, &numtext_int, irb_scalar(g->b, gen(g, e->arg[0])), d);
}

/* The address as text.  The routine reads it in our memory, where it may be already. */
static void text_address(struct fire *g, const struct routine *r, struct mem m, uint32_t n,
			 struct dest d)
{
	struct dest copy;

	if (!m.own || m.base == FRAME) {
		copy = scratch_slot(g, n);
		mem_copy(g, m, copy, 0, n);
		m = (struct mem){.base = copy.base, .off = copy.off};
	}
	write_text(g, r, irb_addr(g->b, m.base, m.off), d);
}

static void text_ip4(struct fire *g, struct mem m, struct dest d)
{
	text_address(g, &numtext_ip4, m, 4, d);
}

/* As inet_ntoa6: mapped and compatible addresses are dotted quads. */
static void text_ip6(struct fire *g, struct mem m, struct dest d)
{
	text_address(g, &numtext_ip6, m, 16, d);
}

static void text_ntop6(struct fire *g, struct mem m, struct dest d)
{
	text_address(g, &numtext_ntop6, m, 16, d);
}

void gen_strict_text(struct fire *g, const struct expr *e, struct dest d)
{
	text_address(g, &numtext_strict6, gen_pointed(g, e, 16), 16, d);
}

void gen_link_text(struct fire *g, const struct expr *e, bool infiniband, struct dest d)
{
	uint32_t n = infiniband ? 20 : 6;

	text_address(g, infiniband ? &numtext_infiniband : &numtext_ether, gen_pointed(g, e, n), n,
		     d);
}

/* One 16-bit group of an IPv6 address, in host order. */
static int group_of(struct fire *g, struct mem m, int i)
{
	m.off += 2 * i;
	return irb_swap(g->b, mem_load(g, m, 2, false), 2);
}

static int hex_digits(struct fire *g, int v)
{
	struct irb *b = g->b;
	int n = irb_bini(b, IR_ADD, irb_at_least(g->b, v, 0x10), 1);

	n = irb_bin(b, IR_ADD, n, irb_at_least(g->b, v, 0x100));
	return irb_bin(b, IR_ADD, n, irb_at_least(g->b, v, 0x1000));
}

static void put_enum(struct fire *g, const struct expr *e, struct dest d)
{
	put_tag(g, d, DSTR_INTERN);
	irb_store(g->b, d.base, d.off + PAYLOAD, 4, enumstr_index(g, e));
	zero_rest(g, d, PAYLOAD + 4);
}

static void put_named(struct fire *g, const struct expr *e, struct dest d)
{
	int id = gen(g, e->arg[1]);

	g->c->wants->uses_names = true;
	put_tag(g, d, DSTR_NAMED);
	irb_storei(g->b, d.base, d.off + PAYLOAD, 4, (int64_t)e->arg[0]->value);
	irb_store(g->b, d.base, d.off + PAYLOAD + 4, 4, id);
	irb_store(g->b, d.base, d.off + PAYLOAD + 8, 4,
		  irb_bini(g->b, IR_SHR, irb_scalar(g->b, id), 32));
	zero_rest(g, d, PAYLOAD + 12);
}

/* The current process's characters at @from, up to the NUL, with which there are at most @room. */
static void copy_in_text(struct fire *g, struct dest d, int from, uint32_t room)
{
	struct irb *b = g->b;
	int to = irb_addr(b, d.base, d.off + PAYLOAD), ok = irb_block(b, "copied in"), n;

	n = irb_call(b, IR_CALL, HELPER_probe_read_user_str, 3,
		     (struct ir_arg[]){{ARG_REG, to, 0}, {ARG_IMM, 0, room}, {ARG_REG, from, 0}});
	irb_bri(b, CC_SGT, n, 0, ok, fault_block(g, FAULT_BADADDR, from));
	irb_place(b, ok);
}

/*
 * The characters in @of: an array, a string inside of something, or whatever a pointer points to.
 */
static void put_text(struct fire *g, const struct expr *of, struct dest d)
{
	struct type *t = type_strip(of->type);
	uint32_t room = str_text_room(g->c, t);
	struct mem m;

	put_tag(g, d, DSTR_TEXT);
	if (t->kind == T_ARRAY && room == t->nelem && room <= 64 && room % 4 == 0) {
		mem_copy(g, gen_mem(g, of), d, PAYLOAD, room);
		zero_rest(g, d, PAYLOAD + room);
		return;
	}
	zero_rest(g, d, PAYLOAD);
	if (t->kind == T_ARRAY || t->kind == T_STRING)
		m = gen_mem(g, of);
	else
		m = (struct mem){.base = gen(g, of),
				 .lib = of->lib,
				 .user = type_is_userland(of->type)};
	m.base = irb_scalar(g->b, m.base);
	if (m.user) {
		copy_in_text(g, d, irb_addr(g->b, m.base, m.off), room);
		return;
	}
	irb_copystr(g->b, d.base, d.off + PAYLOAD, m.base, m.off, room,
		    m.lib ? NOBLOCK : fault_block(g, FAULT_BADADDR, irb_addr(g->b, m.base, m.off)));
}

static void put_cond(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int yes = irb_block(b, "then"), no = irb_block(b, "else"), done = irb_block(b, "string");

	gen_cond(g, e->a, yes, no);
	irb_place(b, yes);
	gen_str(g, e->b, d);
	irb_jmp(b, done);
	irb_place(b, no);
	gen_str(g, e->c, d);
	irb_jmp(b, done);
	irb_place(b, done);
}

/* The text of a string that is known here, NULL's too, which compares as ""; NULL: it is not. */
static const char *known(struct fire *g, const struct expr *e)
{
	struct sval s = sval_of(e);

	switch (s.form) {
	case S_NULL:
		return "";
	case S_LITERAL:
		return str_bounded(g->c, s.e->str);
	case S_NAME:
		if (family_names_it(g, s.e))
			return NULL;
		return str_bounded(g->c, s.e->ref.builtin->text(g));
	default:
		return NULL;
	}
}

void gen_str_null(struct fire *g, const struct expr *e, struct dest d)
{
	if (d.null == NULL_FAULT && !e->lib)
		gen_fault(g, FAULT_BADADDR, NOREG);
	irb_storei(g->b, d.base, d.off, 4, d.null == NULL_KEEP ? DSTR_NULL : DSTR_TEXT);
	irb_storei(g->b, d.base, d.off + PAYLOAD, 4, 0);
	zero_rest(g, d, PAYLOAD + 4);
}

static void no_characters(struct fire *g, const struct expr *e)
{
	diag_error(g->c->d, D_UNSUPPORTED, e->loc,
		   "such a name is looked up when it is printed: it can be shown, be a key of an "
		   "aggregation, be kept in a "
		   "variable or compared with a literal; elsewhere cs_uid, cs_cgroup or cs_netns "
		   "is what can be used");
}

/* The text that slot @from is the index of: one of the few that variable @v is ever assigned. */
static void text_literal(struct fire *g, struct strclass s, struct dest from, struct dest d)
{
	struct irb *b = g->b;
	int index = irb_loadv(b, from.base, from.off + PAYLOAD, 4, false),
	    done = irb_block(b, "literal");

	for (uint32_t i = 0; i < s.nlit; i++) {
		int is = irb_block(b, "this"), not = irb_block(b, "another");

		irb_bri(b, CC_EQ, index, str_index(g->c, s.lit[i]), is, not);
		irb_place(b, is);
		put_chars(g, d, s.lit[i]);
		irb_jmp(b, done);
		irb_place(b, not);
	}
	put_chars(g, d, "");
	irb_jmp(b, done);
	irb_place(b, done);
}

/* What stands in slot @from, of class @s, as characters. */
static void text_slot(struct fire *g, struct strclass s, struct dest from, struct dest d)
{
	struct irb *b = g->b;
	struct mem m = {.base = from.base, .off = from.off + PAYLOAD, .own = true, .lib = true};
	int v4 = irb_block(b, "inet"), not4 = irb_block(b, "not inet"), v6 = irb_block(b, "inet6");
	int not6 = irb_block(b, "not inet6"), lit = irb_block(b, "literal"),
	    none = irb_block(b, "empty");
	int done = irb_block(b, "text"), tag = irb_loadv(b, from.base, from.off, 4, false), ntop,
	    other;

	irb_bri(b, CC_EQ, tag, DSTR_IP4, v4, not4);
	irb_place(b, v4);
	text_ip4(g, m, d);
	irb_jmp(b, done);
	irb_place(b, not4);
	irb_bri(b, CC_EQ, tag, DSTR_IP6, v6, not6);
	irb_place(b, v6);
	text_ip6(g, m, d);
	irb_jmp(b, done);
	irb_place(b, not6);
	if (s.forms & FORM(DSTR_NTOP6)) {
		ntop = irb_block(b, "inet_ntop");
		other = irb_block(b, "no address");
		irb_bri(b, CC_EQ, tag, DSTR_NTOP6, ntop, other);
		irb_place(b, ntop);
		text_ntop6(g, m, d);
		irb_jmp(b, done);
		irb_place(b, other);
	}
	irb_bri(b, CC_EQ, tag, DSTR_INTERN, lit, none);
	irb_place(b, lit);
	text_literal(g, s, from, d);
	irb_jmp(b, done);
	irb_place(b, none);
	put_chars(g, d, "");
	irb_jmp(b, done);
	irb_place(b, done);
}

void branch_null(struct fire *g, struct dest d, int null, int some)
{
	int tag = irb_loadv(g->b, d.base, d.off, 4, false);

	irb_bri(g->b, CC_EQ, tag, DSTR_NULL, null, some);
}

/* The slot may say NULL, which @d may not want. */
static void settle_null(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int null, some;

	if (d.null == NULL_KEEP || !(str_var_class(e->ref.var).forms & FORM(DSTR_NULL)))
		return;
	null = irb_block(b, "null");
	some = irb_block(b, "not null");
	branch_null(g, d, null, some);
	irb_place(b, null);
	gen_str_null(g, e, d);
	irb_jmp(b, some);
	irb_place(b, some);
}

/* What variable @e holds and stands in slot @from goes to @d. */
static void copy_slot(struct fire *g, const struct expr *e, struct dest from, struct dest d)
{
	uint32_t n = min(from.size, d.size);

	if (d.text && str_is_named(str_var_class(e->ref.var))) {
		no_characters(g, e);
		return;
	}
	if (d.text && !str_is_text(str_var_class(e->ref.var))) {
		from.null = d.null == NULL_KEEP ? NULL_EMPTY : d.null;
		settle_null(g, e, from);
		text_slot(g, str_var_class(e->ref.var), from, d);
		return;
	}
	mem_copy(g, (struct mem){.base = from.base, .off = from.off, .own = true, .lib = true}, d,
		 0, n);
	zero_rest(g, d, n);
	settle_null(g, e, d);
}

static void put_var(struct fire *g, const struct expr *e, struct dest d)
{
	struct strclass s = str_var_class(e->ref.var);
	struct dest slot;

	if (d.text && !str_is_text(s)) {
		slot = scratch_slot(g, s.size);
		slot.null = NULL_KEEP;
		var_load_str(g, e->ref.var, e, slot);
		copy_slot(g, e, slot, d);
		return;
	}
	var_load_str(g, e->ref.var, e, d);
	/* an entry that is there is not NULL */
	if (!(s.forms & FORM(DSTR_NULL)) || !var_in_map(e->ref.var))
		settle_null(g, e, d);
}

/* Texts of other forms are made whole: what is more than a string may have goes. */
static void cut_text(struct fire *g, struct dest d)
{
	for (uint32_t i = g->c->opt->strsize - 1; i < d.size - PAYLOAD; i++)
		irb_storei(g->b, d.base, d.off + PAYLOAD + (int32_t)i, 1, 0);
}

static void put_net(struct fire *g, const struct expr *e, struct dest d)
{
	struct dest from = gen_net(g, e);
	uint32_t n = min(from.size, d.size);

	mem_copy(g, (struct mem){.base = from.base, .off = from.off, .own = true, .lib = true}, d,
		 0, n);
	zero_rest(g, d, n);
}

/* As characters, of what has another form. */
static void make_text(struct fire *g, struct sval s, struct dest d)
{
	const struct expr *e = s.e;

	switch (s.form) {
	case S_IP4:
		text_ip4(g, gen_pointed(g, e->arg[0], 4), d);
		return;
	case S_IP6:
		text_ip6(g, gen_pointed(g, e->arg[0], 16), d);
		return;
	case S_NTOP:
		of_family(g, e, d, text_ip4, text_ntop6);
		return;
	case S_INT:
		(str_other_base(e) ? text_base : text_int)(g, e, d);
		return;
	case S_JOIN:
		text_join(g, e, d);
		return;
	case S_NET:
		text_slot(g, str_class(g->c, e), gen_net(g, e), d);
		return;
	case S_NAMED:
		no_characters(g, e);
		return;
	case S_ENUM:
		diag_error(g->c->d, D_UNSUPPORTED, e->loc,
			   "the name of a kernel constant can be printed, a key, or compared with "
			   "a literal, "
			   "but not yet joined, measured or kept in a variable");
		return;
	default:
		BUG("string form %d has no characters", s.form);
	}
}

static void sval_text(struct fire *g, struct sval s, struct dest d)
{
	make_text(g, s, d);
	if (g->c->opt->strsize < TEXT_LONGEST)
		cut_text(g, d);
}

/* In its cheapest form. */
static void sval_binary(struct fire *g, struct sval s, struct dest d)
{
	const struct expr *e = s.e;

	switch (s.form) {
	case S_IP4:
		put_ip(g, d, DSTR_IP4, gen_pointed(g, e->arg[0], 4));
		return;
	case S_IP6:
		put_ip6(g, gen_pointed(g, e->arg[0], 16), d);
		return;
	case S_NTOP:
		of_family(g, e, d, put_ip4, put_ntop6);
		return;
	case S_INT:
		put_lltostr(g, e, d);
		return;
	case S_JOIN:
		put_join(g, e, d);
		return;
	case S_ENUM:
		put_enum(g, e, d);
		return;
	case S_NET:
		put_net(g, e, d);
		return;
	case S_NAMED:
		put_named(g, e, d);
		return;
	default:
		BUG("string form %d is not kept", s.form);
	}
}

/* What a subroutine writes.  Routines write words of 8 bytes, which the stack wants aligned. */
static void put_chars_of(struct fire *g, const struct expr *e, struct dest d)
{
	struct dest to = d;

	if (d.base == FRAME) {
		to = scratch_slot(g, d.size);
		to.null = d.null;
	}
	e->ref.subr->chars(g, e, to);
	if (d.base == FRAME)
		mem_copy(g, (struct mem){.base = to.base, .off = to.off, .own = true, .lib = true},
			 d, 0, d.size);
}

/* A name that differs among a family's probes. */
static void put_name(struct fire *g, const struct expr *e, struct dest d)
{
	uint32_t size;
	struct mem m;

	if (!d.text) {
		put_tag(g, d, DSTR_INTERN);
		irb_store(g->b, d.base, d.off + PAYLOAD, 4, family_name(g, e));
		zero_rest(g, d, PAYLOAD + 4);
		return;
	}
	m = family_chars(g, e, &size);
	size = min(size, d.size - PAYLOAD);
	put_tag(g, d, DSTR_TEXT);
	mem_copy(g, m, d, PAYLOAD, size);
	zero_rest(g, d, PAYLOAD + size);
	if (d.size - PAYLOAD >= g->c->opt->strsize && g->c->opt->strsize <= size)
		irb_storei(g->b, d.base, d.off + PAYLOAD + (int32_t)g->c->opt->strsize - 1, 1, 0);
}

static void put_assigned(struct fire *g, const struct expr *e, struct dest d)
{
	if (e->a->symkind == SYM_VAR) {
		copy_slot(g, e->a, var_store_str(g, e->a->ref.var, e->a, e->b), d);
	} else {
		gen_str_store(g, e->a, e->b);
		put_text(g, e->a, d);
	}
	g->changes++;
}

/* What the derivation gives for an argument of the probe's. */
static void put_native(struct fire *g, const struct expr *e, struct dest d)
{
	uint64_t i = e->symkind == SYM_NATIVE ? e->ival : g->probe->decl->arg[e->ival].in[0];
	bool outer = g->in_native;

	g->in_native = d.text = true;
	gen_str(g, g->hook->native[i], d);
	g->in_native = outer;
}

/* Writes a string into slot @d, in the cheapest form that @d takes. */
static void sval_put(struct fire *g, struct sval s, struct dest d)
{
	const struct expr *e = s.e;

	switch (s.form) {
	case S_NULL:
		gen_str_null(g, e, d);
		return;
	case S_LITERAL:
		put_literal(g, d, str_bounded(g->c, e->str));
		return;
	case S_NAME:
		if (family_names_it(g, e))
			put_name(g, e, d);
		else
			put_literal(g, d, known(g, e));
		return;
	case S_NATIVE:
		put_native(g, e, d);
		return;
	case S_MEM:
		put_text(g, str_memory(e), d);
		return;
	case S_VAR:
		put_var(g, e, d);
		return;
	case S_COND:
		put_cond(g, e, d);
		return;
	case S_COMMA:
		gen_effect(g, e->a);
		gen_str(g, e->b, d);
		return;
	case S_CHARS:
		put_chars_of(g, e, d);
		return;
	case S_ASSIGN:
		put_assigned(g, e, d);
		return;
	default:
		(d.text ? sval_text : sval_binary)(g, s, d);
	}
}

void scratch_release(struct fire *g, uint32_t mark)
{
	if (g->u->scratch_used > g->u->scratch_max)
		g->u->scratch_max = g->u->scratch_used;
	g->u->scratch_used = mark;
}

/* What it takes to make it is not needed behind it: so a statement may have many. */
void gen_str(struct fire *g, const struct expr *e, struct dest d)
{
	uint32_t scratch = g->u->scratch_used;

	sval_put(g, sval_of(e), d);
	scratch_release(g, scratch);
}

struct dest scratch_slot(struct fire *g, uint32_t size)
{
	struct dest d = {.base = g->u->scratch_base, .size = size, .zero = true};

	d.off = (int32_t)g->u->scratch_used;
	g->u->scratch_used += (size + 7) & ~7u;
	return d;
}

/* -------------------------------------------------------------- comparing */

/* To @t if the @n bytes of memory are those at @want, else to @f. */
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
	if (tag == DSTR_NTOP6) { /* inet_ntoa6() writes none so */
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
		irb_jmp(g->b, f); /* "::" and "::1" are addresses of their own */
}

static void equal_known(struct fire *g, const struct expr *e, const char *s, int t, int f);

/* Any string against a known one: written out, then its tag and payload looked at. */
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
		tag = *s ? DSTR_INTERN : DSTR_TEXT; /* a variable never set is empty */
		memcpy(addr, &index, 4);
	}
	if (tag != DSTR_TEXT && !(k.forms & FORM(tag))) { /* nor may it have room for one */
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

	if (!type_is(of->type, T_ARRAY))
		equal_slot(g, e, s, t, f);
	else if (strlen(s) < type_strip(of->type)->nelem)
		equal_bytes(g, gen_mem(g, of), s, (uint32_t)strlen(s) + 1, t, f);
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
 * The number that has the name @s, now.  Several control groups are one container's, so nobody can
 * say which number that has.
 */
static void equal_named(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	enum named_kind what = (enum named_kind)e->arg[0]->value;
	const char *why = NULL;
	uint64_t id;

	if (!*s || !strcmp(s, NAMED_UNKNOWN)) {
		irb_jmp(g->b, f); /* the number is known */
		return;
	}
	if (!g->c->opt->named || !g->c->opt->named(what, s, &id, &why))
		diag_error(g->c->d, D_UNKNOWN, e->loc, "\"%s\": %s", s,
			   why ? why : "nobody knows such names here");
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

/* To @t if string @e is the text @s. */
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
		irb_jmp(g->b, !strcmp(known(g, v.e), s) ? t : f);
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

/* Writes both strings out, alike; gives the slots' size. */
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

#define COMPARED_INLINE 64 /* bytes; more are compared by a routine */

/* Word of 8 bytes at @i of a slot, behind whose end there may be 4 more. */
static int slot_word(struct fire *g, struct dest d, uint32_t i)
{
	return irb_loadv(g->b, d.base, d.off + (int32_t)i, d.size - i < 8 ? 4 : 8, false);
}

/* Less than, equal to or greater than 0, as @dx is to @dy. */
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
	const char *kx = known(g, x), *ky = known(g, y);
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
 * In network byte order, words compare as their characters do; the tag, in front of them, is the
 * same.
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

/* ------------------------------------------------------------------- strlen */

/* A length that might be @room - 1 is cut to what a string may have. */
static int at_most(struct fire *g, int len, uint32_t room)
{
	struct irb *b = g->b;
	int cut, done, v;

	if (room <= g->c->opt->strsize)
		return len;
	cut = irb_block(b, "cut");
	done = irb_block(b, "length");
	v = irb_var(b);
	irb_assign(b, v, len);
	irb_bri(b, CC_UGE, len, g->c->opt->strsize, cut, done);
	irb_place(b, cut);
	irb_assign_imm(b, v, g->c->opt->strsize - 1);
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

/* What is not filled of a text that is shorter ends it: routines look no farther. */
static void put_all_chars(struct fire *g, const struct expr *e, struct dest d)
{
	d.size = str_as_text(str_class(g->c, e)).size;
	d.text = d.zero = true;
	gen_str(g, e, d);
	irb_storei(g->b, d.base, d.off + (int32_t)d.size, 4, 0);
}

int gen_chars(struct fire *g, const struct expr *e)
{
	struct dest d = scratch_slot(g, TEXT_SLOT(g));

	put_all_chars(g, e, d);
	return irb_addr(g->b, d.base, d.off + PAYLOAD);
}

int gen_str_address(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	struct strclass k = str_as_text(str_class(g->c, e));
	struct dest d = scratch_slot(g, k.size);
	int some = irb_block(b, "not null"), done = irb_block(b, "address"), v = irb_var(b), at;

	d.text = d.zero = true;
	d.null = NULL_KEEP;
	gen_str(g, e, d);
	irb_assign_imm(b, v, 0);
	irb_bri(b, CC_EQ, irb_loadv(b, d.base, d.off, 4, false), DSTR_NULL, done, some);
	irb_place(b, some);
	at = memory_take(g, irb_const(b, k.text));
	irb_assign(b, v, irb_scalar(b, at));
	copy_text(g, at, k.text, irb_addr(b, d.base, d.off + PAYLOAD));
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

void gen_str_store(struct fire *g, const struct expr *to, const struct expr *value)
{
	int from = gen_chars(g, value);
	struct mem at = place_of(g, to, true).at;

	irb_copystr(g->b, at.base, at.off, from, 0, type_strip(to->type)->size, NOBLOCK);
}

/* Made elsewhere first: what makes them may be strtok() itself. */
void gen_chars_at(struct fire *g, const struct expr *e, struct dest d)
{
	uint32_t n = (str_as_text(str_class(g->c, e)).text + 7) & ~7u;
	struct mem m = {.base = gen_chars(g, e), .own = true, .lib = true};

	mem_copy(g, m, d, 0, n);
	irb_storei(g->b, d.base, d.off + (int32_t)n, 1, 0);
}

/* Nothing but a NUL at first. */
struct dest token_state(struct fire *g)
{
	return (struct dest){.base = g->u->scratch_base, .off = g->token_off};
}

uint32_t token_size(const struct compiler *c)
{
	return c->wants->uses_tokens ? TOKEN_TEXT + text_capacity(c->opt->strsize) + TEXT_SLACK : 0;
}

void token_init(struct fire *g)
{
	struct dest d;

	if (!g->c->wants->uses_tokens)
		return;
	d = scratch_slot(g, token_size(g->c));
	g->token_off = d.off;
	irb_storei(g->b, d.base, d.off, 8, 0);
	irb_storei(g->b, d.base, d.off + TOKEN_TEXT, 4, 0);
}

int gen_chars_into(struct fire *g, struct dest d)
{
	zero_rest(g, d, 0);
	put_tag(g, d, DSTR_TEXT);
	return irb_addr(g->b, d.base, d.off + PAYLOAD);
}

static uint32_t text_of(struct fire *g, const struct expr *e)
{
	return str_class(g->c, e).text;
}

static int strlen_text(struct fire *g, const struct expr *e)
{
	int text = gen_chars(g, e), words = gen_words(g);

	gen_text(g, RT_LEN, (struct text_size){.text = text_of(g, e)}, 2, (int[]){text, words});
	return irb_loadv(g->b, words, 0, 8, false);
}

static int digits_of(struct fire *g, int octet)
{
	int tens = irb_at_least(g->b, octet, 10), hundreds = irb_at_least(g->b, octet, 100);

	return irb_bin(g->b, IR_ADD, tens, hundreds);
}

static int strlen_ip4(struct fire *g, struct mem m)
{
	int n = irb_const(g->b, 7);

	for (int i = 0; i < 4; i++, m.off++)
		n = irb_bin(g->b, IR_ADD, n, digits_of(g, mem_load(g, m, 1, false)));
	return n;
}

/* var = max(var, value), unsigned; where it grew, @also becomes @flag. */
static void keep_longer(struct irb *b, int var, int value, int also, int flag)
{
	int grew = irb_block(b, "longer"), done = irb_block(b, "longest");

	irb_br(b, CC_UGT, value, var, grew, done);
	irb_place(b, grew);
	irb_assign(b, var, value);
	irb_assign(b, also, flag);
	irb_jmp(b, done);
	irb_place(b, done);
}

/*
 * Eight groups of 1 to 4 digits and 7 colons.  The longest run of r zero groups,
 * the first of equals, takes r digits less, and of the colons leaves 8 - r; one
 * more if the run begins or ends the text, which then is at that end "::".
 */
static int strlen_groups(struct fire *g, struct mem m)
{
	struct irb *b = g->b;
	int sum = irb_const(b, 0), run = irb_var(b), best = irb_var(b), edge = irb_var(b);
	int len = irb_var(b), some = irb_block(b, "compressed"), all = irb_block(b, "all zero");
	int part = irb_block(b, "some zero"), done = irb_block(b, "length");

	irb_assign_imm(b, run, 0);
	irb_assign_imm(b, best, 0);
	irb_assign_imm(b, edge, 0);
	for (int i = 0; i < 8; i++) {
		int v = group_of(g, m, i), zero = irb_block(b, "zero"),
		    other = irb_block(b, "not zero");
		int next = irb_block(b, "next");

		sum = irb_bin(b, IR_ADD, sum, hex_digits(g, v));
		irb_bri(b, CC_EQ, v, 0, zero, other);
		irb_place(b, zero);
		irb_assign(b, run, irb_bini(b, IR_ADD, run, 1));
		keep_longer(b, best, run, edge,
			    i == 7 ? irb_const(b, 1) : irb_set(b, CC_EQ, run, irb_const(b, i + 1)));
		irb_jmp(b, next);
		irb_place(b, other);
		irb_assign_imm(b, run, 0);
		irb_jmp(b, next);
		irb_place(b, next);
	}
	irb_assign(b, len, irb_bini(b, IR_ADD, sum, 7));
	irb_bri(b, CC_NE, best, 0, some, done);
	irb_place(b, some);
	irb_bri(b, CC_EQ, best, 8, all, part);
	irb_place(b, all);
	irb_assign_imm(b, len, 2);
	irb_jmp(b, done);
	irb_place(b, part);
	best = irb_bini(b, IR_SHL, best, 1);
	irb_assign(b, len,
		   irb_bin(b, IR_SUB, irb_bini(b, IR_ADD, irb_bin(b, IR_ADD, sum, edge), 8), best));
	irb_jmp(b, done);
	irb_place(b, done);
	return len;
}

/* inet_ntoa6: v4-mapped and v4-compatible addresses have the length of a dotted quad. */
static int strlen_ip6(struct fire *g, struct mem m)
{
	struct irb *b = g->b;
	int quad = irb_block(b, "quad"), groups = irb_block(b, "groups"),
	    done = irb_block(b, "length");
	int len = irb_var(b);
	struct mem at = gen_quad_or_groups(g, m, quad, groups);

	irb_place(b, quad);
	irb_assign(b, len, strlen_ip4(g, at));
	irb_jmp(b, done);
	irb_place(b, groups);
	irb_assign(b, len, strlen_groups(g, m));
	irb_jmp(b, done);
	irb_place(b, done);
	return len;
}

static int strlen_join(struct fire *g, const struct expr *e)
{
	int x = gen_strlen(g, e->arg[0]);

	x = irb_bin(g->b, IR_ADD, x, gen_strlen(g, e->arg[1]));
	return at_most(g, x, text_of(g, e->arg[0]) + text_of(g, e->arg[1]) - 1);
}

int gen_strlen(struct fire *g, const struct expr *e)
{
	struct sval s = sval_of(e);

	switch (s.form) {
	case S_NULL:
		gen_fault(g, FAULT_BADADDR, NOREG);
		return irb_const(g->b, 0);
	case S_NAME:
		if (family_names_it(g, s.e))
			return strlen_text(g, s.e);
		/* fall through */
	case S_LITERAL:
		return irb_const(g->b, (int64_t)strlen(known(g, s.e)));
	case S_COND:
		return gen_either(g, s.e, gen_strlen);
	case S_JOIN:
		return strlen_join(g, s.e);
	case S_IP4:
		return at_most(g, strlen_ip4(g, gen_pointed(g, s.e->arg[0], 4)), TEXT_IP4);
	case S_IP6:
		return at_most(g, strlen_ip6(g, gen_pointed(g, s.e->arg[0], 16)), TEXT_IP6);
	default:
		return strlen_text(g, s.e);
	}
}

int gen_str_byte(struct fire *g, const struct expr *e, const struct expr *index)
{
	struct irb *b = g->b;
	struct strclass k = str_as_text(str_class(g->c, e));
	struct dest d = scratch_slot(g, k.size);
	int in = irb_block(b, "in the text"), behind = irb_block(b, "behind it"),
	    done = irb_block(b, "byte");
	int i, base, v = irb_var(b), none = irb_block(b, "no text there");

	d.text = true;
	gen_str(g, e, d);
	i = irb_scalar(b, gen(g, index));
	irb_assign_imm(b, v, 0);
	irb_bri(b, CC_ULT, i, k.size - PAYLOAD, in, none);
	irb_place(b, in);
	base = irb_addr(b, d.base, d.off + PAYLOAD);
	/* Linux 6.1 forgets the bound where the index has waited in memory. */
	base = irb_bin(b, IR_ADD, base, gen_bounded(g, i, k.size - PAYLOAD - 1, FAULT_BADADDR, i));
	irb_assign(b, v, irb_loadv(b, base, 0, 1, true));
	irb_jmp(b, done);
	irb_place(b, none);
	irb_bri(b, CC_ULT, i, g->c->opt->strsize, behind, fault_block(g, FAULT_BADADDR, i));
	irb_place(b, behind);
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}
