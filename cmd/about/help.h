/*
 * help.h - usage, help and version.
 */
#ifndef CMD_ABOUT_HELP_H
#define CMD_ABOUT_HELP_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Prints the synopsis and one line for each option. dtrace prints this text if the command line is
 * wrong.
 */
void usage(FILE *to);

/* Implements --help: prints the usage, examples, and where the manual is. */
void help(FILE *to);

/*
 * Implements -V: prints the version of D in DTrace's words. If @all is set, also prints our own
 * version and the license.
 */
void version(FILE *to, bool all);

#endif
