/*
 * xalloc.h - allocation that aborts when memory is out, and BUG() for internal errors.
 */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H

#include <stddef.h>

/* Like malloc(), calloc(), realloc(), strdup() and free(), but they abort when memory is out. */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
void xfree(void *p);

/* Prints the message "out of memory" and aborts. */
_Noreturn void xalloc_failed(void);

/* Reports an error that no user can cause: prints the message with file and line, and aborts. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
