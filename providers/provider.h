/*
 * provider.h - host providers: providers whose probes are hooks of the kernel or of replay.
 *
 * A stable provider (ip, tcp, udp) is a D file, and its probes derive from those of host providers.
 * A host provider knows which probes exist and how a unit is attached to them.
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

/* How a program at a hook gets a stack. */
enum hook_stack {
	STACK_OF_CODE,   /* the program's own stack, with frames of tracing on top */
	STACK_OF_SAMPLE, /* the stack that the sample interrupted, without such frames */
	STACK_OF_TASK,   /* network programs: only the stack of the interrupted task */
};

/* The sockets whose cookie a program may ask for, besides the socket of its context. */
enum hook_cookie {
	COOKIE_NOBODY,
	COOKIE_TRUSTED, /* a socket that is an argument of the hook */
	COOKIE_LOADED,  /* also a socket that such an argument points to */
};

#define HOOK_OWN 6 /* enough for all kernels; rawtp has three */

/* The registers of a function's arguments and result, as a program sees them. */
struct hook_regs {
	int32_t arg[8]; /* offsets in the context */
	uint32_t narg;
	int32_t ret;
	int32_t caller; /* register that holds the return address at entry, */
	bool on_stack;  /* or, if set, the address of the return address */
};

/* The C calling convention of this machine. */
extern const struct hook_regs native_regs;

/* Rights of programs at hooks of one kind. */
struct hook_kind_info {
	bool task_storage; /* such programs may use the storage of the current thread */
	bool exclusive;    /* on one CPU, no program of an exclusive kind interrupts another */
	/*
	 * The object that the context stands for must be cast to its type again. Without the cast,
	 * the verifier searches all names of all types at each load of a pointer from the object,
	 * which takes a millisecond for each path.
	 */
	bool recast_ctx;
};

/* Returns the row of hook_kinds.c. A kind without a row is allowed nothing. */
const struct hook_kind_info *hook_kind_info(enum hook_kind kind);

/*
 * A hook: what a unit is attached to, and what a program there may do. The compiler uses these
 * members and never the kind of hook.
 */
struct hook {
	enum hook_kind kind;
	const char *target; /* see struct unit */
	enum run_kind run;
	uint64_t period_ns;
	uint32_t attach_btf_id;
	struct type **arg; /* types of the hook's arguments */
	uint32_t narg;
	bool behind; /* args[0] is the kernel's object that the program's context stands for */
	uint32_t nullable; /* bit n: args[n] may be NULL, although its type does not say so */
	struct {
		/* registers with the arguments; NULL: the arguments are an array in the context */
		const struct hook_regs *regs;
		bool entered; /* at the entry of a function of a process, which has no frame yet */
		bool placed;  /* each probe has its own argument locations: */
		const struct arg_location *place;
		uint32_t nplace;
		/*
		 * the probe is one of all processes, in a file that not only root may have written:
		 * so wrong locations must not stop the run
		 */
		bool foreign;
	} args_at;
	bool untyped; /* arg and narg are not set yet: see host_provider.type */
	/* hooks of this kind and target are one unit with many points: a family */
	bool many;
	struct attach_point point; /* the attach point of this hook */
	/* a backup unit runs when the first is interrupted; see compiler/code/units/nesting.c */
	bool needs_backup;
	bool nests; /* on one CPU, the hook may interrupt itself */
	/* may fire while the kernel holds a lock that programs need */
	bool of_locks;
	bool gated;  /* fires only while the gate is open */
	int64_t ret; /* the program's return value */

	bool plain; /* it has arg0 ..., but no args[] */
	/*
	 * arg0 or arg1 is the address of the interrupted instruction, of the kernel or of the
	 * process
	 */
	bool sampled;
	/*
	 * the arguments are those of a kernel function, with any value; the function is on the
	 * stack
	 */
	bool function;
	/*
	 * args[0] is the location and args[1] the result, which the context has after the arguments
	 */
	bool at_return;
	bool ends;      /* its objects are NULL at the end of an iteration */
	bool in_turn;   /* several programs run one after the other for an event */
	bool is_run;    /* run by dtrace itself, one event at a time */
	bool of_replay; /* an event of replay's own */
	/* the hook is about the current task, which has registers and can receive signals */
	bool by_task;
	uint32_t errno_arg; /* n: args[n] is the result of a system call; 0: no argument is */
	struct {
		enum hook_stack kind;
		/* functions of tracing that can be outermost on the stack; NULL ends the list */
		const char *own[HOOK_OWN];
	} stack;
	struct {
		enum hook_cookie cookie;
		/* the context's socket: args[0]->NAME; "": args[0]; NULL: no socket */
		const char *of_ctx;
		bool takes_flags; /* its program may use __ask_for() */
	} socket;
};

/* A probe of a host provider. */
struct host_probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	struct hook hook;
};

