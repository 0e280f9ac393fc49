/*
 * own.h - the addresses that an interface of this machine has, as they come and go.
 */
#ifndef REPLAY_OWN_H
#define REPLAY_OWN_H

struct diag;
struct local;
struct own;

/*
 * Fills @l, which must be all zero, with the addresses of interface @name; of the loopback device
 * and of "any" those of all.  NULL with the error in @d.
 */
struct own *own_open(const char *name, struct local *l, struct diag *d);

/* @l as it is now. */
void own_refresh(struct own *o, struct local *l);

void own_close(struct own *o);

#endif
