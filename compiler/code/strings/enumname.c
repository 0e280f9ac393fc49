/*
 * enumname.c - computes the name of an enum value, as an index in the program's strings. The names
 * are there in the order of the values, so a program adds a constant to the value and does not
 * search.
 */
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/strings/strings.h"
#include "compiler/meaning/enumstr.h"
#include "compiler/meaning/wants.h"
#include "ir/ir.h"

int enumstr_index(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	const struct enum_names *t = enumstr_table(g->c, e);
	int v = irb_ext(b, gen(g, e->arg[2]), 4, false), index = irb_var(b);
	int known = irb_block(b, "has a name"), done = irb_block(b, "name");

	irb_assign_imm(b, index, str_index(g->c, ENUMSTR_UNKNOWN));
	irb_bri(b, CC_ULT, v, t->n, known, done);
	irb_place(b, known);
	irb_assign(b, index, irb_bini(b, IR_ADD, v, t->first));
	irb_jmp(b, done);
	irb_place(b, done);
	return index;
}
