/*
 * sacked.h - the data that SACK has acknowledged (RFC 2018) and that was not acknowledged
 * otherwise.
 *
 * One option has room for few blocks, so a sender remembers the blocks of earlier options.
 */
#ifndef ENGINE_REPLAY_TCP_SACKED_H
#define ENGINE_REPLAY_TCP_SACKED_H

#include <stdint.h>

struct tcp_seg;

struct tcp_block {
	uint32_t left;  /* sequence number of the first byte */
	uint32_t right; /* sequence number of the byte after the last one */
};

/* Blocks in the order of their sequence numbers, with a gap after each of them. */
struct tcp_sacked {
	uint32_t n, room;
	struct tcp_block block[];
};

/* Forgets the data before sequence number @una. @w may be NULL. */
void tcp_sacked_forget(struct tcp_sacked *w, uint32_t una);

/*
 * Adds the blocks of the SACK option in @s that are above @una and end at @end or before. *@w is
 * allocated if it is NULL and there is a block to add.
 */
void tcp_sacked_add(struct tcp_sacked **w, const struct tcp_seg *s, uint32_t una, uint32_t end);

/* Returns the number of segments in the blocks, if each has at most @mss bytes. */
uint32_t tcp_sacked_segments(const struct tcp_sacked *w, uint32_t mss);

#endif
