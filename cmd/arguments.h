/*
 * arguments.h - the parsed command line.
 */
#ifndef CMD_ARGUMENTS_H
#define CMD_ARGUMENTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/vec.h"
#include "cmd/options.h"

/*
 * The task that the command line asks for. If it asks for several tasks, dtrace does only the last
 * of them in this list.
 */
enum task {
	TASK_TRACE,    /* compile the program and, without -e, run it */
	TASK_LIST,     /* -l */
	TASK_CHECK,    /* --check */
	TASK_OBJECTS,  /* -G, -h */
	TASK_SCRIPTS,  /* --scripts */
	TASK_MERGE,    /* --merge */
	TASK_DIFF,     /* --diff */
	TASK_VERSION,  /* -V, --version */
	TASK_HELP,     /* --help */
	TASK_COMPLETE, /* --complete, for the completion of shells */
	TASK_TEST,     /* --test */
};

/*
 * The argument of one -P, -m, -f, -n, -i or -s, which is a program or the name of a script.
 * texts_read() sets src and owned.
 */
struct text {
	int opt; /* the option's letter */
	const char *arg;
	struct src src;
	char *owned; /* contents of the file, or NULL */
	char *path;  /* path of the installed script that @arg names, or NULL */
};

/* The argument of one -c or -p. */
struct process {
	int opt; /* the option's letter */
	const char *arg;
};

/*
 * The parsed command line. Before arguments_parse(), all members must be zero, except the options
 * whose defaults are not zero.
 */
struct arguments {
	enum task task;
	/* the options, set by the environment, then the command line, then the program */
	struct cmd_opts o;
	VEC(struct text) text;
	VEC(struct process) process;
	const char *name;      /* the name that the user typed for the command */
	VEC(const char *) arg; /* the macro arguments: $0, $1 ... */
	/* the argument of -r: a capture file, "-" or an interface; NULL to trace this host */
	const char *replay;
	const char *output;   /* the argument of -o, or NULL for stdout */
	const char *complete; /* the argument of --complete: the kind of words to print */
	const char *test;     /* folder of --test */
	char mode;            /* the one of -A -G -h -l -V that was given, or 0 */
	bool compile_only;    /* -e, --check */
	bool show_code;       /* -S */
	bool long_version;    /* --version: -V with our own version and license */
	/* -q or -x quiet was on the command line or in the environment, not only in a pragma */
	bool quiet_given;
	/* -x oformat or --libxo was on the command line or in the environment */
	bool form_given;
	unsigned verbose; /* how often -v was given */
	VEC(char *) kept; /* copies of arguments, into which options point */
	struct arena mem;
	struct intern names; /* words of pragmas that options point into; their memory is in mem */
};

/*
 * Reads the command line and the environment into @args. Returns 0. On failure, prints a message
 * and returns the exit status. @argv must live as long as @args. Call arguments_release() in both
 * cases.
 */
int arguments_parse(struct arguments *args, int argc, char **argv);
void arguments_release(struct arguments *args);

/*
 * Applies the options in the first line of a script, "#!/usr/sbin/dtrace -Cs". Only options that
 * change whether the script compiles are applied: -C, -w, -x, -D, -U and -I. An option that could
 * start a command is ignored with a message. If @foreign is set, somebody else can change the
 * script. Then options that read other files are ignored, too. @text is the script. Returns 0. On
 * failure, prints a message and returns the exit status.
 */
int arguments_first_line(struct arguments *args, const char *text, bool foreign);

#endif
