/*
 * stack.c - stack(), ustack() and symbols. Programs record addresses. The consumer, the part of
 * dtrace that prints, finds their names.
 *
 * The addresses themselves go into the record or key. A hash of the addresses (bpf_get_stackid())
 * could mistake one stack for another, and unwinding costs ten times as much as the longer key.
 */

#include "compiler/code/eval/stack.h"

#include "base/arena.h"
#include "base/diag.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/hookarg.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "providers/provider.h"

/*
 * Returns whether the hook is in networking code. Programs there get only the stack of the
 * interrupted task, with the frames of the programs themselves on top.
 */
static bool of_task(const struct fire *g)
{
	return g->u->hook->stack.kind == STACK_OF_TASK;
}

/*
 * Records an error and returns true if programs at the hook cannot get a stack at all. This is the
 * case for networking programs on some kernels.
 */
static bool refused(struct fire *g, struct loc loc, const char *name)
{
	if (!of_task(g) ||
	    (!g->c->opt->nocast && (!g->c->opt->stack_at || g->c->opt->stack_at(g->u->hook->kind))))
		return false;
	diag_error(g->c->d, D_UNSUPPORTED, loc,
		   "%s cannot be used in %s:::%s: this kernel shows no stack at the probe's hook "
		   "%s:::%s",
		   name, g->probe->prov, g->probe->name, g->hook->host->prov, g->hook->host->name);
	return true;
}

/*
 * Records the error that the user stack cannot be read, because the probe fires for a thread other
 * than the current one.
 */
static void not_its_process(struct fire *g, struct loc loc, const char *name)
{
	diag_error(g->c->d, D_UNSUPPORTED, loc,
		   "%s cannot be used in %s:::%s: on this kernel the probe fires before its thread "
		   "runs, when only the thread's kernel stack can be read; use stack( )",
		   name, g->probe->prov, g->probe->name);
}

#define USER_STACK 0x100 /* BPF_F_USER_STACK */

static void zero_slot(struct fire *g, struct dest d)
{
	for (uint32_t i = 0; i < d.size; i += 8)
		irb_storei(g->b, d.base, d.off + (int32_t)i, 8, 0);
}

/*
 * Fills @size bytes at @to with zeros unless @result, the result of the helper, is the size of a
 * stack. If the thread has no stack any more, bpf_get_task_stack() writes nothing
 * (kernel/bpf/stackmap.c), and the bytes may still have an older stack.
 */
static void zero_without_stack(struct irb *b, int result, struct ir_arg to, struct ir_arg size)
{
	int failed = irb_cold_block(b, "no stack"), done = irb_block(b, "stack taken");

	irb_bri(b, CC_SLE, result, 0, failed, done);
	irb_place(b, failed);
	/* A read from address 0 fails, and the helper then writes zeros. */
	irb_call(b, IR_CALL, HELPER_probe_read_kernel, 3,
		 (struct ir_arg[]){to, size, {ARG_IMM, 0, 0}});
	irb_jmp(b, done);
	irb_place(b, done);
}

/*
 * Writes the addresses of the stack to @d, as many as fit in @size bytes. The rest of the bytes is
 * 0. Returns a register with the number of bytes written, or with a negative errno.
 */
static int take_stack(struct fire *g, struct dest d, uint32_t size, bool user)
{
	struct irb *b = g->b;
	struct ir_arg to = {ARG_FRAME, 0, d.off}, len = {ARG_IMM, 0, size},
		      flags = {ARG_IMM, 0, user ? USER_STACK : 0};
	int n;

	if (d.base == FRAME)
		zero_slot(g, (struct dest){.base = FRAME, .off = d.off, .size = size});
	else
		to = (struct ir_arg){ARG_REG, irb_addr(b, d.base, d.off), 0};
	if (of_task(g) || g->hook->as) {
		n = irb_call(b, IR_CALL, HELPER_get_task_stack, 4,
			     (struct ir_arg[]){{ARG_REG, gen_thread(g), 0}, to, len, flags});
		if (d.base != FRAME)
			zero_without_stack(b, n, to, len);
		return n;
	}
	return irb_call(b, IR_CALL, HELPER_get_stack, 4,
			(struct ir_arg[]){{ARG_REG, irb_ctx(b), 0}, to, len, flags});
}

static int address_at(struct fire *g, struct dest at, uint32_t i)
{
	return irb_loadv(g->b, at.base, at.off + 8 * (int32_t)i, 8, false);
}

/*
 * Returns a register with the address to which the process's function will return, or with 0 if the
 * process's stack cannot be read. Call it only at the function's entry.
 */
