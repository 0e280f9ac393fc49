/*
 * pcapng.h - writes captures whose packets name their owner.
 *
 * The format is draft-ietf-opsawg-pcapng, in the byte order of this machine, with times in
 * nanoseconds. A packet's comment names the process, user, control group, container and network
 * namespace of its owner, the probe, and the drop reason. A comment has lines such as "PID: 1234",
 * as ptcpdump writes them. The process is also in the packet's process ID option, and the direction
 * is in the packet's flags.
 */
#ifndef CONSUMER_PCAPNG_H
#define CONSUMER_PCAPNG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct packet_slot;

/* The direction of a packet, with the values of the two lowest bits of OPT_FLAGS. */
enum packet_way { WAY_UNKNOWN, WAY_IN, WAY_OUT };

/* Facts about a packet besides its bytes. If a member is zero, it is unknown. */
struct packet_about {
	int64_t pid;   /* process that owns the socket; 0 or less if it is unknown */
	char name[32]; /* name of that process */
	/* user, control group, container and network namespace of that process */
	char user[32], cgroup[256], container[64], netns[64];
	char iface[32];
	char reason[64]; /* reason of the drop, or "" if the packet was not dropped */
	char probe[128]; /* name of the probe, such as "tcp:::send" */
	enum packet_way way;
};

struct pcapng_iface {
	uint32_t link;
	char *name; /* name of the interface, or "" if it is unknown */
};

/* State of a capture file that is being written. All members are zero at first. */
struct pcapng {
	bool begun;
	/* interfaces described in the file so far; their index is their number */
	VEC(struct pcapng_iface) iface;
};

/*
 * Appends the header of the file to @out, unless it has been appended already. A file without
 * packets needs the header, too.
 */
void pcapng_begin(struct pcapng *s, struct strbuf *out);

/*
 * Appends the packet to @out. First appends the header of the file and the description of the
 * interface, if the packet needs them.
 */
void pcapng_add(struct pcapng *s, struct strbuf *out, const struct packet_slot *pk,
		const struct packet_about *about);

/* Frees the state of the file. The next packet starts another file. */
void pcapng_reset(struct pcapng *s);

#endif