/* KPROBES_EACH: attached one at a time, as slowly as programs of their own. */
enum host_kprobes { KPROBES_NONE, KPROBES_EACH, KPROBES_AT_ONCE };

struct awaited; /* see below */

/* The environment of the providers. */
struct host_env {
	struct arena *arena;
	struct intern *names;
	struct scope *kernel; /* kernel types: BTF or ksim.h */
	struct btf *btf;      /* NULL in replay */
	bool replay;
	/*
	 * Returns 0 if the kernel can trace the function with BTF id @func, or a positive errno.
	 * NULL: fentry is not available.
	 */
	int (*fentry)(uint32_t func);
	/*
	 * Returns how one program can be attached to functions by kprobes. NULL: kprobes are not
	 * available.
	 */
	enum host_kprobes (*kprobes)(void);
	/* Returns 0 if the kernel has uprobes, or a positive errno. NULL: it has none. */
	int (*uprobes)(void);
	/*
	 * Called before the mappings of process @pid are read: lets a process that -c holds run
	 * until its libraries are loaded. NULL: not needed.
	 */
	void (*settle)(int pid);
	/*
	 * Opens a kprobe at @addr. Returns a descriptor or a negative errno. NULL: kprobes are not
	 * available.
	 */
	int (*kprobe_at)(uint64_t addr);
	struct objects *objects;          /* mappings of processes: see host_env_release() */
	struct usdt_file *usdt_files;     /* static probes of files */
	uint32_t usdt_walks;              /* number of searches so far */
	uint32_t process_ids, inside_ids; /* number of IDs given to probes of processes so far */
	VEC(const char *) warning;        /* warnings for the user, one line each */
	struct module_types *modules;     /* types of the kernel's modules: see fbt/modules.h */
	/* -Z: probes that do not exist yet are created */
	bool await;
	VEC(struct awaited) awaited; /* the probes created for -Z */
	/* number of IDs given to functions of modules that are not loaded */
	uint32_t awaited_ids;
	uint32_t rows; /* rows of struct late_arg in use */
	int only;      /* for descriptions of all processes: use only this one; 0: all */
};

/* Returns whether the probe is about the current process. */
bool names_of_process(const char *prov, const char *name);

/*
 * Returns what Linux lacks for a probe of that name on other systems, or NULL if no other system
 * has it. @name is not a pattern.
 */
const char *probe_elsewhere(const char *prov, const char *name);

/* Frees what host providers allocated outside of the arena. */
void host_env_release(struct host_env *e);

/*
 * Implements struct scope's modules(); @ctx is the struct host_env. The order of modules is
 * undefined.
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
	/* its point has this struct's number, from 1, in attach_point.awaited */
	struct host_probe *probe;
	/* the process; 0: any process of the provider */
	int pid;
	/* a static probe: first of its AWAITED_PLACES rows of struct late_arg */
	uint32_t row;
	uint32_t args; /* bit n: clauses read argn */
	/* the kernel module that will have the probe; NULL: a process will have it */
	const char *module;
	/* for a module: one probe for each function of that name (AWAITED_NAMESAKES) */
	struct host_probe *slot[4];
	bool ret; /* for a module: the probe is at the return */
};

/* Maximum number of points of an awaited probe, because a process may map files without end. */
#define AWAITED_PLACES 64

/* Maximum number of functions with one name in a module. */
#define AWAITED_NAMESAKES 4

/* Returns the awaited probe for description @w, or NULL. */
struct awaited *host_awaited(struct host_env *e, const struct probe_want *w);

struct host_provider {
	const char *name;
	bool by_function; /* probes of one name differ by function */
	/* only descriptions that name the provider match its probes: "::vfs_read:" matches none */
	bool on_demand;
	/* the possible names of its probes, ending with NULL; NULL: any name */
	const char *const *only;
	const struct provider_stability *stability; /* NULL: nothing is stable */
	/*
	 * What the kernel lacks if a hook does not exist, for messages. NULL: the hooks exist only
	 * in replay.
	 */
	const char *missing;

	/*
	 * Returns a more precise text than @missing for the function (or pattern) @func, or NULL.
	 * NULL: always use @missing.
	 */
	const char *(*lacks)(struct host_env *e, const char *func);

	/*
	 * Returns whether the kernel has the function, traceable or not. If so, @lacks also says
	 * why a description without a provider matches no probe. NULL: the provider has no
	 * functions.
	 */
	bool (*knows)(struct host_env *e, const char *func);

	/*
	 * Makes the probe number @i of @only, or returns NULL if it does not exist here. Replaces
	 * find() and each().
	 */
	struct host_probe *(*make)(struct host_env *e, unsigned i);

