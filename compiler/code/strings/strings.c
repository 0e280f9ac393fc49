/*
 * strings.c - writes string expressions into slots, in the cheapest form that the string can have
 * until it is printed.
 *
 * A slot, the memory for one string, has a tag and a payload (ir/program.h). str_class() says
 * beforehand which forms an expression may have, so that slots are no larger than needed: 20 bytes
 * for an address or a process name, 8 for a literal.
 *
 * A variable holds characters, unless the program assigns to it only addresses, names that only
 * user space knows, and a few literals. Keys that a program looks up hold characters too, because
 * equal strings must match even if they come in different forms. A name that only user space knows
 * (DSTR_NAMED) is a number. A program cannot know its characters, so a use that needs them is an
 * error. The consumer makes the same text of every form, so keys that print alike become one key.
 */
#include "compiler/code/strings/strings.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/minmax.h"
#include "base/xalloc.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/evaluators.h"
#include "compiler/code/eval/family.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/memory/vars.h"
#include "compiler/code/strings/addr.h"
#include "compiler/code/strings/strings_int.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/strclass.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"

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

/*
 * Copies a string of the current process from address @from into slot @d, at most @room bytes
 * including its NUL.
 */
static void copy_in_text(struct fire *g, struct dest d, int from, uint32_t room)
{
	struct irb *b = g->b;
	int to = irb_addr(b, d.base, d.off + PAYLOAD), ok = irb_block(b, "copied in"), n;

	n = irb_call(b, IR_CALL, HELPER_probe_read_user_str, 3,
		     (struct ir_arg[]){{ARG_REG, to, 0}, {ARG_IMM, 0, room}, {ARG_REG, from, 0}});
	irb_bri(b, CC_SGT, n, 0, ok, fault_block(g, FAULT_BADADDR, from));
	irb_place(b, ok);
}

/* Copies all bytes of @of, an array of characters, into slot @d. */
static void put_array(struct fire *g, const struct expr *of, struct dest d)
{
	uint32_t n = type_strip(of->type)->nelem;

	put_tag(g, d, DSTR_TEXT);
	if (n % 4)
		irb_storei(g->b, d.base, d.off + PAYLOAD + (int32_t)(n & ~3u), 4, 0);
	zero_rest(g, d, PAYLOAD + ((n + 3) & ~3u));
	mem_copy_whole(g, gen_mem(g, of), d, PAYLOAD, n);
}

/*
 * Writes the characters of @of into slot @d. @of is an array, a string in a struct, or a pointer to
 * characters.
 */
static void put_text(struct fire *g, const struct expr *of, struct dest d)
{
	struct type *t = type_strip(of->type);
	uint32_t room = str_text_room(g->c, of);
	struct mem m;

	/*
	 * The consumer stops at the NUL. But where the program itself compares texts (@d.text), no
	 * other bytes may follow the NUL.
	 */
	if (t->kind == T_ARRAY && !d.text && room >= t->nelem + !of->lib && room <= 64 &&
	    t->nelem % 4 == 0) {
		put_array(g, of, d);
		if (!d.zero && !of->lib)
			irb_storei(g->b, d.base, d.off + PAYLOAD + (int32_t)t->nelem, 4, 0);
		return;
	}
	put_tag(g, d, DSTR_TEXT);
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

/* If variable @e may be NULL, emits code that handles a NULL in slot @d as @d.null says. */
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

/* Copies the value of variable @e from slot @from to slot @d. */
static void copy_slot(struct fire *g, const struct expr *e, struct dest from, struct dest d)
{
	uint32_t n = min_u32(from.size, d.size);

	if (d.text && str_is_named(str_var_class(e->ref.var))) {
		no_text_error(g, e);
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
	/* an entry that exists in a map is not NULL */
	if (!(s.forms & FORM(DSTR_NULL)) || !var_in_map(e->ref.var))
		settle_null(g, e, d);
}

static void put_net(struct fire *g, const struct expr *e, struct dest d)
{
	struct dest from = gen_net(g, e);
	uint32_t n = min_u32(from.size, d.size);

	mem_copy(g, (struct mem){.base = from.base, .off = from.off, .own = true, .lib = true}, d,
		 0, n);
	zero_rest(g, d, n);
}

/* Writes string @s in its cheapest form. */
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
		by_address_family(g, e, d, put_ip4, put_ntop6);
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

/*
 * Writes the result of subroutine call @e into slot @d. Routines store words of 8 bytes, which must
 * be aligned if they are on the stack. So a result for a slot on the stack is written to scratch
 * memory first.
 */
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

/*
 * Writes the part of the probe's name that differs within the probe's family (similar probes that
 * share code).
 */
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
	size = min_u32(size, d.size - PAYLOAD);
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

/*
 * Writes argument @e of the probe, as the probe's derivation (library text) computes it from the
 * hook's arguments.
 */
static void put_native(struct fire *g, const struct expr *e, struct dest d)
{
	uint64_t i = e->symkind == SYM_NATIVE ? e->ival : g->probe->decl->arg[e->ival].in[0];
	bool outer = g->in_native;

	g->in_native = d.text = true;
	gen_str(g, g->hook->native[i], d);
	g->in_native = outer;
}

/* Writes string @s into slot @d, in the cheapest form that the slot allows. */
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
			put_literal(g, d, str_known(g, e));
		return;
	case S_NATIVE:
		put_native(g, e, d);
		return;
	case S_MEM:
		(e->kind == E_CAST && e->op == CONV_ARRAY ? put_array : put_text)(g, str_memory(e),
										  d);
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
		(d.text ? put_as_text : sval_binary)(g, s, d);
	}
}

/* Frees the scratch memory that the evaluation used, so that a statement can have many strings. */
void eval_str(struct fire *g, const struct expr *e, struct dest d)
{
	uint32_t scratch = g->u->scratch_used;

	sval_put(g, sval_of(e), d);
	scratch_release(g, scratch);
}
