/*
 * prefix.h - networks: an address and how many of its first bits count.
 */
#ifndef COMPILER_MEANING_PREFIX_H
#define COMPILER_MEANING_PREFIX_H

#include <stdbool.h>
#include <stdint.h>

struct type;

struct prefix {
	bool v6;
	unsigned bits;    /* 0 to 32, or 128 */
	uint8_t addr[16]; /* network order; of IPv4 the first 4.  Bits behind the first @bits are 0 */
};

/*
 * Reads "10.0.0.0/8", "2001:db8::/32", or an address, of which all bits count.  IPv4 addresses written
 * in IPv6's way (::ffff:10.0.0.0/104) are IPv4's.  NULL, or what is wrong with @text, for a message.
 */
const char *prefix_parse(const char *text, struct prefix *out);

/* The first @bits bits of word @i (of 4 bytes) of an address, as a mask that lies in memory as the address does. */
uint32_t prefix_mask(unsigned bits, unsigned i);

/*
 * How many bytes an address has that a pointer of type @t is to, or that an array of that type is: 4 or 16.
 * 0: it is something else.
 */
unsigned addr_size(struct type *t);

#endif
