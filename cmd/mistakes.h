/*
 * mistakes.h - messages for wrong command lines. The messages suggest what the user may have meant.
 *
 * A function that returns an exit status other than 0 has printed a message.
 */
#ifndef CMD_MISTAKES_H
#define CMD_MISTAKES_H

#include <stdbool.h>

struct diag;
struct arguments;

/* printf() format of a hint. Its two arguments are the names of two captures. */
#define JOIN_CAPTURES "to read captures as one, use mergecap -w - %s %s | dtrace -r -"

/* Returns whether @name has the suffix of a capture file: .pcap, .pcapng3, .cap.gz ... */
bool looks_like_capture(const char *name);

/* Reports that there is no option --@word.  Returns EXIT_USAGE. */
int no_long_option(const char *word);

/* Reports that no installed script is called @name.  Returns EXIT_FATAL. */
int no_script(const char *name);

/* Reports that -l takes no operand, and suggests what @word may have meant. Returns EXIT_FATAL. */
int no_list_operand(const char *word);

/* Reports that the command line has no program.  Returns EXIT_FATAL. */
int no_program(const struct arguments *args);

/*
 * Checks the arguments of an installed script. Rejects an argument that is the name of a capture or
 * an -x option, as in "dtrace tcplife port=80". Returns 0 or EXIT_FATAL.
 */
int options_among_arguments(const struct arguments *args);

/*
 * Rejects options that contradict each other, such as -x promisc without -r. Also rejects a capture
 * that cannot be opened. Call this function after texts_read(), which sets the options of the
 * programs' pragmas. Returns 0 or EXIT_FATAL. An error about -x local is also left in @d.
 */
int impossible_options(const struct arguments *args, struct diag *d);

#endif
