/*
 * hook_kinds.c - what the kernel allows programs at hooks of each kind.
 */
#include "providers/provider.h"

static const struct hook_kind_info kinds[] = {
	[HOOK_RUN] = {.task_storage = true},
	[HOOK_PROFILE] = {.task_storage = true, .exclusive = true},
	[HOOK_RAWTP] = {.task_storage = true, .socket_storage = true},
	[HOOK_FENTRY] = {.task_storage = true, .socket_storage = true},
	[HOOK_FEXIT] = {.task_storage = true, .socket_storage = true},
	[HOOK_KPROBE] = {.task_storage = true, .exclusive = true},
	[HOOK_KRETPROBE] = {.task_storage = true, .exclusive = true},
	[HOOK_KINST] = {.task_storage = true, .exclusive = true},
	[HOOK_UPROBE] = {.task_storage = true},
	[HOOK_URETPROBE] = {.task_storage = true},
	[HOOK_ITER] = {.socket_storage = true},
	[HOOK_SOCKOPS] = {.recast_ctx = true},
};

const struct hook_kind_info *hook_kind_info(enum hook_kind kind)
{
	static const struct hook_kind_info nothing;

	return kind < sizeof(kinds) / sizeof(*kinds) ? &kinds[kind] : &nothing;
}
