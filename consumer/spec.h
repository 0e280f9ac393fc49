/*
 * spec.h - speculations. A speculation keeps records until commit() shows them or discard() drops
 * them.
 */
#ifndef CONSUMER_SPEC_H
#define CONSUMER_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/program.h"

struct specs;

#define SPECSIZE (32u << 10) /* default of -x specsize in bytes */

/*
 * Returns an empty set of speculations. A speculation can keep @size - 1 bytes of records for each
 * CPU, or SPECSIZE bytes if @size is 0. The caller frees the result with specs_free(), which
 * accepts NULL.
 */
struct specs *specs_new(uint64_t size);
void specs_free(struct specs *s);

/*
 * Appends a copy of the record, which has @size bytes, to the speculation @of. Returns false if
 * there is no room.
 */
bool specs_keep(struct specs *s, const struct spec_id *of, const struct record *rec, size_t size);

/*
 * Passes the records of the speculation @of to @show in the order in which they arrived, and
 * removes them.
 */
void specs_commit(struct specs *s, const struct spec_id *of,
		  void (*show)(void *ctx, const struct record *rec), void *ctx);

/* Removes the records of speculation @of. */
void specs_discard(struct specs *s, const struct spec_id *of);

#endif
