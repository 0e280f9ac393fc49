/* complete.h - prints words for the shells' completion, one word in each line. */
#ifndef CMD_ABOUT_COMPLETE_H
#define CMD_ABOUT_COMPLETE_H

#include <stdio.h>

/*
 * Prints words of @kind to @to:
 *
 *	probes            probes that are the same on every kernel
 *	providers         providers that -P may name
 *	socket-providers  providers whose probes know the owner of a socket; dwatch asks for these
 *	members           members of the arguments of probe @word
 *	words             functions, actions and variables of D
 *	options           -x options, with a '=' if a value is needed, or with each value
 *	scripts           installed scripts
 *	arguments         words that script @word takes
 *
 * Only members and arguments depend on @word. For the other kinds, complete() prints all words and
 * the shell selects the words that fit. Returns 0, or EXIT_USAGE if there is no such kind.
 */
int complete(const char *kind, const char *word, FILE *to);

#endif
