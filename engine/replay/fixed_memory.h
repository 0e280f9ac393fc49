/*
 * fixed_memory.h - memory at the same address in every run.
 *
 * Programs may print pointers into the ksim objects and into packets. With fixed addresses, the
 * output depends only on the file and the program. If an address is taken (by another replay in
 * this process), any other is used.
 */
#ifndef ENGINE_REPLAY_FIXED_MEMORY_H
#define ENGINE_REPLAY_FIXED_MEMORY_H

#include <stddef.h>

enum fixed_area { FIXED_OBJECTS, FIXED_CAPTURE, FIXED_DATAGRAM, FIXED_HELD };

/*
 * Maps @size zeroed bytes for area @p, rounded up to pages. Aborts if memory is out. The caller
 * unmaps them.
 */
void *fixed_memory_map(enum fixed_area p, size_t size);

/*
 * Changes the size from @old to @size bytes and keeps the contents. Returns the address, which may
 * differ.
 */
void *fixed_memory_grow(void *at, size_t old, size_t size);

/* Unmaps @size bytes. @at may be NULL. */
void fixed_memory_unmap(void *at, size_t size);

#endif
