/*
 * outside.h - actions with effects outside of dtrace: the commands of system(), the files of
 * freopen(), the tshark of pcap().
 *
 * A live run does these things itself (outside_self). A replay has given up its rights before it
 * reads the capture, so another process does them (broker.h). The consumer sees no difference.
 */
#ifndef CONSUMER_OUTSIDE_H
#define CONSUMER_OUTSIDE_H

#include <sys/types.h>

struct action_info;
struct consumer_opts;
struct program;
struct record;

/* Error: the process that runs the action has died, so the run must end. */
#define OUTSIDE_GONE (-1)

/*
 * All functions return 0, a positive error for file_error(), or OUTSIDE_GONE. @act belongs to the
 * clause that made @rec, and @rec has the data of @act.
 */
struct outside_ops {
	/* system(): runs the command and waits for its end. */
	int (*command)(void *ctx, const struct record *rec, const struct action_info *act);
	/*
	 * freopen(): opens the file for appending. *@fd: its descriptor, which the caller closes;
	 * -1 if output returns to the original file. Later commands print to the same file.
	 */
	int (*reopen)(void *ctx, const struct record *rec, const struct action_info *act, int *fd);
	/*
	 * pcap(): starts tshark, which prints to the original output. *@fd: its standard input,
	 * which the caller closes.
	 */
	int (*tshark)(void *ctx, const struct record *rec, const struct action_info *act, int *fd);
	/* Waits until tshark ends. The caller has closed its standard input. */
	int (*tshark_end)(void *ctx);
};

struct outside {
	const struct outside_ops *ops;
	void *ctx;
};

/* The ctx of outside_self. */
struct outside_self {
	const struct program *p;
	const struct consumer_opts *o;
	pid_t tshark; /* process; 0: not running */
};

/* Functions that act in this process. */
extern const struct outside_ops outside_self;

/*
 * Returns the text that the format of @act makes of @rec: a command, or the name of a file. Values
 * are not escaped. The caller frees it with xfree().
 */
char *outside_text(const struct program *p, const struct consumer_opts *o, const struct record *rec,
		   const struct action_info *act);

#endif
