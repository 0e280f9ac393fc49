/*
 * packet_filter.h - __passes(), which tests a packet with the expression of -x filter.
 */
#ifndef COMPILER_BUILTINS_PACKET_FILTER_H
#define COMPILER_BUILTINS_PACKET_FILTER_H

#include <stdint.h>

struct expr;
struct fire;

/*
 * Emits the code of __passes(at, linear, len, skb), which tests whether a packet passes the program
 * compile_opts.packet_filter. `at` is the address of the packet's IP header. `linear` is the number
 * of bytes from `at` to the end of the sk_buff's linear part (the first piece of the packet); it is
 * negative if the header is beyond that end. `len` is the number of bytes from `at` to the end of
 * the packet. `skb` is the packet's sk_buff. Returns a register with the result. Used live only.
 */
int emit_passes(struct fire *g, struct expr **arg, uint32_t narg);

#endif
