/* iface_addrs.h - finds the current addresses of an interface of this machine. */
#ifndef ENGINE_REPLAY_IFACE_ADDRS_H
#define ENGINE_REPLAY_IFACE_ADDRS_H

struct diag;
struct local;
struct iface_addrs;

/*
 * Replaces the contents of @l by a list of the addresses of interface @name, and of multicast and
 * broadcast addresses. For the loopback device and "any", these are the addresses of all
 * interfaces. Returns NULL, with the error in @d, on failure.
 */
struct iface_addrs *iface_addrs_open(const char *name, struct local *l, struct diag *d);

/* Updates @l to the current addresses. */
void iface_addrs_update(struct iface_addrs *o, struct local *l);

void iface_addrs_close(struct iface_addrs *o);

#endif
