/*
 * rawtp.c - the kernel's raw tracepoints, with typed arguments.
 *
 * For each tracepoint, the kernel's BTF has a typedef btf_trace_NAME: a pointer to a function whose
 * first parameter is private. The other parameters are those of TP_PROTO. For the tracepoints that
 * replay fires, engine/replay/ksim.h has such typedefs, too.
 */
#include <string.h>

#include "base/arena.h"
#include "base/glob.h"
#include "base/intern.h"
#include "providers/provider.h"
#include "ir/types/btf.h"
#include "ir/types/type.h"

#define PREFIX "btf_trace_"

/*
 * Arguments that may be NULL, although the verifiers of some kernels do not know that
 * (kernel/bpf/btf.c, raw_tp_null_args). Bit n stands for args[n].
 */
static const struct {
	const char *name;
	uint32_t args;
} nullable[] = {
	{"kfree_skb", 1 << 3},       {"sched_pi_setprio", 1 << 1}, {"signal_deliver", 1 << 1},
	{"signal_generate", 1 << 1}, {"tcp_send_reset", 3},        {"fib_table_lookup", 1 << 2},
	{"qdisc_dequeue", 1 << 3},
};

static uint32_t nullable_args(const char *name)
{
	for (size_t i = 0; i < sizeof(nullable) / sizeof(*nullable); i++)
		if (!strcmp(nullable[i].name, name))
			return nullable[i].args;
	return 0;
}

/*
 * Tracepoints that a softirq may reach while a system call is in one of them on the same CPU. The
 * kernel then skips the program that is already running.
 */
static const char *const reentered[] = {
	"block_bio_complete",  "block_bio_queue", "block_rq_complete", "block_rq_issue",
	"inet_sock_set_state", "consume_skb",     "kfree_skb",         "tcp_destroy_sock",
	"tcp_receive_reset",   "tcp_send_reset",  "fib_table_lookup",  "fib6_table_lookup",
};

/* Tracepoints whose args[0] is a full socket (struct sock), never one in TIME_WAIT. */
static const char *const of_full[] = {
	"inet_sock_set_state", "tcp_destroy_sock", "tcp_receive_reset",
	"tcp_rcvbuf_grow",     "sock_send_length", "sock_recv_length",
};

/*
 * Tracepoints that fire while the kernel holds a lock, where BPF programs may need the same lock to
 * update a map or to reserve a record. The tracepoints of IPIs are among them, because a map that
 * runs out of free elements sends an IPI while it holds its lock.
 */
static const char *const of_locks[] = {
	"contention_*",    "lock_*",         "irq_disable", "irq_enable",
	"preempt_disable", "preempt_enable", "ipi_raise",   "ipi_send_cpu",
};

static struct host_probe *make(struct host_env *e, uint32_t id, const char *name, struct type *td)
{
	struct type *fn = type_strip(td);
	struct host_probe *p = arena_new(e->arena, struct host_probe);
	struct member *m;
	uint32_t n;

	if (fn->kind == T_PTR)
		fn = type_strip(fn->to);
	if (fn->kind != T_FUNC)
		return NULL;
	m = type_members(fn, &n);
	*p = (struct host_probe){id, "rawtp", "vmlinux", "", intern(e->names, name), {0}};
	p->hook.kind = HOOK_RAWTP;
	p->hook.target = p->name;
	p->hook.attach_btf_id = td->btf_id;
	p->hook.narg = n ? n - 1 : 0;
	p->hook.arg = arena_newn(e->arena, struct type *, p->hook.narg);
	for (uint32_t i = 0; i < p->hook.narg; i++)
		p->hook.arg[i] = m[i + 1].type;
	p->hook.nullable = nullable_args(name);
	p->hook.needs_backup = p->hook.nests =
		!e->replay &&
		glob_match_any(reentered, sizeof(reentered) / sizeof(*reentered), name);
	p->hook.of_locks = glob_match_any(of_locks, sizeof(of_locks) / sizeof(*of_locks), name);
	p->hook.gated = p->hook.in_turn = p->hook.by_task = true;
	p->hook.stack.own[0] = arena_printf(e->arena, "bpf_trace_run%u", p->hook.narg);
	p->hook.stack.own[1] = arena_printf(e->arena, "__bpf_trace_%s", p->name);
	p->hook.stack.own[2] = arena_printf(e->arena, "__traceiter_%s", p->name);
	p->hook.socket.cookie = COOKIE_TRUSTED;
	p->hook.socket.full = glob_match_any(of_full, sizeof(of_full) / sizeof(*of_full), name);
	p->hook.errno_arg = strcmp(name, "sys_exit") ? 0 : 1;
	return p;
}

