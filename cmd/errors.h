/*
 * errors.h - exit statuses of the dtrace command, and the messages that go with them.
 *
 * A function that fails prints its message and returns the exit status, so that callers only pass
 * the status on: return fatal("failed to open %s: %s", name, strerror(errno));
 */
#ifndef CMD_ERRORS_H
#define CMD_ERRORS_H

struct cmd_opts;
struct diag;
struct strbuf;

#define EXIT_FATAL 1 /* the command failed */
#define EXIT_USAGE 2 /* the command line is wrong */

/*
 * Prints the formatted message and a newline as complain_text() does. Returns @status, so that
 * callers can return the result.
 */
int complain(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Prints "dtrace: " and @text, which ends with a newline, to stderr in one piece, so that lines of
 * several processes do not mix. Control characters other than newlines and tabs are escaped.
 */
void complain_text(const struct strbuf *text);

#define fatal(...) complain(EXIT_FATAL, __VA_ARGS__)
#define misused(...) complain(EXIT_USAGE, __VA_ARGS__)

/*
 * Prints the error in @d: the message, then the source line and a hint. @o contains -x errtags,
 * which adds the error's tag, and -x nohint, which omits the lines after the message. Returns
 * EXIT_FATAL.
 */
int fatal_diag(const struct cmd_opts *o, const struct diag *d);

/* Prints the usage to stderr.  Returns EXIT_USAGE. */
int misuse(void);

#endif
