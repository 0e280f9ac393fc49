/*
 * file.h - whole files.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdio.h>

#include "base/strbuf.h"

/* Appends what is left of @f, text with a NUL behind it.  0, or a positive errno. */
int file_read(FILE *f, struct strbuf *b);

#endif
