/*
 * watch.h - what processes map from now on, as the kernel tells it: those that are gone before
 * anybody could look at them are known, too.
 */
#ifndef PROCINFO_WATCH_H
#define PROCINFO_WATCH_H

#include <stdint.h>
#include <sys/types.h>

struct process;

/* From here on, on all CPUs.  Without the right to it nothing is known, and nothing said. */
void watch_start(void);

/* Process @pid, which is there already: what it has mapped, and maps from now on, is known too. */
void watch_add(pid_t pid);

/*
 * Has @fn told, from within watch_drain(), of each file with code that a process maps: its pid, its
 * path, and a number that is another file's only by chance.  With pid 0 and "" it is told that some
 * may have been missed. Returns a descriptor that is readable when there is something to drain,
 * which watch_stop() closes; -1 with errno: nothing will be told.  To be called before anybody
 * calls watch_start().
 */
int watch_notify(void (*fn)(void *ctx, pid_t pid, const char *path, uint64_t file), void *ctx);

/* Takes what the kernel has told: now and then, for it keeps so much only. */
void watch_drain(void);

/* Process @pid as it was last; free with process_free().  NULL: nothing is known of it. */
struct process *watch_process(pid_t pid);

void watch_stop(void);

#endif
