/* cost.h - implements -x cost: measures the CPU time of each BPF program of a run. */
#ifndef CONSUMER_COST_H
#define CONSUMER_COST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ir/program.h"

struct oformat;
struct source;
struct unit_cost;

/*
 * Returns the name of the hook of @u in the form in which a D program enables it, such as
 * "rawtp:::sys_enter". The caller frees the name with xfree().
 */
char *hook_name(const struct unit *u);

/*
 * Sets *@out to the measured cost of @u, which is unit @i (BPF program @i) of the D program.
 * Returns false if the cost was not measured.
 */
bool cost_of_unit(struct source *src, const struct unit *u, uint32_t i, struct unit_cost *out);

/* Returns the mean duration of a run in nanoseconds, or 0 if there were no runs. */
uint64_t cost_each(const struct unit_cost *c);

/* Returns the share of one CPU's time that the runs took during tracing, in percent. */
double cost_share(const struct unit_cost *c);

/*
 * Prints a line to @err for each BPF program of @p whose cost was measured, and passes the same
 * data to the output format @f. A line has the number of runs, the nanoseconds of a run, the share
 * of one CPU, the hook and the probes. If nothing was measured, prints one line with the reason.
 */
void cost_print(const struct program *p, struct source *src, FILE *err, struct oformat *f);

#endif
