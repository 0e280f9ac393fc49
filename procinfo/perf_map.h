/*
 * perf_map.h - reads the names of JIT code from /tmp/perf-PID.map. Only readers (confined
 * processes) may call its functions.
 *
 * A runtime that generates code (JIT) writes lines of the form "START SIZE NAME" to that file. The
 * numbers are hexadecimal. Source: the kernel's tools/perf/Documentation/jit-interface.txt.
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
	uint32_t line;         /* number of the line in the file */
	/* index plus 1 of the innermost entry that encloses this one; 0 if there is none */
	uint32_t outer;
};

struct perf_map {
	char *text; /* contents of the file; owned */
	/*
	 * entries sorted by address; of entries with the same address, only the one from the last
	 * line is kept
	 */
	VEC(struct perf_entry) entry;
};

/*
 * Reads up to PERF_MAP_MAX bytes of the file @fd and skips invalid lines. Returns false if the file
 * cannot be read or is empty, or if its first line is invalid. Otherwise the caller frees @m with
 * perf_map_release().
 */
bool perf_map_read(int fd, struct perf_map *m);
void perf_map_release(struct perf_map *m);

/*
 * Returns the entry that contains @addr, or NULL. If several do, returns the one with the highest
 * start address, which is the innermost of nested entries.
 */
const struct perf_entry *perf_map_find(const struct perf_map *m, uint64_t addr);

#define PERF_MAP_MAX (32u << 20) /* maximum number of bytes that are read from a file */

#endif
