/*
 * fixed_memory.h - memory whose address does not change from run to run.
 *
 * Programs may print pointers into the ksim objects and into packets; with
 * these at the same place every time the output is a function of the file and
 * the program.  If a place is taken (by another replay in this process), any
 * other will do.
 */
#ifndef REPLAY_FIXED_MEMORY_H
#define REPLAY_FIXED_MEMORY_H

#include <stddef.h>

enum fixed_area { FIXED_OBJECTS, FIXED_CAPTURE, FIXED_DATAGRAM, FIXED_HELD };

/* Zeroed memory of @size bytes at @p, whole pages; aborts when memory is out. */
void *fixed_memory_map(enum fixed_area p, size_t size);

/* Makes it @size bytes and keeps what is in it; it may move. */
void *fixed_memory_grow(void *at, size_t old, size_t size);

/* @at may be NULL. */
void fixed_memory_unmap(void *at, size_t size);

#endif
