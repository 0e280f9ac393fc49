/*
 * options.h - options of the consumer. setopt() can change most of them while tracing.
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
	 * Called when probes are attached: lets the processes run. If it returns false, with the
	 * error in @d, the run ends.
	 */
	bool (*go)(void *ctx, struct diag *d);
	bool (*over)(void *ctx); /* returns true if all these processes have ended */
	void *ctx;
};

#define AGGRATE 1000000000u /* default of -x aggrate, ns */

/* -x aggout: snapshots of the aggregations, for --merge and other programs (aggs/file.h). */
struct aggout_opts {
	const char *name; /* name of the file, for messages */
	FILE *file;       /* written at the end; NULL: none */
	/* in place of @file: written every @rate ns, and at the end; NULL: none */
	struct snapshots *snapshots;
	uint64_t rate;    /* ns; 0: only at the end */
	bool only;        /* the output has no aggregations at the end, since the file has them */
	const char *host; /* name of this host */
	uint64_t program; /* digest of the program */
	uint64_t run;     /* number of the run; see struct aggfile_id */
	uint64_t matched; /* number of probes that the program matched */
};

/* Options of a consumer.  All zero except @out and @err: the defaults.  Pointers are borrowed. */
struct consumer_opts {
	/* Streams. */
	FILE *out;           /* data */
	const char *outname; /* name of @out in messages; NULL: "<stdout>" */
	FILE *err;           /* all messages that begin with "dtrace: " */
	FILE *capture;       /* -x capture: a pcapng file; NULL: none */
	const char *capture_name;
	struct aggout_opts aggout;
	struct serve *serve; /* -x listen: answers with metrics; NULL: none */
	struct view *view;   /* -x view: aggregations on the screen; NULL: none */
	/* runs commands and opens files of actions; NULL: this process does */
	const struct outside *outside;

	/* The look of output. */
	const struct oformat_ops *oformat; /* NULL: text */
	const char *title;                 /* title of a picture; NULL: names of its aggregations */
	const char *unit;                  /* unit of values in pictures; NULL: none */
	bool colour;                       /* @out shows colours */
	int columns;                       /* width of @out; 0: unknown */
	bool pretty;                       /* libxo-json: each value on a line of its own */
	bool aggsatend;                    /* -O: libxo formats show aggregations at the end */
	bool resolve; /* %I and %P use the name services; the consumer clears it in replay */
	struct resolver *resolver; /* set by the consumer */

	/* The end of tracing. */
	const struct follow *follow; /* tracing ends with these processes; NULL: none */
	uint64_t duration;           /* ns of the source's time; 0: unlimited */
	uint64_t count;              /* records of the program's probes; 0: unlimited */

	/* "ring" or "fill": records are held until tracing ends; "switch" or NULL: not held */
	const char *bufpolicy;
	uint64_t bufsize; /* -x bufsize: bytes of held records of each CPU; 0: the default */

	/* Returns whether option @name can be set, but not while tracing; may be NULL. */
	bool (*is_static)(const char *name);

	/* Set by name: by consumer_setopt(), or by the command line alone. */
	bool nohint; /* messages have DTrace's line only, without hints */
	bool quiet, flowindent, rawbytes, footer, cost, strict, droptags;
	bool aggsortkey, aggsortrev, agghist, aggpack;
	struct hist_style style; /* aggzoom, encoding=utf8, percentiles */
	uint64_t aggrate;        /* ns between samples, fixed when tracing starts; 0: AGGRATE */
	int64_t promkeys;        /* rows of an aggregation in metrics; 0: all */
	int64_t aggsortpos, aggsortkeypos;
	uint64_t specsize;   /* 0: the default; else 1 + bytes of a speculation on a CPU */
	int64_t stackindent; /* 0: the default; else 1 + spaces before a stack's lines */
};

/* Errors of setting an option; 0: it is set. */
enum option_error {
	OPTION_UNKNOWN = -1,
	OPTION_BAD = -2,         /* bad value */
	OPTION_UNSUPPORTED = -3, /* DTrace has the option, and it would change the result */
	OPTION_VERSION = -4,     /* the version is newer than this one */
	OPTION_FILTER = -5,      /* bad value of a filter; see cmd/filter.h */
	OPTION_NOT_HERE = -6,    /* only the command line may set the option */
};

/* Returns DTrace's text for an enum option_error. */
const char *option_strerror(int err);

/*
 * Sets the dynamic option @name: -x, #pragma D option, setopt(). @value NULL or "" turns a flag on.
 * Returns 0 or an enum option_error.
 */
int consumer_setopt(struct consumer_opts *o, const char *name, const char *value);

/*
 * Returns the name of dynamic option @n, or NULL if @n is not below their number. *@flag: whether
 * the option is a flag, which is on or off.
 */
const char *consumer_option(unsigned n, bool *flag);

/* Returns whether @name is a dynamic option that must be set before the program is compiled. */
bool consumer_option_is_early(const char *name);

/* Parse a value of an option. Returns false if @s is malformed. @s may be NULL. */
bool option_bool(const char *s, bool *out);     /* "yes", "OFF", "Set" ...; NULL and "" are true */
bool option_size(const char *s, uint64_t *out); /* "4m", "512k", "1g" to bytes */
bool option_rate(const char *s, uint64_t *out); /* "10hz", "1s", "500" to ns */

/* Returns the resolver of %I and %P; NULL if they print numbers. */
struct resolver *consumer_resolver(const struct consumer_opts *o);

/* Returns the number of spaces before each line of a stack. */
int consumer_stackindent(const struct consumer_opts *o);

#endif
