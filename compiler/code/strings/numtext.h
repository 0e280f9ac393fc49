/*
 * numtext.h - routines that write addresses and numbers as characters. A routine is an eBPF
 * function that several expressions call.
 *
 * All routines take three arguments: the address of the memory for the text, the address or number
 * to write, and the address of NUMTEXT_WORK bytes of scratch memory. The variant of a routine
 * (@with of gen_routine()) is the size of the memory for the text, NUL included. Longer texts are
 * truncated.
 */
#ifndef COMPILER_CODE_STRINGS_NUMTEXT_H
#define COMPILER_CODE_STRINGS_NUMTEXT_H

struct irb;
struct routine;

#define NUMTEXT_WORK 72

extern const struct routine numtext_ip4; /* inet_ntoa() of 4 bytes */
extern const struct routine numtext_ip6; /* inet_ntoa6() of 16 bytes */
/* inet_ntoa6(address, 1): 16 bytes in the form of RFC 5952 */
extern const struct routine numtext_strict6;
extern const struct routine numtext_ntop6; /* inet_ntop(AF_INET6) of 16 bytes */
extern const struct routine numtext_int;   /* a signed number in decimal */
/* link_ntop() of an Ethernet address (6 bytes) and of an InfiniBand address (20 bytes) */
extern const struct routine numtext_ether, numtext_infiniband;

/*
 * For an IPv6 address whose first 8 bytes are 0: jumps to @quad if the address contains an IPv4
 * address (mapped or compatible), else to @groups. @mid and @last are registers with the third and
 * the last 4-byte word of the address, as numbers in host byte order.
 */
void numtext_branch6(struct irb *b, int mid, int last, int quad, int groups);

#endif
