/*
 * memory.c - the subroutines that take memory, fill it, or copy it to a process.
 */
#include "builtins/memory.h"

#include "compiler/code/irgen.h"
#include "ir/helpers.h"

int emit_alloca(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return memory_take(g, gen(g, arg[0]));
}

int emit_bcopy(struct fire *g, struct expr **arg, uint32_t narg)
{
	int from = gen_before(g, arg[0], arg[1]), to = gen_before(g, arg[1], arg[2]), n = gen(g, arg[2]);

	(void)narg;
	memory_fill(g, memory_at(g, to, n), n, from, false);
	return NOREG;
}

int emit_copyin(struct fire *g, struct expr **arg, uint32_t narg)
{
	int from = gen_before(g, arg[0], arg[1]), n = gen(g, arg[1]), at = memory_take(g, n);

	(void)narg;
	memory_fill(g, at, n, from, true);
	return at;
}

int emit_copyinto(struct fire *g, struct expr **arg, uint32_t narg)
{
	int from = gen_before(g, arg[0], arg[1]), n = gen_before(g, arg[1], arg[2]), to = gen(g, arg[2]);

	(void)narg;
	memory_fill(g, memory_at(g, to, n), n, from, true);
	return NOREG;
}

static int no_process(struct compiler *c, const struct expr *call)
{
	return diag_error(c->d, D_UNSUPPORTED, call->loc,
			  "%s( ) is not possible in replay: a capture holds nothing of processes' memory", call->name);
}

/* @size: the argument that says how many bytes. */
static int uses_memory(struct compiler *c, const struct expr *call, unsigned size)
{
	int64_t n;

	c->memory |= expr_const(call->arg[size], &n) ? MEMORY_USED : MEMORY_USED | MEMORY_SIZED;
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
	return c->replay ? no_process(c, call) : uses_memory(c, call, 1);
}
