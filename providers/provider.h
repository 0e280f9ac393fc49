/*
 * provider.h - host providers: providers whose probes are hooks of the kernel or of replay.
 *
 * A stable provider (ip, tcp, udp) is a D file, and its probes derive from these. A host provider
 * knows which probes exist and how a unit is attached to them.
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
	STACK_OF_CODE,   /* that of the code they are in, with tracing's own frames on it */
	STACK_OF_SAMPLE, /* what the sample interrupted, without any */
	STACK_OF_TASK,   /* network programs: only that of the task that they interrupted */
};

/* The sockets whose cookie a program may ask for, besides the socket of its context. */
enum hook_cookie {
	COOKIE_NOBODY,
	COOKIE_TRUSTED, /* a socket that the hook itself is given */
	COOKIE_LOADED,  /* and one that a pointer of such an object leads to */
};

#define HOOK_OWN 6 /* rawtp has three; as many as any kernel has functions there */

/* The registers of a function's arguments and result, as a program sees them. */
struct hook_regs {
	int32_t arg[8]; /* offsets in the context */
	uint32_t narg;
	int32_t ret;
	int32_t caller; /* where a function that was just called returns to; */
	bool on_stack;  /* or, where the address is that says it */
};

/* The C calling convention of this machine. */
extern const struct hook_regs native_regs;

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
	uint32_t nullable; /* bit n: args[n] may be NULL though its type does not say so */
	/* registers with the arguments; NULL: the arguments are an array in the context */
	const struct hook_regs *regs;
	bool entered; /* at the entry of a function of a process, which has no frame yet */
	bool placed;  /* each probe has its own argument locations: */
	const struct arg_location *place;
	uint32_t nplace;
	bool untyped; /* arg and narg are not known yet: see host_provider.type */
	/* hooks of this kind and target are one unit at many points: a family */
	bool many;
	struct attach_point point; /* this one */
	/* a backup unit runs when the first is interrupted; see compiler/code/link.c */
	bool needs_backup;
	bool nests; /* may be interrupted by itself on one CPU */
	/* may fire while the kernel holds a lock that programs need */
	bool of_locks;
	bool gated;  /* fires only while tracing is on */
	int64_t ret; /* what its program must return */

	bool plain; /* it has arg0 ..., but no args[] */
	/* arg0 or arg1 is the instruction that was interrupted: of the kernel, of the process */
	bool sampled;
	/* arguments are a kernel function's, which may be anything; it is on the stack itself */
	bool function;
	/* args[0], args[1]: where, and the result, which the context has behind the rest */
	bool at_return;
	bool ends;      /* its objects are NULL when there are no more */
	bool in_turn;   /* programs on it run one after the other for the same event */
	bool is_run;    /* run by dtrace itself, one event at a time */
	bool of_replay; /* an event of replay's own */
	/* it is about the current task, which can be sent signals and has registers */
	bool by_task;
	/* its program may ask to be run for more of its socket's operations */
	bool takes_flags;
	uint32_t errno_arg; /* args[n] is what a system call gives back; 0: none is */
	enum hook_stack stack;
	/* functions of tracing that can be outermost on the stack; NULL ends the list */
	const char *own[HOOK_OWN];
	enum hook_cookie cookie;
	/* the context's socket: args[0]->NAME; "": args[0]; NULL: it has none */
	const char *ctx_sock;
};

/* A probe of a host provider. */
struct host_probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	struct hook hook;
};

/* KPROBES_EACH: one after the other, which takes as long for each as a program of its own. */
enum host_kprobes { KPROBES_NONE, KPROBES_EACH, KPROBES_AT_ONCE };

struct awaited; /* see below */

