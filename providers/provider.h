/*
 * provider.h - host providers: providers whose probes are hooks of the kernel or of replay.
 *
 * A stable provider (ip, tcp, udp) is a D file, and its probes derive from those of host providers.
 * A host provider knows which probes exist and how an eBPF program (unit) is attached to them.
 */
#ifndef PROVIDERS_PROVIDER_H
#define PROVIDERS_PROVIDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/stability.h"
#include "base/vec.h"
#include "ir/program.h"
#include "procinfo/note_args.h"
#include "ir/types/type.h"

struct arena;
struct btf;
struct intern;
struct module_types;
struct objects;
struct usdt_file;
struct scope;
struct type;

/* How an eBPF program at a hook gets a stack. */
enum hook_stack {
	STACK_OF_CODE,   /* the program's own stack, with frames of tracing on top */
	STACK_OF_SAMPLE, /* the stack that the sample interrupted, without frames of tracing */
	/* the stack of the interrupted task, the only stack that network programs can get */
	STACK_OF_TASK,
};

/*
 * The sockets whose cookie (the kernel's number of a socket) a program may ask for, besides the
 * socket of its context.
 */
enum hook_cookie {
	COOKIE_NOBODY,
	COOKIE_TRUSTED, /* a socket that is an argument of the hook */
	COOKIE_LOADED,  /* also a socket that an argument of the hook points to */
};

#define HOOK_OWN 3 /* size of hook.stack.own; the provider with the most entries is rawtp */

/* The registers of a function's arguments and result, as a program sees them. */
struct hook_regs {
	int32_t arg[8]; /* offsets of the argument registers in the context */
	uint32_t narg;
	int32_t ret;
	int32_t caller; /* offset of the register that has the return address at entry */
	/* set if that register has the stack address of the return address instead (x86-64) */
	bool on_stack;
	/* offset of the stack pointer, and where the other arguments are from it at entry */
	int32_t sp, on_stack_at;
};

/* Number of arguments that a D program can name: arg0 to arg9. */
#define HOOK_ARGS 10

/* The C calling convention of this machine. */
extern const struct hook_regs native_regs;

/* Rights of programs at hooks of one kind. */
struct hook_kind_info {
	/* the programs may use task storage (a map with a value for each thread) */
	bool task_storage;
	/*
	 * the programs may use the storage of a socket (a map with a value for each socket) if the
	 * socket is an argument of the hook, or is reached from an argument by pointers
	 */
	bool socket_storage;
	/* on one CPU, no program of an exclusive kind interrupts a program of an exclusive kind */
	bool exclusive;
	/*
	 * A program must cast the object behind its context to the object's own type (see
	 * hook.behind). Without the cast, at each load of a pointer from the object, the verifier
	 * searches the names of all types, which takes a millisecond for each path through the
	 * program.
	 */
	bool recast_ctx;
};

/*
 * Returns the row of hook_kinds.c for @kind. Programs at hooks of a kind without a row have none of
 * these rights.
 */
const struct hook_kind_info *hook_kind_info(enum hook_kind kind);

/*
 * A hook: the place where an eBPF program (unit) is attached, and what the program may do there.
 * The compiler reads that from the members; only in a few cases, such as HOOK_UPROBE, it looks at
 * @kind.
 */
