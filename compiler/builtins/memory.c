/*
 * memory.c - subroutines that allocate memory, fill it, or copy it to a process.
 */
#include "compiler/builtins/memory.h"

#include "base/diag.h"
#include "compiler/builtins/process.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/alloca.h"
#include "compiler/code/strings/strings.h"
#include "compiler/code/strings/text.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"

/*
 * Returns a register with the value of @e, a number of bytes. @e may be a pointer in the eyes of
 * the verifier (such as arg1); irb_scalar() makes a number of it.
 */
static int gen_size(struct fire *g, const struct expr *e)
{
	return irb_scalar(g->b, gen(g, e));
}

int emit_alloca(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return alloca_take(g, gen_size(g, arg[0]));
}

/*
 * Returns a register with the address of @e, the bytes to copy. Evaluates @e before @next. If @e is
 * a string, writes its characters to scratch memory, because a clause can allocate only little
 * memory.
 */
static int gen_source(struct fire *g, const struct expr *e, const struct expr *next)
{
	const struct expr *made = expr_target(e);

	if (made->kind == E_CAST && made->op == CONV_CHARS)
		return irb_scalar(g->b, gen_chars(g, made->a));
	return gen_before(g, e, next);
}

int emit_bcopy(struct fire *g, struct expr **arg, uint32_t narg)
{
	int from = gen_source(g, arg[0], arg[1]), to = gen_before(g, arg[1], arg[2]),
	    n = gen_size(g, arg[2]);

	(void)narg;
	alloca_fill(g, alloca_at(g, to, n), n, from, false);
	return NOREG;
}

int emit_copyin(struct fire *g, struct expr **arg, uint32_t narg)
{
	int from = gen_before(g, arg[0], arg[1]), n = gen_size(g, arg[1]), at = alloca_take(g, n);

	(void)narg;
	alloca_fill(g, at, n, from, true);
	return at;
}

int emit_copyinto(struct fire *g, struct expr **arg, uint32_t narg)
{
	int from = gen_before(g, arg[0], arg[1]),
	    n = irb_scalar(g->b, gen_before(g, arg[1], arg[2]));
	int to = gen(g, arg[2]);

	(void)narg;
	alloca_fill(g, alloca_at(g, to, n), n, from, true);
	return NOREG;
}

static int no_process(struct compiler *c, const struct expr *call)
{
	return diag_error(c->d, D_UNSUPPORTED, call->loc,
			  "%s( ) is not possible in replay: captures do not have the "
			  "memory of processes",
			  call->name);
}

/*
 * Records that the clause allocates memory. @size is the index of the argument with the number of
 * bytes.
 */
static int uses_memory(struct compiler *c, const struct expr *call, unsigned size)
{
	c->typing->memory |= call->arg[size]->is_const ? MEMORY_USED : MEMORY_USED | MEMORY_SIZED;
	return 0;
}

int check_alloca(struct compiler *c, const struct expr *call)
{
	return uses_memory(c, call, 0);
}

int check_bcopy(struct compiler *c, const struct expr *call)
{
	return uses_memory(c, call, 2);
}

int check_copyin(struct compiler *c, const struct expr *call)
{
	return c->opt->replay ? no_process(c, call) : uses_memory(c, call, 1);
}

int check_copyinstr(struct compiler *c, const struct expr *call)
{
	return c->opt->replay ? no_process(c, call) : 0;
}

/* ------------------------------------------------- to a process's memory */

static int check_process(struct compiler *c, const struct expr *call)
{
	if (c->opt->replay)
		return no_process(c, call);
	if (!c->opt->writes_user || c->opt->writes_user())
		return 0;
	return diag_error(c->d, D_UNSUPPORTED, call->loc,
			  "%s( ) is not possible on this kernel, which lets no program write to a "
			  "process (lockdown)",
			  call->name);
}

int check_copyout(struct compiler *c, struct expr *call)
{
	return check_process(c, call) ? -1 : uses_memory(c, call, 2);
}

int check_copyoutstr(struct compiler *c, struct expr *call)
{
	return check_process(c, call);
}

#define NO_WRITES "cannot write to a process"

/*
 * Copies the bytes to memory of the clause first: the helper that writes to a process can only read
 * the program's own memory.
 */
void act_copyout(struct fire *g, const struct expr *call)
{
	struct expr *const *arg = call->arg;
	int from, to, n, mark, at;

	if (!by_task(g, call->loc, "copyout( )", NO_WRITES))
		return;
	from = gen_source(g, arg[0], arg[1]);
	to = gen_before(g, arg[1], arg[2]);
	n = gen_size(g, arg[2]);
	mark = alloca_mark(g);
	at = alloca_take(g, n);
	alloca_fill(g, at, n, from, false);
	alloca_copy_out(g, to, at, n, g->memory.size);
	alloca_release(g, mark);
}

/* Copies the string up to its NUL. The third argument is the maximum number of bytes. */
void act_copyoutstr(struct fire *g, const struct expr *call)
{
	struct irb *b = g->b;
	int at, to, most, words, n, less, done;

	if (!by_task(g, call->loc, "copyoutstr( )", NO_WRITES))
		return;
	at = gen_chars(g, call->arg[0]);
	to = gen_before(g, call->arg[1], call->arg[2]);
	most = gen_size(g, call->arg[2]);
	words = gen_words(g);
	gen_text(g, RT_LEN, (struct text_size){.text = g->c->opt->strsize}, 2, (int[]){at, words});
	n = irb_var(b);
	less = irb_block(b, "cut");
	done = irb_block(b, "length");
	irb_assign(b, n, irb_bini(b, IR_ADD, irb_loadv(b, words, 0, 8, false), 1));
	irb_br(b, CC_UGT, n, most, less, done);
	irb_place(b, less);
	irb_assign(b, n, most);
	irb_jmp(b, done);
	irb_place(b, done);
	alloca_copy_out(g, to, at, irb_value(b, n), g->c->opt->strsize);
}
