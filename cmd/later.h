/*
 * later.h - probes of processes that do not exist when tracing starts, and are enabled when they come (-Z).
 */
#ifndef CMD_LATER_H
#define CMD_LATER_H

#include <stdint.h>

struct allowed;
struct awaited;
struct later;
struct source;

/*
 * Awaits the @n probes at @a, which the caller keeps; n 0: NULL, and nothing is watched.  @placed: of the program
 * that has them.  @allowed: those that may be enabled (-x probes); NULL: all.  @report is told, one line without
 * its end at a time, which probes could not be enabled and why, once of each.  Takes the right to open perf
 * events.  Free with later_free().
 */
struct later *later_new(const struct awaited *a, unsigned n, uint32_t placed, const struct allowed *allowed,
			void (*report)(const char *line));

/* Readable when processes have mapped something; -1: there is no such descriptor. */
int later_fd(const struct later *l);

/*
 * Looks for what has come, and has @s, which runs on the kernel, enable it.  Looking takes a twentieth of the
 * time at most, whatever processes do; what is left is looked for at the next call.
 */
void later_look(struct later *l, struct source *s);

/* Only when the source and the consumer are gone. */
void later_free(struct later *l);

#endif
