/*
 * table.h - a hash table of aggregation results.
 *
 * Each row has a key (bytes) and a value (words of 8 bytes). A row cannot be deleted alone: a table
 * is filled, read and released as a whole. The value of a histogram is mostly zeros, so a row can
 * store it packed: only the words that are not zero.
 */
#ifndef AGG_TABLE_H
#define AGG_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

/*
 * A row, owned by its table. It is small, because tables may have millions of rows. The value
 * follows the key, at the next multiple of 8 bytes.
 */
struct agg_row {
	uint32_t hash;      /* hash of the key; valid if the row is in the index */
	uint32_t klen : 29; /* length of the key in bytes */
	bool apart : 1;     /* the value is elsewhere, and its address follows the key */
	bool packed : 1;    /* the value, which is apart, is packed and must not be changed */
	bool borrowed : 1;  /* the value, which is apart, belongs to the caller */
	uint8_t key[];
};

/* Returns the words after the key: the value or its address. */
static inline uint64_t *agg_row_after_key(const struct agg_row *r)
{
	return (uint64_t *)(uintptr_t)(r->key + ((r->klen + 7u) & ~7u));
}

/*
 * Returns the value of @r, which must not be packed, as words of 8 bytes. The caller must not
 * change a borrowed value.
 */
static inline uint64_t *agg_row_val(const struct agg_row *r)
{
	uint64_t *at = agg_row_after_key(r);

	return r->apart ? (uint64_t *)(uintptr_t)*at : at;
}

struct aggtab {
	struct arena mem;
	VEC(struct agg_row *) row; /* all rows, in the order in which they were added */
	/*
	 * The index: a hash table with open addressing. Its size nslot is a power of two. It
	 * contains rows 0 to nindexed - 1. Later rows are added when a key is looked up.
	 */
	struct agg_row **slot;
	size_t nslot, nindexed;
};

/* Frees all rows and leaves @t empty. An all-zero struct aggtab is empty, too. */
void aggtab_release(struct aggtab *t);

/*
 * Returns the row of @key with a value of @value_size bytes that the caller may change. A new row
 * has a zero value. A borrowed or packed value is replaced by a copy.
 */
struct agg_row *aggtab_get(struct aggtab *t, const void *key, uint32_t klen, size_t value_size);

/*
 * A faster aggtab_get() for a caller that passes each key only once. It does not add the new row to
 * the index, so a second call with the same key would add a second row. The index gets the row when
 * another function looks up a key.
 */
struct agg_row *aggtab_get_once(struct aggtab *t, const void *key, uint32_t klen,
				size_t value_size);

/*
 * Adds a row with the value @val, which must outlive the table. Returns false if @key has a row
 * already. @once has the same meaning as for aggtab_get_once(): the caller passes each key only
 * once.
 */
bool aggtab_add_borrowed(struct aggtab *t, const void *key, uint32_t klen, const uint64_t *val,
			 bool once);

/*
 * Adds a row with a packed copy of @val (@value_size bytes), which can only be read. Returns false
 * if @key has a row already.
 */
bool aggtab_add_packed(struct aggtab *t, const void *key, uint32_t klen, const uint64_t *val,
		       size_t value_size);

/*
 * Replaces the array of rows by @row, which has @n rows and is on the heap. @t owns the array from
 * now on. The rows are either the old rows of @t in another order, or rows of another table. If
 * they are of another table, that table must outlive @t, and no key may be looked up in @t.
 */
void aggtab_set_rows(struct aggtab *t, struct agg_row **row, size_t n);

/*
 * Returns the value of @r (@value_size bytes). A packed value is unpacked into the buffer @room,
 * which has @value_size bytes. The result is valid as long as the table and @room.
 */
const uint64_t *agg_row_value(const struct agg_row *r, uint64_t *room, size_t value_size);

/* Returns the row of @key, or NULL. */
struct agg_row *aggtab_find(const struct aggtab *t, const void *key, uint32_t klen);

/*
 * For tests. Returns the number of slots that a search for each row visits, summed over all rows.
 */
uint64_t aggtab_probes(const struct aggtab *t);

#endif