/* The environment of the providers. */
struct host_env {
	struct arena *arena;
	struct intern *names;
	struct scope *kernel; /* kernel types: BTF or ksim.h */
	struct btf *btf;      /* NULL in replay */
	bool replay;
	/* Does the kernel trace the function with that BTF id?  0 or a positive errno; NULL: no. */
	int (*fentry)(uint32_t func);
	/* Can one program be attached to functions by kprobes?  NULL: no. */
	enum host_kprobes (*kprobes)(void);
	/* Has the kernel probes of processes?  0 or a positive errno; NULL: no. */
	int (*uprobes)(void);
	/*
	 * Before what process @pid has mapped is looked at: one that we hold has its libraries
	 * then.  NULL: nothing.
	 */
	void (*settle)(int pid);
	/*
	 * Opens a kprobe at that address: a descriptor, or a negative errno.  NULL: there are none.
	 */
	int (*kprobe_at)(uint64_t addr);
	struct objects *objects;          /* what processes have mapped: see host_env_release() */
	struct usdt_file *usdt_files;     /* what files say of their static probes */
	uint32_t usdt_walks;              /* searches so far */
	uint32_t process_ids, inside_ids; /* IDs that probes of processes have, so far */
	VEC(const char *) warning;        /* what the user must know, a line each */
	struct module_types *modules;     /* types of the kernel's modules: see fbt/modules.h */
	/* a probe of a process that does not exist yet is made nevertheless */
	bool await;
	VEC(struct awaited) awaited; /* those that were */
	/* IDs that functions of modules have which are not loaded, so far */
	uint32_t awaited_ids;
	uint32_t rows; /* of struct late_arg that they have */
	int only;      /* where all processes are meant, this one is; 0: all are */
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
 * struct scope's modules(); @ctx: the struct host_env.  Modules are asked in no order that could be
 * relied on.
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
	/* its each_wanted() finds the probe when it has come */
	const struct host_provider *provider;
	/* its point has this one's number, counted from 1, as attach_point.awaited */
	struct host_probe *probe;
	/* whose code it will be in; 0: that of each that the provider may be of */
	int pid;
	/* a static probe: the first of its AWAITED_PLACES rows of struct late_arg */
	uint32_t row;
	uint32_t args; /* bit n: clauses look at argn */
	/* what brings the probe is this module of the kernel; NULL: a process */
	const char *module;
	/* of a module: one for each function that may come (AWAITED_NAMESAKES) */
	struct host_probe *slot[4];
	bool ret; /* of a module: the functions' returns are meant */
};

/* Maximum number of points of an awaited probe, because a process may map files without end. */
#define AWAITED_PLACES 64

/* Maximum number of functions with one name in a module. */
#define AWAITED_NAMESAKES 4

/* Returns the awaited probe for that description, or NULL. */
struct awaited *host_awaited(struct host_env *e, const struct probe_want *w);

struct host_provider {
	const char *name;
	bool by_function; /* probes of one name differ in their function */
	/*
	 * they are made for descriptions that name the provider: "::vfs_read:" does not mean them
	 */
	bool on_demand;
	/* the names that its probes can have, NULL behind them; NULL: any */
	const char *const *only;
	const struct provider_stability *stability; /* NULL: nothing of it can be relied on */
	/* What to tell the user when a hook of it does not exist; NULL: no kernel has it. */
	const char *missing;

	/*
	 * The same for a hook of that function, or such a pattern, if it can be said better (else
	 * NULL); NULL: @missing.
	 */
	const char *(*lacks)(struct host_env *e, const char *func);

	/*
	 * Has the kernel that function, traced or not?  Then @lacks answers who names no provider.
	 * NULL: none.
	 */
	bool (*knows)(struct host_env *e, const char *func);

	/*
	 * In place of find() and each(), where these are all there are: makes number @i of @only.
	 * NULL: not here.
	 */
	struct host_probe *(*make)(struct host_env *e, unsigned i);

	/*
	 * Finds or makes the probe of exactly that function and name ("" matches).
	 * NULL: there is none; an error (a bad tick rate) goes to @d.
	 */
	struct host_probe *(*find)(struct host_env *e, const char *func, const char *name,
				   struct diag *d);

	/* Calls @fn for every probe there is to list. */
	void (*each)(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx);

	/*
	 * For those alone whose function matches pattern @func: where there are many.  NULL: ask
	 * each().
	 */
	void (*each_of)(struct host_env *e, const char *func,
			void (*fn)(void *ctx, struct host_probe *p), void *ctx);

	/*
	 * Where its probes have providers that are called after a process: may @prov, a
	 * description's, be one of those?  NULL: its probes' provider is @name.
	 */
	bool (*is)(const char *prov);

