/*
 * modules.h - enables probes of kernel modules that are not loaded when tracing starts (-Z).
 *
 * Every function but late_modules_new() accepts NULL and then does nothing.
 */
#ifndef CMD_LATE_MODULES_H
#define CMD_LATE_MODULES_H

struct awaited;
struct late_modules;
struct source;

/*
 * Awaits those of the @n probes at @a that are in kernel modules.  NULL: there are none.  The
 * caller keeps @a.  @report gets a message, one line without a newline, for each probe that could
 * not be enabled when its module came.  Free the result with late_modules_free().
 */
struct late_modules *late_modules_new(const struct awaited *a, unsigned n,
				      void (*report)(const char *line));

/* Returns a descriptor that is readable when it is time for a look. -1: there is none. */
int late_modules_fd(const struct late_modules *l);

/*
 * Looks which modules were loaded and removed since the last call, at most once in 0.1 s, and
 * enables and disables their probes in @s, the kernel source of the run.
 */
void late_modules_look(struct late_modules *l, struct source *s);

void late_modules_free(struct late_modules *l);

#endif
