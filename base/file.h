/*
 * file.h - whole files, and all of what is to be written.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
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
