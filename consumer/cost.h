/*
 * cost.h - -x cost: the CPU time of each BPF program of a run.
 */
#ifndef CONSUMER_COST_H
#define CONSUMER_COST_H

#include <stdio.h>

#include "ir/program.h"

struct oformat;
struct source;

/*
 * Returns the name of the hook of @u as a program enables it, e.g. "rawtp:::sys_enter".  Free it
 * with xfree().
 */
char *hook_name(const struct unit *u);

/*
 * Prints to @err and in format @f for each program of @p: the number of its runs, nanoseconds for
 * each, its share of one CPU, its hook, and the probes that it serves.  The kernel measured the
 * programs of @src while tracing.  If it did not, one line says why.
 */
void cost_print(const struct program *p, struct source *src, FILE *err, struct oformat *f);

#endif