	/*
	 * In place of find() and each(): calls @fn for each of the probes that are wanted.  0, or
	 * -1 with the error in @d.  The same probe is the same object, whoever wants it.
	 */
	int (*each_wanted)(struct host_env *e, const struct probe_want *w,
			   void (*fn)(void *ctx, struct host_probe *p), void *ctx, struct diag *d);

	/*
	 * Of a description that names this provider and matches nothing: calls @fn for each of the
	 * probes that stand for what it would match when a module of the kernel is loaded.  NULL:
	 * modules bring none.
	 */
	void (*await)(struct host_env *e, const struct probe_want *w,
		      void (*fn)(void *ctx, struct host_probe *p), void *ctx);

	/* Finds out the arguments of a probe whose hook is @untyped; NULL: none is. */
	void (*type)(struct host_env *e, struct host_probe *p);

	/* What the kernel calls args[@i]; NULL: not known, of no probe. */
	const char *(*arg_name)(struct host_env *e, const struct host_probe *p, uint32_t i);
};

/* Returns whether @prov is the provider of probes of @h. */
bool host_provider_is(const struct host_provider *h, const char *prov);

/* Call find() or each() of @h, or use make() instead. */
struct host_probe *host_provider_find(const struct host_provider *h, struct host_env *e,
				      const char *func, const char *name, struct diag *d);
void host_provider_each(const struct host_provider *h, struct host_env *e,
			void (*fn)(void *ctx, struct host_probe *p), void *ctx);

/*
 * A probe at the root cgroup: args[0] is its context as the kernel's struct @tag, and the kernel
 * lets happen what it is about.  hook.kind, own and ctx_sock are to be set.  NULL: this kernel's
 * context cannot be had.
 */
struct host_probe *host_cgroup_probe(struct host_env *e, uint32_t id, const char *prov,
				     const char *name, const char *tag);

/* In the order of -l; NULL at the end. */
extern const struct host_provider *const host_providers[];

extern const struct host_provider provider_dtrace, provider_profile, provider_rawtp,
	provider_cgroup_skb, provider_cgroup_sock, provider_sockops, provider_iter, provider_replay,
	provider_fbt, provider_pid, provider_usdt, provider_kinst, provider_sdt;

/* Sets the tracing functions of a hook whose programs run by BPF_PROG_TEST_RUN. */
static inline void hook_is_test_run(struct hook *h)
{
	h->own[0] = "__bpf_prog_test_run_raw_tp";
	h->own[1] = "bpf_prog_test_run_raw_tp";
}

/*
 * Families: probes of one hook that differ by a number.  A stable provider named here declares
 * one probe for each event; it stands for as many as there are names.  They all have one firing,
 * which finds out by the number (the last native argument of the probe) which of them it is: that
 * costs the same whatever their number.
 *
 * Host probes whose hook has @many are families, too: their numbers are given by the linker, in the
 * order in which programs enable them.
 */
struct family_names {
	const char *prov, *mod;
	const char *alias;       /* the module may be called so, too; NULL: no other name */
	const char *const *func; /* by number; NULL: there is none of it */
	uint32_t n;
	/* of number 0 of the first probe; the provider's others follow each */
	uint32_t id;
	/*
	 * D's prototype of the function: args[] of its entry, and twice of its return.  NULL: not
	 * known
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
	ID_SDT = 16384,       /* in the order of rawtp's */
	ID_SYSCALL = 32768,   /* two a number */
	ID_ON_DEMAND = 65536, /* tick-N, profile-N */
	ID_FBT = 1 << 20,     /* two a BTF id */
	/* of functions that it has not got: two a line of the kernel's list */
	ID_FBT_LISTED = 1 << 26,
	ID_FBT_AWAITED = 1 << 27,    /* as they are asked for */
	ID_PROCESS = 1 << 29,        /* in the order in which they are asked for */
	ID_PROCESS_INSIDE = 3 << 28, /* at offsets */
	ID_KINST = 1 << 28,          /* as they are asked for */
	ID_MORE_STABLE = 1 << 30,    /* those that do not fit before ID_CGROUP_SKB */
};

#endif