struct hook {
	enum hook_kind kind;
	const char *target; /* what the program is attached to: see struct unit in ir/program.h */
	enum run_kind run;
	uint64_t period_ns;
	uint32_t attach_btf_id;
	struct type **arg; /* types of the hook's arguments */
	uint32_t narg;
	/*
	 * Set if the program's context is not the object itself: args[0] is an object of the
	 * kernel, such as a struct sk_buff, and the context is a smaller struct with some of its
	 * members, such as a struct __sk_buff.
	 */
	bool behind;
	/* bit n is set if args[n] may be NULL although its type does not say so */
	uint32_t nullable;
	struct {
		/*
		 * the registers that hold the arguments, or NULL if the arguments are an array in
		 * the context
		 */
		const struct hook_regs *regs;
		/*
		 * set at the entry of a process's function, where the function has no stack frame
		 * yet
		 */
		bool entered;
		bool placed; /* set if each probe has its own argument locations: @place */
		const struct arg_location *place;
		uint32_t nplace;
		/*
		 * The probe is in a file that users other than root may have written, and for all
		 * processes. If this file has a wrong location of an argument, the run must go on.
		 */
		bool foreign;
	} args_at;
	bool untyped; /* arg and narg are not set yet: see host_provider.type */
	/*
	 * All hooks of this kind and target share one eBPF program with many attach points: a
	 * family.
	 */
	bool many;
	struct attach_point point;
	/*
	 * On one CPU, the hook may fire again while its program runs. Then the program runs a
	 * second time within the first run or, if needs_backup is set, the backup runs.
	 */
	bool nests;
	/*
	 * While an eBPF program of this hook is interrupted, the kernel does not run the same
	 * program again. So a second program (backup unit) runs instead: see
	 * compiler/code/units/nesting.c. Only hooks that nest need a backup.
	 */
	bool needs_backup;
	/* the hook may fire while the kernel holds a lock that eBPF programs need */
	bool of_locks;
	/* the hook fires only while the gate is open: between the start and the end of tracing */
	bool gated;
	int64_t ret; /* the program's return value */

	bool plain; /* the probe has arg0 ..., but no args[] */
	/*
	 * arg0 (in the kernel) or arg1 (in a process) is the address of the interrupted instruction
	 */
	bool sampled;
	/*
	 * The hook is in a kernel function, which is on the stack. args[] are the arguments of this
	 * function. A pointer among them may be NULL or invalid.
	 */
	bool function;
	/*
	 * The hook is at a return: args[0] is the location, and args[1] is the result, which
	 * follows the arguments in the context.
	 */
	bool at_return;
	/* the hook is an iterator, whose objects are NULL at the end of the iteration */
	bool ends;
	/* if the hook has several programs, they run one after the other for each event */
	bool in_turn;
	bool is_run;    /* dtrace itself runs the program, for one event at a time */
	bool of_replay; /* an event of replay's own */
	/* the hook is about the current task, which has registers and can receive signals */
	bool by_task;
	/*
	 * index of the argument that is the result of a system call; 0 if there is no such argument
	 */
	uint32_t errno_arg;
	struct {
		enum hook_stack kind;
		/*
		 * The outermost frame of tracing on the stack belongs to one of these functions.
		 * With fentry and fexit, this is the traced function itself. NULL ends the list.
		 * Empty if @kind is STACK_OF_SAMPLE.
		 */
		const char *own[HOOK_OWN];
	} stack;
	struct {
		enum hook_cookie cookie;
		/*
		 * Name of the member of args[0] that is the context's socket, or "" if args[0]
		 * itself is the socket. NULL if there is no socket.
		 */
		const char *of_ctx;
		/* if args[0] is not the socket: offset of the socket in the program's context */
		int32_t ctx_off;
		bool full;        /* args[0] is a full socket, never a small one (TIME_WAIT) */
		bool takes_flags; /* a program at the hook may call __ask_for() */
	} socket;
};

/*
 * Returns whether the hook @h, whose arguments are in registers, has argument @i. The arguments on
 * the stack are known only at the entry of a function.
 */
bool hook_has_register(const struct hook *h, uint64_t i);

/* A probe of a host provider. */
struct host_probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	struct hook hook;
};

/*
 * How the kernel attaches one program to many functions by kprobes: not at all, to one function at
 * a time (as slowly as a separate program for each function), or to all functions at once.
 */
enum host_kprobes { KPROBES_NONE, KPROBES_EACH, KPROBES_AT_ONCE };

struct awaited;

/*
 * What host providers need to find and make probes: memory, the kernel's types, and functions that
 * ask the kernel.
 */
