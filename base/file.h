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
bool file_read_all(int fd, void *p, size_t n);

/*
 * Opens for reading a file that another user may own or may have named.  @path is relative to the folder @dir, or to
 * the working directory if @dir is AT_FDCWD.  Links are followed, those of /proc too.
 *
 * It refuses, without opening it:
 *   - anything but a regular file: a FIFO, a socket, a device, a folder, also behind a link;
 *   - a file of more than @most bytes;
 *   - a file on which its owner holds a lease, which would make this process wait for the owner.
 * The file stays its owner's: it may grow, shrink and change after this.  So do not map it, read at most @most
 * bytes, and expect fewer.  A file system in user space (FUSE) that root may look into can still make a look-up wait.
 *
 * Returns a descriptor that the caller closes.  It is close-on-exec and non-blocking, which changes nothing for
 * regular files.  On failure returns -1, and @why is set to the reason, as strerror()
 * gives it: it stays the C library's.  Needs /proc.
 */
int file_open_foreign(int dir, const char *path, uint64_t most, const char **why);

/*
 * Appends to @b the bytes of a file that file_open_foreign() opens, and a NUL behind them.  A file that grows beyond
 * @most bytes meanwhile is refused like one that was larger.  Returns whether it did; else @why says why not.
 */
bool file_read_foreign(int dir, const char *path, uint64_t most, struct strbuf *b, const char **why);

/*
 * The file at @path becomes the @n bytes at @p, or stays what it was: they are written to a hidden file beside it,
 * which takes its place in one step, with its owner and mode; @mode: of one that there was none of, less the umask.
 * Where that may not be (it is a mount, or its owner is somebody else) it is written to, and who reads it just then
 * finds a part.  @lasting: its bytes are on the disk before it takes that place, so that who looks after the power went
 * finds one of both, whole.  0, or a positive errno.
 */
int file_replace(const char *path, const void *p, size_t n, mode_t mode, bool lasting);

/* Whether file_replace() could write to @path, or make it: 0, or a positive errno. */
int file_replaceable(const char *path);

/*
 * Where @path leads by links, owned: a regular file, or none yet.  NULL: something else, or what is open already
 * (/dev/stdout), which is to be written to.
 */
char *file_to_replace(const char *path);

#endif
