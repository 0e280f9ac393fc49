/*
 * packet_filter.h - __passes(), which tests a packet with the expression of -x filter.
 */
#ifndef COMPILER_BUILTINS_PACKET_FILTER_H
#define COMPILER_BUILTINS_PACKET_FILTER_H

#include <stdint.h>

struct expr;
struct fire;

/*
 * __passes(at, linear, len, skb): whether a packet passes the program compile_opts.packet_filter.
 * at: address of its IP header. linear: number of bytes from at to the end of the sk_buff's linear
 * part; negative if the header is beyond it. len: number of bytes from at to the end of the
 * packet. skb: its sk_buff. Live only.
 */
int emit_passes(struct fire *g, struct expr **arg, uint32_t narg);

#endif
