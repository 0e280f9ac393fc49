/*
 * table.h - a hash table of rows.  A row has a key, which is bytes, and a value, which is words.
 *
 * Most words of a histogram are 0.  aggtab_add_packed() keeps only those that are not.
 */
#ifndef AGG_TABLE_H
#define AGG_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

struct agg_row {
	uint64_t hash;
	const uint8_t *key;
	uint32_t klen;
	bool borrowed; /* val is the caller's, not to be written to */
	uint64_t *val; /* the table's value_size bytes, zero at first; NULL: they are packed */
	const uint8_t *pack;
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
 * that was borrowed, or packed, is copied.
 */
struct agg_row *aggtab_get(struct aggtab *t, const void *key, uint32_t klen, size_t value_size);

/*
 * A new row with @val, which must outlive the table, for its value.  False: @key has a row already.
 */
bool aggtab_add_borrowed(struct aggtab *t, const void *key, uint32_t klen, const uint64_t *val);

/*
 * A new row whose value, @val of @value_size bytes, is only to be read.  False: @key has a row
 * already.
 */
bool aggtab_add_packed(struct aggtab *t, const void *key, uint32_t klen, const uint64_t *val,
		       size_t value_size);

/* The value of @r, of @value_size bytes, for which @room has room if they are packed. */
const uint64_t *agg_row_value(const struct agg_row *r, uint64_t *room, size_t value_size);

/* The row of @key, or NULL. */
struct agg_row *aggtab_find(const struct aggtab *t, const void *key, uint32_t klen);

/* The slots that finding each row once looks at. */
uint64_t aggtab_probes(const struct aggtab *t);

#endif
