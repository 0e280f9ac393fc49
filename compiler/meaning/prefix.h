/*
 * prefix.h - network prefixes such as 10.0.0.0/8 in D programs.
 */
#ifndef COMPILER_MEANING_PREFIX_H
#define COMPILER_MEANING_PREFIX_H

#include <stdint.h>

#include "base/prefix.h"

struct compiler;
struct expr;
struct type;

/*
 * Like prefix_read(), but bits after the prefix must be 0, and an IPv4 network in IPv6 form
 * (::ffff:10.0.0.0/104) becomes an IPv4 network. Returns NULL, or the reason why @text is wrong,
 * for a message.
 */
const char *prefix_parse(const char *text, struct prefix *out);

/* Returns word @i (4 bytes, in network byte order) of the mask for a network of @bits bits. */
uint32_t prefix_mask(unsigned bits, unsigned i);

/*
 * If type @t is an array that holds an IP address, or a pointer to an IP address, returns the size
 * of the address: 4 or 16 bytes. Else returns 0.
 */
unsigned addr_size(struct type *t);

/* Checks the arguments of a call of cidr( ) or net( ). Returns 0, or -1 with the error recorded. */
int sema_cidr(struct compiler *c, const struct expr *call);
int sema_net(struct compiler *c, const struct expr *call);

#endif
