/*
 * outside.h - what actions do outside of dtrace: the commands of system(), the files of freopen(),
 * the tshark of pcap().
 *
 * A live run does these things itself (outside_self).  Replay has given up its rights when it
 * reads a capture, so there another process does them (broker.h).  The consumer sees no difference.
 */
#ifndef CONSUMER_OUTSIDE_H
#define CONSUMER_OUTSIDE_H

#include <sys/types.h>

struct action_info;
struct consumer_opts;
struct program;
struct record;

/* Another process was to do it, and is gone: the run must end.  Other errors are positive. */
#define OUTSIDE_GONE (-1)

/*
 * All return 0, an error that file_error() has a text for, or OUTSIDE_GONE.  @act: an action
 * that @rec reached, of the clause that made @rec.
 */
struct outside_ops {
	/* system(): runs the command and waits for its end. */
	int (*command)(void *ctx, const struct record *rec, const struct action_info *act);
	/*
	 * freopen(): opens the file, for appending.  *@fd: its descriptor, which the caller closes;
	 * -1 if output goes back to where it went at first.  Where commands print follows.
	 */
	int (*reopen)(void *ctx, const struct record *rec, const struct action_info *act, int *fd);
	/*
	 * pcap(): starts tshark, which prints to where output went at first.  *@fd: its standard
	 * input, which the caller closes.
	 */
	int (*tshark)(void *ctx, const struct record *rec, const struct action_info *act, int *fd);
	/* Waits for the end of tshark, whose standard input the caller has closed. */
	int (*tshark_end)(void *ctx);
};

struct outside {
	const struct outside_ops *ops;
	void *ctx;
};

/* The state of outside_self, its ctx. */
struct outside_self {
	const struct program *p;
	const struct consumer_opts *o;
	pid_t tshark; /* 0: none runs */
};

/* Does all of it in this process. */
extern const struct outside_ops outside_self;

/*
 * The text that the format of @act makes of @rec: a command, or the name of a file.  Values are
 * not escaped.  The caller frees it with xfree().
 */
char *outside_text(const struct program *p, const struct consumer_opts *o, const struct record *rec,
		   const struct action_info *act);

#endif
