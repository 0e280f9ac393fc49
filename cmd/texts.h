/*
 * texts.h - the D texts of the command line: scripts, and the arguments of -P, -m, -f, -n and -i.
 */
#ifndef CMD_TEXTS_H
#define CMD_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

struct diag;
struct arguments;
struct text;

/*
 * Reads all texts of @args into text.src and text.owned.  A script goes through the preprocessor
 * (-C).  Options that change how a text is compiled are set from its pragmas.  Returns 0, or the
 * exit status after a message.  The texts live as long as @args.
 */
int texts_read(struct arguments *args, struct diag *d);

/* Sets text.path of -s NAME if there is no file NAME and NAME is an installed script. */
void text_find(struct text *t);

/*
 * Returns whether the command line has already set @option, so that a pragma must not change it.
 * This holds for the form of the output, and for files and ports that are opened.
 */
bool text_is_overruled(const struct arguments *args, const char *option);

/* Returns a digest of all texts: the same for the same program on every host. */
uint64_t texts_digest(const struct arguments *args);

/*
 * Prints the error in @d after the name of the text @t that was compiled: "failed to compile script
 * x.d: ...".  Returns EXIT_FATAL.
 */
int text_failed(const struct arguments *args, const struct text *t, const struct diag *d);

#endif
