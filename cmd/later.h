/*
 * later.h - probes of processes that do not exist when tracing starts, and are enabled when they
 * come (-Z).
 */
#ifndef CMD_LATER_H
#define CMD_LATER_H

#include <stdint.h>

struct allowed;
struct awaited;
struct later;
struct source;

/*
 * Awaits those of the @n probes at @a that processes bring; the caller keeps @a.  NULL: there are
 * none.  @placed is that member of the program which has the probes.  @allowed lists the probes
 * that may be enabled (-x probes); NULL: all may be.  @report gets a message for each probe that
 * could not be enabled: one line, without its newline.  The caller needs the right to open perf
 * events.  Free the result with later_free().
 */
struct later *later_new(const struct awaited *a, unsigned n, uint32_t placed,
			const struct allowed *allowed, void (*report)(const char *line));

/* Readable when processes have mapped something; -1: there is no such descriptor. */
int later_fd(const struct later *l);

/*
 * Looks for awaited probes in files that processes have mapped since the last call, and enables
 * those in @s, the kernel source of the run.  The looks take 2 s and a twentieth of the run's time
 * at most, whatever processes do.  The next call looks for the rest.
 */
void later_look(struct later *l, struct source *s);

/* Call this after the source and the consumer are freed. */
void later_free(struct later *l);

#endif