struct host_env {
	struct arena *arena;
	struct intern *names;
	struct scope *kernel; /* kernel types: BTF or ksim.h */
	struct btf *btf;      /* NULL in replay */
	bool replay;
	/*
	 * Returns 0 if the kernel can trace the function with BTF id @func, or a positive errno.
	 * NULL if fentry is not available.
	 */
	int (*fentry)(uint32_t func);
	/*
	 * Returns how one program can be attached to functions by kprobes. NULL if kprobes are not
	 * available.
	 */
	enum host_kprobes (*kprobes)(void);
	/*
	 * Returns 0 if programs can be attached as uprobes, or a positive errno. The pointer is
	 * NULL if the host cannot have uprobes.
	 */
	int (*uprobes)(void);
	/*
	 * Called before the mappings of process @pid are read. If -c holds the process at its
	 * start, lets it run until its libraries are loaded. NULL if no process can be held.
	 */
	void (*settle)(int pid);
	/*
	 * Opens a kprobe at @addr. Returns a descriptor or a negative errno. NULL if kprobes are
	 * not available.
	 */
	int (*kprobe_at)(uint64_t addr);
	/* programs and libraries of processes; freed by host_env_release() */
	struct objects *objects;
	struct usdt_file *usdt_files;     /* static probes of files */
	uint32_t usdt_walks;              /* number of searches for static probes so far */
	uint32_t process_ids, inside_ids; /* number of IDs given to probes of processes so far */
	VEC(const char *) warning;        /* warnings for the user, one line each */
	struct module_types *modules;     /* types of the kernel's modules: see fbt/modules.h */
	/* set with -Z: a probe is also created if it does not exist yet (struct awaited) */
	bool await;
	VEC(struct awaited) awaited; /* the probes created for -Z */
	/* number of IDs given to functions of modules that are not loaded */
	uint32_t awaited_ids;
	uint32_t rows; /* number of rows of struct late_arg in use */
	/*
	 * if not 0: a description of probes in all processes (NAME*) finds probes only in this
	 * process
	 */
	int only;
};

/* Returns whether probe @name of provider @prov is about the current process. */
bool names_of_process(const char *prov, const char *name);

/*
 * Returns what Linux lacks for the probe @prov:::@name of other systems, or NULL if no other system
 * has this probe. @name is not a pattern.
 */
const char *probe_elsewhere(const char *prov, const char *name);

/*
 * Returns whether published programs name the probes of stable provider @prov with module @mod,
 * which has them on another system. The functions that they name are that system's, too.
 */
bool module_elsewhere(const char *prov, const char *mod);

/* Frees what host providers allocated outside of the arena. */
void host_env_release(struct host_env *e);

/*
 * Returns type @name of kernel module @mod, or NULL if there is none. If @mod is NULL, searches all
 * modules, in undefined order. This is the function modules() of struct scope; @ctx is the struct
 * host_env.
 */
struct type *module_type(void *ctx, const char *mod, enum tag_kind kind, const char *name);

/* A description of probes of processes. The fields are patterns. */
struct probe_want {
	const char *prov, *mod, *func, *name;
	struct loc loc;
};

/*
 * A probe that does not exist yet. Its names and the locations of its arguments are known, so that
 * its clauses can be compiled.
 */
struct awaited {
	struct probe_want want;
	/* the provider whose each_wanted() later finds the real probe */
	const struct host_provider *provider;
	/*
	 * the probe that stands for the real one; its attach_point.awaited is the number of this
	 * struct, from 1
	 */
	struct host_probe *probe;
	/* the process, or 0 for any process of the provider */
	int pid;
	/* for a static probe: index of the first of its AWAITED_PLACES rows of struct late_arg */
	uint32_t row;
	uint32_t args; /* bit n is set if clauses read argn */
	/* the kernel module that will have the probe, or NULL if a process will have it */
	const char *module;
	/*
	 * for a module: the probes of up to AWAITED_NAMESAKES functions, because the module may
	 * have several functions of that name
	 */
	struct host_probe *slot[4];
	bool ret; /* for a module: the probe is at the return */
};

/*
 * Maximum number of places where an awaited probe is attached. There must be a maximum, because a
 * process may map any number of files.
 */