	/*
	 * Finds or makes the probe with exactly that function and name ("" matches any function).
	 * Returns NULL if there is none; an error (such as a bad tick rate) goes to @d.
	 */
	struct host_probe *(*find)(struct host_env *e, const char *func, const char *name,
				   struct diag *d);

	/* Calls @fn for every probe to list. */
	void (*each)(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx);

	/* Calls @fn for the probes whose function matches the pattern @func. NULL: use each(). */
	void (*each_of)(struct host_env *e, const char *func,
			void (*fn)(void *ctx, struct host_probe *p), void *ctx);

	/*
	 * Returns whether @prov, from a description, may be a provider of its probes, whose names
	 * contain a process. NULL: the provider is @name.
	 */
	bool (*is)(const char *prov);

	/*
	 * Calls @fn for each probe that matches @w. Replaces find() and each(). Returns 0, or -1
	 * with an error in @d. Each probe is created once.
	 */
	int (*each_wanted)(struct host_env *e, const struct probe_want *w,
			   void (*fn)(void *ctx, struct host_probe *p), void *ctx, struct diag *d);

	/*
	 * For a description that names this provider and matches nothing: calls @fn for probes that
	 * stand for later matches in a kernel module. NULL: not supported.
	 */
	void (*await)(struct host_env *e, const struct probe_want *w,
		      void (*fn)(void *ctx, struct host_probe *p), void *ctx);

	/* Sets the arguments of a probe whose hook is @untyped. NULL: no such hooks. */
	void (*type)(struct host_env *e, struct host_probe *p);

	/* Returns the kernel's name of args[@i], or NULL if unknown. NULL: always unknown. */
	const char *(*arg_name)(struct host_env *e, const struct host_probe *p, uint32_t i);
};

/*
 * Returns whether @prov is the name of provider @h, or one of its names with a process, such as
 * "pid4711".
 */
bool host_provider_is(const struct host_provider *h, const char *prov);

/* Call find() and each() of @h. If @h has make(), they call that instead. */
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

/* The host providers in the order of -l, with NULL at the end. */
extern const struct host_provider *const host_providers[];

extern const struct host_provider provider_dtrace, provider_profile, provider_rawtp,
	provider_cgroup_skb, provider_cgroup_sock, provider_sockops, provider_iter, provider_replay,
	provider_fbt, provider_pid, provider_usdt, provider_kinst, provider_sdt;

/* Sets the tracing functions of a hook whose programs run by BPF_PROG_TEST_RUN. */
static inline void hook_is_test_run(struct hook *h)
{
	h->stack.own[0] = "__bpf_prog_test_run_raw_tp";
	h->stack.own[1] = "bpf_prog_test_run_raw_tp";
}

/*
 * Families are probes of one hook that differ by a number. A stable provider in this list declares
 * one probe for each event, which stands for as many probes as there are names. These probes share
 * one firing, and the number (the probe's last native argument) selects the probe. So the cost does
 * not depend on the number of probes.
 *
 * Host probes whose hook.many is set are families, too. The linker numbers them in the order in
 * which they are enabled.
 */
struct family_names {
	const char *prov, *mod;
	const char *alias;       /* another name of the module; NULL: none */
	const char *const *func; /* by number; NULL: no such function */
	uint32_t n;
	/* ID of number 0 of the first probe; the provider's other probes follow for each number */
	uint32_t id;
	/*
	 * Returns D's prototype of a function: its parameters are args[] at entry, its result is
	 * args[] at return. NULL: unknown.
	 */
	const char *(*type)(const char *func);
};

/* Returns the names of the provider's families, or NULL if it has none. */
const struct family_names *family_names(const char *prov);

extern const struct family_names family_syscall;

/* Ranges of probe IDs, one for each provider. */
enum {
	ID_DTRACE = 1,
	ID_STABLE = 16, /* ip, tcp, udp ... in the order of their files */
	ID_CGROUP_SKB = 256,
	ID_CGROUP_SOCK = 272,
	ID_ITER = 288,
	ID_SOCKOPS = 320,
	ID_REPLAY = 384,
	ID_RAWTP = 512,
	ID_SDT = 16384,       /* in rawtp's order */
	ID_SYSCALL = 32768,   /* two for each number */
	ID_ON_DEMAND = 65536, /* tick-N, profile-N */
	ID_FBT = 1 << 20,     /* two for each BTF id */
	/* functions without BTF: two for each line of the kernel's list */
	ID_FBT_LISTED = 1 << 26,
	ID_FBT_AWAITED = 1 << 27,    /* as they are asked for */
	ID_PROCESS = 1 << 29,        /* in the order in which they are asked for */
	ID_PROCESS_INSIDE = 3 << 28, /* at offsets */
	ID_KINST = 1 << 28,          /* as they are asked for */
	ID_MORE_STABLE = 1 << 30,    /* stable probes that do not fit before ID_CGROUP_SKB */
};

#endif
