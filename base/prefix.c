/*
 * prefix.c - reads networks such as 10.0.0.0/8.
 */
#include "base/prefix.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

/*
 * Reads the prefix length at @s into @bits. Returns false if it is not a number or exceeds @most.
 */
static bool take_bits(const char *s, unsigned most, unsigned *bits)
{
	char *end;
	unsigned long n;

	if (*s < '0' || *s > '9')
		return false;
	n = strtoul(s, &end, 10);
	*bits = (unsigned)n;
	return !*end && n <= most;
}

const char *prefix_read(const char *text, struct prefix *out)
{
	size_t n = strcspn(text, "/");
	char addr[64];

	memset(out, 0, sizeof(*out));
	if (n >= sizeof(addr))
		return "it is not an IP address";
	memcpy(addr, text, n);
	addr[n] = '\0';
	out->v6 = strchr(addr, ':') != NULL;
	if (inet_pton(out->v6 ? AF_INET6 : AF_INET, addr, out->addr) != 1)
		return "it is not an IP address";
	out->bits = out->v6 ? 128 : 32;
	if (text[n] && !take_bits(text + n + 1, out->bits, &out->bits))
		return out->v6 ? "the prefix length must be 0 to 128"
			       : "the prefix length must be 0 to 32";
	return NULL;
}
