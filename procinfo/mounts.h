/*
 * mounts.h - detects file systems where another user can block an open() or close().
 */
#ifndef PROCINFO_MOUNTS_H
#define PROCINFO_MOUNTS_H

#include <sys/types.h>

enum stall {
	STALL_NEVER,
	STALL_UNKNOWN, /* the mount was not found: it or the process is gone */
	STALL_POSSIBLE,
};

/*
 * Returns whether a user's process can block open() or close() of a file forever. @fd is the file,
 * opened with O_PATH. @pid is the process in whose mount namespace the file was found.
 *
 * That is possible on a file system in user space (FUSE). It is also possible on an overlay that is
 * mounted neither in our own mount namespace nor in that of process 1: a user may have mounted it
 * over FUSE, which the kernel then accesses with the user's rights. This function itself never
 * blocks, because the kernel answers its questions from memory.
 */
enum stall mounts_stall(int fd, pid_t pid);

#endif