static int return_address(struct fire *g)
{
	const struct hook_regs *regs = g->u->hook->args_at.regs;
	int at = irb_scalar(g->b, irb_load(g->b, irb_ctx(g->b), regs->caller, 8, false)), v;
	int read = irb_block(g->b, "return address"), done = irb_block(g->b, "caller");
	int32_t slot;

	if (!regs->on_stack)
		return at;
	v = irb_var(g->b);
	irb_assign_imm(g->b, v, 0);
	slot = irb_frame(g->b, 8);
	irb_bri(g->b, CC_EQ,
		irb_call(g->b, IR_CALL, HELPER_probe_read_user, 3,
			 (struct ir_arg[]){{ARG_FRAME, 0, slot},
					   {ARG_IMM, 0, 8},
					   {ARG_REG, at, 0}}),
		0, read, done);
	irb_place(g->b, read);
	irb_assign(g->b, v, irb_loadv(g->b, FRAME, slot, 8, false));
	irb_jmp(g->b, done);
	irb_place(g->b, done);
	return irb_value(g->b, v);
}

/*
 * Writes the stack of the process to @d. At the entry of a function, which has no frame yet,
 * kernels before 6.11 leave out the caller. In that case, this function inserts the caller as the
 * second address. Returns a register with the number of bytes.
 */
static int take_user_stack(struct fire *g, struct dest d, uint32_t size)
{
	struct irb *b = g->b;
	int n = irb_var(b), missing, done, caller;
	struct dest behind = d;

	irb_assign(b, n, take_stack(g, d, size, true));
	if (!g->u->hook->args_at.entered || size < 16)
		return n;
	missing = irb_block(b, "no caller");
	done = irb_block(b, "stack");
	caller = return_address(g);
	irb_br(b, CC_EQ, address_at(g, d, 1), caller, done, missing);
	irb_place(b, missing);
	behind.off += 8;
	irb_assign(b, n, irb_bini(b, IR_ADD, take_stack(g, behind, size - 8, true), 8));
	irb_store(b, d.base, d.off, 8, address_at(g, d, 1));
	irb_store(b, d.base, d.off + 8, 8, caller);
	irb_jmp(b, done);
	irb_place(b, done);
	return irb_value(b, n);
}

/*
 * Returns a register with the process ID, in the initial namespace, and the mark of the address
 * space (uaddr.pid) of the call @e.
 */
static int this_process(struct fire *g, const struct expr *e)
{
	int pid = irb_bini(g->b, IR_SHR,
			   irb_call(g->b, IR_PURECALL, HELPER_get_current_pid_tgid, 0, NULL), 32);
	int mark = irb_bini(g->b, IR_SHL, irb_scalar(g->b, gen(g, e->extra.any)), 32);

	return irb_bin(g->b, IR_OR, pid, mark);
}

/* Returns the part of slot @d that holds the addresses: everything after its header. */
static struct dest addresses(struct dest d, bool user)
{
	uint32_t head = user ? sizeof(struct ustack_slot) : sizeof(struct stack_slot);

	d.off += (int32_t)head;
	d.size -= head;
	return d;
}

void gen_stack(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	bool user = e->type->field == FIELD_USTACK;
	struct dest at = addresses(d, user);

	if (g->c->opt->replay) {
		zero_slot(g, d);
		return;
	}
	if (refused(g, e->loc, arena_printf(g->c->arena, "%s( )", e->name)))
		return;
	if (user && g->hook->as) {
		not_its_process(g, e->loc, arena_printf(g->c->arena, "%s( )", e->name));
		return;
	}
	irb_storei(b, d.base, d.off, 4, e->type->nelem);
	irb_storei(b, d.base, d.off + 4, 4,
		   !user && g->u->hook->stack.kind != STACK_OF_SAMPLE && !g->hook->as);
	if (user)
		irb_store(b, d.base, d.off + 8, 8, this_process(g, e));
	if (user)
		take_user_stack(g, at, at.size);
	else
		take_stack(g, at, at.size, false);
}

void gen_symbol(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int addr = irb_scalar(b, gen(g, e->arg[0]));

	if (e->type->field >= FIELD_USYM) {
		irb_store(b, d.base, d.off, 8,
			  g->c->opt->replay ? irb_const(b, 0) : this_process(g, e));
		d.off += 8;
	}
	irb_store(b, d.base, d.off, 8, addr);
}

/* ------------------------------------------------------------ caller and depth */

/*
 * The addresses of one function of hook.stack.own. With fentry and fexit, hook.stack.own has the
 * traced function, and the traced stack begins with its frame. At other hooks, hook.stack.own has
 * functions of tracing itself, and the traced stack begins after the last of their frames.
 */
struct range {
	uint64_t from, size;
};

