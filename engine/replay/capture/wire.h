/*
 * wire.h - packets of a network interface as they come, through libpcap.
 *
 * For a mirror port, or a machine that runs no BPF programs: what a packet socket shows.
 */
#ifndef REPLAY_WIRE_H
#define REPLAY_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/capture/capture.h"

struct src;

struct wire_opts {
	const struct src *filter; /* tcpdump's expression of what is wanted; NULL: everything */
	uint64_t bufsize;         /* bytes of room for packets; 0: WIRE_BUFSIZE */
	bool promiscuous;         /* those for other machines, too */
};

#define WIRE_BUFSIZE (4u << 20)

/* A packet that is not there after so long (ns) has not come. */
#define WIRE_LAG 100000000u

/*
 * Is @name (of -r) a network interface, or "any", and no file?
 */
bool wire_is(const char *name);

/* NULL with the error in @d: no such interface, no leave, a bad filter, no libpcap. */
struct wire *wire_open(const char *name, const struct wire_opts *o, struct diag *d);

void wire_close(struct wire *w);

/* LINKTYPE_* */
uint32_t wire_linktype(const struct wire *w);

/* Fills in data, lengths and time of the next; CAPTURE_LATER: none came for some 20 ms. */
enum capture_result wire_next(struct wire *w, struct packet *out, struct diag *d);

/* Packets for which there was no room. */
uint64_t wire_lost(struct wire *w);

#endif
