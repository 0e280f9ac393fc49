/*
 * options.h - options of the consumer. While tracing, setopt() can change the options that are rows
 * of options[] in options.c.
 */
#ifndef CONSUMER_OPTIONS_H
#define CONSUMER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "consumer/values/hist.h"

struct oformat_ops;
struct outside;
struct serve;
struct snapshots;
struct resolver;
struct view;

struct diag;

/* The processes of -c and -p. */
struct follow {
	/*
	 * Called when the probes are attached. Lets the processes run. Returns false, with the
	 * error in @d, if the run must end.
	 */
	bool (*go)(void *ctx, struct diag *d);
	bool (*over)(void *ctx); /* returns true if all these processes have ended */
	void *ctx;
};

#define AGGRATE 1000000000u /* default of -x aggrate in ns */

/*
 * Options of -x aggout, which writes snapshots of the aggregations for --merge and other programs
 * (aggs/file.h).
 */
struct aggout_opts {
	const char *name; /* name of the file, for messages */
	FILE *file;       /* file that is written at the end, or NULL */
	/* if not NULL, snapshots go here and not to @file: every @rate ns and at the end */
	struct snapshots *snapshots;
	/* interval between snapshots in ns, or 0 for a snapshot at the end only */
	uint64_t rate;
	/* the output shows no aggregations at the end, because the file has them */
	bool only;
	const char *host; /* name of this host */
	uint64_t program; /* digest of the program */
	uint64_t run;     /* number of the run; see struct aggfile_id */
	uint64_t matched; /* number of probes that the program matched */
};

/*
 * Options of a consumer. Zero is the default of all members except @out and @err. Pointers are
 * borrowed.
 */
struct consumer_opts {
	/* Streams. */
	FILE *out;           /* stream for the data */
	const char *outname; /* name of @out in messages, or NULL for "<stdout>" */
	FILE *err;           /* stream for all messages that begin with "dtrace: " */
	FILE *capture;       /* pcapng file of -x capture, or NULL */
	const char *capture_name;
	struct aggout_opts aggout;
	struct serve *serve; /* answers requests for metrics (-x listen), or NULL */
	struct view *view;   /* shows aggregations on the screen (-x view), or NULL */
	/* what outside_prepare() has opened before rights were given up, or NULL */
	struct outside *outside;

	/* Options for the look of the output. */
	const struct oformat_ops *oformat; /* output format, or NULL for text */
	/* title of a picture, or NULL for the names of its aggregations */
	const char *title;
	const char *unit; /* unit of the values in pictures, or NULL */
	bool colour;      /* @out shows colours */
	int columns;      /* width of @out in columns, or 0 if it is unknown */
	bool pretty;      /* in libxo-json, each value has its own line */
	bool aggsatend;   /* -O: libxo formats show aggregations at the end */
	/* the conversions %I and %P look up names; the consumer clears this flag in a replay */
	bool resolve;
	struct resolver *resolver; /* the resolver of %I and %P; the consumer sets it */

	/* Options that end tracing. */
	const struct follow *follow; /* processes whose end also ends tracing, or NULL */
	/* limit of the run's duration in ns, or 0; a replay uses the capture's clock */
	uint64_t duration;
	/* number of records after which tracing ends (-x count), or 0 for no limit */
	uint64_t count;

	/* "ring" and "fill" hold records back until tracing ends. "switch" and NULL do not. */
	const char *bufpolicy;
	/* -x bufsize: size of the held records of each CPU in bytes; 0 for the default */
	uint64_t bufsize;

	/* Returns whether the option @name exists, but cannot be set while tracing. May be NULL. */
	bool (*is_static)(const char *name);

	/* Options that have a name for -x. consumer_setopt() or the command line sets them. */
	bool nohint; /* messages have only the line that DTrace prints, without hints */
	bool quiet, flowindent, rawbytes, footer, cost, strict, droptags;
	bool aggsortkey, aggsortrev, agghist, aggpack;
	struct hist_style style; /* -x aggzoom, encoding=utf8 and percentiles */
	/* interval between samples in ns, fixed when tracing starts; 0 for AGGRATE */
	uint64_t aggrate;
	/* -x promkeys: maximum number of rows of an aggregation in metrics; 0 for all rows */
	int64_t promkeys;
	int64_t aggsortpos, aggsortkeypos;
	/* size of a speculation on a CPU in bytes, plus 1; 0 for the default */
	uint64_t specsize;
	/* number of spaces before the lines of a stack, plus 1; 0 for the default */
	int64_t stackindent;
};

/* Errors of setting an option. 0 means that the option was set. */
enum option_error {
	OPTION_UNKNOWN = -1,
	OPTION_BAD = -2, /* the value is wrong */
	/* DTrace has the option, and ignoring it would change the result */
	OPTION_UNSUPPORTED = -3,
	OPTION_VERSION = -4,  /* the value is a version that is newer than this dtrace */
	OPTION_FILTER = -5,   /* the value of a filter is wrong; see cmd/filter.h */
	OPTION_NOT_HERE = -6, /* only the command line may set the option */
};

/* Returns the text for an enum option_error. It is DTrace's text if DTrace has such an error. */
const char *option_strerror(int err);

/*
 * Sets the dynamic option @name, for -x, #pragma D option and setopt(). A dynamic option is one
 * that can change while tracing. If @value is NULL or "", a flag is turned on. Returns 0 or an enum
 * option_error.
 */
int consumer_setopt(struct consumer_opts *o, const char *name, const char *value);

/*
 * Returns the name of the dynamic option with index @n, or NULL if there is no such index. Sets
 * *@flag to whether the option is a flag, which is on or off.
 */
const char *consumer_option(unsigned n, bool *flag);

/* Returns whether @name is a dynamic option that must be set before the program is compiled. */
bool consumer_option_is_early(const char *name);

/*
 * Each of the next three functions parses the value @s of an option. Returns false if @s is
 * malformed. @s may be NULL, which counts as malformed except for option_bool().
 */
/* accepts "yes", "OFF", "Set" ...; NULL and "" are true */
bool option_bool(const char *s, bool *out);
bool option_size(const char *s, uint64_t *out); /* converts "4m", "512k" or "1g" to bytes */
/* converts "10hz", "1s" or "500" to ns */
bool option_rate(const char *s, uint64_t *out);

/* Returns the resolver of %I and %P, or NULL if they print numbers. */
struct resolver *consumer_resolver(const struct consumer_opts *o);

/* Returns the number of spaces before each line of a stack. */
int consumer_stackindent(const struct consumer_opts *o);

#endif
