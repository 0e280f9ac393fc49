/*
 * processes.h - enables probes of processes (pid, usdt) that do not exist when tracing starts (-Z).
 *
 * The compiler has compiled the clauses of such a probe.  The probe's point has a number but no
 * place (attach_point.awaited).  When a process maps a file, watch_notify() calls this module.
 * This module asks the provider again, and kernel_enable() attaches the places that the provider
 * finds to the point with that number.
 *
 * The arguments of a static probe are at other places in each file.  So a table in the globals has
 * a row of places (struct late_arg) for each file.  This module fills in a row before it attaches;
 * the upper half of the cookie is the number of the row.
 *
 * Every function but late_processes_new() accepts NULL and then does nothing.
 */
#ifndef CMD_LATE_PROCESSES_H
#define CMD_LATE_PROCESSES_H

#include <stdint.h>

struct allowed;
struct awaited;
struct late_processes;
struct source;

/*
 * Awaits those of the @n probes at @a that are in processes.  NULL: there are none.  The caller
 * keeps @a and @allowed, the list of probes that may be enabled (-x probes; NULL: all may).
 * @placed is program.late_args of the program that has the probes.  @report gets a message, one
 * line without a newline, for each probe that was found and could not be enabled.
 *
 * The caller needs the right to open perf events.  Free the result with late_processes_free().
 */
struct late_processes *late_processes_new(const struct awaited *a, unsigned n, uint32_t placed,
					  const struct allowed *allowed,
					  void (*report)(const char *line));

/* Returns a descriptor that is readable when processes have mapped files. -1: there is none. */
int late_processes_fd(const struct late_processes *l);

/*
 * Looks for awaited probes in files that processes have mapped since the last call, and enables
 * them in @s, the kernel source of the run.  All looks together take at most 2 s plus a twentieth
 * of the duration of the run, whatever processes do.  The next call continues.
 */
void late_processes_look(struct late_processes *l, struct source *s);

/* Call it after the source and the consumer are freed. */
void late_processes_free(struct late_processes *l);

#endif
