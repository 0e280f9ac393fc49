/*
 * complete.h - what the shells' completion asks for: words, one a line.
 */
#ifndef CMD_ABOUT_COMPLETE_H
#define CMD_ABOUT_COMPLETE_H

#include <stdio.h>

/*
 * Words of @kind that may stand where @word has been begun: "probes", "members" (behind
 * @word, a probe), "words" (of D: functions, actions, variables), "options" (of -x, with a '=' if
 * a value is wanted) and their values, "scripts", "arguments" (of @word, a script).  0, or 2: there
 * is no such kind.
 */
int complete(const char *kind, const char *word, FILE *to);

#endif
