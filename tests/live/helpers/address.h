/* address.h - makes IPv4 and IPv6 addresses, for test programs that open connections. */
#ifndef TESTS_LIVE_HELPERS_ADDRESS_H
#define TESTS_LIVE_HELPERS_ADDRESS_H

#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/*
 * Fills @a from the address @text and @port, and returns the length of the address. Ends the
 * program if @text is invalid.
 */
static inline socklen_t fill(union address *a, const char *text, uint16_t port)
{
	memset(a, 0, sizeof(*a));
	if (inet_pton(AF_INET, text, &a->v4.sin_addr) == 1) {
		a->v4.sin_family = AF_INET;
		a->v4.sin_port = htons(port);
		return sizeof(a->v4);
	}
	if (inet_pton(AF_INET6, text, &a->v6.sin6_addr) != 1)
		errx(1, "no address: %s", text);
	a->v6.sin6_family = AF_INET6;
	a->v6.sin6_port = htons(port);
	return sizeof(a->v6);
}

#endif
