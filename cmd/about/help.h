/*
 * help.h - usage, help and version.
 */
#ifndef CMD_ABOUT_HELP_H
#define CMD_ABOUT_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the synopsis and one line for each option: the answer to a wrong command line. */
void usage(FILE *to);

/* --help: prints the usage, examples, and where the manual is. */
void help(FILE *to);

/* -V: prints the version of D in DTrace's words.  With @all also our version and the license. */
void version(FILE *to, bool all);

#endif