/*
 * Finds the addresses of the functions in hook.stack.own and stores them in @out. Returns how many
 * were found, or 0 if the kernel does not show addresses.
 */
static uint32_t own_ranges(struct fire *g, struct range *out)
{
	const char *const *name = g->u->hook->stack.own;
	uint32_t n = 0;

	for (int i = 0; i < HOOK_OWN && name[i]; i++)
		if (g->c->opt->symbol &&
		    g->c->opt->symbol("", name[i], &out[n].from, &out[n].size) == SYMBOL_FOUND)
			n++;
	return n;
}

/* Returns a register with all bits set if address @v is in one of the @n ranges, else with 0. */
static int in_ranges(struct fire *g, int v, const struct range *r, uint32_t n)
{
	struct irb *b = g->b;
	int in = irb_const(b, 0);

	for (uint32_t i = 0; i < n; i++) {
		int off = irb_bin(b, IR_SUB, v, irb_const(b, (int64_t)r[i].from));

		in = irb_bin(b, IR_OR, in,
			     irb_set(b, CC_ULT, off, irb_const(b, (int64_t)r[i].size)));
	}
	return irb_neg(b, in);
}

/*
 * Returns a register with the number of frames in the stack @at that belong to tracing itself. If
 * @caller, returns instead a register with the second address after these frames: the caller of the
 * traced function.
 */
static int behind_own(struct fire *g, struct dest at, bool caller)
{
	const struct hook *h = g->u->hook;
	struct range r[HOOK_OWN];
	int v = caller ? address_at(g, at, 1) : irb_const(g->b, 0);
	uint32_t n = h->stack.kind == STACK_OF_SAMPLE || g->hook->as ? 0 : own_ranges(g, r);

	for (uint32_t i = 0; n && i < STACK_TRACER_FRAMES; i++) {
		int in = in_ranges(g, address_at(g, at, i), r, n);
		uint32_t behind = i + !h->function;

		v = irb_select(g->b, in,
			       caller ? address_at(g, at, behind + 1) : irb_const(g->b, behind), v);
	}
	return v;
}

/*
 * Records an error and returns true if the kernel hides the addresses of its functions. Without
 * these addresses, a program cannot find where the traced stack begins.
 */
static bool nameless(struct fire *g, const struct expr *e)
{
	struct range r[HOOK_OWN];

	if (g->u->hook->stack.kind == STACK_OF_SAMPLE || g->hook->as || own_ranges(g, r))
		return false;
	diag_error(g->c->d, D_UNSUPPORTED, e->loc,
		   "%s cannot be found: this kernel hides the addresses of its functions", e->name);
	return true;
}

static bool no_stack(struct fire *g, const struct expr *e, bool user)
{
	if (user && g->hook->as) {
		not_its_process(g, e->loc, e->name);
		return true;
	}
	return g->c->opt->replay || refused(g, e->loc, e->name) || (!user && nameless(g, e));
}

int gen_caller(struct fire *g, const struct expr *e)
{
	struct dest at = {.base = FRAME, .size = 8 * (STACK_TRACER_FRAMES + 2)};

	if (no_stack(g, e, false))
		return irb_const(g->b, 0);
	at.off = irb_frame(g->b, at.size);
	take_stack(g, at, at.size, false);
	return behind_own(g, at, true);
}

int gen_ucaller(struct fire *g, const struct expr *e)
{
	struct dest at = {.base = FRAME, .size = 16};

	if (no_stack(g, e, true))
		return irb_const(g->b, 0);
	at.off = irb_frame(g->b, at.size);
	take_user_stack(g, at, at.size);
	return address_at(g, at, 1);
}

/*
 * Returns a register with the number of frames in @bytes, the result of the helper that wrote the
 * stack. The number is 0 if the helper failed.
 */
static int count_frames(struct irb *b, int bytes)
{
	int error = irb_bini(b, IR_SAR, bytes, 63);

	return irb_bini(b, IR_SHR, irb_bin(b, IR_AND, bytes, irb_bini(b, IR_XOR, error, -1)), 3);
}

int gen_stackdepth(struct fire *g, const struct expr *e)
{
	bool user = *e->name == 'u';
	struct dest at;
	int n;

	if (no_stack(g, e, user))
		return irb_const(g->b, 0);
	at = scratch_slot(g, 8 * STACK_FRAMES_MAX);
	n = count_frames(g->b, user ? take_user_stack(g, at, 8 * STACK_FRAMES_MAX)
				    : take_stack(g, at, 8 * STACK_FRAMES_MAX, false));
	return user ? n : irb_bin(g->b, IR_SUB, n, behind_own(g, at, false));
}
