/*
 * prefix.h - networks: an address and how many of its first bits count.
 */
#ifndef BASE_PREFIX_H
#define BASE_PREFIX_H

#include <stdbool.h>
#include <stdint.h>

struct prefix {
	bool v6;
	unsigned bits;    /* 0 to 32, or 128 */
	uint8_t addr[16]; /* network order; of IPv4 the first 4 */
};

/*
 * Reads "10.0.0.0/8", "2001:db8::/32", or an address, of which all bits count; the bits behind
 * those that count are as they are written.  NULL, or what is wrong with @text, for a message.
 */
const char *prefix_read(const char *text, struct prefix *out);

#endif
