/*
 * text_call.c - calls the routines of text.h.
 */
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/routine.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/strings/strings.h"
#include "compiler/code/strings/text.h"
#include "compiler/meaning/compiler.h"
#include "compiler/options.h"
#include "ir/ir.h"

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
