/*
 * place.h - memory whose address does not change from run to run.
 *
 * Programs may print pointers into the ksim objects and into packets; with
 * these at the same place every time the output is a function of the file and
 * the program.  If a place is taken (by another replay in this process), any
 * other will do.
 */
#ifndef REPLAY_PLACE_H
#define REPLAY_PLACE_H

#include <stddef.h>

enum place { PLACE_WORLD, PLACE_CAPTURE, PLACE_DATAGRAM, PLACE_HELD };

/* Zeroed memory of @size bytes at @p, whole pages; aborts when memory is out. */
void *place_map(enum place p, size_t size);

/* Makes it @size bytes and keeps what is in it; it may move. */
void *place_grow(void *at, size_t old, size_t size);

/* @at may be NULL. */
void place_unmap(void *at, size_t size);

#endif
