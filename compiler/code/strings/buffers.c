/*
 * buffers.c - writes strings as characters into slots of scratch memory, or into memory of the
 * clause.
 */
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/alloca.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/place.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/strings/strings.h"
#include "compiler/code/strings/strings_int.h"
#include "compiler/code/strings/text.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"

/*
 * Writes string @e into slot @d as characters, followed by zeros up to the maximum length of @e.
 * The rest of the slot keeps its bytes, because routines read no farther than a NUL.
 */
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
	at = alloca_take(g, irb_const(b, k.text));
	irb_assign(b, v, irb_scalar(b, at));
	text_copy(g, at, k.text, irb_addr(b, d.base, d.off + PAYLOAD));
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

void gen_str_store(struct fire *g, const struct expr *to, const struct expr *value)
{
	int from = gen_chars(g, value);
	struct place p = place_of(g, to, true);

	irb_copystr(g->b, p.at.base, p.at.off, from, 0, type_strip(to->type)->size, NOBLOCK);
	var_put(g, &p.element);
}

/*
 * @d is the state of strtok(). The characters are written to another slot first, because the
 * evaluation of @e may itself call strtok().
 */
void gen_chars_at(struct fire *g, const struct expr *e, struct dest d)
{
	uint32_t n = (str_as_text(str_class(g->c, e)).text + 7) & ~7u;
	struct mem m = {.base = gen_chars(g, e), .own = true, .lib = true};

	mem_copy(g, m, d, 0, n);
	irb_storei(g->b, d.base, d.off + (int32_t)n, 1, 0);
}

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
	/* Linux 6.1 forgets the bound of an index that was spilled to memory. */
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
