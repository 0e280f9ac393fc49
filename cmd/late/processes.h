/*
 * processes.h - probes of processes that do not exist when tracing starts, and are enabled when
 * they come (-Z).
 *
 * The compiler has compiled the clauses of such a probe; its point has a number and no place
 * (attach_point.awaited).  When a process maps a file, watch_notify() calls this module.  It asks
 * the provider again, and kernel_enable() attaches the probes that it finds under that number.
 * Arguments of static probes are at other places in each file.  This module writes the places into
 * the globals (struct placed_arg) before it attaches; the upper half of the cookie is the row.
 */
#ifndef CMD_LATE_PROCESSES_H
#define CMD_LATE_PROCESSES_H

#include <stdint.h>

struct allowed;
struct awaited;
struct late_processes;
struct source;

/*
 * Awaits those of the @n probes at @a that processes bring; the caller keeps @a.  NULL: there are
 * none.  @placed is that member of the program which has the probes.  @allowed lists the probes
 * that may be enabled (-x probes); NULL: all may be.  @report gets a message for each probe that
 * could not be enabled: one line, without its newline.  The caller needs the right to open perf
 * events.  Free the result with late_processes_free().
 */
struct late_processes *late_processes_new(const struct awaited *a, unsigned n, uint32_t placed,
					  const struct allowed *allowed,
					  void (*report)(const char *line));

/* Readable when processes have mapped something; -1: there is no such descriptor. */
int late_processes_fd(const struct late_processes *l);

/*
 * Looks for awaited probes in files that processes have mapped since the last call, and enables
 * those in @s, the kernel source of the run.  The looks take 2 s and a twentieth of the run's time
 * at most, whatever processes do.  The next call looks for the rest.
 */
void late_processes_look(struct late_processes *l, struct source *s);

/* Call this after the source and the consumer are freed. */
void late_processes_free(struct late_processes *l);

#endif
