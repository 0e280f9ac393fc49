/*
 * mounts.h - file systems whose answers another user may hold back.
 */
#ifndef PROCESS_MOUNTS_H
#define PROCESS_MOUNTS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * May a user's process keep whoever opens or closes this file waiting for ever?  @fd: the file, opened with O_PATH.
 * @pid: the process in whose mount namespace it was found.
 *
 * True of a file system in user space (FUSE).  True of an overlay that is mounted neither in our own mount
 * namespace nor in that of process 1: a user may have mounted it over a FUSE one, and the kernel looks into
 * that with the user's rights.  True as well if the mount is not found.  This function itself waits for
 * nobody: the kernel answers it from memory.
 */
bool mounts_can_stall(int fd, pid_t pid);

#endif
