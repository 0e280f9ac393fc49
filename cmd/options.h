/*
 * options.h - the -x options of the command. Some flags of the command line set the same options.
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
	/* folder whose library replaces the built-in library; NULL without one */
	const char *syslibdir;
	VEC(const char *) libdir; /* folders of more libraries (-L) */
	struct cpp_opts cpp;
	bool defaultargs; /* arguments $1 ... that were not given are 0 or "" */
	bool argref;      /* arguments that no program uses are not an error */
	bool empty;       /* a program without clauses is not an error */

	/* Rights of programs. */
	bool destructive;
	bool locked;        /* programs may set only options of their output */
	bool signal_status; /* a run that a signal ends has its own exit status */
	/* file that lists the probes that may be enabled; NULL allows all probes */
	const char *probes;
	const char *confine; /* "off": go on if rights cannot be given up; NULL: fail */
	bool live_only;      /* the program needs data that captures do not have */

	/* Output. */
	bool errtags;     /* messages begin with D's error tag */
	bool verify;      /* -e loads the program into the kernel, but attaches nothing */
	const char *dump; /* stage of the compiler to print: ast, typed, ir, plain or bpf */
	const char *view; /* "top" for a screen that shows the top keys; NULL for no screen */

	/* Files and ports that a run opens. */
	const char *aggout;  /* file for the aggregations, or NULL */
	const char *capture; /* file for the packets of the probes, "-" for stdout, or NULL */
	const char *listen;  /* address and port for serving metrics, or NULL */
	/* names of the options of this group that the command line or the environment has set */
	VEC(const char *) given;

	/* -x filter: an expression of tcpdump, or NULL for all packets */
	const char *packet_filter;

	/* Options of live runs. */
	uint64_t bpf_rate; /* ns between two firings of iter:::bpf_prog; 0 if it fires only once */
	/*
	 * "arena" or "kernel": where the keys of aggregations are stored; NULL to choose the best
	 */
	const char *maps;
	struct filters filter;
	enum target_hold hold; /* where -c stops its command until tracing starts */
	env_changes env;       /* changes of the environment for the command of -c */

	/* Options of replays. */
	bool checked, nojit;
	/* Maximum number of processes that share a capture. 0 means one for each CPU. */
	uint32_t jobs;
	/* Maximum number of TCP connections at a time. 0 means TCP_CONNS_DEFAULT. */
	uint32_t conns;
	/* -x promisc: -r INTERFACE also receives packets to other machines */
	bool promiscuous;
	const char *local;         /* -x local: the addresses that belong to this host */
	struct aggfiles_how files; /* how the files of --merge and --diff are read */

	/* State of option_set(). */
	bool at_command_line; /* the option to set is from the command line, not from a program */
	/* message about the last error; if empty, option_strerror() has the message */
	struct strbuf why;
};

/*
 * Sets the -x option @name to @value, which is NULL if no value was given. Returns 0 or an enum
 * option_error. The options may keep pointers into @value, so @value must outlive them.
 */
int option_set(struct cmd_opts *o, const char *name, const char *value);

/* Returns the message about error @err, which option_set() has just returned. */
const char *option_wrong(const struct cmd_opts *o, int err);

/*
 * Sets an option from each variable DTRACE_OPT_name=value of the environment @env. Returns 0 or an
 * enum option_error. On failure, *@bad is the variable that is wrong. The options keep pointers
 * into @env.
 */
int option_environment(struct cmd_opts *o, const char *const *env, const char **bad);

/*
 * Frees the memory that the options own. The caller still owns the strings that it passed to
 * option_set().
 */
void options_release(struct cmd_opts *o);

/*
 * Returns the name of the option with index @n, or NULL if @n is behind the last option. The name
 * is "" for an option that is not supported. Sets *@words to a list of the possible values,
 * separated by blanks. *@words is "" if the option takes any value, and NULL if the option is a
 * flag, which is on or off.
 */
const char *option_name(unsigned n, const char **words);

/*
 * Returns the option that a user may have meant by the unknown @name: a synonym, or an option with
 * almost the same spelling. Returns NULL if there is no such option.
 */
const char *option_meant(const char *name);

/* Returns whether @name is an option that cannot change while tracing. */
bool option_is_static(const char *name);

/*
 * Returns whether a pragma that sets the option @name must take effect before the program is
 * compiled.
 */
bool option_is_early(const char *name);

/*
 * Appends the options that change what a program counts in a capture, each with its value and a
 * NUL. Options that only change how the result is printed are left out.
 */
void options_add_counted(struct strbuf *out, const struct cmd_opts *o);

/*
 * Returns whether the option @name makes dtrace write a file or open a port. A program may set such
 * an option only if destructive actions are allowed.
 */
bool option_reaches_outside(const char *name);

/*
 * Returns whether the option @name with @value (may be NULL) could start a command. That is so for
 * the path of the preprocessor, and for arguments of the preprocessor, because some of them start
 * commands. A value "@file" passes the arguments in that file.
 */
bool option_starts_command(const char *name, const char *value);

/*
 * Returns whether the option @name makes --check read other files than the script, or run the
 * preprocessor.
 */
bool option_reads_files(const char *name);

/*
 * Notes which options that write a file or open a port (option_reaches_outside()) are set now. Call
 * this function when only the command line and the environment have set options.
 */
void options_are_given(struct cmd_opts *o);

/*
 * Returns whether the command line or the environment has set the option @name. If so, a program
 * does not change that option.
 */
bool option_is_given(const struct cmd_opts *o, const char *name);

/*
 * Returns the interval in ns between two samples of the aggregations, for outputs that show how
 * aggregations change over time.
 */
uint64_t option_sample_rate(const struct cmd_opts *o);

#endif
