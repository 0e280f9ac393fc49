/*
 * oformat.h - output formats: text, JSON, CSV, pictures and so on.
 *
 * A format is a table of functions, which the consumer calls in the order of the output. A format
 * that does not show records uses OFORMAT_NO_RECORDS, and a format that does not show tables uses
 * oformat_no_table(). Other functions may be NULL if the format does not show their data. Messages
 * on standard error do not depend on the format.
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
	struct output *out;            /* the output is written here; owned by the consumer */
	const struct consumer_opts *o; /* options; borrowed; setopt() can change them at any time */
	const struct program *p;
	struct source *src;
	struct prom *prom; /* aggregations as metrics; owned by the consumer */
};

struct oformat_record {
	uint32_t probe; /* index into program.probe */
	uint32_t epid, cpu;
	/*
	 * time of the firing in ns since 1970, or 0 if the records have no time (see
	 * oformat_ops.timed)
	 */
	uint64_t time;
};

struct oformat_fault {
	uint32_t epid;
	uint32_t cpu;
	uint64_t time;    /* time of the report in ns since 1970 */
	const char *what; /* name of the fault, such as "invalid address" */
	bool has_value;
	uint64_t value; /* the address that caused the fault, if has_value is set */
	/* number of the action in its clause; 0 if the predicate caused the fault */
	int action;
	int offset;     /* offset in the code of the clause, or -1 if it is unknown */
	uint64_t count; /* number of faults of this kind since the last report */
};

struct oformat_loss {
	const char *kind; /* name of the kind, such as "principal" */
	/* DTrace's name, such as "PRINCIPAL", or NULL if DTrace has no such loss */
	const char *tag;
	int cpu; /* number of the CPU, or -1 for all CPUs */
	uint64_t time;
	uint64_t count, total; /* number of losses since the last report, and since the start */
	const char *message;   /* the message on standard error, without "dtrace: " and newline */
};

/* One of the totals that -x footer prints. */
struct oformat_total {
	const char *what, *name; /* label in text output, and name in JSON */
	uint64_t n;
};

struct oformat_hook {
	const char *name;
	bool known; /* the kernel has measured the cost of the hook */
	/*
	 * Cost of all BPF programs of the hook. A firing that is split over several programs
	 * (parts) counts as one run.
	 */
	struct unit_cost cost;
};

/* The cost of one BPF program, for -x cost. */
struct oformat_cost {
	char *hook;
	uint32_t part;  /* number of the part, if a firing is split over several programs */
	bool is_backup; /* runs only while another program of the same hook is interrupted */
	char **probe;   /* names of the probes whose clauses the program runs */
	size_t nprobe;
	struct unit_cost cost;
};

struct oformat_ops {
	const char *name; /* name of the format: the value of -x oformat */
	/*
	 * Size of the format's state in bytes. The state begins with a struct oformat; the rest is
	 * zero at first.
	 */
	size_t size;
	bool timed;   /* records need the time at which the probe fired */
	bool escapes; /* the format escapes all text itself, so printf() leaves values unescaped */
	bool counts;  /* the format shows how often probes have fired */

	void (*begin)(struct oformat *f);

	/*
	 * record() begins a record, the functions for data follow in the order of the data, and
	 * record_end() ends the record. Data can come outside of a record. A format that marks
	 * where records begin and end must ignore such data.
	 */
	void (*record)(struct oformat *f, const struct oformat_record *r);
	/* shows data of actions such as trace() and stack() */
	void (*value)(struct oformat *f, const struct datum *d);
	void (*bytes)(struct oformat *f, const char *s, size_t n); /* shows memory of tracemem() */
	/* shows a value of print() */
	void (*shape)(struct oformat *f, const struct shape *s, const char *bytes);
	/* shows a string of print() */
	void (*string)(struct oformat *f, const struct shape *s, const struct datum *d);
	void (*message)(struct oformat *f, const struct format *fmt, const struct fmt_args *args);
	void (*record_end)(struct oformat *f);

	/*
	 * Called before a command writes to the same file as the format. This can happen within a
	 * record.
	 */
	void (*pause)(struct oformat *f);

