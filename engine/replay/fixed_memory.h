/*
 * fixed_memory.h - maps memory at the same address in every run.
 *
 * Programs may print pointers into replay's kernel objects (ksim.h) and into packets. With fixed
 * addresses, the output depends only on the file and the program. If an address is taken already
 * (by another replay in this process), the kernel chooses another one.
 */
#ifndef ENGINE_REPLAY_FIXED_MEMORY_H
#define ENGINE_REPLAY_FIXED_MEMORY_H

#include <stddef.h>

enum fixed_area { FIXED_OBJECTS, FIXED_CAPTURE, FIXED_DATAGRAM, FIXED_HELD };

/*
 * Maps @size zeroed bytes, rounded up to pages, for area @p. Aborts if there is no memory. The
 * caller frees the area with fixed_memory_unmap().
 */
void *fixed_memory_map(enum fixed_area p, size_t size);

/*
 * Changes the size of the area at @at from @old to @size bytes and keeps the contents. Returns the
 * new address, which may differ from @at.
 */
void *fixed_memory_grow(void *at, size_t old, size_t size);

/* Unmaps @size bytes. @at may be NULL. */
void fixed_memory_unmap(void *at, size_t size);

#endif
