/*
 * subrs.c - the table of subroutines, with a row for each.
 *
 * The member `emit` of a row emits code for a result that is a number or a pointer. If the result
 * is a string, the code writes it to memory that the caller chooses. The function `chars` of the
 * row emits this code. If the row has `str` instead, compiler/code/strings emits it.
 */
#include <stddef.h>
#include <string.h>

#include "base/diag.h"
#include "base/stability.h"
#include "compiler/builtins/lang.h"
#include "compiler/builtins/memory.h"
#include "compiler/builtins/packet_filter.h"
#include "compiler/builtins/path.h"
#include "compiler/builtins/process.h"
#include "compiler/builtins/spec.h"
#include "compiler/builtins/stamp.h"
#include "compiler/builtins/strfns.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/hookarg.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/socket_vars.h"
#include "compiler/code/memory/trust.h"
#include "compiler/code/memory/vars.h"
#include "compiler/code/strings/addr.h"
#include "compiler/code/strings/strings.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/prefix.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/probes/socket_at.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/typing/calls/call.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"
#include "providers/kernel.h"
#include "providers/provider.h"

static int emit_swap16(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return irb_swap(g->b, gen(g, arg[0]), 2);
}

static int emit_swap32(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return irb_swap(g->b, gen(g, arg[0]), 4);
}

static int emit_swap64(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return irb_swap(g->b, gen(g, arg[0]), 8);
}

static int emit_strlen(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return gen_strlen(g, arg[0]);
}

/*
 * Emits the code of __ip_header(skb, tags): the address of the IP header at skb->data if the header
 * can be read, else NULL. tags is not 0 if VLAN tags may precede the header.
 */
static int emit_ip_header(struct fire *g, struct expr **arg, uint32_t narg)
{
	enum ptr_class safe = PC_ANY;
	int skb = gen(g, arg[0]), r;

	r = irb_skbptr(g->b, skb, narg > 1 && arg[1]->value);
	if (g->c->target->replay || g->c->target->rdonly_cast)
		safe = PC_SAFE;
	trust(g->b, r, safe, kernel_struct(&g->c->names->kernel, KS_IPHDR));
	return r;
}

static int check_ip_header(struct compiler *c, const struct expr *call)
{
	if (call->narg > 1 && !call->arg[1]->is_const)
		return diag_error(c->d, D_PROTO_ARG, call->loc,
				  "%s( ) argument #2 must be an integer constant", call->name);
	return 0;
}

/*
 * Returns the register to pass to bpf_get_socket_cookie() for socket @sk: the context, or the
 * pointer to the socket if the verifier accepts it. Returns NOREG if neither can be passed.
 */
static int cookie_source(struct fire *g, const struct expr *e, int sk)
{
	const struct ir_reg *r = irb_reg(g->b, sk);

	if (g->c->target->replay)
		return NOREG;
	if (socket_is_of_ctx(g->hook, e))
		return irb_ctx(g->b);
	if (r->pc == PC_TRUSTED && g->u->hook->socket.cookie != COOKIE_NOBODY)
		return sk;
	return r->pc == PC_CHAIN && g->u->hook->socket.cookie == COOKIE_LOADED ? sk : NOREG;
}

/*
 * Returns the type to use for loads of the socket's first members through register @sk: struct sock
 * if @sk has this type, else struct sock_common.
 */
static struct type *common_of(struct fire *g, int sk)
{
	const struct ir_reg *r = irb_reg(g->b, sk);

	return kernel_is(r->ptype, KS_SOCK) ? r->ptype
					    : kernel_struct(&g->c->names->kernel, KS_SOCK_COMMON);
}

/*
 * Returns a register with the cookie that socket @sk has in its struct sock. The result is 0 if the
 * socket has no cookie yet, or if @sk is NULL.
 */
static int load_cookie(struct fire *g, int sk)
{
	struct mem at = {.base = sk,
			 .lib = true,
			 .off = (int32_t)kernel_offset(&g->c->names->kernel, KM_SOCK_COOKIE)};

	at.owner = common_of(g, sk);
	return mem_load(g, at, 8, false);
}

