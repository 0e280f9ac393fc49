/*
 * hold.h - records that are kept until tracing ends: -x bufpolicy=ring and fill.
 */
#ifndef CONSUMER_HOLD_H
#define CONSUMER_HOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hold;
struct record;

/*
 * Room for @bytes of records of each CPU.  @ring: what comes when it is full takes the
 * place of the oldest; else it is refused.
 */
struct hold *hold_new(bool ring, uint64_t bytes);
void hold_free(struct hold *h);

/*
 * Keeps a copy.  False: there is no room, nor will there be.  @always: it is kept
 * whether there is room or not.
 */
bool hold_add(struct hold *h, const struct record *rec, size_t size, bool always);

/* Gives what is held to @fn, in the order in which it came, and forgets it. */
void hold_each(struct hold *h, void (*fn)(void *ctx, const struct record *rec), void *ctx);

#endif
