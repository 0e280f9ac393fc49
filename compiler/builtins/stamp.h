/*
 * stamp.h - the time stamps of packets, and the time since a stamp.
 */
#ifndef COMPILER_BUILTINS_STAMP_H
#define COMPILER_BUILTINS_STAMP_H

#include <stdint.h>

struct expr;
struct fire;

/*
 * Emits the code of __stamp(stamp), which returns its argument, the stamp of a packet. A program
 * with this call makes the engine ask the kernel to stamp arriving packets (program.stamps).
 * Returns a register with the stamp.
 */
int emit_stamp(struct fire *g, struct expr **arg, uint32_t narg);

/*
 * Emits the code of __stamp_age(stamp, clock): the time since a packet's stamp in ns. clock is the
 * stamp's clock, with the numbers of enum skb_tstamp_type (include/linux/skbuff.h). Returns a
 * register with the time. It is 0 if there is no stamp, if the stamp is in the future, if
 * CLOCK_REALTIME was set after the stamp, or if clock is neither CLOCK_REALTIME nor
 * CLOCK_MONOTONIC.
 */
int emit_stamp_age(struct fire *g, struct expr **arg, uint32_t narg);

#endif
