/*
 * list.c - the list of host providers.
 */
#include "providers/provider.h"

#include <stddef.h>

const struct host_provider *const host_providers[] = {
	&provider_dtrace,      &provider_cgroup_skb,
	&provider_cgroup_sock, &provider_sockops,
	&provider_iter,        &provider_replay,
	&provider_rawtp,       &provider_profile,
	&provider_fbt,         &provider_pid,
	&provider_usdt,        &provider_kinst,
	&provider_sdt,         NULL,
};