/*
 * Emits the code of __cookie(sk): a number that identifies a socket for its lifetime. The kernel
 * gives the socket this number at the first request. At some hooks, programs cannot request it.
 * There the result is 0 until a program at another hook has requested it.
 */
static int emit_cookie(struct fire *g, struct expr **arg, uint32_t narg)
{
	struct irb *b = g->b;
	int sk = gen(g, arg[0]), old = load_cookie(g, sk), src = cookie_source(g, arg[0], sk);
	int make, call, done, v;

	(void)narg;
	if (src == NOREG)
		return old;
	make = irb_cold_block(b, "no cookie");
	call = irb_cold_block(b, "make cookie");
	done = irb_block(b, "cookie");
	v = irb_var(b);
	irb_assign(b, v, old);
	irb_bri(b, CC_EQ, old, 0, make, done);
	irb_place(b, make);
	irb_bri(b, CC_EQ, sk, 0, done, call);
	irb_place(b, call);
	irb_assign(b, v,
		   irb_call(b, IR_CALL, HELPER_get_socket_cookie, 1,
			    (struct ir_arg[]){{ARG_REG, src, 0}}));
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

/*
 * Emits the code of __small(sk): 1 if the socket is in TIME_WAIT, where the kernel has replaced the
 * full socket by a small one; else 0, also for NULL.
 */
static int emit_small(struct fire *g, struct expr **arg, uint32_t narg)
{
	enum { TIME_WAIT = 6 }; /* TCP_TIME_WAIT in the kernel's include/net/tcp_states.h */
	struct mem at = {.lib = true,
			 .off = (int32_t)kernel_offset(&g->c->names->kernel, KM_SOCK_STATE)};
	int state;

	(void)narg;
	if (socket_is_full(g->hook, arg[0]))
		return irb_const(g->b, 0);
	at.base = gen(g, arg[0]);
	at.owner = common_of(g, at.base);
	state = mem_load(g, at, 1, false);
	return irb_set(g->b, CC_EQ, state, irb_const(g->b, TIME_WAIT));
}

/*
 * Emit the code of __enter(sk), __inherit(child, sk), __leave(sk) and __entered(sk), which work on
 * the table of sockets: see compiler/code/memory/socket_vars.h. The table only compares pointers,
 * so sk may be any number.
 */
static int emit_enter(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	socket_enter(g, gen(g, arg[0]));
	return irb_const(g->b, 0);
}

static int emit_inherit(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return socket_inherit(g, arg[0], gen(g, arg[1]));
}

static int emit_leave(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	socket_leave(g, gen(g, arg[0]));
	return irb_const(g->b, 0);
}

static int emit_entered(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return socket_entry(g, gen(g, arg[0]));
}

/*
 * Emits the code of __file_socket(file): the struct socket of a file, or NULL if the file is not a
 * socket. The verifier must trust the pointer to the file.
 */
static int emit_file_socket(struct fire *g, struct expr **arg, uint32_t narg)
{
	int r = irb_call(g->b, IR_PURECALL, HELPER_sock_from_file, 1,
			 (struct ir_arg[]){{ARG_REG, gen(g, arg[0]), 0}});

	(void)narg;
	/* The library tests the result for NULL. */
	trust(g->b, r, PC_CHAIN, kernel_struct(&g->c->names->kernel, KS_SOCKET));
	return r;
}

/*
 * Emits the code of __ask_for(flags), which asks the kernel to call the sockops hook for more
 * operations of this socket. The result is 0 on success.
 */
static int emit_ask_for(struct fire *g, struct expr **arg, uint32_t narg)
{
	int flags = gen(g, arg[0]);

	(void)narg;
	if (!g->u->hook->socket.takes_flags) {
		diag_error(g->c->d, D_UNSUPPORTED, arg[0]->loc,
			   "__ask_for( ) works only at the hook sockops");
		return flags;
	}
	return irb_call(g->b, IR_CALL, HELPER_sock_ops_cb_flags_set, 2,
			(struct ir_arg[]){{ARG_REG, irb_ctx(g->b), 0}, {ARG_REG, flags, 0}});
}

static int check_once(struct compiler *c, const struct expr *call)
{
	const struct expr *entry = expr_target(call->arg[0]);

	if (entry->kind != E_INDEX || entry->symkind != SYM_VAR)
		return sema_bad_arg(c, call, 0, "an entry of an associative array");
	entry->ref.var->assigned = true;
	return 0;
}

/*
 * Emits the code of __once(array[key]), which sets the entry to 1. The result is 1 for the first
 * caller, and 0 for later callers.
 */
static int emit_once(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return var_claim(g, expr_target(arg[0]));
}

/*
 * Emits the code of __walking(): 1 at the start, while iterators report the sockets and tasks that
 * exist already; else 0.
 */
static int emit_walking(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)arg, (void)narg;
	return irb_loadv(g->b, irb_global(g->b, offsetof(struct globals, iterating)), 0, 4, false);
}

