/*
 * rights.h - which rights each kind of run gives up, and when.
 *
 * A function that returns bool gives up rights. If a right could not be given up, the function
 * returns false with the error in @d, and the run must not go on. After rights_off(), such a
 * failure is ignored.
 */
#ifndef CMD_RIGHTS_H
#define CMD_RIGHTS_H

#include <stdbool.h>

struct diag;

/* Gives up rights for a replay. Call this function before a capture file is read. */
bool confine_replay(struct diag *d);

/* Gives up rights for -r INTERFACE. Call this function before packets of the interface are read. */
bool confine_receiving(struct diag *d);

/* Does the same as confine_replay() for a run that still sends requests to readers (-x listen). */
bool confine_serving(struct diag *d);

/* Does the same as confine_receiving() and confine_serving() together (-r INTERFACE -x listen). */
bool confine_receiving_and_serving(struct diag *d);

/*
 * Gives up rights for a live run. Call this function when the probes are attached. @enough is
 * passed to confine_tracing() (sandbox/confine.h).
 */
bool confine_live(bool (*enough)(void), struct diag *d);

/*
 * Makes the functions above keep the system calls for messages over an open socket. The run needs
 * them to send requests to the opener (cmd/merge/opener.h). Call this function before the functions
 * above.
 */
void rights_with_opener(void);

/*
 * Makes the functions above keep the system calls that switch the modes of the terminal, for -x
 * view. Call this function before the functions above.
 */
void rights_with_view(void);

/* Implements -x confine=off: a run goes on even if a right cannot be given up. */
void rights_off(void);

#endif