	/*
	 * Shows a packet of pcap(), unless the output is a capture file. If the function is NULL,
	 * tshark shows the packet.
	 */
	void (*packet)(struct oformat *f, const struct packet_slot *pk);

	/*
	 * Shows the sorted rows of aggregations (tables.h), either of a printa() in a record or at
	 * the end. @fmt is the format string of printa(), or NULL if there is none.
	 */
	void (*table)(struct oformat *f, const struct table *t, const struct format *fmt);

	/*
	 * Shows the growth of all aggregations since the last sample. Called at the rate of -x
	 * aggrate, and once more at the end. @time is the time of the sample in ns since 1970. In
	 * the first call, @s is NULL and @time is the time when tracing began.
	 */
	void (*sample)(struct oformat *f, const struct series *s, uint64_t time);

	/*
	 * Returns false if the format does not need the sample at @time, because the next sample
	 * will include its growth. If the function is NULL, the format needs all samples.
	 */
	bool (*due)(struct oformat *f, uint64_t time);

	/*
	 * Returns true if the format needs samples of aggregation @agg. If the function is NULL,
	 * the format needs samples of all aggregations.
	 */
	bool (*samples)(const struct program *p, uint32_t agg);

	void (*fault)(struct oformat *f, const struct oformat_fault *x);
	void (*loss)(struct oformat *f, const struct oformat_loss *l);

	void (*footer)(struct oformat *f, const struct oformat_total *t, size_t nt,
		       const struct oformat_hook *h, size_t nh);

	/*
	 * Shows the BPF programs whose cost the kernel measured (-x cost). If the function is NULL,
	 * the format does not show them.
	 */
	void (*costs)(struct oformat *f, const struct oformat_cost *c, size_t n);
	void (*interrupted)(struct oformat *f); /* called when the user has pressed Ctrl-C */
	/* Called after END, and before the aggregations that no printa() has shown. */
	void (*rest)(struct oformat *f);
	void (*end)(struct oformat *f); /* called at the end of the output */
	void (*release)(struct oformat *f);
};

/* The functions of a format that ignores records and shows only aggregations. */
#define OFORMAT_NO_RECORDS \
	.record = oformat_no_record, .value = oformat_no_value, .bytes = oformat_no_bytes, \
	.shape = oformat_no_shape, .string = oformat_no_string, .message = oformat_no_message, \
	.packet = oformat_no_packet, .record_end = oformat_nothing

/* Functions that do nothing, for formats that do not show the data in question. */
void oformat_nothing(struct oformat *f);
void oformat_no_record(struct oformat *f, const struct oformat_record *r);
void oformat_no_value(struct oformat *f, const struct datum *d);
void oformat_no_bytes(struct oformat *f, const char *s, size_t n);
void oformat_no_shape(struct oformat *f, const struct shape *s, const char *at);
void oformat_no_string(struct oformat *f, const struct shape *s, const struct datum *d);
void oformat_no_message(struct oformat *f, const struct format *fmt, const struct fmt_args *args);
void oformat_no_packet(struct oformat *f, const struct packet_slot *pk);
/* Does nothing. It is for formats that show samples or metrics (prom) instead of tables. */
void oformat_no_table(struct oformat *f, const struct table *t, const struct format *fmt);

/* Returns the output format that -x oformat calls @name, or NULL if no format has that name. */
const struct oformat_ops *oformat_find(const char *name);

/* Returns the output format with index @n, or NULL if there is no such index. */
const struct oformat_ops *oformat_at(unsigned n);

/*
 * Returns the state of a new format, which borrows all arguments, and calls the format's begin().
 * The caller releases the result with oformat_free(), which accepts NULL.
 */
struct oformat *oformat_new(const struct oformat_ops *ops, struct output *out,
			    const struct consumer_opts *o, const struct program *p,
			    struct source *src);
void oformat_free(struct oformat *f);

/*
 * Returns the time for output that does not come from a probe that fired, in ns since 1970. This is
 * the real time in a live run, and the capture's time in a replay.
 */
uint64_t oformat_now(const struct oformat *f);

#endif
