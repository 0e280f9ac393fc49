/*
 * cost.h - measures the CPU time of the BPF programs of a process, and compares it with a bound.
 *
 * The kernel measures programs only while a process has asked for that (BPF_ENABLE_STATS). The run
 * time of a program is in /proc/PID/fdinfo, where PID is the process that has the program open.
 */
#ifndef FLEET_HOST_COST_H
#define FLEET_HOST_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

/*
 * The bound holds for the last COST_WINDOW_S seconds: with a bound of 5 %, the programs may use 0.5
 * s of CPU time in 10 s. A short burst is allowed, but frequent bursts add up.
 */
enum { COST_WINDOW_S = 10 };

struct cost_sample {
	uint64_t at, used; /* time, ns since boot; CPU time used until @at, ns */
};

/* The samples of the last COST_WINDOW_S seconds, and the last sample before them. */
struct cost_window {
	VEC(struct cost_sample) v;
};

/*
 * Adds measurement @s. In the first measurement, s.used must be 0. The caller adds measurements in
 * the order of their times. Returns whether the CPU time since the start of the window exceeds
 * @percent percent of COST_WINDOW_S seconds. If so, writes to @why, of @size bytes, a text such as
 * "its probes used 12 % of a CPU for 9 s; the policy allows 5 % over 10 s".
 */
bool cost_add(struct cost_window *w, struct cost_sample s, uint64_t percent, char *why,
	      size_t size);
void cost_window_release(struct cost_window *w);

/*
 * Reads the text of an fdinfo file. If the file is that of a BPF program, stores the number of the
 * program in @id and its run time in @ns, and returns true.
 */
bool cost_read(const char *text, uint64_t *id, uint64_t *ns);

/* The measurements of one process. */
struct cost;

/*
 * Begins to measure the programs of process @pid, which may use @percent percent of one CPU. Lets
 * the kernel measure all programs of the machine until cost_free(). Returns NULL, with the error in
 * errno, if the kernel refuses.
 */
struct cost *cost_new(pid_t pid, uint64_t percent);
void cost_free(struct cost *c);

/*
 * Measures if the last measurement was at least a second ago (longer if measuring is slow). Returns
 * whether the programs exceed the bound; cost_add() then writes the reason to @why.
 */
bool cost_exceeds(struct cost *c, char *why, size_t size);

/* Returns the CPU time of the programs until the last measurement, ns. */
uint64_t cost_used(const struct cost *c);

#endif
