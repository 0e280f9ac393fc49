/*
 * program.h - the texts of the command line become one program.
 */
#ifndef CMD_PROGRAM_H
#define CMD_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "cmd/packet_filter.h"

struct allowed;
struct compiler;
struct program;
struct arguments;
struct targets;

/* A compilation.  All zero but the first four members before build_begin(). */
struct build {
	struct arguments *args;
	struct targets *targets; /* $target is the first one */
	FILE *out;               /* for what -l, -v and -x dump print */
	struct diag *d;
	struct compiler *c;
	struct packet_filter packet_filter; /* -x filter of a live run */
	struct allowed *allowed;            /* the probes of -x probes, or NULL: all */
	bool *arg_used;                     /* arguments $0, $1 ... that the texts use */
	/*
	 * the size that keys of aggregations got, if -x aggsize asked for more than the kernel or
	 * the control group has room for; else 0
	 */
	uint64_t agg_lowered;
	char samples[64];                          /* the text of add_samples() */
	struct src sampling;                       /* names it */
	struct strbuf ast, typed, ir, plain, code; /* what -x dump and -S show */
};

/*
 * Sets the compiler's options from the arguments, whose texts are read.  Returns 0, or the exit
 * status after a message.  Call build_end() in either case.
 */
int build_begin(struct build *b);

/* -l: prints the probes that the texts name.  Returns the exit status. */
int build_list(struct build *b);

/*
 * Compiles the texts, and prints what -v, -S and -x dump ask for.  Sets *@p to the program, which
 * lives until build_end().  Returns 0, or the exit status after a message.
 */
int build_program(struct build *b, const struct program **p);

/* Frees all that @b owns, the program included. */
void build_end(struct build *b);

#endif
