/* nl_lib.h - loads libnl, which keeps caches of network state, when a run needs it. */
#ifndef ENGINE_REPLAY_NL_LIB_H
#define ENGINE_REPLAY_NL_LIB_H

#if __has_include(<netlink/route/addr.h>)
#define HAVE_NL 1
#include <netlink/cache.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>

/* The functions that replay uses from libnl-3 and, below, from libnl-route-3. */
/* clang-format off */
#define NL_FUNCTIONS(X) \
	X(nl_cache_mngr_alloc) X(nl_cache_mngr_add) X(nl_cache_mngr_poll) X(nl_cache_mngr_free) \
	X(nl_cache_get_first) X(nl_cache_get_next) X(nl_addr_get_len) \
	X(nl_addr_get_binary_addr) X(nl_geterror)
/* clang-format on */
/* clang-format off */
#define NL_ROUTE_FUNCTIONS(X) \
	X(rtnl_addr_get_ifindex) X(rtnl_addr_get_local) X(rtnl_addr_get_prefixlen)
/* clang-format on */

struct nl_lib {
#define X(name) __typeof__(name) *name;
	NL_FUNCTIONS(X)
	NL_ROUTE_FUNCTIONS(X)
#undef X
};

struct diag;

/*
 * Loads libnl. Returns NULL, with the error in @d, if libnl is not installed. The message begins
 * with @why.
 */
const struct nl_lib *nl_lib(const char *why, struct diag *d);

#endif
#endif
