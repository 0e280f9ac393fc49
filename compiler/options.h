/*
 * options.h - what the caller of the compiler asks for, and how the compiler asks the machine.
 *
 * The caller fills in a struct compile_opts.  compiler_new() copies the struct and replaces each 0
 * that stands for a default.  Nothing changes an option afterwards.
 */
#ifndef COMPILER_OPTIONS_H
#define COMPILER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stability.h"
#include "ir/program.h"
#include "providers/provider.h"

struct allowed;
struct lang;

#define NSPEC_DEFAULT 1          /* speculations at a time */
#define NSPEC_MAX 16384          /* speculations that speculation() can look through */
#define STRSIZE_DEFAULT 256      /* bytes of a string, its NUL included */
#define SCRATCHSIZE_DEFAULT 2048 /* bytes of memory that a clause may ask for */

struct compile_opts {
	const struct lang *lang; /* tables of the language: compiler/builtins/lang.h */

	/* The target. */
	bool replay;          /* types from ksim.h, code for our virtual machine */
	const char *btf_path; /* NULL: /sys/kernel/btf/vmlinux */
	bool nocast;          /* generate as for a kernel without bpf_rdonly_cast() and dynptrs */
	bool nofentry;        /* as for a kernel that lets no function be traced */
	uint32_t ncpu;        /* CPUs that count on their own; 0: 1 */
	uint32_t only_cpu;    /* one more than the CPU whose events alone are seen; 0: all are */

	/* Libraries and descriptions. */
	bool nolibs;
	const char *const *libdir; /* -L: more library directories */
	unsigned nlibdir;
	bool zdefs;                    /* a description that matches nothing is no error */
	const struct allowed *allowed; /* the probes that may be enabled; NULL: all */
	struct stability amin;         /* all that programs use must be as stable as this */
	/* value of `host`, and the only host that descriptions of five fields mean; NULL: unset */
	const char *host;

	/* Filters: D over the names of translators/filter.d.  NULL: everything is wanted. */
	const char *filter;      /* which packets and connections are wanted */
	const char *filter_task; /* the same for the process that runs; NULL: not tested */
	/* the part of the filter that asks for the owner, for messages; NULL: none does */
	const char *filter_owner;

	/* Sizes; 0 is the default in brackets. */
	uint32_t strsize;     /* bytes of a string [STRSIZE_DEFAULT] */
	uint32_t scratchsize; /* bytes that a clause may ask for [SCRATCHSIZE_DEFAULT] */
	uint32_t stackframes, ustackframes; /* of stack( ), ustack( ) [STACK_FRAMES] */
	uint32_t jstackframes;              /* of jstack( ) [JSTACK_FRAMES] */
	uint32_t pcapsize;                  /* bytes of a packet that pcap( ) takes [PCAPSIZE] */
	uint64_t nspec; /* one more than the speculations at a time [NSPEC_DEFAULT + 1] */
	/* memory for the keys of all aggregations; 0: 1 GiB each in replay, 256 MB live */
	uint64_t agg_bytes;

	/* The contents of records. */
	bool capture; /* clauses record the packets of their probes */
	bool timed;   /* records say when they fired */
	bool counted; /* each CPU counts the firings of live probes */

	/* Questions to the machine.  The first six are members of struct host_env as well. */
	int (*fentry)(uint32_t func);
	enum host_kprobes (*kprobes)(void);
	int (*kprobe_at)(uint64_t addr);
	int (*uprobes)(void);
	void (*settle)(int pid);
	/* May a program at such a hook read its stack here?  NULL: at every hook. */
	bool (*stack_at)(enum hook_kind);
	/*
	 * Returns the most bytes that keys of aggregations may take on this machine, with
	 * @agg_bytes 0. Called only for a program that has such keys. NULL: no bound.
	 */
	uint64_t (*agg_limit)(void);
	/* Do programs have arenas here, for the keys of aggregations?  NULL: no. */
	bool (*arena_maps)(void);
	/* May a program write to a process's memory here?  NULL: it may. */
	bool (*writes_user)(void);
	/* The number with that name.  False: there is none, and @why says so.  NULL: no names. */
	bool (*named)(enum named_kind what, const char *text, uint64_t *id, const char **why);
	/*
	 * Address of a kernel symbol (@mod "": of any module), and bytes up to the next symbol.
	 * NULL: no symbol is known.
	 */
	enum symbol_found (*symbol)(const char *mod, const char *name, uint64_t *addr,
				    uint64_t *size);
};

/* Speculations at a time; at most NSPEC_MAX + 1, which is refused. */
static inline uint32_t opts_nspec(const struct compile_opts *o)
{
	return (uint32_t)(o->nspec - 1 > NSPEC_MAX ? NSPEC_MAX + 1 : o->nspec - 1);
}

#endif
