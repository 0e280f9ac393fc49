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
 * Prepares to enable awaited probes: probes of the program that do not exist yet. Uses those of the
 * @n probes at @a that are in kernel modules. Returns NULL if none of them is. The caller keeps @a.
 * If a probe cannot be enabled when its module is loaded, @report gets a message: one line without
 * a newline. Free the result with late_modules_free().
 */
struct late_modules *late_modules_new(const struct awaited *a, unsigned n,
				      void (*report)(const char *line));

/*
 * Returns a descriptor that becomes readable when late_modules_look() should be called. Returns -1
 * if there is none.
 */
int late_modules_fd(const struct late_modules *l);

/*
 * Finds out which modules were loaded and removed since the last call. Enables and disables their
 * probes in @s, the kernel source of the run. Does nothing if the last look was less than 0.1 s
 * ago.
 */
void late_modules_look(struct late_modules *l, struct source *s);

void late_modules_free(struct late_modules *l);

#endif
