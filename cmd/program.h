/* program.h - compiles the programs (texts) of the command line into one program. */
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

/* A compilation. Before build_begin(), all members are zero except the first four. */
struct build {
	struct arguments *args;
	struct targets *targets; /* the processes of -p and -c; $target is the first of them */
	FILE *out;               /* output file of -l, -v and -x dump */
	struct diag *d;
	struct compiler *c;
	struct packet_filter packet_filter; /* the filter of -x filter, if the run is live */
	/* the probes that -x probes allows, or NULL if all are allowed */
	struct allowed *allowed;
	/* for each argument $0, $1 ..., whether the texts use it */
	bool *arg_used;
	/*
	 * The size to which -x aggsize was lowered, because the kernel or the control group has no
	 * room for more. 0 if it was not lowered.
	 */
	uint64_t agg_lowered;
	char samples[64];                          /* text that add_samples() writes */
	struct src sampling;                       /* source whose text is @samples */
	struct strbuf ast, typed, ir, plain, code; /* what -x dump and -S show */
};

/*
 * Sets the compiler's options from the arguments, whose texts must have been read. Returns 0. On
 * failure, prints a message and returns the exit status. Call build_end() in both cases.
 */
int build_begin(struct build *b);

/*
 * Implements -l: prints the probes that the texts name, or all probes if there is no text. Returns
 * the exit status.
 */
int build_list(struct build *b);

/*
 * Compiles the texts, and prints what -v, -S and -x dump ask for. Sets *@p to the program, which
 * lives until build_end(). Returns 0. On failure, prints a message and returns the exit status.
 */
int build_program(struct build *b, const struct program **p);

/* Frees all that @b owns, the program included. */
void build_end(struct build *b);

#endif