struct numbering {
	struct host_env *env;
	uint32_t next;
	const char *want; /* the name to look for, or NULL to visit all tracepoints */
	uint32_t found;
	void (*fn)(void *ctx, struct host_probe *p);
	void *ctx;
};

static void visit(void *ctx, const char *name, uint32_t id)
{
	struct numbering *n = ctx;
	uint32_t probe = n->next++;
	struct host_probe *p;

	name += strlen(PREFIX);
	if (n->want) {
		if (!strcmp(n->want, name))
			n->found = probe;
		return;
	}
	p = make(n->env, probe, name, btf_type(n->env->btf, id));
	if (p)
		n->fn(n->ctx, p);
}

/* The tracepoints that replay fires, which ksim.h declares. */
static const char *const replay_names[] = {
	"netif_receive_skb", "net_dev_queue",      "inet_sock_set_state",
	"tcp_receive_reset", "tcp_retransmit_skb", "tcp_destroy_sock",
};

static struct type *find_type(struct host_env *e, const char *name)
{
	return scope_find(e->kernel, TAG_TYPEDEF, arena_printf(e->arena, PREFIX "%s", name));
}

static void each_replay(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	for (unsigned i = 0; i < sizeof(replay_names) / sizeof(*replay_names); i++) {
		struct type *t = find_type(e, replay_names[i]);
		struct host_probe *p = t ? make(e, ID_RAWTP + i, replay_names[i], t) : NULL;

		if (p)
			fn(ctx, p);
	}
}

static void rawtp_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	struct numbering n = {.env = e, .next = ID_RAWTP, .fn = fn, .ctx = ctx};

	if (e->btf)
		btf_each_typedef(e->btf, PREFIX, visit, &n);
	else
		each_replay(e, fn, ctx);
}

static uint32_t number_of(struct host_env *e, const char *name)
{
	struct numbering n = {.env = e, .next = ID_RAWTP, .want = name};

	if (e->btf) {
		btf_each_typedef(e->btf, PREFIX, visit, &n);
		return n.found;
	}
	for (unsigned i = 0; i < sizeof(replay_names) / sizeof(*replay_names); i++)
		if (!strcmp(replay_names[i], name))
			return ID_RAWTP + i;
	return 0;
}

static struct host_probe *rawtp_find(struct host_env *e, const char *func, const char *name,
				     struct diag *d)
{
	struct type *t = find_type(e, name);

	(void)func, (void)d;
	return t ? make(e, number_of(e, name), name, t) : NULL;
}

/*
 * Returns the parameter's name. The typedef has no names, so takes it from the kernel's function
 * that calls the programs of the tracepoint.
 */
static const char *rawtp_arg_name(struct host_env *e, const struct host_probe *p, uint32_t i)
{
	uint32_t id = e->btf ? btf_find_func(e->btf,
					     arena_printf(e->arena, "__traceiter_%s", p->name))
			     : 0,
		 n;
	struct type *fn = id ? btf_func_type(e->btf, id) : NULL;
	struct member *m = fn ? type_members(fn, &n) : NULL;

	return fn && i + 1 < n ? m[i + 1].name : NULL;
}

const struct host_provider provider_rawtp = {
	.name = "rawtp",
	.arg_name = rawtp_arg_name,
	.missing = "the tracepoint",
	.find = rawtp_find,
	.each = rawtp_each,
};
