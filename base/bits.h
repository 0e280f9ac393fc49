/* bits.h - arithmetic with powers of two. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

/* Returns the least power of two that is at least @n, which is at most 2^63. */
static inline uint64_t power_of_two(uint64_t n)
{
	uint64_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

#endif
