/*
 * vars.c - the table of built-in variables, with a row for each.
 *
 * pid, tid, ppid, uid, gid and execname are not in the table. They are inlines over curthread
 * (translators/proc.d), so that one definition serves every hook and kernel.
 */
#include <linux/bpf_perf_event.h>
#include <stddef.h>
#include <time.h>

#include "base/stability.h"
#include "compiler/builtins/lang.h"
#include "compiler/code/clause.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/family.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/hookarg.h"
#include "compiler/code/eval/stack.h"
#include "compiler/code/eval/usdt_arg.h"
#include "compiler/code/memory/trust.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/types/type.h"

/* Offset of the program counter in the registers of a sample. */
#ifdef __x86_64__
#define SAMPLE_PC offsetof(struct bpf_perf_event_data, regs.rip)
#elif defined(__aarch64__)
#define SAMPLE_PC offsetof(struct bpf_perf_event_data, regs.pc)
#else
#error "dtrace runs on x86-64 and arm64 only, see docs/limits.md"
#endif

static int emit_timestamp(struct fire *g, const struct expr *e)
{
	(void)e;
	return irb_call(g->b, IR_PURECALL, HELPER_ktime_get_ns, 0, NULL);
}

static int emit_walltimestamp(struct fire *g, const struct expr *e)
{
	(void)e;
	return gen_walltime(g);
}

static int emit_cpu(struct fire *g, const struct expr *e)
{
	(void)e;
	return irb_call(g->b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL);
}

static int emit_id(struct fire *g, const struct expr *e)
{
	(void)e;
	if (g->number)
		return family_id(g);
	return irb_const(g->b, g->probe->id);
}

static int emit_epid(struct fire *g, const struct expr *e)
{
	(void)e;
	return fire_epid(g);
}

/*
 * Emits the kernel's number of clock ticks per second: a tick is the resolution of the kernel's
 * coarse clocks. In replay the number is 1000.
 */
static int emit_hz(struct fire *g, const struct expr *e)
{
	struct timespec tick = {0};

	(void)e;
	if (g->c->opt->replay || clock_getres(CLOCK_MONOTONIC_COARSE, &tick) || tick.tv_nsec <= 0)
		return irb_const(g->b, 1000);
	return irb_const(g->b, (1000000000 + tick.tv_nsec / 2) / tick.tv_nsec);
}

/* Emits the current task, even if the probe fires for another thread. */
static int emit_running(struct fire *g, const struct expr *e)
{
	int task = irb_task(g->b);

	trust(g->b, task, PC_TRUSTED, type_strip(type_strip(e->type)->to));
	return task;
}

static int emit_curthread(struct fire *g, const struct expr *e)
{
	(void)e;
	return gen_thread(g);
}

/* Emits the error number of the system call that returns at this hook, or 0 at any other hook. */
static int emit_errno(struct fire *g, const struct expr *e)
{
	int ret, neg, is_error;

	(void)e;
	if (!g->u->hook->errno_arg)
		return irb_const(g->b, 0);
	ret = irb_load(g->b, irb_ctx(g->b), 8 * (int32_t)g->u->hook->errno_arg, 8, false);
	neg = irb_neg(g->b, ret);
	/* values from -4095 to -1 are errors; for all others the product is 0 */
	is_error = irb_bini(g->b, IR_SUB, neg, 1);
	return irb_bin(g->b, IR_MUL, neg, irb_set(g->b, CC_ULT, is_error, irb_const(g->b, 4095)));
}

/*
 * Emits arg0 (@n is 0) or arg1 (@n is 1) of a sample. If the sample's program counter is in the
 * kernel, arg0 is the program counter and arg1 is 0; if it is in the process, the reverse. Kernel
 * addresses have the top bit set.
 */
static int emit_sample_pc(struct fire *g, uint64_t n)
{
	int ip, user;

	if (g->c->opt->replay)
		return irb_const(g->b, 0);
	ip = irb_load(g->b, irb_ctx(g->b), SAMPLE_PC, 8, false);
	user = irb_bini(g->b, IR_SHR, ip, 63);
	if (n == 0)
		return irb_bin(g->b, IR_MUL, ip, user);
	return irb_bin(g->b, IR_MUL, ip, irb_bini(g->b, IR_XOR, user, 1));
}

static int emit_arg(struct fire *g, const struct expr *e)
{
	struct expr arg = {.kind = E_IDENT,
			   .loc = e->loc,
			   .lib = e->lib,
			   .ival = e->ival,
			   .type = &type_long};
	uint32_t n = g->probe->host ? g->probe->host->hook.narg : g->probe->decl->nparam;

	if (g->u->hook->args_at.placed && !g->u->fault_arg[0])
		return gen_usdt_arg(g, e->ival, e->loc);
	if (g->u->hook->args_at.regs && !g->u->fault_arg[0])
		n = HOOK_ARGS;
	if (g->u->hook->sampled && !g->u->fault_arg[0])
		return e->ival < 2 ? emit_sample_pc(g, e->ival) : irb_const(g->b, 0);
	if (e->ival >= n || (!g->probe->host && type_is(g->probe->decl->param[e->ival], T_STRING)))
		return irb_const(g->b, 0); /* a string argument is no number */
	arg.symkind = g->probe->host ? SYM_HOSTARG : SYM_NATIVE;
	return gen(g, &arg);
}

static const char *text_prov(const struct fire *g)
{
	return g->probe->prov;
}

static const char *text_mod(const struct fire *g)
{
	return g->probe->mod;
}

static const char *text_func(const struct fire *g)
{
	return g->probe->func;
}

static const char *text_name(const struct fire *g)
{
	return g->probe->name;
}

/* The name of the variable is Stable. The members of the struct depend on the kernel. */
static const struct stability private_data = {ST_STABLE, ST_PRIVATE, STC_COMMON};

/* clang-format off */
static const struct builtin_var vars[] = {
	/* name           type                    its value */
	{"timestamp",     "uint64_t",             .emit = emit_timestamp},
	{"walltimestamp", "int64_t",              .emit = emit_walltimestamp},
	{"cpu",           "int32_t",              .emit = emit_cpu},
	{"id",            "uint_t",               .emit = emit_id},
	{"epid",          "uint_t",               .emit = emit_epid},
	{"curthread",     "struct task_struct *", .emit = emit_curthread,
	 .stability = &private_data},
	{"__running",     "struct task_struct *", .emit = emit_running,
	 .stability = &private_data},
	{"__hz",          "uint64_t",             .emit = emit_hz},
	{"errno",         "int32_t",              .emit = emit_errno},
	{"caller",        "uintptr_t",            .emit = gen_caller},
	{"ucaller",       "uint64_t",             .emit = gen_ucaller},
	{"stackdepth",    "uint32_t",             .emit = gen_stackdepth},
	{"ustackdepth",   "uint32_t",             .emit = gen_stackdepth},
	{"arg0-9",        "int64_t",              .emit = emit_arg, .arg = true},
	{"probeprov",     "string",               .text = text_prov, .field = PD_PROV},
	{"probemod",      "string",               .text = text_mod, .field = PD_MOD},
	{"probefunc",     "string",               .text = text_func, .field = PD_FUNC},
	{"probename",     "string",               .text = text_name, .field = PD_NAME},
};
/* clang-format on */

const struct builtin_var *var_rows(uint32_t *n)
{
	*n = sizeof(vars) / sizeof(*vars);
	return vars;
}
