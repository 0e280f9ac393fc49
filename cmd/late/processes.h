/*
 * processes.h - enables probes of processes (pid, usdt) that do not exist when tracing starts (-Z).
 *
 * The compiler has already compiled the clauses of such an awaited probe. At that time, the probe's
 * attach point has only a number (attach_point.awaited), but no file or address. watch_drain()
 * tells this module which files processes have mapped since. The module then asks the provider for
 * places of the probe in these files. kernel_enable() attaches the program at each place.
 *
 * The arguments of a static probe are at different places in each file. So the program's global
 * variables contain a table with a row of places (struct late_arg) for each file. This module fills
 * in a row before it attaches the probe. The upper half of the probe's cookie is the number of the
 * row.
 *
 * All functions except late_processes_new() accept NULL and then do nothing.
 */
#ifndef CMD_LATE_PROCESSES_H
#define CMD_LATE_PROCESSES_H

#include <stdint.h>

struct allowed;
struct awaited;
struct late_processes;
struct source;

/*
 * Prepares to enable those of the @n awaited probes at @a that are in processes. Returns NULL if
 * none of them is. The caller keeps @a and @allowed. @allowed is the list of probes that may be
 * enabled (-x probes), or NULL if all may. @placed is program.late_args of the program that has the
 * probes. If a probe is found but cannot be enabled, @report gets a message: one line without a
 * newline.
 *
 * The caller needs the right to open perf events. Free the result with late_processes_free().
 */
struct late_processes *late_processes_new(const struct awaited *a, unsigned n, uint32_t placed,
					  const struct allowed *allowed,
					  void (*report)(const char *line));

/*
 * Returns a descriptor that becomes readable when processes have mapped files. Returns -1 if there
 * is none.
 */
int late_processes_fd(const struct late_processes *l);

/*
 * Looks for awaited probes in the files that processes have mapped since the last call. Each probe
 * that is found is enabled in @s, the kernel source of the run. The time of all calls together is
 * limited to 2 s plus a twentieth of the duration of the run, whatever processes do. If that time
 * is used up, the next call continues.
 */
void late_processes_look(struct late_processes *l, struct source *s);

/* Frees @l, which may be NULL. Call this function after the source and the consumer are freed. */
void late_processes_free(struct late_processes *l);

#endif
