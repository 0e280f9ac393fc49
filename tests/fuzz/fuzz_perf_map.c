/*
 * fuzz_perf_map.c - checks that a damaged perf map does not hang or crash the code that reads it,
 * and that an entry which is found contains the requested address.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "procinfo/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first 8 bytes of the input are an address, and the rest is the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_map m = {0};
	const struct perf_entry *e;
	uint64_t addr;
	int fd;

	if (size < sizeof(addr))
		return 0;
	memcpy(&addr, data, sizeof(addr));
	fd = memfd_create("map", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data + sizeof(addr), size - sizeof(addr)) < 0)
		abort();
	if (perf_map_read(fd, &m)) {
		e = perf_map_find(&m, addr);
		if (e && (addr < e->from || addr - e->from >= e->size || !m.text[e->name]))
			abort();
	}
	perf_map_release(&m);
	close(fd);
	return 0;
}
