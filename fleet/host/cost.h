/*
 * cost.h - measures the CPU time of the BPF programs of a process, and compares it with a bound.
 *
 * The kernel measures programs only while somebody asks for it (BPF_ENABLE_STATS). Their run time
 * is then in /proc/PID/fdinfo of the process that has them.
 */
#ifndef FLEET_HOST_COST_H
#define FLEET_HOST_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

/*
 * The bound is for each COST_WINDOW_S seconds: in that time, programs may use a share of this time
 * on one CPU, at whatever moment. So a burst does not count for more than what it uses, and pauses
 * between bursts do not hide them.
 */
enum { COST_WINDOW_S = 10 };

struct cost_sample {
	uint64_t at, used; /* ns since boot; CPU time until then, ns */
};

/* The samples of the last COST_WINDOW_S seconds, and the last sample before them. */
struct cost_window {
	VEC(struct cost_sample) v;
};

/*
 * Adds a measurement. The caller adds one without CPU time at the start, and then later ones in the
 * order of their times. Returns whether the CPU time since the start of the window exceeds @percent
 * percent of COST_WINDOW_S seconds. If so, writes to @why, of @size bytes, a text such as "its
 * probes used 12 % of a CPU for 9 s; the policy allows 5 % over 10 s".
 */
bool cost_add(struct cost_window *w, struct cost_sample s, uint64_t percent, char *why,
	      size_t size);
void cost_window_release(struct cost_window *w);

/*
 * Reads the text of an fdinfo file. Returns the run time of the BPF program in ns and its number in
 * @id, or returns false if the text is about something else.
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
 * Measures if a second has passed since the last time, or longer if measuring takes long. Returns
 * whether the programs exceed the bound, with the reason in @why as cost_add() writes it.
 */
bool cost_exceeds(struct cost *c, char *why, size_t size);

/* Returns the CPU time of the programs until the last measurement, ns. */
uint64_t cost_used(const struct cost *c);

#endif