static int check_speculation(struct compiler *c, const struct expr *call)
{
	(void)call;
	c->wants->speculates = true;
	return 0;
}

static int emit_rand(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)arg, (void)narg;
	return irb_bini(g->b, IR_AND, irb_call(g->b, IR_CALL, HELPER_get_prandom_u32, 0, NULL),
			INT32_MAX);
}

static int emit_getmajor(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return irb_bini(g->b, IR_AND, irb_bini(g->b, IR_SHR, irb_scalar(g->b, gen(g, arg[0])), 20),
			0xfff);
}

static int emit_getminor(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return irb_bini(g->b, IR_AND, irb_scalar(g->b, gen(g, arg[0])), 0xfffff);
}

static int emit_cidr(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return gen_cidr(g, arg[0], arg[1]);
}

/* ------------------------------------------------------------------ processes */

/* Returns a register with member @m of task @t, whose pointer the verifier must trust. */
static int task_member(struct fire *g, int t, enum kernel_member m, unsigned size)
{
	struct mem at = {.base = t,
			 .off = (int32_t)kernel_offset(&g->c->names->kernel, m),
			 .lib = true};
	int v;

	at.owner = kernel_struct(&g->c->names->kernel, KS_TASK);
	v = mem_load(g, at, size, true);
	if (size == 8)
		trust(g->b, v, PC_CHAIN, at.owner);
	return v;
}

/* maximum number of processes that progenyof() tests: the process and its ancestors */
#define ANCESTORS 32

/* Emits the code of progenyof(pid): whether the process or one of its ancestors has the ID pid. */
static int emit_progenyof(struct fire *g, struct expr **arg, uint32_t narg)
{
	struct irb *b = g->b;
	int pid = irb_scalar(b, gen(g, arg[0])), t = gen_thread(g), found = irb_const(b, 0);

	(void)narg;
	for (int i = 0; i < ANCESTORS; i++) {
		found = irb_bin(b, IR_OR, found,
				irb_set(b, CC_EQ, task_member(g, t, KM_TASK_TGID, 4), pid));
		t = task_member(g, t, KM_TASK_PARENT, 8);
	}
	return found;
}

/* Number of 8-byte registers in the kernel's struct pt_regs. */
#ifdef __x86_64__
#define PT_REGS 21
#elif defined(__aarch64__)
#define PT_REGS 34
#else
#error "dtrace runs on x86-64 and arm64 only, see docs/limits.md"
#endif

static int check_ureg(struct compiler *c, const struct expr *call)
{
	int64_t n = call->arg[0]->value;

	if (!call->arg[0]->is_const || (n >= 0 && n < PT_REGS))
		return 0;
	return diag_error(c->d, D_REGS_IDX, call->loc, "index %lld is out of range for array uregs",
			  (long long)n);
}

/*
 * Emits the code of __ureg(n): register n of the process when it entered the kernel. If the
 * register cannot be read, a clause faults; in a guard (a condition in library text), the result is
 * 0. In a guard, n must be a constant.
 */
