/*
 * options.h - the -x options of the command, and the flags that are options too.
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

	/* How texts are read. */
	const char *syslibdir; /* folder of the library, in place of the texts that are built in */
	VEC(const char *) libdir; /* -L: more folders of libraries */
	struct cpp_opts cpp;
	bool defaultargs; /* $1 ... that were not given are 0 or "" */
	bool argref;      /* arguments that no text names are no error */
	bool empty;       /* a text without clauses is no error */

	/* Rights of programs. */
	bool destructive;
	bool locked;         /* programs may only set options of their output */
	bool signal_status;  /* a run that a signal ends has a status of its own */
	const char *probes;  /* file that lists the probes that may be enabled; NULL: all may */
	const char *confine; /* "off": go on if rights cannot be given up; NULL: fail */
	bool live_only;      /* the program needs data that captures do not have */

	/* Output. */
	bool errtags;     /* messages have D's error tag */
	bool verify;      /* -e loads the program into the kernel, but attaches nothing */
	const char *dump; /* stage of the compiler that is shown: ast, typed, ir, plain or bpf */
	const char *view; /* "top"; NULL: no screen */

	/* Files and ports that a run opens. */
	const char *aggout;      /* file for the aggregations; NULL: none */
	const char *capture;     /* file for packets of the probes; "-": stdout; NULL: none */
	const char *listen;      /* address and port for metrics; NULL: none */
	VEC(const char *) given; /* options of this group that option_is_given() reports */

	const char *packet_filter; /* -x filter: tcpdump's expression; NULL: all packets */

	/* Live. */
	uint64_t bpf_rate; /* ns between two firings of iter:::bpf_prog; 0: it fires once */
	const char *maps;  /* where keys of aggregations are: "arena" or "kernel"; NULL: the best */
	struct filters filter;
	enum target_hold hold; /* where -c holds its command */
	env_changes env;       /* of the command of -c */

	/* Replay. */
	bool checked, nojit;
	uint32_t jobs;  /* maximum number of processes that share a capture; 0: one for each CPU */
	uint32_t conns; /* maximum number of TCP connections at a time; 0: TCP_CONNS_DEFAULT */
	bool promiscuous;          /* -r INTERFACE: also packets to other machines */
	const char *local;         /* -x local: the addresses that are this host's */
	struct aggfiles_how files; /* --merge and --diff */

	/* State of option_set(). */
	bool at_command_line; /* the option is from the command line, not from a program */
	struct strbuf why;    /* message about the last error; empty: option_strerror() has it */
};

/*
 * Sets -x option @name; @value is NULL if none was given.  Returns 0 or an enum option_error.  The
 * options keep pointers to both strings.
 */
int option_set(struct cmd_opts *o, const char *name, const char *value);

/* Returns the message about error @err, which option_set() has just returned. */
const char *option_wrong(const struct cmd_opts *o, int err);

/*
 * Sets an option from each variable DTRACE_OPT_name=value of the environment @env.  Returns 0, or
 * an enum option_error with the variable in *@bad.  The options keep pointers into @env.
 */
int option_environment(struct cmd_opts *o, const char *const *env, const char **bad);

/* Frees the memory that the options own. The strings passed to option_set() stay the caller's. */
void options_release(struct cmd_opts *o);

/*
 * Returns the name of the option with index @n, or NULL behind the last. *@words is a list of its
 * possible values with blanks between; "" if it takes any value; NULL if it is on or off. The name
 * is "" for an option that is not supported.
 */
const char *option_name(unsigned n, const char **words);

/*
 * Returns the option that the unknown @name may stand for: a synonym, or a name with almost the
 * same spelling. NULL: there is none.
 */
const char *option_meant(const char *name);

/* Returns whether @name is an option that cannot change while tracing. */
bool option_is_static(const char *name);

/*
 * Returns whether a pragma that sets option @name must take effect before the program is compiled.
 */
bool option_is_early(const char *name);

/*
 * Appends the options that change what a program counts in a capture, with their values.  Options
 * that only change its output are left out.
 */
void options_add_counted(struct strbuf *out, const struct cmd_opts *o);

/*
 * Returns whether option @name makes dtrace write a file or open a port. A program may set such an
 * option only if destructive actions are allowed.
 */
bool option_reaches_outside(const char *name);

/*
 * Returns whether option @name with @value (may be NULL) could start a command: the option names
 * the preprocessor, or passes any arguments to it. Some arguments of the preprocessor start
 * commands. A value "@file" passes the arguments in that file.
 */
bool option_starts_command(const char *name, const char *value);

/* Records which options that reach outside are set by the command line or the environment. */
void options_are_given(struct cmd_opts *o);

/*
 * Returns whether the command line or the environment has set option @name, so that a program does
 * not change it.
 */
bool option_is_given(const struct cmd_opts *o, const char *name);

/*
 * Returns the interval between samples of the aggregations in ns, for outputs that show them over
 * time.
 */
uint64_t option_sample_rate(const struct cmd_opts *o);

#endif
