/*
 * fault.h - faults, told as DTrace tells them; those that are alike once a second.
 */
#ifndef CONSUMER_FAULT_H
#define CONSUMER_FAULT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/vec.h"
#include "ir/program.h"

struct consumer_opts;
struct oformat;
struct source;

/* Faults of one kind in one action of one clause. */
struct fault_kind {
	struct fault_record last;
	uint64_t told; /* source time */
	uint64_t more; /* since then, not told: the last of them is @last */
};

/* Of a run; all zero but the first row. */
struct faults {
	struct source *src;
	const struct consumer_opts *o;
	const struct program *p;
	struct oformat *oformat;
	VEC(struct fault_kind) kind;
};

/*
 * Says on standard error "dtrace: error on enabled probe ID 2 (ID 71445: ip:kernel:none:receive):
 * ".
 */
void fault_where(FILE *to, const struct program *p, uint32_t epid);

/* Tells a fault, or, if one alike was told within a second (of source time), keeps it. */
void faults_take(struct faults *f, const struct fault_record *rec);

/* Tells what was kept for a second; @all: whatever was. */
void faults_tell(struct faults *f, bool all);

void faults_release(struct faults *f);

#endif
