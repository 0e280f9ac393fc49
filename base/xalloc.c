/*
 * xalloc.c - allocation that aborts when memory is out.
 */
#include "base/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xalloc_failed(void)
{
	fputs("dtrace: out of memory\n", stderr);
	abort();
}

static void *check(void *p)
{
	if (!p)
		xalloc_failed();
	return p;
}

void *xmalloc(size_t size)
{
	return check(malloc(size ? size : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return check(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t size)
{
	return check(realloc(p, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return check(strdup(s));
}

void xfree(void *p)
{
	free(p);
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "dtrace: internal error at %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
