/*
 * rights.h - which rights each kind of run gives up, and when.
 *
 * Each function that returns bool returns false, with the error in @d, if a right could not be
 * given up: then the run must not go on. After rights_off() the functions return true even then.
 */
#ifndef CMD_RIGHTS_H
#define CMD_RIGHTS_H

#include <stdbool.h>

struct diag;

/* Call it before a capture file is read. */
bool confine_replay(struct diag *d);

/* Call it before packets of an interface are read (-r INTERFACE). */
bool confine_receiving(struct diag *d);

/* Call it instead of confine_replay() if the run still sends requests to readers (-x listen). */
bool confine_serving(struct diag *d);

/* Call it when the probes of a live run are attached.  @enough: see confine_tracing(). */
bool confine_live(bool (*enough)(void), struct diag *d);

/*
 * Keeps the system calls for messages over an open socket: the run sends requests to a broker
 * (consumer/broker.h) or an opener (cmd/merge/opener.h).  Call it before the functions above.
 */
void rights_with_broker(void);

/*
 * Keeps the system calls that switch the modes of the terminal, for -x view.  Call it before the
 * functions above.
 */
void rights_with_view(void);

/* -x confine=off: go on where a right cannot be given up. */
void rights_off(void);

#endif
