/*
 * strbuf.c - text that grows.
 */
#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"

static void strbuf_room(struct strbuf *b, size_t n)
{
	if (b->len + n + 1 <= b->cap)
		return;
	while (b->len + n + 1 > b->cap)
		b->cap = b->cap ? b->cap * 2 : 64;
	b->s = xrealloc(b->s, b->cap);
}

void strbuf_release(struct strbuf *b)
{
	xfree(b->s);
	b->s = NULL;
	b->len = b->cap = 0;
}

void strbuf_reset(struct strbuf *b)
{
	b->len = 0;
	if (b->s)
		b->s[0] = '\0';
}

void strbuf_reserve(struct strbuf *b, size_t n)
{
	strbuf_room(b, n);
}

void strbuf_add(struct strbuf *b, const void *p, size_t n)
{
	strbuf_room(b, n);
	if (n)
		memcpy(b->s + b->len, p, n);
	b->len += n;
	b->s[b->len] = '\0';
}

char *strbuf_extend(struct strbuf *b, size_t n)
{
	strbuf_room(b, n);
	b->len += n;
	b->s[b->len] = '\0';
	return b->s + b->len - n;
}

void strbuf_addc(struct strbuf *b, char c)
{
	strbuf_room(b, 1);
	b->s[b->len++] = c;
	b->s[b->len] = '\0';
}

void strbuf_adds(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	strbuf_room(b, (size_t)n);
	vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void strbuf_addf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(b, fmt, ap);
	va_end(ap);
}
