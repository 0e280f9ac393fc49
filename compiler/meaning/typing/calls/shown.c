/*
 * shown.c - type-checks stack(), ustack() and functions like sym(), which record addresses that are
 * printed as names.
 */
#include "compiler/meaning/typing/calls/shown.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/typing/calls/call.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/program.h"
#include "ir/types/type.h"

bool type_is_shown(struct type *t)
{
	return type_is(t, T_STACK) || type_is(t, T_SYMBOL);
}

/* -------------------------------------------------------------------- types */

static struct type *stack_type(struct compiler *c, uint32_t frames, enum field_kind kind)
{
	struct type *t = arena_new(c->arena, struct type);
	uint32_t room = frames < STACK_FRAMES_MAX ? frames : STACK_FRAMES_MAX;

	*t = (struct type){.kind = T_STACK,
			   .name = "stack",
			   .nelem = frames,
			   .align = 8,
			   .field = kind};
	t->size = kind == FIELD_USTACK
			  ? sizeof(struct ustack_slot) + 8 * room
			  : sizeof(struct stack_slot) + 8 * (room + STACK_TRACER_FRAMES);
	return t;
}

static void becomes_action(const struct lang *l, struct expr *call, struct type *t)
{
	call->symkind = SYM_ACTION;
	call->ref.action = lang_action(l, call->name);
	call->type = t;
}

/*
 * Lets a call that records addresses of a process also record the mark of its address space, in
 * extra.any. A replay has no processes.
 */
static int add_mark(struct compiler *c, struct expr *call)
{
	struct expr *mark = arena_new(c->arena, struct expr);

	*mark = (struct expr){.kind = E_IDENT,
			      .loc = call->loc,
			      .lib = true,
			      .name = intern(&c->names->intern, "__address_space")};
	call->extra.any = c->opt->replay ? NULL : mark;
	return c->opt->replay ? 0 : sema_expr(c, mark);
}

static int sema_args_of(struct compiler *c, struct expr *call, uint32_t max)
{
	if (sema_nargs(c, call, 0, max, D_PROTO_LEN))
		return -1;
	for (uint32_t i = 0; i < call->narg; i++) {
		if (sema_expr(c, call->arg[i]))
			return -1;
		if (!type_is_integer(call->arg[i]->type))
			return sema_bad_arg(c, call, i, "uint32_t");
	}
	return 0;
}

/*
 * Sets @frames to the first argument of @call. Returns whether this argument is a valid number of
 * frames.
 */
static bool frames_given(const struct expr *call, int64_t *frames)
{
	*frames = call->arg[0]->value;
	return call->arg[0]->is_const && *frames > 0 && *frames <= UINT32_MAX;
}

int sema_stack(struct compiler *c, struct expr *call)
{
	int64_t frames = c->opt->stackframes;

	if (sema_args_of(c, call, 1))
		return -1;
	if (call->narg && !frames_given(call, &frames))
		return diag_error(c->d, D_STACK_SIZE, call->loc,
				  "%s( ) size must be a non-zero positive integral constant "
				  "expression",
				  call->name);
	becomes_action(c->opt->lang, call, stack_type(c, (uint32_t)frames, FIELD_STACK));
	return 0;
}

/*
 * Type-checks ustack( ) and jstack( ). The second argument is the size of the strings that a
 * virtual machine may add; it is checked but not used.
 */
int sema_ustack(struct compiler *c, struct expr *call)
{
	int64_t frames = strcmp(call->name, "jstack") ? c->opt->ustackframes : c->opt->jstackframes;

	if (sema_args_of(c, call, 2))
		return -1;
	if (call->narg && !frames_given(call, &frames))
		return diag_error(c->d, D_USTACK_FRAMES, call->arg[0]->loc,
				  "%s( ) argument #1 must be a non-zero positive integer constant",
				  call->name);
	if (call->narg > 1 && !(call->arg[1]->is_const && call->arg[1]->value >= 0))
		return diag_error(c->d, D_USTACK_STRSIZE, call->arg[1]->loc,
				  "%s( ) argument #2 must be a positive integer constant",
				  call->name);
	becomes_action(c->opt->lang, call, stack_type(c, (uint32_t)frames, FIELD_USTACK));
	return add_mark(c, call);
}

/* The functions that show an address as a name. */
static const struct symaddr {
	const char *name;
	enum field_kind kind;
} symaddrs[] = {
	{"sym", FIELD_SYM},    {"func", FIELD_SYM},  {"mod", FIELD_MOD},     {"usym", FIELD_USYM},
	{"ufunc", FIELD_USYM}, {"umod", FIELD_UMOD}, {"uaddr", FIELD_UADDR},
};

static enum field_kind symaddr_kind(const char *name)
{
	size_t i = 0;

	while (strcmp(symaddrs[i].name, name))
		i++;
	return symaddrs[i].kind;
}

int sema_symaddr(struct compiler *c, struct expr *call)
{
	struct type *t;

	if (sema_nargs(c, call, 1, 1, D_PROTO_LEN) || sema_expr(c, call->arg[0]))
		return -1;
	if (!type_is_scalar(call->arg[0]->type))
		return sema_bad_arg(c, call, 0, "uintptr_t");
	t = arena_new(c->arena, struct type);
	*t = (struct type){.kind = T_SYMBOL, .align = 8, .field = symaddr_kind(call->name)};
	t->name = t->field >= FIELD_USYM ? "_usymaddr" : "_symaddr";
	t->size = t->field >= FIELD_USYM ? sizeof(struct uaddr) : 8;
	becomes_action(c->opt->lang, call, t);
	return t->field >= FIELD_USYM ? add_mark(c, call) : 0;
}
