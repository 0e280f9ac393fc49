/*
 * memory_limit.h - the memory limit that control groups set for this process.
 */
#ifndef BASE_MEMORY_LIMIT_H
#define BASE_MEMORY_LIMIT_H

#include <stdint.h>

/*
 * Returns the memory limit of this process in bytes, or UINT64_MAX if there is no limit. It is the
 * lowest limit of the process's control group and of those groups above it that are visible here.
 * @groups is /proc/self/cgroup and @tree is /sys/fs/cgroup, except in tests.
 *
 * Source: the kernel's Documentation/admin-guide/cgroup-v2.rst (memory.max) and
 * cgroup-v1/memory.rst (memory.limit_in_bytes).
 */
uint64_t memory_limit(const char *groups, const char *tree);

#endif
