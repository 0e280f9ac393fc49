/*
 * packets.h - what becomes of packets that pcap() recorded: a capture file, or what
 * tshark says of them.
 */
#ifndef CONSUMER_PACKETS_H
#define CONSUMER_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct packet_slot;

/* A tshark that shows packets of one kind of link. */
struct decoder {
	uint32_t link;
	int fd;  /* its standard input */
	int pid;
};

/* All zero: none seen. */
struct packets {
	bool in_file;  /* output is a capture file, */
	uint32_t link; /* of such links */
	VEC(struct decoder) decoder;
};

/*
 * Appends the packet to the capture file that output has become; its heading first, if
 * it is the first and @empty.  0, or EINVAL: it is of another link than those before.
 */
int packets_write(struct packets *p, struct strbuf *out, const struct packet_slot *pk, bool empty);

/* Has tshark print the packet to descriptor @out.  0, or an errno. */
int packets_show(struct packets *p, int out, const struct packet_slot *pk);

/* Output is another file now. */
void packets_new_file(struct packets *p);

/* Waits until all that was to be shown is. */
void packets_finish(struct packets *p);

#endif
