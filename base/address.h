/*
 * address.h - IP addresses as D's subroutines write them.
 *
 * The address is in network order.  Each function appends to @out.
 */
#ifndef BASE_ADDRESS_H
#define BASE_ADDRESS_H

#include <stdint.h>

struct strbuf;

/* As inet_ntoa(): 10.0.0.7. */
void address_ip4(const uint8_t addr[4], struct strbuf *out);

/*
 * As inet_ntoa6().  A run of zero groups is compressed even if it is a single group, and an IPv4
 * address in IPv6's form (mapped, compatible) is written as IPv4's.
 */
void address_ip6(const uint8_t addr[16], struct strbuf *out);

/*
 * As inet_ntop(AF_INET6): ::ffff:10.0.0.7 (mapped), ::10.0.0.7 (compatible), others as
 * inet_ntoa6().
 */
void address_ntop6(const uint8_t addr[16], struct strbuf *out);

#endif
