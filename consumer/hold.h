/* hold.h - holds records back until tracing ends, for -x bufpolicy=ring and -x bufpolicy=fill. */
#ifndef CONSUMER_HOLD_H
#define CONSUMER_HOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hold;
struct record;

/*
 * Returns a buffer with room for @bytes of records of each CPU. If @ring is set and the buffer of a
 * CPU is full, a new record replaces the oldest ones. If @ring is not set, a full buffer refuses
 * new records. The caller frees the buffer with hold_free(), which accepts NULL.
 */
struct hold *hold_new(bool ring, uint64_t bytes);
void hold_free(struct hold *h);

/*
 * Copies a record of @size bytes into the buffer and returns true. If the buffer is not a ring and
 * the buffer of any CPU is full, returns false: the record is lost. From then on only records with
 * @always set are accepted.
 */
bool hold_add(struct hold *h, const struct record *rec, size_t size, bool always);

/*
 * Passes all records to @fn in the order in which they arrived, and removes them. @fn may be NULL.
 */
void hold_each(struct hold *h, void (*fn)(void *ctx, const struct record *rec), void *ctx);

#endif
