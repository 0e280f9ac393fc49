/*
 * watch.h - records what processes map, as perf events report it. So the mappings of a process are
 * known even if it ends before they are needed.
 */
#ifndef PROCINFO_WATCH_H
#define PROCINFO_WATCH_H

#include <stdint.h>
#include <sys/types.h>

struct process;

/*
 * Starts recording on all CPUs. Without the right to do so, nothing is recorded and no error
 * reported.
 */
void watch_start(void);

/* Also records process @pid, which runs already, with its current mappings. */
void watch_add(pid_t pid);

/*
 * Starts recording, and calls @fn from watch_drain() for each file with code that a process maps.
 * @fn gets the process, the path, and a number that identifies the file (a hash; two files may
 * collide). Process 0 and the path "" mean that some events were lost.
 *
 * Returns a descriptor that is readable when watch_drain() has work; watch_stop() closes it.
 * Returns -1 and sets errno on failure. Call it before watch_start().
 */
int watch_notify(void (*fn)(void *ctx, pid_t pid, const char *path, uint64_t file), void *ctx);

/* Processes the recorded events. Call it regularly, because the kernel's buffers are limited. */
void watch_drain(void);

/*
 * Returns a copy of the last known mappings of process @pid, or NULL if it is unknown. The caller
 * frees it with process_free().
 */
struct process *watch_process(pid_t pid);

/* Stops recording and frees everything. */
void watch_stop(void);

#endif
