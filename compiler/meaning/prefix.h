/*
 * prefix.h - networks in D.
 */
#ifndef COMPILER_MEANING_PREFIX_H
#define COMPILER_MEANING_PREFIX_H

#include <stdint.h>

#include "base/prefix.h"

struct compiler;
struct expr;
struct type;

/*
 * As prefix_read(), but bits after the prefix must be 0, and IPv4 addresses in IPv6 form
 * (::ffff:10.0.0.0/104) count as IPv4's. Returns NULL, or the reason why @text is wrong, for a
 * message.
 */
const char *prefix_parse(const char *text, struct prefix *out);

/*
 * Returns the part of the mask of @bits bits in word @i (4 bytes) of an address, in network byte
 * order.
 */
uint32_t prefix_mask(unsigned bits, unsigned i);

/*
 * Returns the bytes of the address that a pointer or array of type @t leads to: 4 or 16; 0: it
 * leads to no address.
 */
unsigned addr_size(struct type *t);

/* Checks the arguments of a call of cidr( ) or net( ). Returns 0, or -1 with the error recorded. */
int sema_cidr(struct compiler *c, const struct expr *call);
int sema_net(struct compiler *c, const struct expr *call);

#endif
