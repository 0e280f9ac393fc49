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
 * The task of the command. If the command line asks for several, the last one of this list is done.
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

/* The argument of one -P, -m, -f, -n, -i or -s.  texts_read() sets src and owned. */
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

/* The parsed command line.  Before arguments_parse(), all is zero but the defaults of options. */
struct arguments {
	enum task task;
	struct cmd_opts o; /* the environment, the command line and then the program set these */
	VEC(struct text) text;
	VEC(struct process) process;
	const char *name;      /* how the command was called */
	VEC(const char *) arg; /* $0, $1 ... */
	const char *replay;    /* -r: a capture file, "-" or an interface; NULL: trace this host */
	const char *output;    /* -o; NULL: stdout */
	const char *complete;  /* kind of words that --complete asks for */
	const char *test;      /* folder of --test */
	char mode;             /* which of -A -G -h -l -V was given, or 0 */
	bool compile_only;     /* -e, --check */
	bool show_code;        /* -S */
	bool long_version;     /* --version: -V with our own version and license */
	bool quiet_given;      /* -q on the command line, not by a pragma */
	bool form_given;       /* -x oformat or --libxo on the command line */
	unsigned verbose;      /* how often -v was given */
	VEC(char *) kept;      /* copies of arguments that options point into */
	struct arena mem;
	struct intern names; /* words of pragmas that options point into; lives in mem */
};

/*
 * Reads the command line and the environment into @args.  Returns 0, or the exit status after a
 * message.  @argv must live as long as @args.  Call arguments_release() in either case.
 */
int arguments_parse(struct arguments *args, int argc, char **argv);
void arguments_release(struct arguments *args);

/*
 * Applies the options of a script's first line, "#!/usr/sbin/dtrace -Cs", that change whether the
 * script compiles: -C, -w, -x, -D, -U and -I.  Options that could start a command are left out,
 * with a message.  @text is the script.  Returns 0, or the exit status after a message.
 */
int arguments_first_line(struct arguments *args, const char *text);

#endif
