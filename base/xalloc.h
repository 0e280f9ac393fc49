/*
 * xalloc.h - allocation that cannot fail, and BUG() for what cannot happen.
 */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H

#include <stddef.h>

/* As malloc, calloc, realloc and strdup, but abort when memory is out. */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
void xfree(void *p);

/* Says that memory is out, and aborts. */
_Noreturn void xalloc_failed(void);

/* An error that no user can cause: says where, and aborts. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
