/*
 * serve.h - metrics by HTTP: -x listen.
 */
#ifndef CONSUMER_SERVE_H
#define CONSUMER_SERVE_H

struct diag;
struct serve;
struct strbuf;

/*
 * Listens at @where: "ADDRESS:PORT", "[ADDRESS]:PORT", ":PORT" (this machine alone may ask then).
 * libmicrohttpd is loaded.  NULL with the error in @d.
 */
struct serve *serve_new(const char *where, struct diag *d);
void serve_free(struct serve *s);

/* Where it is asked: "http://127.0.0.1:9100/metrics". */
const char *serve_url(const struct serve *s);

/* Readable when there is something to do. */
int serve_fd(const struct serve *s);

/* Answers who has asked, with what @text appends; does not wait. */
void serve_answer(struct serve *s, void (*text)(void *ctx, struct strbuf *out), void *ctx);

#endif
