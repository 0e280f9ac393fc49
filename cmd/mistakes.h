/*
 * mistakes.h - messages for wrong command lines, which suggest what the user may have meant.
 *
 * A function that returns an exit status other than 0 has printed a message.
 */
#ifndef CMD_MISTAKES_H
#define CMD_MISTAKES_H

#include <stdbool.h>

struct diag;
struct arguments;

/* printf() format of a hint; its arguments are the names of two captures. */
#define JOIN_CAPTURES "to read captures as one, use mergecap -w - %s %s | dtrace -r -"

/* Returns whether @name has the suffix of a capture file: .pcap, .pcapng3, .cap.gz ... */
bool looks_like_capture(const char *name);

/* For an unknown option --@word.  Returns EXIT_USAGE. */
int no_long_option(const char *word);

/* For a @name that is no installed script.  Returns EXIT_FATAL. */
int no_script(const char *name);

/* For an operand @word of -l, which takes none.  Returns EXIT_FATAL. */
int no_list_operand(const char *word);

/* For a command line without a program.  Returns EXIT_FATAL. */
int no_program(const struct arguments *args);

/*
 * Rejects arguments of an installed script that are the name of a capture or an -x option: dtrace
 * tcplife port=80.  Returns 0 or EXIT_FATAL.
 */
int options_among_arguments(const struct arguments *args);

/*
 * Rejects options that contradict each other, such as -x filter without -r, and a capture that
 * cannot be opened.  Call it when the programs' own options are set.  Returns 0 or EXIT_FATAL, in
 * the latter case perhaps with the error in @d.
 */
int impossible_options(const struct arguments *args, struct diag *d);

#endif
