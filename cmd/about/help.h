/*
 * help.h - what the command says of itself.
 */
#ifndef CMD_ABOUT_HELP_H
#define CMD_ABOUT_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* How it is called, and its options, a line each: what a mistake is answered with. */
void usage(FILE *to);

/* What --help says: the usage, first examples, where the manual is. */
void help(FILE *to);

/* -V: the version of D, in DTrace's words.  @all (--version, -V -v): also ours and the license. */
void version(FILE *to, bool all);

#endif
