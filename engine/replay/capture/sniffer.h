/*
 * sniffer.h - captures live packets of a network interface through libpcap.
 *
 * A sniffer is used at mirror ports, and on machines that cannot run BPF programs. It sees the
 * packets that a packet socket receives.
 */
#ifndef ENGINE_REPLAY_CAPTURE_SNIFFER_H
#define ENGINE_REPLAY_CAPTURE_SNIFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/capture/capture.h"

struct src;

struct sniffer_opts {
	/* filter expression in tcpdump's language; NULL for every packet */
	const struct src *filter;
	uint64_t bufsize; /* size of the kernel's buffer in bytes; 0 for SNIFFER_BUFSIZE */
	bool promiscuous; /* also capture packets for other machines */
};

#define SNIFFER_BUFSIZE (4u << 20)

/*
 * The longest time, in ns, between the timestamp of a packet and the moment when the packet can be
 * read.
 */
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
