/*
 * serve.h - metrics by HTTP: -x listen.
 */
#ifndef CONSUMER_SERVE_SERVE_H
#define CONSUMER_SERVE_SERVE_H

struct diag;
struct serve;
struct strbuf;

/* Declares that this run will serve metrics.  Call it before any reader starts. */
void serve_declare(void);

/*
 * Listens at @where: "ADDRESS:PORT", "[ADDRESS]:PORT", or ":PORT" for clients on this host only.
 * Starts a confined process (a reader) that answers the requests.
 *
 * @report gets a line of text, without a newline, if that process ends during the run or cannot be
 * restarted.  Returns NULL with the error in @d on failure.  The caller frees the result with
 * serve_free().
 */
struct serve *serve_new(const char *where, void (*report)(const char *line), struct diag *d);
void serve_free(struct serve *s);

/* Returns the URL of the metrics: "http://127.0.0.1:9100/metrics". */
const char *serve_url(const struct serve *s);

/* Returns a descriptor that is readable when serve_answer() has something to do. */
int serve_fd(const struct serve *s);

/*
 * Handles requests for metrics without waiting for any.  If a client waits, calls @text, which
 * appends the metrics, at most once a second.  Restarts the reader if it died.  To be called every
 * few seconds at least.
 */
void serve_answer(struct serve *s, void (*text)(void *ctx, struct strbuf *out), void *ctx);

#endif
