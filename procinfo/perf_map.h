/*
 * perf_map.h - names of code that a process has made in its own memory, as its runtime writes them
 * to /tmp/perf-PID.map: lines of "START SIZE NAME", numbers in base 16.  See perf's
 * tools/perf/Documentation/jit-interface.txt.  Read by a reader only.
 */
#ifndef PROCINFO_PERF_MAP_H
#define PROCINFO_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct perf_entry {
	uint64_t from, size;
	uint32_t name, length; /* of the name, in perf_map.text */
	uint32_t line;
};

struct perf_map {
	char *text; /* the file */
	/* by address; of two for one address the later line is last */
	VEC(struct perf_entry) entry;
};

/*
 * Reads the file @fd, at most PERF_MAP_MAX bytes of it.  A line that is not of that form is left
 * out. False: the file begins with none that is, or cannot be read.  Release with
 * perf_map_release().
 */
bool perf_map_read(int fd, struct perf_map *m);
void perf_map_release(struct perf_map *m);

/* The entry that @addr is in; NULL: there is none. */
const struct perf_entry *perf_map_find(const struct perf_map *m, uint64_t addr);

#define PERF_MAP_MAX (32u << 20)

#endif
