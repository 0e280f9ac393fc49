/*
 * spec.h - what was recorded speculatively, until it is known whether to show it.
 */
#ifndef CONSUMER_SPEC_H
#define CONSUMER_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/program.h"

struct specs;

#define SPECSIZE (32u << 10) /* -x specsize */

/* @size: bytes that one speculation may keep of one CPU, 1 more than that; 0: SPECSIZE. */
struct specs *specs_new(uint64_t size);
void specs_free(struct specs *s);

/*
 * Keeps a copy of the record, of @size bytes, behind those of the same speculation.  False: no
 * room.
 */
bool specs_keep(struct specs *s, const struct spec_id *of, const struct record *rec, size_t size);

/* Hands over all that was kept, in the order in which it came, and forgets it. */
void specs_commit(struct specs *s, const struct spec_id *of,
		  void (*show)(void *ctx, const struct record *rec), void *ctx);

/* Forgets it. */
void specs_discard(struct specs *s, const struct spec_id *of);

#endif
