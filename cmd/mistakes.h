/*
 * mistakes.h - command lines that cannot be carried out, with what was probably meant.
 *
 * The functions that return an exit status have printed a message, which says what to write
 * instead where that can be guessed.
 */
#ifndef CMD_MISTAKES_H
#define CMD_MISTAKES_H

#include <stdbool.h>

struct diag;
struct arguments;

/* printf format of a hint: one capture, another one. */
#define JOIN_CAPTURES "captures are read as one with: mergecap -w - %s %s | dtrace -r -"

/* Whether @name has the suffix of a capture file, as .pcap, .pcapng3 or .cap.gz. */
bool looks_like_capture(const char *name);

/* --WORD is no option.  Returns EXIT_USAGE. */
int no_long_option(const char *word);

/* @name is no installed script.  Returns EXIT_FATAL. */
int no_script(const char *name);

/* -l @word: an operand that -l has no use for.  Returns EXIT_FATAL. */
int no_list_operand(const char *word);

/* The command line has no program.  Returns EXIT_FATAL. */
int no_program(const struct arguments *args);

/*
 * Rejects arguments of an installed script that are a capture or an -x option: dtrace tcplife
 * port=80.  Returns 0 or EXIT_FATAL.
 */
int options_among_arguments(const struct arguments *args);

/*
 * Rejects options that do not go together, such as -x filter without -r, and a capture that cannot
 * be opened.  Call it when the options of the programs are set.  Returns 0 or EXIT_FATAL.
 */
int impossible_options(const struct arguments *args, struct diag *d);

#endif
