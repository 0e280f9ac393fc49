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

#define NSPEC_DEFAULT 1          /* speculations at a time */
#define NSPEC_MAX 16384          /* limit of the search in speculation() */
#define STRSIZE_DEFAULT 256      /* bytes of a string, its NUL included */
#define SCRATCHSIZE_DEFAULT 2048 /* bytes of memory that a clause may allocate */

struct compile_opts {
	const struct lang *lang; /* tables of the language: compiler/builtins/lang.h */

	/* The target. */
	bool replay;          /* types from ksim.h, code for our virtual machine */
	const char *btf_path; /* NULL: /sys/kernel/btf/vmlinux */
	bool nocast;          /* generate code for a kernel without bpf_rdonly_cast() and dynptrs */
	bool nofentry;        /* generate code for a kernel that cannot trace functions */
	uint32_t ncpu;        /* CPUs with counters of their own; 0: 1 */
	uint32_t only_cpu;    /* 1 + the only CPU whose events count; 0: all CPUs */

	/* Libraries and descriptions. */
	bool nolibs;
	bool whole; /* for tests: parses and checks all of the library, needed or not */
	const char *const *libdir; /* -L: more library directories */
	unsigned nlibdir;
	bool zdefs;                    /* a description that matches nothing is no error */
	const struct allowed *allowed; /* the probes that may be enabled; NULL: all */
	struct stability amin;         /* least stability of everything that programs use */
	/*
	 * value of `host`, and the only host that descriptions with five fields match; NULL: unset
	 */
	const char *host;

	/* Filters: D expressions over the names of translators/filter.d. NULL: no filter. */
	const char *filter;      /* filter of packets and connections */
	const char *filter_task; /* filter of the current process */
	/* the part of the filter that needs the owner, for messages; NULL: none */
	const char *filter_owner;
	/* the valid program that __passes() runs, for -x filter live; NULL: none */
	const struct classic_program *packet_filter;

	/* value of the constant `slower`, in ns; not 0: the program must use it */
	uint64_t slower;

	/* Sizes. 0 stands for the default, which is in brackets. */
	uint32_t strsize;     /* bytes of a string [STRSIZE_DEFAULT] */
	uint32_t scratchsize; /* bytes that a clause may allocate [SCRATCHSIZE_DEFAULT] */
	uint32_t stackframes, ustackframes; /* frames of stack( ), ustack( ) [STACK_FRAMES] */
	uint32_t jstackframes;              /* frames of jstack( ) [JSTACK_FRAMES] */
	uint32_t pcapsize;                  /* bytes of a packet that pcap( ) takes [PCAPSIZE] */
	uint64_t nspec; /* 1 + number of speculations at a time [NSPEC_DEFAULT + 1] */
	/* memory for the keys of all aggregations; 0: 1 GiB each in replay, 256 MB live */
	uint64_t agg_bytes;

	/* The contents of records. */
	bool capture; /* clauses record the packets of their probes */
	bool timed;   /* records have the time of the firing */
	bool counted; /* each CPU counts the firings of live probes */

	/*
	 * Functions that answer questions about the machine. The first five are also members of
	 * struct host_env.
	 */
	int (*fentry)(uint32_t func);
	enum host_kprobes (*kprobes)(void);
	int (*kprobe_at)(uint64_t addr);
	int (*uprobes)(void);
	void (*settle)(int pid);
	/* Returns whether a program at a hook of that kind can read the stack. NULL: it can. */
	bool (*stack_at)(enum hook_kind);
	/*
	 * Returns the most bytes that keys of aggregations may take on this machine, with
	 * @agg_bytes 0. Called only for a program that has such keys. NULL: no limit.
	 */
	uint64_t (*agg_limit)(void);
	/* Returns whether programs have arenas, for the keys of aggregations. NULL: no. */
	bool (*arena_maps)(void);
	/* Returns whether a program may write to the memory of a process. NULL: it may. */
	bool (*writes_user)(void);
	/*
	 * Finds the number whose name is @text. Returns false, and the reason in @why, if there is
	 * none. NULL: no names are known.
	 */
	bool (*named)(enum named_kind what, const char *text, uint64_t *id, const char **why);
	/*
	 * Finds the address of a kernel symbol (@mod "": of any module), and the bytes up to the
	 * next symbol. NULL: no symbols are known.
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
