/*
 * mounts.h - file systems whose answers another user may hold back.
 */
#ifndef PROCINFO_MOUNTS_H
#define PROCINFO_MOUNTS_H

#include <sys/types.h>

enum stall {
	STALL_NEVER,
	STALL_UNKNOWN, /* the mount is not found: it, or the process, is gone */
	STALL_POSSIBLE,
};

/*
 * May a user's process keep whoever opens or closes this file waiting for ever?  @fd: the file,
 * opened with O_PATH.
 * @pid: the process in whose mount namespace it was found.
 *
 * Possible of a file system in user space (FUSE).  Possible of an overlay that is mounted neither
 * in our own mount namespace nor in that of process 1: a user may have mounted it over a FUSE one,
 * and the kernel looks into that with the user's rights.  This function itself waits for nobody:
 * the kernel answers it from memory.
 */
enum stall mounts_stall(int fd, pid_t pid);

#endif
