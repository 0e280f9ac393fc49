/*
 * maps.h - reads the mappings of processes, and opens mapped files, in a helper process.
 *
 * The kernel locks the list of mappings of a process. A hostile process can keep this lock: one of
 * its threads reads memory where a file is mapped, and the file is on a FUSE file system whose
 * server does not answer. Then every read of /proc/PID/maps and every lookup in /proc/PID/map_files
 * waits, and only SIGKILL ends the wait. So the helper does this work, and dtrace kills the helper
 * if it waits for longer than a second. dtrace reads no mappings of that process again.
 */
#ifndef PROCINFO_MAPS_H
#define PROCINFO_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"

/*
 * Lets this process execute its own binary with the argument --maps, as a helper. The helper starts
 * when it is needed. Without this call, the functions below do the work in this process.
 */
void maps_use_helper(void);

/* The main program of the helper. */
void maps_main(void) __attribute__((noreturn));

/*
 * Ends the helper, if it runs. The helper has the rights that this process had when the helper
 * started. So call this function before this process gives up rights.
 */
void maps_stop(void);

/* Returns the effective user of the process. The kernel needs no lock for this. */
uid_t maps_user(pid_t pid);

/*
 * Appends the contents of /proc/PID/maps to @text, and sets @uid to the user of the process.
 * On failure, returns false and sets errno: to ETIME if the process is blocked, or if there is no
 * time left for its user (budget.h). The caller counts the time.
 */
bool maps_read(pid_t pid, struct strbuf *text, uid_t *uid);

/*
 * Opens the file that process @pid has mapped from address @from to @to, with O_PATH, by the
 * kernel's link to the mapping. The link leads to the file itself, even if the file was renamed or
 * is in another mount namespace. Returns -1 on failure. The caller closes the descriptor.
 */
int maps_open(pid_t pid, uint64_t from, uint64_t to);

/* Reports that process @pid makes more mappings than dtrace remembers. */
void maps_too_many(pid_t pid);

/* Sets a function that is called with messages about processes that are blocked. */
void maps_report(void (*fn)(const char *line));

#endif
