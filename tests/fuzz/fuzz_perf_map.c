/*
 * fuzz_perf_map.c - reads damaged perf maps. The reader must not hang or crash, and must find the
 * entry that contains an address.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "procinfo/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns the last entry that contains @addr, or NULL. */
static const struct perf_entry *search(const struct perf_map *m, uint64_t addr)
{
	for (size_t i = m->entry.n; i > 0; i--)
		if (addr >= m->entry.v[i - 1].from &&
		    addr - m->entry.v[i - 1].from < m->entry.v[i - 1].size)
			return &m->entry.v[i - 1];
	return NULL;
}

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
		if (e != search(&m, addr) || (e && !m.text[e->name]))
			abort();
	}
	perf_map_release(&m);
	close(fd);
	return 0;
}
