/* fixed_memory.c - maps memory at the same address in every run. */
#include "engine/replay/fixed_memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/*
 * Areas begin at BASE plus multiples of STRIDE. These addresses are far from the addresses that
 * kernels and sanitizers use.
 */
#define BASE ((uintptr_t)0x200000000000)
#define STRIDE ((uintptr_t)1 << 32)

/*
 * Number of readable bytes after each area. They are needed because a packet at the end of an area
 * may be shorter than the IP header that programs read there.
 */
#define SLACK 64

static void *check(void *at)
{
	if (at == MAP_FAILED) {
		fputs("dtrace: out of memory\n", stderr);
		abort();
	}
	return at;
}

void *fixed_memory_map(enum fixed_area p, size_t size)
{
	const int prot = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
	void *at;

	size += SLACK;
	at = mmap((void *)(BASE + p * STRIDE), size, prot, flags | MAP_FIXED_NOREPLACE, -1, 0);

	if (at == MAP_FAILED)
		at = mmap(NULL, size, prot, flags, -1, 0);
	return check(at);
}

void *fixed_memory_grow(void *at, size_t old, size_t size)
{
	return check(mremap(at, old + SLACK, size + SLACK, MREMAP_MAYMOVE));
}

void fixed_memory_unmap(void *at, size_t size)
{
	if (at)
		munmap(at, size + SLACK);
}
