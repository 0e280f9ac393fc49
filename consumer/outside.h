/*
 * outside.h - the actions that have effects outside of dtrace: system() runs commands, freopen()
 * opens files, and pcap() runs tshark.
 *
 * A live run performs these actions itself (outside_self). A replay gives up its rights before it
 * reads the capture, so another process performs them (broker.h). The consumer calls the same
 * functions in both cases.
 */
#ifndef CONSUMER_OUTSIDE_H
#define CONSUMER_OUTSIDE_H

#include <sys/types.h>

struct action_info;
struct consumer_opts;
struct program;
struct record;

/* An error: the process that performs the actions has died, so the run must end. */
#define OUTSIDE_GONE (-1)

/*
 * The functions that perform the actions. All of them return 0, a positive error for file_error(),
 * or OUTSIDE_GONE. @act belongs to the clause that made @rec, and @rec has the data of @act.
 */
struct outside_ops {
	/* Implements system(): runs the command and waits until it ends. */
	int (*command)(void *ctx, const struct record *rec, const struct action_info *act);
	/*
	 * Implements freopen(): opens the file for appending and sets *@fd to its descriptor, which
	 * the caller closes. Sets *@fd to -1 if the output returns to the original file. Later
	 * commands print to the same file.
	 */
	int (*reopen)(void *ctx, const struct record *rec, const struct action_info *act, int *fd);
	/*
	 * For pcap(): starts tshark, which prints to the original output. Sets *@fd to a pipe to
	 * its standard input, which the caller closes.
	 */
	int (*tshark)(void *ctx, const struct record *rec, const struct action_info *act, int *fd);
	/* Waits until tshark ends. The caller must have closed the pipe to it. */
	int (*tshark_end)(void *ctx);
};

struct outside {
	const struct outside_ops *ops;
	void *ctx;
};

/* The ctx of the functions in outside_self. */
struct outside_self {
	const struct program *p;
	const struct consumer_opts *o;
	pid_t tshark; /* process of tshark, or 0 if it is not running */
};

/* The functions that perform the actions in this process. */
extern const struct outside_ops outside_self;

/*
 * Formats the data of @act in @rec with the action's format. The resulting text is a command or the
 * name of a file. Values in the text are not escaped. The caller frees the text with xfree().
 */
char *outside_text(const struct program *p, const struct consumer_opts *o, const struct record *rec,
		   const struct action_info *act);

#endif
