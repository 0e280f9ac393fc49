/*
 * file.h - whole files, and all of what is to be written.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/strbuf.h"

/* Appends what is left of @f, text with a NUL behind it.  0, or a positive errno. */
int file_read(FILE *f, struct strbuf *b);

/* Writes all @n bytes at @p, however many calls it takes; false: it failed, and errno says why. */
bool file_write(int fd, const void *p, size_t n);

#endif
