/*
 * outside.h - the actions that have effects outside of dtrace: system() runs commands, freopen()
 * opens files, and pcap() runs tshark.
 *
 * A live run performs these actions when they come. A replay gives up its rights before it reads
 * the capture. So outside_prepare() opens its files and starts its tshark before that.
 */
#ifndef CONSUMER_OUTSIDE_H
#define CONSUMER_OUTSIDE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/vec.h"

struct action_info;
struct consumer_opts;
struct program;
struct record;

/* What a program does outside of dtrace. */
enum outside_reach {
	REACH_NOTHING,
	REACH_KNOWN, /* pcap(), and freopen() of files whose names are constant */
	REACH_ANY,   /* system(), or freopen() of a file whose name the run computes */
};

enum outside_reach outside_reach(const struct program *p);

/* The result of opening a file or starting tshark: a descriptor, or -1 with a positive errno. */
struct opened {
	const struct action_info *act; /* NULL for tshark */
	int fd, err;
};

/* Performs the actions of a run. Set @p and @o; the other members are zero at first. */
struct outside {
	const struct program *p;
	const struct consumer_opts *o;
	struct opened file; /* the last file that freopen() opened */
	bool prepared;      /* outside_prepare() was called, and rights may be given up */
	VEC(struct opened) ready;
	pid_t tshark; /* process of tshark, or 0 if it is not running */
};

/*
 * Opens all files of freopen() whose names are constant, and starts tshark if the program has
 * pcap(). A failure is reported when the action comes. Call this function before rights are given
 * up.
 */
void outside_prepare(struct outside *s);

/* The functions below return 0 or a positive error for file_error(). */

/* Implements system(): runs the command of @act and waits until it ends. */
int outside_command(const struct outside *s, const struct record *rec,
		    const struct action_info *act);

/*
 * Implements freopen(): opens the file of @act for appending. Sets *@fd to its descriptor, which
 * @s owns and keeps open until the next call, or to -1 if the output returns to the original file.
 */
int outside_reopen(struct outside *s, const struct record *rec, const struct action_info *act,
		   int *fd);

/*
 * For pcap(): starts tshark, which prints to the original output. Sets *@fd to a pipe to its
 * standard input, which the caller closes.
 */
int outside_tshark(struct outside *s, int *fd);

/* Waits until tshark ends. The caller must have closed the pipe to it. */
void outside_tshark_end(struct outside *s);

/* Closes the files of @s, and frees its memory. */
void outside_release(struct outside *s);

/*
 * Formats the data of @act in @rec with the action's format. The resulting text is a command or the
 * name of a file. Values in the text are not escaped. The caller frees the text with xfree().
 */
char *outside_text(const struct program *p, const struct consumer_opts *o, const struct record *rec,
		   const struct action_info *act);

#endif
