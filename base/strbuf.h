/*
 * strbuf.h - strings that grow. The text is always terminated by a NUL.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
	char *s;
	size_t len, cap;
};

/* Frees the text and leaves @b empty. A struct strbuf of zeros is empty, too: its text is NULL. */
void strbuf_release(struct strbuf *b);

/* Empties @b and keeps its memory. */
void strbuf_reset(struct strbuf *b);

/* Makes room for @n more bytes, so that adding them allocates no memory. */
void strbuf_reserve(struct strbuf *b, size_t n);

/* Appends @n bytes that the caller sets. Returns the address of the first one. */
char *strbuf_extend(struct strbuf *b, size_t n);

/* Append a character, @n bytes, a string, or text formatted as by printf(). */
void strbuf_addc(struct strbuf *b, char c);
void strbuf_add(struct strbuf *b, const void *p, size_t n);
void strbuf_adds(struct strbuf *b, const char *s);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap);

/* Returns the text of @b, or "" if @b is empty. The result is valid until @b changes. */
static inline const char *strbuf_text(const struct strbuf *b)
{
	return b->s ? b->s : "";
}

#endif
