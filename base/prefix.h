/*
 * prefix.h - networks such as 10.0.0.0/8: an address and the length of its prefix.
 */
#ifndef BASE_PREFIX_H
#define BASE_PREFIX_H

#include <stdbool.h>
#include <stdint.h>

struct prefix {
	bool v6;
	unsigned bits;    /* length of the prefix: 0 to 32 (IPv4) or 128 (IPv6) */
	uint8_t addr[16]; /* in network byte order; IPv4 uses the first 4 bytes */
};

/*
 * Reads "10.0.0.0/8", "2001:db8::/32", or an address alone, whose prefix is all 32 or 128 bits. The
 * bits after the prefix are kept as written. Returns NULL on success, else the end of a message
 * about @text, such as "it is not an IP address".
 */
const char *prefix_read(const char *text, struct prefix *out);

#endif
