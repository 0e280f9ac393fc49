/*
 * prefix.h - networks as D takes them.
 */
#ifndef COMPILER_MEANING_PREFIX_H
#define COMPILER_MEANING_PREFIX_H

#include <stdint.h>

#include "base/prefix.h"

struct compiler;
struct expr;
struct type;

/*
 * As prefix_read(), but the bits behind the prefix must be 0, and IPv4 addresses in IPv6 form
 * (::ffff:10.0.0.0/104) count as IPv4's. NULL, or the mistake in @text, for a message.
 */
const char *prefix_parse(const char *text, struct prefix *out);

/*
 * The first @bits bits of word @i (of 4 bytes) of an address, as a mask that lies in memory as the
 * address does.
 */
uint32_t prefix_mask(unsigned bits, unsigned i);

/*
 * How many bytes an address has that a pointer of type @t is to, or that an array of that type is:
 * 4 or 16. 0: it is something else.
 */
unsigned addr_size(struct type *t);

/* Checks the arguments of a call of cidr( ) or net( ).  0, or -1 with the error recorded. */
int sema_cidr(struct compiler *c, const struct expr *call);
int sema_net(struct compiler *c, const struct expr *call);

#endif
