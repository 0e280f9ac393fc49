/*
 * iface_addrs.h - the addresses that an interface of this machine has, as they come and go.
 */
#ifndef REPLAY_IFACE_ADDRS_H
#define REPLAY_IFACE_ADDRS_H

struct diag;
struct local;
struct iface_addrs;

/*
 * Fills @l, which must be all zero, with the addresses of interface @name; of the loopback device
 * and of "any" those of all.  NULL with the error in @d.
 */
struct iface_addrs *iface_addrs_open(const char *name, struct local *l, struct diag *d);

/* @l as it is now. */
void iface_addrs_update(struct iface_addrs *o, struct local *l);

void iface_addrs_close(struct iface_addrs *o);

#endif