#define AWAITED_PLACES 64

/* Maximum number of functions with one name in a module. */
#define AWAITED_NAMESAKES 4

/* Returns the awaited probe for description @w, or NULL. */
struct awaited *host_awaited(struct host_env *e, const struct probe_want *w);

struct host_provider {
	const char *name;
	bool by_function; /* probes with the same name differ in their functions */
	/* only descriptions that name the provider match its probes: "::vfs_read:" matches none */
	bool on_demand;
	/*
	 * the possible names of the provider's probes, with NULL at the end; NULL if any name is
	 * possible
	 */
	const char *const *only;
	const struct provider_stability *stability; /* NULL if nothing is stable */
	/*
	 * What the kernel lacks if a hook does not exist, for messages. NULL if the hooks exist
	 * only in replay, or if the provider has each_wanted().
	 */
	const char *missing;

	/*
	 * Returns a text that replaces @missing in messages about the function or pattern @func, or
	 * NULL to keep @missing. The pointer is NULL if @missing is always used.
	 */
	const char *(*lacks)(struct host_env *e, const char *func);

	/*
	 * Returns whether the kernel has the function, even if it cannot be traced. If so, the text
	 * of @lacks also explains why a description without a provider, such as "::func:", matches
	 * no probe. The pointer is NULL if the provider has no functions.
	 */
	bool (*knows)(struct host_env *e, const char *func);

	/*
	 * Makes the probe with name number @i of @only, or returns NULL if that probe does not
	 * exist here. A provider with this function needs no find() and no each().
	 */
	struct host_probe *(*make)(struct host_env *e, unsigned i);

	/*
	 * Finds or makes the probe with exactly this function and name. If @func is "", any
	 * function matches. Returns NULL if there is none. An error, such as a bad tick rate, is
	 * recorded in @d.
	 */
	struct host_probe *(*find)(struct host_env *e, const char *func, const char *name,
				   struct diag *d);

	/* Calls @fn for every probe that a listing shows. */
	void (*each)(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx);

	/*
	 * Calls @fn for the probes whose function matches the pattern @func. NULL if each() is used
	 * instead.
	 */
	void (*each_of)(struct host_env *e, const char *func,
			void (*fn)(void *ctx, struct host_probe *p), void *ctx);

	/*
	 * Returns whether @prov, from a description, may name this provider, whose names contain a
	 * process ID. The pointer is NULL if the provider has only one name, @name.
	 */
	bool (*is)(const char *prov);

	/*
	 * Calls @fn for each probe that matches @w. Each probe is created only once. Returns 0, or
	 * -1 with an error in @d. A provider with this function needs no find() and no each().
	 */
	int (*each_wanted)(struct host_env *e, const struct probe_want *w,
			   void (*fn)(void *ctx, struct host_probe *p), void *ctx, struct diag *d);

	/*
	 * Called if the description @w names this provider and matches nothing. Calls @fn for
	 * awaited probes, which stand for probes in a kernel module that may be loaded later. NULL
	 * if the provider does not support this.
	 */
	void (*await)(struct host_env *e, const struct probe_want *w,
		      void (*fn)(void *ctx, struct host_probe *p), void *ctx);

	/*
	 * Sets the types of the arguments of a probe whose hook is @untyped. NULL if the provider
	 * has no such hooks.
	 */
	void (*type)(struct host_env *e, struct host_probe *p);

	/*
	 * Returns the kernel's name of args[@i], or NULL if the name is unknown. The pointer is
	 * NULL if the provider knows no names.
	 */
	const char *(*arg_name)(struct host_env *e, const struct host_probe *p, uint32_t i);
};

/*
 * Returns whether @prov is the name of provider @h, or one of its names with a process, such as
 * "pid4711".
 */
bool host_provider_is(const struct host_provider *h, const char *prov);

/* Call find() and each() of @h, or its make() if it has one. */
struct host_probe *host_provider_find(const struct host_provider *h, struct host_env *e,
				      const char *func, const char *name, struct diag *d);
