/*
 * pcapng.h - writes captures whose packets say whose they are.
 *
 * Format: draft-ietf-opsawg-pcapng, in the byte order of this machine, with nanoseconds.  The
 * owner (process, user, control group, container, network namespace), the probe and why a packet
 * was dropped are lines of its comment ("PID: 1234"), in the form that ptcpdump has; the process is
 * its process id option as well, the way it went its flags.
 */
#ifndef CONSUMER_PCAPNG_H
#define CONSUMER_PCAPNG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct packet_slot;

/* The two lowest bits of a packet's flags. */
enum packet_way { WAY_UNKNOWN, WAY_IN, WAY_OUT };

/* What is known of a packet beside its bytes; all zero: nothing is. */
struct packet_about {
	int64_t pid;   /* of its socket's owner; positive, if it is known */
	char name[32]; /* that process's */
	char user[32], cgroup[256], container[64], netns[64]; /* its, too */
	char iface[32];
	char reason[64]; /* of its drop */
	char probe[128]; /* "tcp:::send" */
	enum packet_way way;
};

struct pcapng_iface {
	uint32_t link;
	char *name; /* "": unknown */
};

/* All zero: nothing is written yet. */
struct pcapng {
	bool begun;
	VEC(struct pcapng_iface) iface; /* those that the section describes, by their number */
};

/*
 * Appends the heading of the file to @out if it is not there yet: without packets that is a capture
 * as well.
 */
void pcapng_begin(struct pcapng *s, struct strbuf *out);

/* Appends the packet to @out, and before it the headings that it needs and that are not there. */
void pcapng_add(struct pcapng *s, struct strbuf *out, const struct packet_slot *pk,
		const struct packet_about *about);

/* What follows is another file. */
void pcapng_reset(struct pcapng *s);

#endif
