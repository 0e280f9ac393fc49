/*
 * modules.h - functions of kernel modules that are not loaded when tracing starts (-Z).
 */
#ifndef CMD_LATE_MODULES_H
#define CMD_LATE_MODULES_H

struct awaited;
struct late_modules;
struct source;

/*
 * Awaits those of the @n probes at @a that a kernel module brings; the caller keeps @a.  NULL:
 * there are none.
 * @report gets a message for each probe that could not be enabled: one line, without its newline.
 * Free the result with late_modules_free().
 */
struct late_modules *late_modules_new(const struct awaited *a, unsigned n,
				      void (*report)(const char *line));

/* Readable when it is time for a look; -1: it never is. */
int late_modules_fd(const struct late_modules *l);

/*
 * Looks, every tenth of a second at most, which modules have come and gone since the last call, and
 * enables and disables their probes in @s, the kernel source of the run.  @l may be NULL.
 */
void late_modules_look(struct late_modules *l, struct source *s);

void late_modules_free(struct late_modules *l);

#endif
