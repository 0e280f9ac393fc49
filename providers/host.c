/*
 * host.c - the list of host providers.
 */
#include <stddef.h>
#include <string.h>

#include "providers/provider.h"

const struct host_provider *const host_providers[] = {
	&provider_dtrace, &provider_cgroup_skb, &provider_cgroup_sock, &provider_sockops, &provider_iter,
	&provider_replay, &provider_rawtp, &provider_profile, &provider_fbt,
	&provider_pid, &provider_usdt, &provider_kinst, &provider_sdt, NULL,
};

bool host_provider_is(const struct host_provider *h, const char *prov)
{
	return h->is ? h->is(prov) : !strcmp(h->name, prov);
}
