/*
 * options.h - what changes how the consumer prints; most of it at run time too.
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

/* Processes that a run is about. */
struct diag;

struct follow {
	/* The probes are live.  False, with the error in @d: the run ends. */
	bool (*go)(void *ctx, struct diag *d);
	bool (*over)(void *ctx); /* have all of them ended? */
	void *ctx;
};

#define AGGRATE 1000000000u

/* All zero but @out and @err: the defaults. */
struct consumer_opts {
	FILE *out;     /* data */
	FILE *capture; /* of -x capture: a pcapng file; NULL: none is wanted */
	FILE *aggout;  /* for aggfile_write() at the end; NULL: nobody wants them */
	/* instead of that, and also every @aggout_rate ns; NULL: none are wanted */
	struct snapshots *snapshots;
	uint64_t aggout_rate;
	/* what printa() did not show is not shown at the end: it is there */
	bool aggout_only;
	const char *agg_host; /* of that file: where this is, */
	uint64_t agg_program; /* the digest of the program, */
	uint64_t agg_run;     /* which run it is (aggfile.h), */
	uint64_t agg_matched; /* and how many probes it is about */
	FILE *err;            /* everything that begins with "dtrace: " */
	const char *outname;  /* for messages about @out; NULL: "<stdout>" */
	/* may be NULL: a name that exists, but not while tracing? */
	bool (*is_static)(const char *name);
	bool resolve;              /* %I and %P may use the name services, but not in replay */
	struct resolver *resolver; /* where they ask, if they do: the consumer's own */
	const struct oformat_ops *oformat; /* of output, see form.h; NULL: text */
	const char *title;                 /* of a picture; NULL: what it shows */
	const char *unit;                  /* of values in pictures; NULL: they have none */
	bool colour;                       /* @out shows colours */
	int columns;                       /* of @out; 0: as many as a terminal has at least */
	bool pretty;                       /* forms that have lines may have more of them */
	bool aggsatend;      /* -O: forms of libxo show aggregations at the end, too */
	struct serve *serve; /* who answers with metrics; NULL: nobody */
	struct view *view;   /* of aggregations, on the screen; NULL: there is none */
	/* who runs commands and opens files; NULL: the consumer itself */
	const struct outside *outside;
	const struct follow *follow; /* their end is the run's; NULL: nobody's */

	/* ns that tracing lasts at most, of the source's time; 0: as long as it takes */
	uint64_t duration;
	/* records of the program's probes after which tracing ends; 0: all */
	uint64_t count;
	/* "ring", "fill": what is recorded is printed at the end; else at once */
	const char *bufpolicy;
	uint64_t bufsize; /* bytes that are kept of each CPU then; 0: the usual */

	/* Options by name; see consumer_setopt(). */
	bool nohint; /* messages are DTrace's line alone */
	bool quiet, flowindent, rawbytes, footer, strict, droptags;
	bool aggsortkey, aggsortrev, agghist, aggpack;
	struct hist_style style; /* aggzoom, encoding=utf8 */
	/* ns from a sample to the next, fixed when tracing starts; 0: the usual */
	uint64_t aggrate;
	int64_t promkeys; /* rows of an aggregation that metrics show; 0: all */
	int64_t aggsortpos, aggsortkeypos;
	/* bytes of a speculation on a CPU; 1 more than was asked for; 0: the usual */
	uint64_t specsize;
	int64_t stackindent; /* 1 more than was asked for; 0: the usual */
};

/* What setting an option may lead to; 0: it is set. */
enum option_error {
	OPTION_UNKNOWN = -1,
	OPTION_BAD = -2,         /* value */
	OPTION_UNSUPPORTED = -3, /* DTrace has it, and it would change the result */
	OPTION_VERSION = -4,     /* newer than ours */
	OPTION_FILTER = -5,      /* value of a filter; see cmd/filter.h */
	OPTION_NOT_HERE = -6,    /* only the command line may set it */
};

/* As DTrace says it. */
const char *option_strerror(int err);

/*
 * Sets the dynamic option @name (-x, #pragma D option, setopt()).  @value NULL
 * or "": on.  0 or an option_error.
 */
int consumer_setopt(struct consumer_opts *o, const char *name, const char *value);

/* The name of the n-th such option, and whether it is on or off; NULL: there are no more. */
const char *consumer_option(unsigned n, bool *flag);

/* Forms of values.  False: @s (which may be NULL) is none. */
bool option_bool(const char *s, bool *out);     /* yes, OFF, Set ...; NULL, "": true */
bool option_size(const char *s, uint64_t *out); /* "4m", "512k", "1g": bytes */
bool option_rate(const char *s, uint64_t *out); /* "10hz", "1s", "500": ns */

/* Where %I and %P ask for names, NULL if they do not. */
struct resolver *consumer_resolver(const struct consumer_opts *o);

/* Blanks before each line of a stack. */
int consumer_stackindent(const struct consumer_opts *o);

#endif