static int emit_ureg(struct fire *g, struct expr **arg, uint32_t narg)
{
	struct irb *b = g->b;
	int n, ok, regs, task;

	(void)narg;
	if (g->c->opt->replay)
		return irb_const(b, 0);
	if (!by_task(g, arg[0]->loc, "uregs[ ]", "cannot read the registers of a process"))
		return irb_const(b, 0);
	n = irb_scalar(b, gen(g, arg[0]));
	if (!arg[0]->is_const) {
		ok = irb_block(b, "register");
		irb_bri(b, CC_ULT, n, PT_REGS, ok, fault_block(g, FAULT_ILLOP, NOREG));
		irb_place(b, ok);
	}
	task = gen_thread(g);
	regs = irb_scalar(b, irb_call(b, IR_CALL, HELPER_task_pt_regs, 1,
				      (struct ir_arg[]){{ARG_REG, task, 0}}));
	regs = irb_bin(b, IR_ADD, regs, irb_bini(b, IR_MUL, n, 8));
	if (!g->epid)
		return mem_load(g, (struct mem){.base = regs, .lib = true}, 8, false);
	return irb_read(b, regs, 0, 8, false, fault_block(g, FAULT_BADADDR, regs));
}

/* ---------------------------------------------------------------------- locks */

/* Loads the first @size bytes of a lock. They are the lock's owner or count. */
static int lock_word(struct fire *g, struct expr **arg, unsigned size)
{
	return mem_load(g, (struct mem){.base = irb_scalar(g->b, gen(g, arg[0]))}, size, false);
}

#define MUTEX_FLAGS 7 /* the low bits of the word with the owner, which are flags */

static int emit_mutex_owner(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return irb_bini(g->b, IR_AND, lock_word(g, arg, 8), ~MUTEX_FLAGS);
}

static int emit_mutex_owned(struct fire *g, struct expr **arg, uint32_t narg)
{
	int owner = emit_mutex_owner(g, arg, narg), task = irb_scalar(g->b, irb_task(g->b));

	return irb_set(g->b, CC_EQ, owner, task);
}

/*
 * Emits the code of mutex_type_adaptive(). The result is 1, because a waiter for a Linux mutex
 * spins at first, and then sleeps.
 */
static int emit_mutex_adaptive(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	gen_effect(g, arg[0]);
	return irb_const(g->b, 1);
}

static int emit_mutex_spin(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	gen_effect(g, arg[0]);
	return irb_const(g->b, 0);
}

/*
 * The word at the beginning of an rwlock_t: RW_WRITER in its lowest byte if a writer holds the
 * lock, RW_WAITING if somebody waits, and the number of readers from bit RW_READERS on.
 */
enum { RW_WRITER = 0xff, RW_WAITING = 0x100, RW_READERS = 9 };

static int is_some(struct irb *b, int v)
{
	return irb_set(b, CC_NE, v, irb_const(b, 0));
}

static int emit_rw_read_held(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return is_some(g->b, irb_bini(g->b, IR_SHR, lock_word(g, arg, 4), RW_READERS));
}

static int emit_rw_write_held(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	int held = irb_bini(g->b, IR_AND, lock_word(g, arg, 4), RW_WRITER),
	    all = irb_const(g->b, RW_WRITER);

	return irb_set(g->b, CC_EQ, held, all);
}

/* Returns a register with 1 if a writer holds the lock or waits for it, else with 0. */
static int emit_rw_iswriter(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	return is_some(g->b, irb_bini(g->b, IR_AND, lock_word(g, arg, 4), RW_WRITER | RW_WAITING));
}

/*
 * Checks that the argument can be the address of 16 bytes. If it points to a number of 2 to 8
 * bytes, it must be the address of an object of at least 16 bytes.
 */
static int check_inet6(struct compiler *c, const struct expr *call)
{
	const struct expr *e = call->arg[0];
	struct type *to = type_is(e->type, T_PTR) ? type_strip(type_strip(e->type)->to) : NULL;

	if (!to || !type_is_integer(to) || to->size < 2 || to->size > 8)
		return 0;
	if (e->object && type_strip(e->object->type)->size >= 16)
		return 0;
	return sema_bad_arg(c, call, 0, "struct in6_addr *");
}

