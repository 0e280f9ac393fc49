/*
 * perf_map.h - reads the names of JIT code from /tmp/perf-PID.map. For readers only.
 *
 * A runtime that generates code writes lines of "START SIZE NAME" there; numbers are hexadecimal.
 * Source: the kernel's tools/perf/Documentation/jit-interface.txt.
 */
#ifndef PROCINFO_PERF_MAP_H
#define PROCINFO_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct perf_entry {
	uint64_t from, size;
	uint32_t name, length; /* offset and length of the name in perf_map.text */
	uint32_t line;         /* number of the line */
};

struct perf_map {
	char *text; /* the file; owned */
	/* sorted by address; for equal addresses, the later line is last */
	VEC(struct perf_entry) entry;
};

/*
 * Reads up to PERF_MAP_MAX bytes of the file @fd and skips invalid lines. Returns false if the
 * first line is invalid or the file cannot be read. The caller frees the result with
 * perf_map_release().
 */
bool perf_map_read(int fd, struct perf_map *m);
void perf_map_release(struct perf_map *m);

/*
 * Returns the entry that contains @addr, or NULL. If entries overlap, returns the last one to
 * start.
 */
const struct perf_entry *perf_map_find(const struct perf_map *m, uint64_t addr);

#define PERF_MAP_MAX (32u << 20) /* bytes */

#endif
