/*
 * serve.h - metrics by HTTP: -x listen.
 */
#ifndef CONSUMER_SERVE_SERVE_H
#define CONSUMER_SERVE_SERVE_H

struct diag;
struct serve;
struct strbuf;

/* The run will listen.  Call it before anything starts readers: see readers_declare(). */
void serve_declare(void);

/*
 * Listens at @where: "ADDRESS:PORT", "[ADDRESS]:PORT", ":PORT" (this machine alone may ask then).
 * A confined process that answers is started.  @tell gets a line if that process ends during the
 * run.  NULL with the error in @d.
 */
struct serve *serve_new(const char *where, void (*report)(const char *line), struct diag *d);
void serve_free(struct serve *s);

/* Where it is asked: "http://127.0.0.1:9100/metrics". */
const char *serve_url(const struct serve *s);

/* Readable when there is something to do. */
int serve_fd(const struct serve *s);

/*
 * If somebody wants metrics, hands over what @text appends: once a second at most.  Starts another
 * process if the one that answers has ended.  Does not wait.  Call it every few seconds at least.
 */
void serve_answer(struct serve *s, void (*text)(void *ctx, struct strbuf *out), void *ctx);

#endif
