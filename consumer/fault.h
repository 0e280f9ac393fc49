/*
 * fault.h - reports faults, which are run-time errors of a clause, in DTrace's words. Repeated
 * faults are reported once a second.
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

/*
 * The faults of one kind: they have the same code and come from the same action of the same clause.
 */
struct fault_kind {
	struct fault_record last;
	uint64_t reported_at; /* time of the last report, by the source's clock in ns */
	/* number of faults since the last report; @last is the latest of them */
	uint64_t unreported;
};

/* The faults of a run. The caller sets all members except @kind, which is zero at first. */
struct faults {
	struct source *src;
	const struct consumer_opts *o;
	const struct program *p;
	struct oformat *oformat;
	VEC(struct fault_kind) kind;
};

/*
 * Prints the beginning of a fault's message to @to: "dtrace: error on enabled probe ID 2 (ID 71445:
 * ip:kernel:none:receive): ". @epid is the enabled probe ID (epid), which is the number of the
 * clause.
 */
void fault_where(FILE *to, const struct program *p, uint32_t epid);

/*
 * Reports a fault. But if a fault of the same kind was reported less than a second ago (by the
 * source's clock), only counts the fault.
 */
void faults_add(struct faults *f, const struct fault_record *rec);

/*
 * Reports the faults that were only counted. If @all is false, reports only the kinds whose last
 * report was at least a second ago.
 */
void faults_report(struct faults *f, bool all);

/* Frees the members of @f. Faults that were only counted are not reported. */
void faults_release(struct faults *f);

#endif
