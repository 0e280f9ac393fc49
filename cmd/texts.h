/*
 * texts.h - reads the D programs (texts) of the command line: scripts, and the arguments of -P, -m,
 * -f, -n and -i.
 */
#ifndef CMD_TEXTS_H
#define CMD_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

struct diag;
struct arguments;
struct text;

/*
 * Reads all texts of @args into the members src and owned of each struct text. With -C, a script is
 * preprocessed. Pragmas that change how a text is compiled set their options. Returns 0. On
 * failure, prints a message and returns the exit status. The texts live as long as @args.
 */
int texts_read(struct arguments *args, struct diag *d);

/*
 * @t is the text of -s NAME. If there is no file NAME, looks for an installed script with this
 * name, and sets t->path to its path.
 */
void text_find(struct text *t);

/*
 * Returns whether the command line or the environment has already set @option, so that a pragma
 * must not change it. This applies to the output form, and to the options that open files and
 * ports.
 */
bool text_is_overruled(const struct arguments *args, const char *option);

/* Returns a digest of all texts. The same program has the same digest on every host. */
uint64_t texts_digest(const struct arguments *args);

/*
 * Prints the error in @d after the name of the text @t, in which the error occurred: "failed to
 * compile script x.d: ...". Returns EXIT_FATAL.
 */
int text_failed(const struct arguments *args, const struct text *t, const struct diag *d);

#endif
