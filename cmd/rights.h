/*
 * rights.h - which rights each kind of run gives up, and when.
 *
 * Each function returns false with the error in @d if a step fails: the run must not go on.
 * -x confine=off, see rights_off(), makes them go on all the same.
 */
#ifndef CMD_RIGHTS_H
#define CMD_RIGHTS_H

#include <stdbool.h>

struct diag;

/* Before a capture file is read. */
bool confine_replay(struct diag *d);

/* Before packets of an interface are read: -r INTERFACE. */
bool confine_receiving(struct diag *d);

/* As confine_replay(), in a run that goes on to ask readers: -x listen. */
bool confine_serving(struct diag *d);

/* When the probes of a live run are attached.  @enough: see confine_tracing(). */
bool confine_live(bool (*enough)(void), struct diag *d);

/*
 * The run asks a broker (consumer/broker.h) or an opener (cmd/merge/opener.h): messages over its
 * open socket stay allowed.
 */
void rights_with_broker(void);

/* -x confine=off: go on where a right cannot be given up. */
void rights_off(void);

#endif
