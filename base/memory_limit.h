/*
 * memory_limit.h - how much memory this process may use, by its control groups.
 */
#ifndef BASE_MEMORY_LIMIT_H
#define BASE_MEMORY_LIMIT_H

#include <stdint.h>

/*
 * The least limit in bytes of the control group of this process and of those above it, as far as
 * they can be seen here; UINT64_MAX: there is none.  @groups: /proc/self/cgroup; @tree:
 * /sys/fs/cgroup; tests name others. Source: the kernel's Documentation/admin-guide/cgroup-v2.rst,
 * memory.max, and cgroup-v1/memory.rst.
 */
uint64_t memory_limit(const char *groups, const char *tree);

#endif
