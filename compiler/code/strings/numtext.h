/*
 * numtext.h - routines that write addresses and numbers as characters.
 *
 * The variant of a routine (@with of gen_routine()) is the room at @dst, NUL included; longer texts
 * are truncated. @work is scratch memory of NUMTEXT_WORK bytes.
 */
#ifndef COMPILER_CODE_STRINGS_NUMTEXT_H
#define COMPILER_CODE_STRINGS_NUMTEXT_H

struct irb;
struct routine;

#define NUMTEXT_WORK 72

extern const struct routine numtext_ip4;     /* (dst, address, work): inet_ntoa() of 4 bytes */
extern const struct routine numtext_ip6;     /* (dst, address, work): inet_ntoa6() of 16 */
extern const struct routine numtext_strict6; /* as numtext_ip6, in the form of RFC 5952 */
extern const struct routine numtext_ntop6;   /* ... as inet_ntop(AF_INET6) */
extern const struct routine numtext_int;     /* (dst, number, work): decimal */
/*
 * (dst, address, work): link_ntop() of an Ethernet (6 bytes) and an InfiniBand address (20 bytes)
 */
extern const struct routine numtext_ether, numtext_infiniband;

/*
 * For an IPv6 address whose first 8 bytes are 0: jumps to @quad if it holds an IPv4 address (mapped
 * or compatible), else to @groups. @mid and @last: registers with its third and last word as
 * numbers.
 */
void numtext_branch6(struct irb *b, int mid, int last, int quad, int groups);

#endif