void host_provider_each(const struct host_provider *h, struct host_env *e,
			void (*fn)(void *ctx, struct host_probe *p), void *ctx);

/*
 * Makes a probe at the root cgroup. args[0] is its context as the kernel's struct @tag, and the
 * program lets the packet or socket pass. The caller sets hook.kind, hook.stack.own[0] and
 * hook.socket.of_ctx. Returns NULL if this kernel cannot convert the context.
 */
struct host_probe *host_cgroup_probe(struct host_env *e, uint32_t id, const char *prov,
				     const char *name, const char *tag);

/*
 * Returns the offset of the socket in struct @tag, the context of a program. Returns -1 if this
 * kernel's types do not have it.
 */
int32_t host_ctx_socket(struct host_env *e, const char *tag);

/* The host providers in the order of -l, with NULL at the end. */
extern const struct host_provider *const host_providers[];

extern const struct host_provider provider_dtrace, provider_profile, provider_rawtp,
	provider_cgroup_skb, provider_cgroup_sock, provider_sockops, provider_iter, provider_replay,
	provider_fbt, provider_pid, provider_usdt, provider_kinst, provider_sdt;

/* Sets stack.own of a hook whose programs dtrace runs with BPF_PROG_TEST_RUN. */
static inline void hook_is_test_run(struct hook *h)
{
	h->stack.own[0] = "__bpf_prog_test_run_raw_tp";
	h->stack.own[1] = "bpf_prog_test_run_raw_tp";
}

/*
 * A family is a set of probes of one hook that differ by a number. A stable provider with a struct
 * family_names declares one probe for each event, such as syscall:::entry. This one declaration
 * stands for many probes, such as syscall::read:entry, one for each name in @func. All these probes
 * share one run of the eBPF program, where the number (the probe's last native argument) selects
 * the probe. So the cost does not depend on the number of probes.
 *
 * Host probes whose hook.many is set are families, too. The linker numbers them in the order in
 * which they are enabled.
 */
struct family_names {
	const char *prov, *mod;
	/* names of the functions, indexed by number; NULL for a number without a function */
	const char *const *func;
	uint32_t n;
	/*
	 * First ID of the provider's probes. If the provider declares d probes, declaration k (from
	 * 0) has the ID id + n * d + k for number n.
	 */
	uint32_t id;
	/*
	 * Returns the prototype of a function as D text, or NULL if the prototype is unknown. The
	 * parameters are args[] at entry, and the result is args[] at return. The pointer may be
	 * NULL.
	 */
	const char *(*type)(const char *func);
};

/* Returns the names of the provider's families, or NULL if it has none. */
const struct family_names *family_names(const char *prov);

extern const struct family_names family_syscall;

/* Ranges of probe IDs, one for each provider. */
enum {
	ID_DTRACE = 1,
	/* stable probes (ip, tcp, udp ...), in the order in which they are declared */
	ID_STABLE = 16,
	ID_CGROUP_SKB = 256,
	ID_CGROUP_SOCK = 272,
	ID_ITER = 288,
	ID_SOCKOPS = 320,
	ID_REPLAY = 384,
	ID_RAWTP = 512,
	ID_SDT = 16384,       /* in the order of the rawtp probes */
	ID_SYSCALL = 32768,   /* two for each number of a system call */
	ID_ON_DEMAND = 65536, /* tick-N and profile-N, in the order in which programs name them */
	ID_FBT = 1 << 20,     /* two for each BTF id */
	/* functions without BTF: two for each line of the kernel's list */
	ID_FBT_LISTED = 1 << 26,
	ID_FBT_AWAITED = 1 << 27,    /* in the order in which they are requested */
	ID_PROCESS = 1 << 29,        /* in the order in which they are requested */
	ID_PROCESS_INSIDE = 3 << 28, /* static probes, and probes at offsets */
	ID_KINST = 1 << 28,          /* in the order in which they are requested */
	ID_MORE_STABLE = 1 << 30,    /* stable probes that do not fit before ID_CGROUP_SKB */
};

#endif
