/*
 * loss.h - what a run lost, told as DTrace tells it.
 */
#ifndef CONSUMER_LOSS_H
#define CONSUMER_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/source.h"
#include "ir/program.h"

struct consumer_opts;

struct loss {
	const struct program *p;
	struct source *src;
	struct percpu *told; /* per CPU: what was reported already */
	struct source_loss skipped;
	uint64_t dblerrors; /* faults in ERROR clauses; the consumer counts them */
	uint64_t dblerrors_told;
	uint64_t spec_drops; /* speculative records without room; likewise */
	uint64_t spec_drops_told, spec_busy, spec_unavail; /* were told */
	bool blind;         /* the counters could not be read; was told */
	uint64_t records, faults; /* likewise */
};

void loss_init(struct loss *l, const struct program *p, struct source *src);
void loss_release(struct loss *l);

/* Writes to o->err what was lost since the last call; nothing if nothing was. */
void loss_tell(struct loss *l, const struct consumer_opts *o);

/* The accounting of the whole run (-x footer). */
void loss_footer(const struct loss *l, const struct consumer_opts *o);

#endif
