/*
 * loss.h - counts and reports what a run lost: as messages like DTrace's, and as data in output
 * formats.
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
	LOSS_AGGREGATION, /* this kind and those above are reported for each CPU */
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
	LOSS_KINDS
};

struct loss {
	const struct program *p;
	struct source *src;
	uint64_t now[LOSS_KINDS];                       /* totals when last counted */
	uint64_t reported[LOSS_KINDS];                  /* totals when last reported */
	uint64_t (*reported_cpu)[LOSS_AGGREGATION + 1]; /* totals of each CPU when last reported */
	uint64_t *refused;                              /* by CPU; see loss_refuse() */
	uint64_t source_missed, late_ns;
	bool blind;      /* the counters could not be read; this was reported */
	uint64_t events; /* firings when last counted */

	/* Counted by the consumer. */
	uint64_t dblerrors;  /* faults in ERROR clauses */
	uint64_t spec_drops; /* speculative records without room */
	uint64_t records, faults;
};

/* Initializes @l, which borrows @p and @src. The caller ends it with loss_release(). */
void loss_init(struct loss *l, const struct program *p, struct source *src);
void loss_release(struct loss *l);

/* Counts a drop on CPU number @cpu: a record that arrived, but was not kept. */
void loss_refuse(struct loss *l, uint32_t cpu);

/*
 * Reports the losses since the last call, on o->err and in format @f. Prints nothing if nothing was
 * lost. If the counters cannot be read, a message says so once.
 */
void loss_report(struct loss *l, const struct consumer_opts *o, struct oformat *f);

/* Returns whether the output lacks anything. Call it after the last loss_report(). */
bool loss_any(const struct loss *l);

/* Counts the losses, and passes the total of each kind since the start to @fn, zeros too. */
void loss_totals(struct loss *l, void (*fn)(void *ctx, const char *kind, uint64_t n), void *ctx);

#endif
