/*
 * oformat.h - output formats: text, JSON, CSV, pictures and so on.
 *
 * A format is a row of functions. The consumer calls them in the order of the output. A format that
 * does not show records or tables uses OFORMAT_NO_RECORDS and oformat_no_table(). It leaves other
 * functions NULL if it does not show their data. Messages on standard error are not part of a
 * format: all formats have the same ones.
 */
#ifndef CONSUMER_OFORMAT_OFORMAT_H
#define CONSUMER_OFORMAT_OFORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/program.h"
#include "engine/source.h"

struct consumer_opts;
struct datum;
struct fmt_args;
struct oformat_ops;
struct output;
struct prom;
struct series;
struct source;
struct table;

/* The state of each format begins with this struct. */
struct oformat {
	const struct oformat_ops *ops;
	struct output *out;            /* receives the output; owned by the consumer */
	const struct consumer_opts *o; /* borrowed; setopt() can change it at any time */
	const struct program *p;
	struct source *src;
	struct prom *prom; /* aggregations as metrics; owned by the consumer */
};

struct oformat_record {
	uint32_t probe; /* index into program.probe */
	uint32_t epid, cpu;
	uint64_t time; /* ns since 1970; 0: the record has no time, see oformat_ops.timed */
};

struct oformat_fault {
	uint32_t epid;
	uint32_t cpu;
	uint64_t time;    /* when it is reported: ns since 1970 */
	const char *what; /* e.g. "invalid address" */
	bool has_value;
	uint64_t value; /* the address */
	int action;     /* number of the action in its clause; 0: the predicate */
	int offset;     /* offset in the code of the clause; -1: unknown */
	uint64_t count; /* number of such faults since the last report */
};

struct oformat_loss {
	const char *kind; /* e.g. "principal" */
	const char *tag;  /* DTrace's name, e.g. "PRINCIPAL"; NULL: DTrace has none */
	int cpu;          /* CPU number; -1: all CPUs */
	uint64_t time;
	uint64_t count, total; /* since the last report; since the start */
	const char *message;   /* the text of standard error, without "dtrace: " and newline */
};

/* One total of -x footer. */
struct oformat_total {
	const char *what, *name; /* label in text, name in JSON */
	uint64_t n;
};

struct oformat_hook {
	const char *name;
	bool known;            /* the kernel measured its cost */
	struct unit_cost cost; /* of all its units; a unit in parts counts its runs once */
};

/* One BPF program of -x cost. */
struct oformat_cost {
	char *hook;
	uint32_t part;  /* number of the part, as in struct unit */
	bool is_backup; /* as in struct unit */
	char **probe;   /* names of the probes that it serves */
	size_t nprobe;
	struct unit_cost cost;
};

struct oformat_ops {
	const char *name; /* value of -x oformat */
	/* size of the format's state in bytes; all zero at first, except struct oformat */
	size_t size;
	bool timed;   /* records need the time of the firing */
	bool escapes; /* the format escapes all text itself, so printf() leaves values unescaped */
	bool counts;  /* shows the number of firings of each probe */

	void (*begin)(struct oformat *f);

	/*
	 * record() begins a record, its data follow in order, record_end() ends it. Data can come
	 * without a record; a format that marks where records begin and end must not show them.
	 */
	void (*record)(struct oformat *f, const struct oformat_record *r);
	void (*value)(struct oformat *f, const struct datum *d);   /* trace(), stack() and others */
	void (*bytes)(struct oformat *f, const char *s, size_t n); /* tracemem() */
	void (*shape)(struct oformat *f, const struct shape *s, const char *bytes); /* print() */
	/* print() of a string */
	void (*string)(struct oformat *f, const struct shape *s, const struct datum *d);
	void (*message)(struct oformat *f, const struct format *fmt, const struct fmt_args *args);
	void (*record_end)(struct oformat *f);

	/* Called before a command writes to the same file, possibly within a record. */
	void (*pause)(struct oformat *f);

	/* A packet of pcap(), when output is not a capture file. NULL: tshark shows it. */
	void (*packet)(struct oformat *f, const struct packet_slot *pk);

	/*
	 * The sorted rows of aggregations (tables.h): by printa() of a record, or at the end. @fmt:
	 * the format string of printa(); NULL: none.
	 */
	void (*table)(struct oformat *f, const struct table *t, const struct format *fmt);

	/*
	 * Growth of all aggregations since the last sample: every -x aggrate, and once more at the
	 * end. @time: of the sample, ns since 1970. The first call has @s NULL and the time when
	 * tracing began.
	 */
	void (*sample)(struct oformat *f, const struct series *s, uint64_t time);

	/*
	 * Returns false if the format can skip the sample at @time, since its growth is part of the
	 * next sample. NULL: all samples are needed.
	 */
	bool (*due)(struct oformat *f, uint64_t time);

	/*
	 * Returns true if the format needs samples of aggregation @agg. NULL: it needs all
	 * aggregations.
	 */
	bool (*samples)(const struct program *p, uint32_t agg);

	void (*fault)(struct oformat *f, const struct oformat_fault *x);
	void (*loss)(struct oformat *f, const struct oformat_loss *l);

	void (*footer)(struct oformat *f, const struct oformat_total *t, size_t nt,
		       const struct oformat_hook *h, size_t nh);

	/* -x cost: the programs that the kernel measured. NULL: the format does not show them. */
	void (*costs)(struct oformat *f, const struct oformat_cost *c, size_t n);
	void (*interrupted)(struct oformat *f); /* the user pressed Ctrl-C */
	/* Called after END, before the aggregations that no printa() showed */
	void (*rest)(struct oformat *f);
	void (*end)(struct oformat *f); /* end of the output */
	void (*release)(struct oformat *f);
};

/* Functions of formats that show aggregations only: they ignore records. */
#define OFORMAT_NO_RECORDS \
	.record = oformat_no_record, .value = oformat_no_value, .bytes = oformat_no_bytes, \
	.shape = oformat_no_shape, .string = oformat_no_string, .message = oformat_no_message, \
	.packet = oformat_no_packet, .record_end = oformat_nothing

/* Functions that do nothing. */
void oformat_nothing(struct oformat *f);
void oformat_no_record(struct oformat *f, const struct oformat_record *r);
void oformat_no_value(struct oformat *f, const struct datum *d);
void oformat_no_bytes(struct oformat *f, const char *s, size_t n);
void oformat_no_shape(struct oformat *f, const struct shape *s, const char *at);
void oformat_no_string(struct oformat *f, const struct shape *s, const struct datum *d);
void oformat_no_message(struct oformat *f, const struct format *fmt, const struct fmt_args *args);
void oformat_no_packet(struct oformat *f, const struct packet_slot *pk);
/* For formats that do not print tables: they show samples, or metrics (prom). */
void oformat_no_table(struct oformat *f, const struct table *t, const struct format *fmt);

/* Returns the output format that -x oformat calls @name; NULL if no format has that name. */
const struct oformat_ops *oformat_find(const char *name);

/* Returns the output format with index @n; NULL if @n is not below their number. */
const struct oformat_ops *oformat_at(unsigned n);

/*
 * Returns a new format, which borrows all arguments. Calls its begin(). The caller releases it with
 * oformat_free(), which accepts NULL.
 */
struct oformat *oformat_new(const struct oformat_ops *ops, struct output *out,
			    const struct consumer_opts *o, const struct program *p,
			    struct source *src);
void oformat_free(struct oformat *f);

/*
 * Returns the time for output that belongs to no firing, in ns since 1970: the real time live, the
 * capture's time in replay.
 */
uint64_t oformat_now(const struct oformat *f);

#endif
