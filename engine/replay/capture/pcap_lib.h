/* pcap_lib.h - loads libpcap when a run needs it. */
#ifndef ENGINE_REPLAY_CAPTURE_PCAP_LIB_H
#define ENGINE_REPLAY_CAPTURE_PCAP_LIB_H

#if __has_include(<pcap/pcap.h>)
#define HAVE_PCAP 1
#include <pcap/pcap.h>
#include <stdbool.h>

/* clang-format off */
#define PCAP_FUNCTIONS(X) \
	X(open_dead) X(compile) X(freecode) X(offline_filter) X(geterr) X(close) \
	X(create) X(set_snaplen) X(set_promisc) X(set_timeout) X(set_buffer_size) \
	X(set_tstamp_precision) X(activate) X(statustostr) X(setfilter) X(setnonblock) \
	X(datalink) X(get_selectable_fd) X(next_ex) X(stats)
/* clang-format on */

/* The library's functions, without their prefix pcap_. */
struct pcap_lib {
#define X(name) __typeof__(pcap_##name) *name;
	PCAP_FUNCTIONS(X)
#undef X
};

struct diag;
struct src;

/*
 * Loads libpcap. Returns NULL, with the error in @d, if libpcap is not installed. The message
 * begins with @why.
 */
const struct pcap_lib *pcap_lib(const char *why, struct diag *d);

/*
 * Records in @d that compile() has just refused @expression for @p: libpcap's message, and the
 * place in the text where the error is.
 */
void pcap_refused(const struct pcap_lib *lib, pcap_t *p, const struct src *expression,
		  struct diag *d);

/*
 * Maximum number of characters of an expression. The time that libpcap needs for an expression
 * grows with the square of its length.
 */
#define PCAP_TEXT_MAX 16384
/*
 * Maximum number of instructions before optimization. libpcap needs about two seconds to make that
 * many for one link type.
 */
#define PCAP_INSNS_MAX 20000

/*
 * Checks that an expression, which has @n units of @what, such as "characters", has at most @most.
 * @where is the end of the message: " live" if the maximum applies to live runs only, else "".
 * Returns 0, or -1 with the error in @d.
 */
int pcap_check_length(size_t n, const char *what, unsigned most, const char *where, struct diag *d);

/* Returns whether the error that compile() has just reported for @p is the one in @d. */
bool pcap_same_error(const struct pcap_lib *lib, pcap_t *p, const struct diag *d);

/*
 * Returns whether pcap_refused() recorded in @d that a name of a host or network could not be
 * found.
 */
bool pcap_is_unknown_name(const struct diag *d);

#endif
#endif
