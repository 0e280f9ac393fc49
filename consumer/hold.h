/*
 * hold.h - records that are held until tracing ends: -x bufpolicy=ring and fill.
 */
#ifndef CONSUMER_HOLD_H
#define CONSUMER_HOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hold;
struct record;

/*
 * Returns a buffer for @bytes of records of each CPU. @ring: if the buffer of a CPU is full, a new
 * record replaces the oldest ones; else a new record is refused. The caller frees the buffer with
 * hold_free(), which accepts NULL.
 */
struct hold *hold_new(bool ring, uint64_t bytes);
void hold_free(struct hold *h);

/*
 * Copies a record of @size bytes. A ring always takes it. Otherwise returns false if the buffer of
 * one CPU is full: the record is lost, and from then on only records with @always set are taken.
 */
bool hold_add(struct hold *h, const struct record *rec, size_t size, bool always);

/* Passes all records to @fn in the order of arrival, and removes them. @fn may be NULL. */
void hold_each(struct hold *h, void (*fn)(void *ctx, const struct record *rec), void *ctx);

#endif
