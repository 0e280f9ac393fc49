/*
 * loss.h - what a run lost: people are told as DTrace tells it, forms as data.
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
	LOSS_AGGREGATION, /* of each CPU */
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
	uint64_t now[LOSS_KINDS], told[LOSS_KINDS]; /* as of the last look, and what was told */
	uint64_t (*told_cpu)[LOSS_AGGREGATION + 1];
	uint64_t *refused; /* by CPU: see loss_refuse() */
	uint64_t source_missed, late_ns;
	bool blind;      /* the counters could not be read; was told */
	uint64_t events; /* as of the last look */

	/* The consumer counts these. */
	uint64_t dblerrors;  /* faults in ERROR clauses */
	uint64_t spec_drops; /* speculative records without room */
	uint64_t records, faults;
};

/* Nothing was told yet; @p and @src must live as long. */
void loss_init(struct loss *l, const struct program *p, struct source *src);
void loss_release(struct loss *l);

/* A record of CPU number @cpu came whole, and the consumer did not keep it: a drop there. */
void loss_refuse(struct loss *l, uint32_t cpu);

/* Says on o->err, and in form @f, what was lost since the last call; nothing if nothing was. */
void loss_tell(struct loss *l, const struct consumer_opts *o, struct oformat *f);

/* When all was told: is anything missing from what came out? */
bool loss_any(const struct loss *l);

/* Looks again, and hands over how much of each kind was lost since the start, 0 too. */
void loss_totals(struct loss *l, void (*fn)(void *ctx, const char *kind, uint64_t n), void *ctx);

#endif
