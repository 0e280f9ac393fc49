/*
 * options.h - what the command was asked to do: switches and -x options.
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/compile.h"
#include "cmd/merge/files.h"
#include "cmd/cpp.h"
#include "cmd/filter.h"
#include "cmd/target/target.h"
#include "consumer/consumer.h"

struct cmd_opts {
	struct compile_opts compile;
	struct consumer_opts consumer;
	const char *syslibdir; /* read instead of what is built in */
	VEC(const char *) libdir;
	bool defaultargs, argref, errtags, destructive, locked, empty, checked, nojit, verify;
	const char *dump; /* ast, typed, ir, plain, bpf */
	const char *
		maps; /* of keys of aggregations: "arena", "kernel"; NULL: what the kernel can do */
	uint32_t jobs;  /* replay: processes that share a capture at most; 0: one a CPU */
	uint32_t conns; /* replay: TCP connections followed at a time; 0: the default */
	struct cpp_opts cpp;
	enum target_hold hold;
	env_changes env;           /* of what -c starts */
	const char *view;          /* "top"; NULL: none */
	struct aggfiles_how files; /* of --merge and --diff */
	const char *listen;        /* where metrics are asked for */
	struct filters filter;
	/* the last option that failed: what may have been meant; empty: there is no more to say */
	struct strbuf why;
	bool live_only;    /* what the program asks for no capture tells: -r is refused */
	bool promiscuous;  /* -r INTERFACE: packets for other machines, too */
	const char *local; /* replay: whose side we are on */
	/* replay: -x filter=, tcpdump's expression of which packets are wanted */
	const char *sieve;
	const char *probes;   /* file of those that may be enabled; NULL: all may */
	const char *aggout;   /* file for the aggregations, as they are at the end; NULL: none */
	const char *confine;  /* "off": go on where rights cannot be given up; NULL: do not */
	bool at_command_line; /* an option of the command line is being set */
	/* file for the packets of the probes; "-": standard output; NULL: none */
	const char *capture;
	VEC(const char *) given; /* names, for option_is_given() */
};

/*
 * Sets -x option @name (@value NULL: none given).  0 or an option_error.  The strings
 * must live as long as the options.
 */
int option_set(struct cmd_opts *o, const char *name, const char *value);

/* ns from one look at the aggregations to the next, for outputs that show them over time. */
uint64_t option_sample_rate(const struct cmd_opts *o);

/* Frees what the options own.  The strings that they were set to are the caller's. */
void options_release(struct cmd_opts *o);

/* What is wrong, if option_set() gave @err just now. */
const char *option_wrong(const struct cmd_opts *o, int err);

/* Must option @name of a program be set before the program is compiled? */
bool option_is_early(const char *name);

/*
 * Does option @name have dtrace write a file or open a port?  The text of a program may set it only
 * if destructive actions are allowed.
 */
bool option_reaches_outside(const char *name);

/* Remembers which of those options the command line and the environment have set. */
void options_are_given(struct cmd_opts *o);

/* Did they set @name, which reaches outside?  Then it is not the program's to change. */
bool option_is_given(const struct cmd_opts *o, const char *name);

/*
 * Sets what the environment @env says by DTRACE_OPT_name=value.  0 or an option_error, of the
 * variable that @bad then is.  The strings must live as long as the options.
 */
int option_environment(struct cmd_opts *o, const char *const *env, const char **bad);

/*
 * The name of the n-th option, also of those that only consumer_setopt() knows; NULL: there are no
 * more.  @words: values that it may have, with blanks between; "": any; NULL: on or off.
 */
const char *option_name(unsigned n, const char **words);

/*
 * What @name, which is no option, may have been meant to be: another's word, or a near one.  NULL:
 * nothing is near.
 */
const char *option_meant(const char *name);

/* Is @name an option that cannot change while tracing? */
bool option_is_static(const char *name);

#endif
