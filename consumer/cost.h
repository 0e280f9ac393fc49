/*
 * cost.h - -x cost: the CPU time of each BPF program of a run.
 */
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
 * Returns the name of the hook of @u as a program enables it, e.g. "rawtp:::sys_enter".  Free it
 * with xfree().
 */
char *hook_name(const struct unit *u);

/*
 * Stores the measured cost of @u, which is unit @i of the program, in *@out. Returns false if the
 * cost was not measured.
 */
bool cost_of_unit(struct source *src, const struct unit *u, uint32_t i, struct unit_cost *out);

/* Returns the mean duration of a run in nanoseconds; 0 without runs. */
uint64_t cost_each(const struct unit_cost *c);

/* Returns the share of one CPU's time that the runs took during tracing, in percent. */
double cost_share(const struct unit_cost *c);

/*
 * Prints a line for each BPF program of @p to @err, and passes the same data to format @f: number
 * of runs, nanoseconds of a run, share of one CPU, hook and probes.  If nothing was measured,
 * prints a line with the reason.
 */
void cost_print(const struct program *p, struct source *src, FILE *err, struct oformat *f);

#endif