/* The stability of subroutines that read members of the kernel's own structs. */
static const struct stability evolving = {ST_EVOLVING, ST_EVOLVING, STC_COMMON};

/* clang-format off */
static const struct subr subrs[] = {
	/* name              prototype                         what emits its code */
	{"htons",            "uint16_t (uint16_t)",            .emit = emit_swap16, .pure = true},
	{"ntohs",            "uint16_t (uint16_t)",            .emit = emit_swap16, .pure = true},
	{"htonl",            "uint32_t (uint32_t)",            .emit = emit_swap32, .pure = true},
	{"ntohl",            "uint32_t (uint32_t)",            .emit = emit_swap32, .pure = true},
	{"htonll",           "uint64_t (uint64_t)",            .emit = emit_swap64, .pure = true},
	{"ntohll",           "uint64_t (uint64_t)",            .emit = emit_swap64, .pure = true},
	{"strlen",           "size_t (string)",                .emit = emit_strlen},
	{"speculation",      "int32_t ()",                     .emit = emit_speculation,
	 .check = check_speculation},
	{"strjoin",          "string (string, string)",        .str = S_JOIN},
	{"lltostr",          "string (int64_t [, int])",       .str = S_INT},
	{"inet_ntoa",        "string (void *)",                .str = S_IP4},
	{"inet_ntoa6",       "string (void * [, int])",        .str = S_IP6,
	 .flagged = "__inet_ntoa6", .check = check_inet6},
	{"__inet_ntoa6",     "string (void *, int)",           .chars = chars_strict6,
	 .lib_only = true, .check = check_inet6},
	{"inet_ntop",        "string (int, void *)",           .str = S_NTOP},
	{"cidr",             "int (struct in6_addr *, string)", .emit = emit_cidr,
	 .check = sema_cidr},
	{"net",              "string (struct in6_addr *, int)", .str = S_NET, .check = sema_net},
	{"link_ntop",        "string (int, void *)",           .chars = chars_link_ntop},
	{"substr",           "string (string, int [, int])",   .chars = chars_substr,
	 .shrinks = true},
	{"toupper",          "string (string)",                .chars = chars_toupper,
	 .shrinks = true},
	{"tolower",          "string (string)",                .chars = chars_tolower,
	 .shrinks = true},
	{"strstr",           "string (string, string)",        .chars = chars_strstr,
	 .shrinks = true, .may_be_null = true},
	{"json",             "string (string, string)",        .chars = chars_json,
	 .shrinks = true, .may_be_null = true},
	{"strchr",           "string (string, char)",          .chars = chars_strchr,
	 .shrinks = true, .may_be_null = true},
	{"strrchr",          "string (string, char)",          .chars = chars_strrchr,
	 .shrinks = true, .may_be_null = true},
	{"strtok",           "string (string, string)",        .chars = chars_strtok,
	 .may_be_null = true, .tokens = true},
	{"basename",         "string (string)",                .chars = chars_basename,
	 .shrinks = true},
	{"dirname",          "string (string)",                .chars = chars_dirname,
	 .shrinks = true},
	{"cleanpath",        "string (string)",                .chars = chars_cleanpath,
	 .shrinks = true},
	{"strtoll",          "int64_t (string [, int])",       .emit = emit_strtoll},
	{"index",            "int (string, string [, int])",   .emit = emit_index},
	{"rindex",           "int (string, string [, int])",   .emit = emit_rindex},
	{"rand",             "int ()",                         .emit = emit_rand, .keeps = true},
	{"progenyof",        "int (pid_t)",                    .emit = emit_progenyof},
	{"getmajor",         "uint32_t (dev_t)",               .emit = emit_getmajor,
	 .pure = true, .stability = &evolving},
	{"getminor",         "uint32_t (dev_t)",               .emit = emit_getminor,
	 .pure = true, .stability = &evolving},
	{"mutex_owned",      "int (struct mutex *)",           .emit = emit_mutex_owned,
	 .stability = &evolving},
	{"mutex_owner",      "struct task_struct *(struct mutex *)", .emit = emit_mutex_owner,
	 .stability = &evolving},
	{"mutex_type_adaptive", "int (struct mutex *)",           .emit = emit_mutex_adaptive,
	 .stability = &evolving},
	{"mutex_type_spin",  "int (struct mutex *)",           .emit = emit_mutex_spin,
	 .stability = &evolving},
	{"rw_read_held",     "int (rwlock_t *)",               .emit = emit_rw_read_held,
	 .stability = &evolving},
	{"rw_write_held",    "int (rwlock_t *)",               .emit = emit_rw_write_held,
	 .stability = &evolving},
	{"rw_iswriter",      "int (rwlock_t *)",               .emit = emit_rw_iswriter,
	 .stability = &evolving},
	{"alloca",           "void *(size_t)",                 .emit = emit_alloca,
	 .check = check_alloca},
	{"bcopy",            "void (char *, void *, size_t)",  .emit = emit_bcopy,
	 .check = check_bcopy},
	{"copyin",           "void *(uintptr_t, size_t)",      .emit = emit_copyin,
	 .check = check_copyin},
	{"copyinto",         "void (uintptr_t, size_t, void *)", .emit = emit_copyinto,
	 .check = check_copyin},
	{"d_path",           "string (void *)",                .chars = chars_d_path,
	 .check = check_path},
	{"copyinstr",        "string (uintptr_t [, size_t])",  .chars = chars_copyinstr,
	 .check = check_copyinstr},
	{"__ureg",           "uint64_t (int)",                 .emit = emit_ureg,
	 .lib_only = true, .check = check_ureg},
	{"__dns_length",     "int (void *, int)",              .emit = emit_dns_length,
	 .lib_only = true},
	{"__dns_name",       "string (void *, int)",           .chars = chars_dns_name,
	 .lib_only = true},
	{"__path",           "string (void *, void *, int)",   .chars = chars_path,
	 .lib_only = true, .check = check_path},
	{"__psargs",         "string (void *, int)",           .chars = chars_psargs,
	 .lib_only = true},
	{"__enum_string",    "string (string, string, int)",   .str = S_ENUM, .lib_only = true},
	{"__named",          "string (int, uint64_t)",         .str = S_NAMED, .lib_only = true},
	{"__ip_header",      "void *(void * [, int])",         .emit = emit_ip_header,
	 .lib_only = true, .ip_header = true, .check = check_ip_header},
	{"__passes",         "int32_t (uintptr_t, int64_t, int64_t, uintptr_t)",
	 .emit = emit_passes, .lib_only = true},
	{"__cookie",         "uint64_t (void *)",              .emit = emit_cookie,
	 .lib_only = true, .keeps = true},
	{"__small",          "int32_t (void *)",               .emit = emit_small,
	 .lib_only = true, .pure = true, .of_small = true},
	{"__enter",          "int32_t (void *)",               .emit = emit_enter,
	 .lib_only = true, .keeps = true},
	{"__inherit",        "int32_t (void *, void *)",       .emit = emit_inherit,
	 .lib_only = true},
	{"__leave",          "int32_t (void *)",               .emit = emit_leave,
	 .lib_only = true, .keeps = true},
	{"__entered",        "void *(void *)",                 .emit = emit_entered,
	 .lib_only = true, .entry = true},
	{"__file_socket",    "void *(void *)",                 .emit = emit_file_socket,
	 .lib_only = true, .typed = true},
	{"__walking",        "int32_t ()",                     .emit = emit_walking,
	 .lib_only = true},
	{"__once",           "int32_t (int64_t)",              .emit = emit_once,
	 .check = check_once, .lib_only = true},
	{"__ask_for",        "int32_t (int)",                  .emit = emit_ask_for,
	 .lib_only = true},
	{"__stamp",          "uint64_t (int64_t)",             .emit = emit_stamp,
	 .lib_only = true},
	{"__stamp_age",      "uint64_t (int64_t, int)",        .emit = emit_stamp_age,
	 .lib_only = true},
};
/* clang-format on */

const struct subr *subr_rows(uint32_t *n)
{
	*n = sizeof(subrs) / sizeof(*subrs);
	return subrs;
}
