/*
 * iface_addrs.c - finds the current addresses of an interface of this machine.
 *
 * libnl keeps a cache of all addresses and follows the kernel's notifications.
 */
#include "engine/replay/iface_addrs.h"

#include <net/if.h>
#include <stdbool.h>
#include <string.h>

#include "base/diag.h"
#include "engine/replay/local.h"
#include "engine/replay/nl_lib.h"

#ifdef HAVE_NL
#include "base/xalloc.h"

#define LOOPBACK 1 /* index of the loopback device in every network namespace */

struct iface_addrs {
	const struct nl_lib *lib;
	struct nl_cache_mngr *mngr;
	struct nl_cache *cache; /* cache of all addresses, owned by the manager */
	int ifindex;            /* index of the interface; 0 for all interfaces */
	bool changed;
};

/*
 * Adds the broadcast address of @p's network, whose prefix has @bits bits. The kernel always
 * accepts packets to this address.
 */
static void add_broadcast(struct prefix p, int bits, struct local *l)
{
	if (p.v6 || bits < 0 || bits > 30)
		return;
	for (int i = bits; i < 32; i++)
		p.addr[i / 8] |= (uint8_t)(0x80 >> i % 8);
	local_add(l, &p, true);
}

static void add_address(const struct iface_addrs *o, struct rtnl_addr *addr, struct local *l)
{
	const struct nl_addr *a = o->lib->rtnl_addr_get_local(addr);
	unsigned len = a ? o->lib->nl_addr_get_len(a) : 0;
	struct prefix p = {.v6 = len == 16, .bits = len * 8};

	if (len != 4 && len != 16)
		return;
	memcpy(p.addr, o->lib->nl_addr_get_binary_addr(a), len);
	local_add(l, &p, false);
	add_broadcast(p, o->lib->rtnl_addr_get_prefixlen(addr), l);
}

/* Adds the multicast and broadcast addresses. Packets to these go to several hosts. */
static void add_multicast(struct local *l)
{
	static const char *const texts[] = {"224.0.0.0/4", "255.255.255.255", "ff00::/8"};
	struct prefix p;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!prefix_read(texts[i], &p))
			local_add(l, &p, true);
}

static void fill(struct iface_addrs *o, struct local *l)
{
	struct prefix loopback;

	local_release(l);
	l->mode = LOCAL_LIST;
	add_multicast(l);
	if (!o->ifindex && !prefix_read("127.0.0.0/8", &loopback))
		local_add(l, &loopback, false);
	for (struct nl_object *n = o->lib->nl_cache_get_first(o->cache); n;
	     n = o->lib->nl_cache_get_next(n)) {
		struct rtnl_addr *a = (struct rtnl_addr *)n;

		if (!o->ifindex || o->lib->rtnl_addr_get_ifindex(a) == o->ifindex)
			add_address(o, a, l);
	}
	o->changed = false;
}

static void on_change(struct nl_cache *cache, struct nl_object *obj, int what, void *ctx)
{
	struct iface_addrs *o = ctx;

	(void)cache, (void)obj, (void)what;
	o->changed = true;
}

static int start(struct iface_addrs *o)
{
	int err = o->lib->nl_cache_mngr_alloc(NULL, NETLINK_ROUTE, NL_AUTO_PROVIDE, &o->mngr);

	return err ? err
		   : o->lib->nl_cache_mngr_add(o->mngr, "route/addr", on_change, o, &o->cache);
}

struct iface_addrs *iface_addrs_open(const char *name, struct local *l, struct diag *d)
{
	const struct nl_lib *lib = nl_lib("failed to set -x local=auto", d);
	struct iface_addrs *o = lib ? xcalloc(1, sizeof(*o)) : NULL;
	unsigned ifindex = if_nametoindex(name);
	int err;

	if (!o)
		return NULL;
	*o = (struct iface_addrs){.lib = lib, .ifindex = ifindex == LOOPBACK ? 0 : (int)ifindex};
	err = start(o);
	if (!err) {
		fill(o, l);
		return o;
	}
	diag_error(d, D_SYS, NOLOC,
		   "failed to set -x local=auto: cannot read the addresses of %s: "
		   "%s",
		   name, lib->nl_geterror(err));
	iface_addrs_close(o);
	return NULL;
}

void iface_addrs_update(struct iface_addrs *o, struct local *l)
{
	o->lib->nl_cache_mngr_poll(o->mngr, 0);
	if (o->changed)
		fill(o, l);
}

void iface_addrs_close(struct iface_addrs *o)
{
	if (!o)
		return;
	if (o->mngr)
		o->lib->nl_cache_mngr_free(o->mngr);
	xfree(o);
}

#else /* built without the headers of libnl-route-3-dev */

struct iface_addrs *iface_addrs_open(const char *name, struct local *l, struct diag *d)
{
	(void)name, (void)l;
	diag_error(d, D_SYS, NOLOC,
		   "failed to set -x local=auto: this dtrace was built without libnl-route-3-dev");
	return NULL;
}

void iface_addrs_update(struct iface_addrs *o, struct local *l)
{
	(void)o, (void)l;
}

void iface_addrs_close(struct iface_addrs *o)
{
	(void)o;
}
#endif
