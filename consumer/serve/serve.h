/* serve.h - implements -x listen, which serves metrics by HTTP. */
#ifndef CONSUMER_SERVE_SERVE_H
#define CONSUMER_SERVE_SERVE_H

struct diag;
struct serve;
struct strbuf;

/* Declares that this run will serve metrics. Call this function before any reader starts. */
void serve_declare(void);

/*
 * Listens at @where, which is "ADDRESS:PORT" or "[ADDRESS]:PORT". ":PORT" listens for clients on
 * this host only. Starts a confined process (a reader) that answers the requests.
 *
 * @report is called with a message if that process ends during the run or cannot be restarted. The
 * message is one line without a newline. On failure, returns NULL with the error in @d. The caller
 * frees the result with serve_free().
 */
struct serve *serve_new(const char *where, void (*report)(const char *line), struct diag *d);
void serve_free(struct serve *s);

/* Returns the URL of the metrics, such as "http://127.0.0.1:9100/metrics". */
const char *serve_url(const struct serve *s);

/* Returns a descriptor that is readable when serve_answer() should be called. */
int serve_fd(const struct serve *s);

/*
 * Handles the requests for metrics that have arrived, without waiting for more. If a client waits
 * for metrics, calls @text, which appends the metrics. @text is called at most once a second.
 * Restarts the reader if it has died. Call this function at least every few seconds.
 */
void serve_answer(struct serve *s, void (*text)(void *ctx, struct strbuf *out), void *ctx);

#endif
