/*
 * mounts.h - detects file systems where another user can block an open() or close().
 */
#ifndef PROCINFO_MOUNTS_H
#define PROCINFO_MOUNTS_H

#include <sys/types.h>

enum stall {
	STALL_NEVER,
	STALL_UNKNOWN, /* the mount was not found, because it or the process no longer exists */
	STALL_POSSIBLE,
};

/*
 * Returns whether a user's process can block open() or close() of a file forever. @fd is the file,
 * opened with O_PATH. @pid is the process in whose mount namespace the file was found.
 *
 * Such blocking is possible on a file system in user space (FUSE). It is also possible on an
 * overlay that a user may have mounted over FUSE, because the kernel accesses FUSE with that user's
 * rights. A user may have mounted an overlay if two conditions hold: the mount namespace of @pid
 * does not belong to our user namespace, and the overlay is mounted neither in our mount namespace
 * nor in the mount namespace of process 1.
 *
 * This function itself never blocks, because the kernel answers its questions from memory.
 */
enum stall mounts_stall(int fd, pid_t pid);

#endif
