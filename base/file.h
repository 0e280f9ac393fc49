/*
 * file.h - whole files, and all of what is to be written.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/strbuf.h"

/* Appends what is left of @f, text with a NUL behind it.  0, or a positive errno. */
int file_read(FILE *f, struct strbuf *b);

/* Writes all @n bytes at @p, however many calls it takes; false: it failed, and errno says why. */
bool file_write(int fd, const void *p, size_t n);

/* Reads @n bytes to @p, however many calls it takes; false: it ended before, or it failed. */
bool file_read_exact(int fd, void *p, size_t n);

/*
 * Opens for reading a file that another user may own or may have named.  @path is relative to the
 * folder @dir, or to the working directory if @dir is AT_FDCWD.  Links are followed, those of /proc
 * too.
 *
 * It refuses, without opening it:
 *   - anything but a regular file: a FIFO, a socket, a device, a folder, also behind a link;
 *   - a file of more than @most bytes;
 *   - a file on which its owner holds a lease, which would make this process wait for the owner.
 * The file stays its owner's: it may grow, shrink and change after this.  So do not map it, read at
 * most @most bytes, and expect fewer.  A file system in user space (FUSE) that root may look into
 * can still make a look-up wait: procinfo/mounts.h tells such files beforehand.
 *
 * Returns a descriptor that the caller closes.  It is close-on-exec and non-blocking, which changes
 * nothing for regular files.  On failure returns -1, and @why is set to the reason, as strerror()
 * gives it: it stays the C library's.  Needs /proc.
 */
int file_open_foreign(int dir, const char *path, uint64_t most, const char **why);

/*
 * Appends to @b the bytes of a file that file_open_foreign() opens, and a NUL behind them.  A file
 * that grows beyond
 * @most bytes meanwhile is refused like one that was larger.  Returns whether it did; else @why
 * says why not.
 */
bool file_read_foreign(int dir, const char *path, uint64_t most, struct strbuf *b,
		       const char **why);

/*
 * As file_read_foreign(), for the open file @fd: reads from its present offset.  The caller closes
 * @fd.
 */
bool file_read_fd(int fd, uint64_t most, struct strbuf *b, const char **why);

/*
 * Files that are written: -o, aggout, capture and freopen() go through these functions.
 *
 * The way to a file is walked folder by folder, by descriptors, so nothing can change between a
 * check and its use. A folder is shared if another user may put things there: its mode lets the
 * group or everybody write (the sticky bit does not help), its owner is another user, or one of the
 * folders above lets another user replace it. In a shared folder no link is followed, and a file is
 * written or replaced only if it is ours and has one name. Elsewhere links are followed. "Another
 * user" is neither root, nor this process's user, nor the one who called sudo(8).
 *
 * Errors are a positive errno, FILE_IS_LINK or FILE_NOT_OURS; file_error() has a text for each.
 * Needs /proc.
 */
enum file_errors {
	FILE_IS_LINK = 4096, /* more than any errno */
	FILE_NOT_OURS,
};
const char *file_error(int err);

/*
 * Opens the file at @path for writing, or makes it with mode 0666 less the umask.  @how: O_APPEND
 * or O_TRUNC.  Pipes, devices and what is open already (/dev/stdout) are opened as they are.
 * Returns a descriptor, close-on-exec, that the caller closes; or -1, and errno is one of the
 * errors.
 */
int file_open_output(const char *path, int how);

/*
 * Replaces the file at @path with the @n bytes at @p, or leaves it as it is.  The bytes go to a
 * hidden file beside it, which then takes its place in one step, with its owner and mode.  A new
 * file gets @mode less the umask. Where nothing may take its place (it is a mount, or a folder does
 * not let us) the file itself is written, and whoever reads it at that time finds a part. @lasting:
 * the bytes are on the disk before they take the place, so that after a power failure one of both
 * is there, whole.  0, or one of the errors.
 */
int file_replace(const char *path, const void *p, size_t n, mode_t mode, bool lasting);

/* Could file_replace() write to @path, or make it?  0, or one of the errors. */
int file_can_replace(const char *path);

/*
 * The path that @path leads to by links, for file_replace(); the caller frees it with xfree(). NULL
 * with errno 0: a pipe, a device or what is open already is there, which is to be written to.  NULL
 * with another errno: an error.
 */
char *file_resolve_output(const char *path);

#endif
