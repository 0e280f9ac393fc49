/*
 * stamp.h - the time stamps of packets, and the time since a stamp.
 */
#ifndef COMPILER_BUILTINS_STAMP_H
#define COMPILER_BUILTINS_STAMP_H

#include <stdint.h>

struct expr;
struct fire;

/*
 * __stamp(stamp): the argument, which is a packet's stamp. A program with this call asks the
 * engine to have arriving packets stamped (program.stamps). Returns a register.
 */
int emit_stamp(struct fire *g, struct expr **arg, uint32_t narg);

/*
 * __stamp_age(stamp, clock): the time since a packet's stamp in ns. clock is the stamp's clock as
 * enum skb_tstamp_type numbers it (include/linux/skbuff.h). Returns a register: 0 if there is no
 * stamp, if the stamp is in the future, or if CLOCK_REALTIME was set after the stamp.
 */
int emit_stamp_age(struct fire *g, struct expr **arg, uint32_t narg);

#endif
