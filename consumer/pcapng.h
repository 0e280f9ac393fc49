/*
 * pcapng.h - writes captures whose packets name their owner.
 *
 * Format: draft-ietf-opsawg-pcapng, in the byte order of this machine, with nanoseconds. A packet's
 * comment names its process, user, control group, container and network namespace, its probe and
 * drop reason, in lines like "PID: 1234", as ptcpdump writes them. The process is also the packet's
 * process id option, and the direction is in its flags.
 */
#ifndef CONSUMER_PCAPNG_H
#define CONSUMER_PCAPNG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct packet_slot;

/* Direction: the two lowest bits of a packet's flags. */
enum packet_way { WAY_UNKNOWN, WAY_IN, WAY_OUT };

/* Facts about a packet besides its bytes; all zero: no facts. */
struct packet_about {
	int64_t pid;   /* process of the owner of the socket; 0 or less: unknown */
	char name[32]; /* its name */
	char user[32], cgroup[256], container[64], netns[64]; /* of the same process */
	char iface[32];
	char reason[64]; /* reason of the drop; "": not dropped */
	char probe[128]; /* e.g. "tcp:::send" */
	enum packet_way way;
};

struct pcapng_iface {
	uint32_t link;
	char *name; /* "" if unknown */
};

/* A capture file being written; all zero at first. */
struct pcapng {
	bool begun;
	VEC(struct pcapng_iface) iface; /* interfaces described so far, by number */
};

/*
 * Appends the header of the file to @out, if it is not there yet. A file without packets needs it
 * too.
 */
void pcapng_begin(struct pcapng *s, struct strbuf *out);

/* Appends the packet to @out, after the header and the interface that it needs. */
void pcapng_add(struct pcapng *s, struct strbuf *out, const struct packet_slot *pk,
		const struct packet_about *about);

/* Frees the state of the file. The next packet starts another file. */
void pcapng_reset(struct pcapng *s);

#endif
