/*
 * packets.h - the packets of pcap() and -x capture: written to a capture file, or shown by tshark.
 */
#ifndef CONSUMER_PACKETS_H
#define CONSUMER_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "consumer/pcapng.h"

struct action_info;
struct outside;
struct program;
struct record;

/* State for the packets of pcap(). If all members are zero, no packet has come yet. */
struct packets {
	bool in_file; /* the output is a capture file, because freopen() has named one */
	struct pcapng file;
	struct pcapng tshark; /* state of the capture that tshark reads */
	/* pipe to the standard input of tshark, or 0 if tshark is not running */
	int fd;
};

/* A packet as an action recorded it. @slot borrows from the record. */
struct recorded_packet {
	const struct packet_slot *slot;
	struct packet_about about;
};

/* Reads the packet that @act recorded in @rec. Aborts if the record is malformed. */
void packet_read(const struct program *p, const struct record *rec, const struct action_info *act,
		 struct recorded_packet *out);

/* Appends the packet to @out, which from now on is a capture file. */
void packets_write(struct packets *p, struct strbuf *out, const struct recorded_packet *pk);

/*
 * Passes the packet to tshark. If tshark is not running, starts it by @outside. Returns 0 or a
 * positive errno.
 */
int packets_show(struct packets *p, struct outside *outside, const struct recorded_packet *pk);

/* Forgets the state of the capture file, because the output goes to another file now. */
void packets_new_file(struct packets *p);

/* Waits until tshark has shown all packets. */
void packets_finish(struct packets *p, struct outside *outside);

#endif
