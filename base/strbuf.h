/*
 * strbuf.h - text that grows.  The buffer is always NUL-terminated.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
	char *s;
	size_t len, cap;
};

/* An all-zero struct strbuf is empty (s is NULL until something is added). */
void strbuf_release(struct strbuf *b);
void strbuf_reset(struct strbuf *b);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_add(struct strbuf *b, const void *p, size_t n);
void strbuf_adds(struct strbuf *b, const char *s);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap);

/* What it holds, "" if nothing was added; until more is. */
static inline const char *strbuf_text(const struct strbuf *b)
{
	return b->s ? b->s : "";
}

#endif
