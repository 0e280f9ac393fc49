/*
 * aggtab.h - a table of rows: a key of bytes, and the words of a value.
 */
#ifndef CONSUMER_AGGTAB_H
#define CONSUMER_AGGTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

struct agg_row {
	uint64_t hash;
	const uint8_t *key;
	uint32_t klen;
	bool lent;     /* val is the caller's, not to be written to */
	uint64_t *val; /* the table's value_size bytes, zero at first */
};

struct aggtab {
	struct arena mem;
	VEC(struct agg_row *) row; /* in order of arrival */
	struct agg_row **slot;     /* open addressing; nslot is a power of two */
	size_t nslot;
};

/* An all-zero struct aggtab is empty. */
void aggtab_release(struct aggtab *t);

/*
 * The row of @key, made with a zero value of @value_size bytes if there is none; a value
 * that was lent is copied.
 */
struct agg_row *aggtab_get(struct aggtab *t, const void *key, uint32_t klen, size_t value_size);

/* A new row with @val, which must outlive the table, for its value.  False: @key has a row already. */
bool aggtab_lend(struct aggtab *t, const void *key, uint32_t klen, const uint64_t *val);

/* The row of @key, or NULL. */
struct agg_row *aggtab_find(const struct aggtab *t, const void *key, uint32_t klen);

/* The slots that finding each row once looks at. */
uint64_t aggtab_probes(const struct aggtab *t);

#endif
