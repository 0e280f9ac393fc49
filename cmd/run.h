/*
 * run.h - one run, from the start of the source to the exit status. A run traces this host (live),
 * reads a capture, or shows merged files.
 */
#ifndef CMD_RUN_H
#define CMD_RUN_H

#include <stdbool.h>

struct aggfiles;
struct build;
struct diag;
struct outputs;
struct program;
struct arguments;
struct targets;

/* The parameters of a run. All members must outlive the run. */
struct run_parts {
	struct arguments *args;
	struct outputs *out;
	struct targets *targets;   /* the processes of -c and -p */
	const struct build *build; /* the compilation of the program; NULL for --merge */
	struct aggfiles *merged;   /* the files of --merge, or NULL */
	struct diag *d;
};

/*
 * Runs @p until it ends by itself, by a signal, or because the processes of -c and -p have ended.
 * Opens the port and the screen that the arguments ask for, and always closes them. Gives up the
 * rights that the rest of the run does not need. Returns the exit status.
 */
int run(const struct run_parts *parts, const struct program *p);

/*
 * Returns the function that gives up rights before untrusted bytes are parsed (cmd/rights.h). That
 * function returns false, with the error in @d, if the run must not go on.
 */
typedef bool confine_fn(struct diag *d);
confine_fn *run_confinement(const struct arguments *args);

#endif
