/*
 * packets.h - what becomes of packets that a program recorded: a capture file, or what
 * tshark says of them.
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

/* All zero: none seen. */
struct packets {
	bool in_file; /* output is a capture file */
	struct pcapng file;
	struct pcapng tshark; /* what the one that shows them is told */
	int fd;               /* its standard input; 0: none runs */
};

/* A packet, as the action recorded it. */
struct packet_seen {
	const struct packet_slot *slot;
	struct packet_about about;
};

/* Reads what @act recorded at @rec. */
void packet_read(const struct program *p, const struct record *rec, const struct action_info *act,
		 struct packet_seen *out);

/* Appends the packet to the capture file that output has become. */
void packets_write(struct packets *p, struct strbuf *out, const struct packet_seen *pk);

/* Has tshark print the packet, which it starts by @outside.  0, or an error of that. */
int packets_show(struct packets *p, const struct outside *outside, const struct record *rec,
		 const struct action_info *act, const struct packet_seen *pk);

/* Output is another file now. */
void packets_new_file(struct packets *p);

/* Waits until all that was to be shown is.  Errors as packets_show(). */
int packets_finish(struct packets *p, const struct outside *outside);

#endif
