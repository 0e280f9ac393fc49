/*
 * fault.h - reports faults in DTrace's words; repeated ones once a second.
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

/* Faults with one code in one action of one clause. */
struct fault_kind {
	struct fault_record last;
	uint64_t reported_at; /* when last reported: source time, ns */
	uint64_t unreported;  /* faults since then; @last is the latest of them */
};

/* The faults of a run. The caller sets all members but @kind, which is zero at first. */
struct faults {
	struct source *src;
	const struct consumer_opts *o;
	const struct program *p;
	struct oformat *oformat;
	VEC(struct fault_kind) kind;
};

/*
 * Prints "dtrace: error on enabled probe ID 2 (ID 71445: ip:kernel:none:receive): " to @to. @epid:
 * number of the clause.
 */
void fault_where(FILE *to, const struct program *p, uint32_t epid);

/*
 * Reports a fault. If one of the same kind was reported within a second of source time, counts it
 * instead.
 */
void faults_add(struct faults *f, const struct fault_record *rec);

/*
 * Reports the counted faults of kinds that were last reported at least a second ago, or of all
 * kinds if @all is true.
 */
void faults_report(struct faults *f, bool all);

/* Frees the counted faults without a report. */
void faults_release(struct faults *f);

#endif
