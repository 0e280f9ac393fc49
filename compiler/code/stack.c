/*
 * stack.c - stack(): its type, and the code that records it.
 *
 * The addresses themselves go into the record or key: equal keys are equal stacks,
 * which a hash of them (bpf_get_stackid) could not promise, and unwinding costs ten
 * times what the longer key does.
 */
#include "compiler/code/irgen.h"
#include "ir/helpers.h"

static struct type *stack_type(struct compiler *c, uint32_t frames)
{
	struct type *t = arena_new(c->arena, struct type);

	*t = (struct type){.kind = T_STACK, .name = "stack", .nelem = frames, .align = 8};
	t->size = sizeof(struct stack_slot) +
		  8 * ((frames < STACK_FRAMES_MAX ? frames : STACK_FRAMES_MAX) + STACK_OWN);
	return t;
}

int sema_stack(struct compiler *c, struct expr *call)
{
	int64_t frames = c->stackframes;

	if (sema_nargs(c, call, 0, 1, D_PROTO_LEN) || (call->narg && sema_expr(c, call->arg[0])))
		return -1;
	if (call->narg && !type_is_integer(call->arg[0]->type))
		return sema_bad_arg(c, call, 0, "uint32_t");
	if (call->narg && (!expr_const(call->arg[0], &frames) || frames <= 0 || frames > UINT32_MAX))
		return diag_error(c->d, D_STACK_SIZE, call->loc,
				  "%s( ) size must be a non-zero positive integral constant expression", call->name);
	call->symkind = SYM_ACTION;
	call->sym = action_find(call->name);
	call->type = stack_type(c, (uint32_t)frames);
	return 0;
}

/* Network programs are given the stack of a task only: the one they interrupted, and their own on it. */
static bool network_program(enum hook_kind kind)
{
	return kind == HOOK_CGROUP_SKB || kind == HOOK_SOCKOPS || kind == HOOK_CGROUP_SOCK;
}

/* And some kernels do not give them that. */
static bool refused(struct fire *g, const struct expr *e)
{
	enum hook_kind kind = g->u->hook->kind;

	if (!network_program(kind) || (!g->c->nocast && (!g->c->stack_at || g->c->stack_at(kind))))
		return false;
	diag_error(g->c->d, D_UNSUPPORTED, e->loc,
		   "stack( ) cannot be used in %s:::%s: this kernel shows no stack at its hook %s:::%s",
		   g->probe->prov, g->probe->name, g->hook->host->prov, g->hook->host->name);
	return true;
}

void gen_stack(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int32_t at = d.off + (int32_t)sizeof(struct stack_slot);
	struct ir_arg size = {ARG_IMM, 0, d.size - sizeof(struct stack_slot)}, to = {ARG_FRAME, 0, at};
	bool sample = g->u->hook->kind == HOOK_PROFILE;

	if (g->c->replay) {
		for (uint32_t i = 0; i < d.size; i += 8)
			irb_storei(b, d.base, d.off + (int32_t)i, 8, 0);
		return;
	}
	if (refused(g, e))
		return;
	irb_storei(b, d.base, d.off, 4, e->type->nelem);
	irb_storei(b, d.base, d.off + 4, 4, !sample);
	if (d.base != FRAME)
		to = (struct ir_arg){ARG_REG, irb_addr(b, d.base, at), 0};
	/* Both zero what they do not fill, all of it if there is no stack. */
	if (network_program(g->u->hook->kind))
		irb_call(b, IR_CALL, HELPER_get_task_stack, 4,
			 (struct ir_arg[]){{ARG_REG, irb_task(b), 0}, to, size, {ARG_IMM, 0, 0}});
	else
		irb_call(b, IR_CALL, HELPER_get_stack, 4,
			 (struct ir_arg[]){{ARG_REG, irb_ctx(b), 0}, to, size, {ARG_IMM, 0, 0}});
}
