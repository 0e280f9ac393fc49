/*
 * loss.h - counts and reports what a run lost. The reports are messages like DTrace's, and data in
 * the output formats.
 */
#ifndef CONSUMER_LOSS_H
#define CONSUMER_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/source.h"
#include "ir/program.h"

struct consumer_opts;
struct oformat;

enum loss_kind {
	LOSS_PRINCIPAL,
	LOSS_AGGREGATION, /* losses up to this kind are reported for each CPU */
	LOSS_DYNAMIC,
	LOSS_SPEC,
	LOSS_SPECBUSY,
	LOSS_SPECUNAVAIL,
	LOSS_DBLERROR,
	LOSS_UNREADABLE,
	LOSS_MISSED,
	LOSS_UNRUN,
	LOSS_TICKS,
	LOSS_BARRED,
	LOSS_LATE,
	LOSS_CLOCK,
	LOSS_UNPLACED,
	LOSS_UNCAUGHT,
	LOSS_CONNS,
	LOSS_FRAG_MISSING,
	LOSS_FRAG_OVERLAP,
	LOSS_FRAG_ROOM,
	LOSS_NOT_UNDERSTOOD,
	LOSS_IMPOSSIBLE,
	LOSS_KINDS
};

struct loss {
	const struct program *p;
	struct source *src;
	uint64_t now[LOSS_KINDS];                       /* totals at the last count */
	uint64_t reported[LOSS_KINDS];                  /* totals at the last report */
	uint64_t (*reported_cpu)[LOSS_AGGREGATION + 1]; /* totals of each CPU at the last report */
	/* records that loss_refuse() counted, by index of the CPU */
	uint64_t *refused;
	uint64_t source_missed, late_ns;
	const char *which[LOSS_KINDS]; /* reasons of the source for its losses, or NULL; borrowed */
	bool blind; /* the counters could not be read, and a message has reported this */
	/* firings of probes at the last count, or 0 if the program does not count them */
	uint64_t events;

	/* The consumer counts the following itself. */
	uint64_t dblerrors;  /* faults in ERROR clauses */
	uint64_t spec_drops; /* speculative records for which there was no room */
	uint64_t records, faults;
};

/* Initializes @l, which borrows @p and @src. The caller ends it with loss_release(). */
void loss_init(struct loss *l, const struct program *p, struct source *src);
void loss_release(struct loss *l);

/* Counts a drop on the CPU with the number @cpu: a record that arrived but was not kept. */
void loss_refuse(struct loss *l, uint32_t cpu);

/*
 * Reports the losses since the last call, as messages to o->err and as data in the output format
 * @f. Prints nothing if nothing was lost. If the counters cannot be read, a message says so once.
 */
void loss_report(struct loss *l, const struct consumer_opts *o, struct oformat *f);

/*
 * Returns whether anything is missing from the output. Each fault counts as missing output. Call
 * this function after the last loss_report().
 */
bool loss_any(const struct loss *l);

/* Counts the losses, and calls @fn for each kind with its total since the start, which may be 0. */
void loss_totals(struct loss *l, void (*fn)(void *ctx, const char *kind, uint64_t n), void *ctx);

#endif
