/*
 * form.h - what comes out of a run, and the forms that it can have: text, JSON, tables.
 *
 * A form is one row of functions.  They are called in the order in which things are to be shown.  A
 * function may be NULL if the form shows nothing of its kind.  Messages on standard error are no
 * part of a form: they are the same with all forms.
 */
#ifndef CONSUMER_OFORMAT_OFORMAT_H
#define CONSUMER_OFORMAT_OFORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/program.h"

struct consumer_opts;
struct datum;
struct fmt_args;
struct oformat_ops;
struct output;
struct prom;
struct series;
struct source;
struct table;

/* Every form's own state starts with this. */
struct oformat {
	const struct oformat_ops *ops;
	struct output *out;            /* where it goes */
	const struct consumer_opts *o; /* may change at any time: setopt() */
	const struct program *p;
	struct source *src;
	struct prom *prom; /* the aggregations as metrics */
};

struct oformat_record {
	uint32_t probe; /* index into program.probe */
	uint32_t epid, cpu;
	uint64_t time; /* when it fired, as walltimestamp; 0: not recorded, see oformat_ops.timed */
};

struct oformat_fault {
	uint32_t epid;
	uint32_t cpu;
	uint64_t time;    /* when it was told */
	const char *what; /* "invalid address" */
	bool has_value;
	uint64_t value; /* the address */
	int action;     /* 0: the predicate */
	int offset;     /* -1: not known */
	uint64_t count; /* so many alike */
};

struct oformat_loss {
	const char *kind; /* "principal" */
	const char *tag;  /* DTrace's name of it, "PRINCIPAL"; NULL: it has none */
	int cpu;          /* -1: all */
	uint64_t time;
	uint64_t count, total; /* new ones, and since the start */
	const char *message;   /* as people are told, without a newline */
};

/* A line of the footer. */
struct oformat_total {
	const char *what, *name; /* for people, for programs */
	uint64_t n;
};

struct oformat_hook {
	const char *name;
	bool known;          /* what it costs is */
	uint64_t runs, ns;   /* time of a CPU */
	uint64_t elapsed_ns; /* that it was there */
};

struct oformat_ops {
	const char *name; /* -x oformat= */
	size_t size;      /* of its state, all zero at first but struct oformat */
	bool timed;       /* records must say when they fired */
	bool escapes;     /* escapes all text itself: messages come with their values as they are */
	bool counts;      /* shows how often each probe fired */

	void (*begin)(struct oformat *f);

	/* A record begins; its data, in order; it ends.  Data may come without a record: not to be
	 * shown but by a form that has no bounds around records. */
	void (*record)(struct oformat *f, const struct oformat_record *r);
	void (*value)(struct oformat *f, const struct datum *d);   /* trace(), stack() ... */
	void (*bytes)(struct oformat *f, const char *s, size_t n); /* tracemem() */
	void (*shape)(struct oformat *f, const struct shape *s, const char *bytes); /* print() */
	/* print(), of a string */
	void (*string)(struct oformat *f, const struct shape *s, const struct datum *d);
	void (*message)(struct oformat *f, const struct format *fmt, const struct fmt_args *args);
	void (*record_end)(struct oformat *f);

	/* What others write to the same file comes next, in the middle of the record. */
	void (*pause)(struct oformat *f);

	/*
	 * A packet of pcap() in no capture file.  NULL: it is shown by another program.
	 */
	void (*packet)(struct oformat *f, const struct packet_slot *pk);

	/* The rows of aggregations, see tables.h; by printa() of a record (@fmt NULL: without a
	 * format), or at the end. */
	void (*table)(struct oformat *f, const struct table *t, const struct format *fmt);

	/*
	 * NULL, or: every -x aggrate, at the end once more, what aggregations grew by.  @time: of
	 * it, as walltimestamp; the first call, without @s, says when it began.
	 */
	void (*sample)(struct oformat *f, const struct series *s, uint64_t time);

	/*
	 * Forms with sample: must that of @time be taken?  If not, the next one holds it.  NULL:
	 * always.
	 */
	bool (*due)(struct oformat *f, uint64_t time);

	/* Forms with sample: do samples need aggregation @agg?  NULL: they need all. */
	bool (*samples)(const struct program *p, uint32_t agg);

	void (*fault)(struct oformat *f, const struct oformat_fault *x);
	void (*loss)(struct oformat *f, const struct oformat_loss *l);

	void (*footer)(struct oformat *f, const struct oformat_total *t, size_t nt,
		       const struct oformat_hook *h, size_t nh);
	void (*interrupted)(struct oformat *f); /* the user asked for the end */
	void (*rest)(struct oformat *f); /* END was shown; what no printa() has shown follows */
	void (*end)(struct oformat *f);  /* nothing follows */
	void (*release)(struct oformat *f);
};

/* Of forms that show aggregations alone: what they do about records. */
#define OFORMAT_NO_RECORDS \
	.record = oformat_no_record, .value = oformat_no_value, .bytes = oformat_no_bytes, \
	.shape = oformat_no_shape, .string = oformat_no_string, .message = oformat_no_message, \
	.packet = oformat_no_packet, .record_end = oformat_nothing

/* They do nothing. */
void oformat_nothing(struct oformat *f);
void oformat_no_record(struct oformat *f, const struct oformat_record *r);
void oformat_no_value(struct oformat *f, const struct datum *d);
void oformat_no_bytes(struct oformat *f, const char *s, size_t n);
void oformat_no_shape(struct oformat *f, const struct shape *s, const char *at);
void oformat_no_string(struct oformat *f, const struct shape *s, const struct datum *d);
void oformat_no_message(struct oformat *f, const struct format *fmt, const struct fmt_args *args);
void oformat_no_packet(struct oformat *f, const struct packet_slot *pk);
/* Of those that show samples, or are asked, what they do about tables. */
void oformat_no_table(struct oformat *f, const struct table *t, const struct format *fmt);

/* The form that -x oformat calls @name; NULL if there is none. */
const struct oformat_ops *oformat_find(const char *name);

/* The output format with index @n, or NULL behind the last. */
const struct oformat_ops *oformat_at(unsigned n);

/* All that is given must outlive it. */
struct oformat *oformat_new(const struct oformat_ops *ops, struct output *out,
			    const struct consumer_opts *o, const struct program *p,
			    struct source *src);
void oformat_free(struct oformat *f);

/* The time of what has no firing, ns since 1970: live now, in replay the capture's. */
uint64_t oformat_now(const struct oformat *f);

#endif
