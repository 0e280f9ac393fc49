/*
 * watch.h - records the files and the memory that processes map. The kernel reports mappings as
 * perf events. So the mappings of a process are known even if it ends before they are needed.
 */
#ifndef PROCINFO_WATCH_H
#define PROCINFO_WATCH_H

#include <stdint.h>
#include <sys/types.h>

struct mapping;
struct process;

/*
 * Sets a function that watch_drain() calls for each change, in the order of their @time, which is
 * that of now_monotonic(). If @m is not NULL, process @pid has made the executable mapping @m of
 * the file @path. If @m is NULL, another program or process begins with the number @pid. If @pid is
 * 0, changes were lost.
 */
void watch_changes(void (*fn)(pid_t pid, uint64_t time, const struct mapping *m, const char *path));

/*
 * Starts recording on all CPUs. Without the right to record, records nothing and reports no error.
 */
void watch_start(void);

/*
 * Starts recording. Then watch_drain() calls @fn for each file with code that a process maps. The
 * arguments of @fn are the process, the path, and a number that identifies the file. The number is
 * a hash, so two files may have the same number. Process 0 and the path "" mean that some events
 * were lost.
 *
 * Returns a descriptor that is readable when watch_drain() should be called. watch_stop() closes
 * it. On failure, returns -1 and sets errno. Call this function before watch_start().
 */
int watch_notify(void (*fn)(void *ctx, pid_t pid, const char *path, uint64_t file), void *ctx);

/* Processes the recorded events. Call it regularly, because the kernel's buffers are limited. */
void watch_drain(void);

/*
 * Returns a copy of the last known mappings of process @pid, or NULL if the process is unknown. The
 * caller frees the copy with process_free().
 */
struct process *watch_process(pid_t pid);

/* Stops recording and frees all recorded mappings. */
void watch_stop(void);

#endif
