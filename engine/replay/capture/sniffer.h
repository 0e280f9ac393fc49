/*
 * sniffer.h - live packets of a network interface, through libpcap.
 *
 * A sniffer serves mirror ports, and machines that cannot run BPF programs. Its packets are those
 * that a packet socket receives.
 */
#ifndef ENGINE_REPLAY_CAPTURE_SNIFFER_H
#define ENGINE_REPLAY_CAPTURE_SNIFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/capture/capture.h"

struct src;

struct sniffer_opts {
	const struct src *filter; /* filter expression in tcpdump's language; NULL: every packet */
	uint64_t bufsize;         /* bytes of the kernel's buffer; 0: SNIFFER_BUFSIZE */
	bool promiscuous;         /* also packets for other machines */
};

#define SNIFFER_BUFSIZE (4u << 20)

/* A packet is available at most this long after its time (ns). */
#define SNIFFER_LAG_NS 100000000u

/*
 * Returns whether @name, an argument of -r, is a network interface or "any", and no file has that
 * name.
 */
bool sniffer_is_interface(const char *name);

/*
 * Opens interface @name. Returns NULL, with the error in @d, if there is no such interface, no
 * permission, a bad filter or no libpcap. The caller passes the result to capture_from_sniffer().
 */
struct sniffer *sniffer_open(const char *name, const struct sniffer_opts *o, struct diag *d);

/* Returns the interface's LINKTYPE_* value. */
uint32_t sniffer_linktype(const struct sniffer *s);

/* Returns how many packets the kernel dropped because the buffer was full. */
uint64_t sniffer_dropped(struct sniffer *s);

#endif
