/*
 * compile.h - D texts in, one struct program out.
 */
#ifndef COMPILER_COMPILE_H
#define COMPILER_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/stability.h"
#include "compiler/syntax/parse.h"
#include "ir/program.h"

struct allowed;
struct awaited;
struct compiler;
struct lang;
struct probe;
struct probe_desc;

#define NSPEC_MAX 16384 /* speculations that speculation() can look through */

struct compile_opts {
	const struct lang *lang; /* D's rows: compiler/builtins/lang.h */
	bool replay;             /* types from ksim.h, code for our VM */
	const char *btf_path;    /* NULL: /sys/kernel/btf/vmlinux */
	uint32_t strsize;        /* 0: 256 */
	uint32_t scratchsize;    /* bytes of memory that a clause may ask for.  0: 2048 */
	uint32_t stackframes;    /* of stack( ) without an argument; 0: STACK_FRAMES */
	uint64_t nspec; /* 1 more than there may be speculations at a time; 0: one may be */
	uint32_t ustackframes, jstackframes; /* likewise; 0: STACK_FRAMES, JSTACK_FRAMES */
	/* for all keys of aggregations; 0: 1 GiB each in replay, 256 MB live */
	uint64_t agg_bytes;
	uint64_t agg_limit; /* live, @agg_bytes is 0: at most so many all the same; 0: 256 MB */
	uint32_t ncpu;      /* CPUs that count on their own; 0: 1 */
	bool zdefs;         /* a description that matches nothing is no error */
	bool nolibs;
	bool nocast;           /* generate as for a kernel without bpf_rdonly_cast() and dynptrs */
	uint32_t pcapsize;     /* of pcap(); 0: PCAPSIZE */
	struct stability amin; /* all that programs use must be as stable */
	bool capture;          /* clauses record the packets of their probes */
	bool timed;            /* records say when they fired */
	bool counted;          /* each CPU counts the firings of live probes */
	uint32_t only_cpu;     /* one more than the CPU whose events alone are seen; 0: all are */
	/*
	 * Which packets and connections are wanted: D over the names of translators/filter.d.
	 * NULL: all.
	 */
	const char *filter;
	/* the same of a process: D about the one that runs.  NULL: that is not asked */
	const char *filter_task;
	/* the part of it that asks whose they are, for messages; NULL: none does */
	const char *filter_owner;
	const struct allowed *allowed; /* the probes that may be enabled; NULL: all */
	/* what `host` is, and whose descriptions of five fields are.  NULL: there are neither */
	const char *host;
	bool nofentry; /* as for a kernel that lets no function be traced */
	/* May a program at such a hook read its stack here?  NULL: at every hook. */
	bool (*stack_at)(enum hook_kind);
	/* May a program write to a process's memory here?  NULL: it may. */
	bool (*writes_user)(void);
	/* Which number has that name?  False: none, and @why says so.  NULL: nobody knows. */
	bool (*named)(enum named_kind what, const char *text, uint64_t *id, const char **why);
	/*
	 * Where the kernel has a symbol (mod "": anywhere), up to the next.  NULL: none is known.
	 */
	enum symbol_found (*symbol)(const char *mod, const char *name, uint64_t *addr,
				    uint64_t *size);
	const char *const *libdir; /* -L: more library directories */
	unsigned nlibdir;
	int (*fentry)(uint32_t func);       /* see struct host_env */
	enum host_kprobes (*kprobes)(void); /* likewise */
	int (*kprobe_at)(uint64_t addr);
	int (*uprobes)(void);
	void (*settle)(int pid);
};

/* What each stage made, for -S and -x dump=; texts are appended as stages run. */
struct compile_dump {
	struct strbuf *ast, *typed, *ir, *plain, *bpf; /* NULL: not wanted */
};

/*
 * Reads the libraries.  If that fails the error is in @d, and the compiler is good
 * for compiler_free() only: it owns the text that the error points into.  It owns
 * everything it returns, programs included.
 */
struct compiler *compiler_new(const struct compile_opts *o, struct diag *d);
void compiler_free(struct compiler *c);

/*
 * Parses one text and enables its clauses.  @src and the texts in it must live
 * as long as the compiler.  Sets @matched to the number of probes over all its
 * clauses.  Options of pragmas are kept: compiler_options().
 */
int compiler_add(struct compiler *c, const struct src *src, const struct parse_opts *o,
		 unsigned *matched, struct strbuf *ast_dump);

/* Generates the program; NULL with the error in the diag given to compiler_new(). */
struct program *compiler_finish(struct compiler *c, const struct compile_dump *dump);

/* The n-th "#pragma D option"; false: there are no more. */
bool compiler_option(struct compiler *c, unsigned n, const char **name, const char **value,
		     struct loc *loc);

/* For the listing: what a matched probe is called and what its arguments are. */
struct probe_listing {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	uint32_t narg;
	const char **arg;  /* types, as text; only when asked for */
	const char **hook; /* hooks in use, "rawtp:::netif_receive_skb" */
	uint32_t nhook;
	const char *missing; /* what this kernel lacks, if nhook is 0 */
	/* groups of hooks that are not for this kernel: "HOOK: reason (file, line N)" */
	const char **passed;
	uint32_t npassed;
	bool stable;
	struct stability desc, args; /* only when asked for */
};

/*
 * Lists the probes that the descriptions in text match ("" all; @o as for compiler_add):
 * calls @fn for each probe, @none for each description that matches none, with what the kernel
 * @lacks for it (NULL: that is not known).  0, or -1 on an error.
 */
int compiler_list(struct compiler *c, const struct src *src, const struct parse_opts *o,
		  bool verbose, void (*fn)(void *ctx, const struct probe_listing *l),
		  void (*none)(void *ctx, const char *desc, const char *lacks), void *ctx);

/*
 * How stable what text @src enabled is: the least of its descriptions, and of what its clauses
 * use.  @fn, if it is given, is called for each description.
 */
struct program_stability {
	struct stability desc, body;
};
struct program_stability compiler_stability(struct compiler *c, const struct src *src,
					    void (*fn)(void *ctx, const char *desc,
						       const struct probe_listing *l),
					    void *ctx);

/*
 * The probes of processes that were asked for and do not exist yet (-Z), @n of them, in the order
 * of their numbers (attach_point.awaited); they live as long as the compiler.
 */
const struct awaited *compiler_awaited(const struct compiler *c, unsigned *n);

/* Warnings of the enabling, such as a probe that does not exist here; NULL: no more. */
const char *compiler_warning(struct compiler *c, unsigned n);

#endif
