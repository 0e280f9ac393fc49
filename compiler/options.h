/*
 * options.h - the options of a compile, and functions that answer questions about the machine.
 *
 * The caller fills in a struct compile_opts. compiler_new() copies the struct and replaces each 0
 * that stands for a default. Nothing changes an option afterwards.
 */
#ifndef COMPILER_OPTIONS_H
#define COMPILER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stability.h"
#include "ir/program.h"
#include "providers/provider.h"

struct allowed;
struct classic_program;
struct lang;

#define NSPEC_DEFAULT 1 /* number of speculations at a time, unless -x nspec sets it */
/* maximum number of speculations; speculation() may try each of them */
#define NSPEC_MAX 16384
#define STRSIZE_DEFAULT 256      /* size of a string in bytes, with its NUL */
#define SCRATCHSIZE_DEFAULT 2048 /* bytes of memory that a clause may allocate */

struct compile_opts {
	/* tables of the language's functions and variables: compiler/builtins/lang.h */
	const struct lang *lang;

	/* The kernel for which code is generated. */
	/*
	 * Compile for replay: for the virtual machine of dtrace, with the types of the simulated
	 * kernel (ksim.h) instead of BTF.
	 */
	bool replay;
	/* file of the kernel's types; NULL stands for /sys/kernel/btf/vmlinux */
	const char *btf_path;
	bool nocast;   /* generate code for a kernel without bpf_rdonly_cast() and dynptrs */
	bool nofentry; /* generate code for a kernel that cannot trace functions */
	uint32_t ncpu; /* number of CPUs that have counters of their own; 0 stands for 1 */
	/* 1 + the number of the only CPU whose events count, or 0 if all CPUs count */
	uint32_t only_cpu;

	/* Libraries and descriptions. */
	bool nohint; /* no warnings about what a program that compiles probably does not mean */
	bool nolibs;
	/* set by tests: parse and check the whole library, not only the needed definitions */
	bool whole;
	const char *const *libdir; /* library directories that -L names */
	unsigned nlibdir;
	bool zdefs;                    /* a description that matches nothing is no error */
	bool noskips;                  /* do not name the probes that a replay leaves out */
	const struct allowed *allowed; /* the probes that may be enabled, or NULL if all may */
	struct stability amin;         /* least stability of everything that programs use */
	/*
	 * Value of the constant `host`, or NULL if it is unset. A description with five fields
	 * matches only if its first field matches this name.
	 */
	const char *host;

	/*
	 * Filters are D expressions with the names of translators/filter.d. A filter that was not
	 * given is NULL.
	 */
	const char *filter;      /* filter of packets and connections */
	const char *filter_task; /* filter of the current process */
	/*
	 * The part of the filter that needs the owning process of a packet, for messages. NULL if
	 * no part needs it.
	 */
	const char *filter_owner;
	const char *filter_ends; /* likewise, the part that needs addresses or ports */
	/*
	 * The classic BPF program that __passes() runs, for -x filter in a live run. The caller has
	 * checked it. NULL if there is none.
	 */
	const struct classic_program *packet_filter;

	/*
	 * Value of the constant `slower`, in ns. If it is not 0, the program must use the constant.
	 */
	uint64_t slower;

	/* Sizes. 0 stands for the default, which is in brackets. */
	uint32_t strsize;     /* bytes of a string [STRSIZE_DEFAULT] */
	uint32_t scratchsize; /* bytes that a clause may allocate [SCRATCHSIZE_DEFAULT] */
	uint32_t stackframes, ustackframes; /* frames of stack( ), ustack( ) [STACK_FRAMES] */
	uint32_t jstackframes;              /* frames of jstack( ) [JSTACK_FRAMES] */
	uint32_t pcapsize;                  /* bytes of a packet that pcap( ) takes [PCAPSIZE] */
	uint64_t nspec; /* 1 + number of speculations at a time [NSPEC_DEFAULT + 1] */
	/*
	 * Bytes of memory for the keys of all aggregations. In a live run, 0 stands for 256 MB or
	 * for agg_limit(), if that is less. In replay, 0 stands for 1 GiB for each aggregation.
	 */
	uint64_t agg_bytes;

	/* The contents of records. */
	bool capture; /* clauses record the packets of their probes */
	bool timed;   /* records have the time when their probe fired */
	bool counted; /* each CPU counts the firings of live probes */

	/*
	 * Functions that answer questions about the machine. providers/provider.h describes the
	 * first five, which are also members of struct host_env.
	 */
	int (*fentry)(uint32_t func);
	enum host_kprobes (*kprobes)(void);
	int (*kprobe_at)(uint64_t addr);
	int (*uprobes)(void);
	void (*settle)(int pid);
	/*
	 * Returns whether a program can read the stack at a hook of this kind. NULL if every
	 * program can.
	 */
	bool (*stack_at)(enum hook_kind);
	/*
	 * Returns the maximum size in bytes of the keys of aggregations on this machine, for the
	 * case that @agg_bytes is 0. Called only for a program with such keys. NULL if there is no
	 * limit.
	 */
	uint64_t (*agg_limit)(void);
	/*
	 * Returns whether eBPF programs can have arenas (memory that they share with dtrace), which
	 * hold the keys of aggregations. NULL stands for no.
	 */
	bool (*arena_maps)(void);
	/* Returns whether a program may write to the memory of a process. NULL stands for yes. */
	bool (*writes_user)(void);
	/*
	 * Finds the number that @text names among the numbers of kind @what, such as the IDs of
	 * users. Returns false, with the reason in @why, if there is none. NULL if no names are
	 * known.
	 */
	bool (*named)(enum named_kind what, const char *text, uint64_t *id, const char **why);
	/*
	 * Finds the address of a kernel symbol, and the number of bytes up to the next symbol. An
	 * empty @mod stands for any module. NULL if no symbols are known.
	 */
	enum symbol_found (*symbol)(const char *mod, const char *name, uint64_t *addr,
				    uint64_t *size);
};

/*
 * Returns the number of speculations at a time. A number above NSPEC_MAX becomes NSPEC_MAX + 1,
 * which the compiler refuses.
 */
static inline uint32_t opts_nspec(const struct compile_opts *o)
{
	return (uint32_t)(o->nspec - 1 > NSPEC_MAX ? NSPEC_MAX + 1 : o->nspec - 1);
}

#endif
