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
 * at: address of its IP header. linear: number of bytes from there that are in one piece, which may
 * be negative. len: number of bytes from there in all. skb: its sk_buff. Live only.
 */
int emit_passes(struct fire *g, struct expr **arg, uint32_t narg);

#endif
