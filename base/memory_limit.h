/*
 * memory_limit.h - the memory limit that control groups set for this process.
 */
#ifndef BASE_MEMORY_LIMIT_H
#define BASE_MEMORY_LIMIT_H

#include <stdint.h>

/*
 * Returns the lowest limit, in bytes, of this process's control group and the groups above it, as
 * far as they are visible here. UINT64_MAX means no limit. @groups is /proc/self/cgroup and @tree
 * is /sys/fs/cgroup, except in tests.
 *
 * Source: the kernel's Documentation/admin-guide/cgroup-v2.rst (memory.max) and
 * cgroup-v1/memory.rst (memory.limit_in_bytes).
 */
uint64_t memory_limit(const char *groups, const char *tree);

#endif
