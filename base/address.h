/*
 * address.h - IP addresses as text, in the forms of D's inet_ntoa(), inet_ntoa6() and inet_ntop().
 *
 * Every function reads @addr in network byte order and appends the text to @out.
 */
#ifndef BASE_ADDRESS_H
#define BASE_ADDRESS_H

#include <stdint.h>

struct strbuf;

/* Appends an IPv4 address in dotted decimal, as inet_ntoa() does: 10.0.0.7. */
void address_ip4(const uint8_t addr[4], struct strbuf *out);

/*
 * Appends an IPv6 address as inet_ntoa6() does. The longest run of zero groups becomes "::", even
 * a run of one group. An IPv4 address in IPv6 form (::ffff:10.0.0.7 or ::10.0.0.7) is written as
 * plain IPv4: 10.0.0.7.
 */
void address_ip6(const uint8_t addr[16], struct strbuf *out);

/*
 * Appends an IPv6 address as inet_ntop(AF_INET6) does. An IPv4 address in IPv6 form keeps its
 * prefix: ::ffff:10.0.0.7 (mapped) or ::10.0.0.7 (compatible). All other addresses are written as
 * by address_ip6().
 */
void address_ntop6(const uint8_t addr[16], struct strbuf *out);

#endif
