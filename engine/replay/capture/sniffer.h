/*
 * sniffer.h - packets of a network interface as they come, through libpcap.
 *
 * For a mirror port, or a machine that runs no BPF programs: what a packet socket shows.
 */
#ifndef REPLAY_SNIFFER_H
#define REPLAY_SNIFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/capture/capture.h"

struct src;

struct sniffer_opts {
	const struct src *filter; /* tcpdump's expression of what is wanted; NULL: everything */
	uint64_t bufsize;         /* bytes of room for packets; 0: SNIFFER_BUFSIZE */
	bool promiscuous;         /* those for other machines, too */
};

#define SNIFFER_BUFSIZE (4u << 20)

/* A packet that is not there after so long (ns) has not come. */
#define SNIFFER_LAG_NS 100000000u

/*
 * Is @name (of -r) a network interface, or "any", and no file?
 */
bool sniffer_is_interface(const char *name);

/* NULL with the error in @d: no such interface, no leave, a bad filter, no libpcap. */
struct sniffer *sniffer_open(const char *name, const struct sniffer_opts *o, struct diag *d);

/* LINKTYPE_* */
uint32_t sniffer_linktype(const struct sniffer *s);

/* Packets for which there was no room. */
uint64_t sniffer_dropped(struct sniffer *s);

#endif
