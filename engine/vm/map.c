/*
 * map.c - the maps of the virtual machine: hash tables whose values never move, and simple values.
 *
 * map_slots.h describes the tables, and deferred.c adds to their values.
 */
#include "engine/vm/map.h"

#include <errno.h>
#include <string.h>

#include "base/xalloc.h"
#include "engine/vm/deferred.h"
#include "engine/vm/map_slots.h"

enum {
	FIRST_SLOTS = 64,
	FIRST_CHUNK = 32,
	RING_MIN = 1 << 20,
	RING_DEFAULT = 16 << 20,
	BYTES_MAX = 1 << 30,
};

enum { UPDATE_ANY, UPDATE_NOEXIST, UPDATE_EXIST };

static uint32_t round8(uint32_t n)
{
	return (n + 7) & ~7u;
}

uint64_t vm_map_hash(const struct vm_map *m, const void *key)
{
	uint32_t size = m->key_size, n = (size + 7) / 8;
	unsigned __int128 sum = 0;
	uint64_t h = 0;

	for (uint32_t i = 0; i < n; i += 2) {
		unsigned pair = i / 2 % HASH_PAIRS;

		if (i && !pair) {
			h = hash_end(&hash_key, sum, h);
			sum = 0;
		}
		sum += hash_pair(&hash_key, pair, vm_key_word(key, i, size),
				 i + 1 < n ? vm_key_word(key, i + 1, size) : 0);
	}
	return hash_end(&hash_key, sum, h) | VM_HASH_LIVE;
}

/* Returns the slot that holds @key, or NULL. */
static uint64_t *find(const struct vm_map *m, const void *key, uint64_t hash)
{
	for (uint64_t *s = vm_first_slot(m, hash); *s; s = vm_next_slot(m, s)) {
		if (*s >> VM_TAG_SHIFT == hash >> VM_TAG_SHIFT &&
		    !memcmp(vm_slot_entry(*s)->key, key, m->key_size))
			return s;
	}
	return NULL;
}

struct vm_entry *vm_map_find(const struct vm_map *m, const void *key, uint64_t hash)
{
	uint64_t *s = find(m, key, hash);

	return s ? vm_slot_entry(*s) : NULL;
}

static void *lookup_any(const struct vm_map *m, const void *key)
{
	uint64_t *s = find(m, key, vm_map_hash(m, key));

	return s ? vm_entry_value(m, vm_slot_entry(*s)) : NULL;
}

VM_SPECIALIZED void *lookup_sized(const struct vm_map *m, const void *key, uint32_t size)
{
	uint64_t w[VM_KEY_WORDS];
	struct vm_entry *e;

	vm_key_load(w, key, size);
	e = vm_find_entry(m, w, size, vm_key_hash(w, size));
	return e ? vm_entry_value(m, e) : NULL;
}

#define X(bytes) \
	static void *lookup_##bytes(const struct vm_map *m, const void *key) \
	{ \
		return lookup_sized(m, key, bytes); \
	}
VM_KEY_SIZES(X)
#undef X

static vm_lookup_fn *lookup_for(uint32_t key_size)
{
	switch (key_size) {
#define X(bytes) \
	case bytes: \
		return lookup_##bytes;
		VM_KEY_SIZES(X)
#undef X
	}
	return lookup_any;
}

/* --------------------------------------------------------------------- LRU */

/*
 * Neighbours of an entry of an LRU hash, in the order of use. In memory, this struct follows the
 * value of the entry.
 */
struct vm_use {
	struct vm_entry *newer, *older;
};

static struct vm_use *use_of(const struct vm_map *m, struct vm_entry *e)
{
	return (struct vm_use *)(void *)((unsigned char *)e + m->entry_size -
					 sizeof(struct vm_use));
}

static void lru_unlink(const struct vm_map *m, struct vm_entry *e)
{
	struct vm_use *u = use_of(m, e);

	*(u->newer ? &use_of(m, u->newer)->older : &m->lru[0]) = u->older;
	*(u->older ? &use_of(m, u->older)->newer : &m->lru[1]) = u->newer;
}

static void lru_link(const struct vm_map *m, struct vm_entry *e)
{
	struct vm_use *u = use_of(m, e);

	*u = (struct vm_use){NULL, m->lru[0]};
	*(m->lru[0] ? &use_of(m, m->lru[0])->newer : &m->lru[1]) = e;
	m->lru[0] = e;
}

static void lru_touch(const struct vm_map *m, struct vm_entry *e)
{
	lru_unlink(m, e);
	lru_link(m, e);
}

static void *lookup_lru(const struct vm_map *m, const void *key)
{
	uint64_t *s = find(m, key, vm_map_hash(m, key));

	if (!s)
		return NULL;
	lru_touch(m, vm_slot_entry(*s));
	return vm_entry_value(m, vm_slot_entry(*s));
}

/* ------------------------------------------------------------ single values */

static void *lookup_single(const struct vm_map *m, const void *key)
{
	uint32_t k;

	memcpy(&k, key, sizeof(k));
	return k ? NULL : m->value;
}

static void *lookup_none(const struct vm_map *m, const void *key)
{
	(void)m, (void)key;
	return NULL;
}

/* ---------------------------------------------------------- making and freeing */

/*
 * Returns how many keys fit in BYTES_MAX. The table of slots is 25 to 50 % full, so a key takes
 * about three slots. A key with a sparse value has at least one block.
 */
static uint32_t default_bound(const struct vm_map *m)
{
	size_t block = m->dense_size ? sizeof(struct vm_block) : 0;
	uint32_t n = (uint32_t)(BYTES_MAX / (m->entry_size + 3 * sizeof(*m->slot) + block));

	return n > FIRST_CHUNK ? n : FIRST_CHUNK;
}

static void init_sparse(struct vm_map *m)
{
	m->dense_size = round8(m->value_size);
	m->value_size = sparse_blocks(m->dense_size) * 8;
	m->dense = xmalloc(m->dense_size);
}

/*
 * Sets how many blocks @m may use. If the program bounds the number of keys, there are enough
 * blocks for all values. If not, blocks and keys share BYTES_MAX.
 */
static void bound_blocks(struct vm_map *m, bool bounded)
{
	size_t block = sizeof(struct vm_block), key = m->entry_size + 3 * sizeof(*m->slot);

	if (bounded) {
		m->blocks.left = (uint64_t)m->max_entries * sparse_blocks(m->dense_size);
	} else {
		m->blocks.left = BYTES_MAX / block;
		m->key_blocks = (uint32_t)((key + block - 1) / block);
	}
}

static bool is_full(const struct vm_map *m)
{
	return m->n >= m->max_entries || m->blocks.left < m->key_blocks;
}

static void init_hash(struct vm_map *m)
{
	bool bounded = m->max_entries;

	m->mask = FIRST_SLOTS - 1;
	m->slot = xcalloc(FIRST_SLOTS, sizeof(*m->slot));
	m->value_off = (uint32_t)offsetof(struct vm_entry, key) + round8(m->key_size);
	m->entry_size = m->value_off + round8(m->value_size);
	m->lookup = lookup_for(m->key_size);
	if (m->kind != MAP_LRU_HASH)
		vm_deferred_init(m);
	if (!m->max_entries)
		m->max_entries = default_bound(m);
	if (m->dense_size)
		bound_blocks(m, bounded);
	if (m->kind != MAP_LRU_HASH)
		return;
	m->entry_size += (uint32_t)sizeof(struct vm_use);
	m->lru = xcalloc(2, sizeof(*m->lru));
	m->lookup = lookup_lru;
}

void vm_map_init(struct vm_map *m, const struct map_def *def)
{
	*m = (struct vm_map){.kind = def->kind,
			     .key_size = def->key_size,
			     .value_size = def->value_size,
			     .max_entries = def->max_entries,
			     .add = vm_add_nothing};
	switch (def->kind) {
	case MAP_GLOBAL:
	case MAP_PERCPU:
		m->key_size = 4;
		m->value = xcalloc(1, round8(def->value_size));
		m->lookup = lookup_single;
		break;
	case MAP_RING:
		m->ring_max = def->max_entries ? def->max_entries : RING_DEFAULT;
		if (m->ring_max < RING_MIN)
			m->ring_max = RING_MIN;
		m->lookup = lookup_none;
		break;
	case MAP_PERCPU_HASH:
	case MAP_HASH:
	case MAP_LRU_HASH:
		if (def->sparse)
			init_sparse(m);
		init_hash(m);
		break;
	case MAP_TABLE:
	case MAP_WAKE:
	case MAP_TASK:
	case MAP_SOCKET: /* these four kinds exist only in the kernel */
		m->lookup = lookup_none;
		break;
	}
}

void vm_map_release(struct vm_map *m)
{
	for (size_t i = 0; i < m->chunk.n; i++)
		xfree(m->chunk.v[i].mem);
	vec_free(&m->chunk);
	vm_blocks_release(&m->blocks);
	xfree(m->deferred.ring);
	xfree(m->dense);
	xfree(m->slot);
	xfree(m->value);
	xfree(m->lru);
	*m = (struct vm_map){0};
}

/* ------------------------------------------------------------------ changes */

static struct vm_entry *chunk_entry(const struct vm_map *m, const struct vm_chunk *c, size_t i)
{
	return (struct vm_entry *)(void *)(c->mem + i * m->entry_size);
}

static struct vm_entry *new_entry(struct vm_map *m)
{
	struct vm_entry *e = m->free;
	struct vm_chunk *c = m->chunk.n ? &m->chunk.v[m->chunk.n - 1] : NULL;

	if (e) {
		m->free = (struct vm_entry *)(uintptr_t)e->key[0];
		return e;
	}
	if (!c || c->used == c->cap) {
		size_t cap = c ? c->cap * 2 : FIRST_CHUNK;
		struct vm_chunk fresh = {.mem = xmalloc(cap * m->entry_size), .cap = cap};

		vec_push(&m->chunk, fresh);
		c = &m->chunk.v[m->chunk.n - 1];
	}
	return chunk_entry(m, c, c->used++);
}

static void put_slot(struct vm_map *m, struct vm_entry *e)
{
	uint64_t *s = vm_first_slot(m, e->hash);

	while (*s)
		s = vm_next_slot(m, s);
	*s = (e->hash >> VM_TAG_SHIFT) << VM_TAG_SHIFT | (uint64_t)(uintptr_t)e;
}

static void grow(struct vm_map *m)
{
	uint64_t *old = m->slot, n = m->mask + 1;

	m->slot = xcalloc(n * 2, sizeof(*m->slot));
	m->mask = n * 2 - 1;
	for (uint64_t i = 0; i < n; i++)
		if (old[i])
			put_slot(m, vm_slot_entry(old[i]));
	xfree(old);
}

static struct vm_entry *insert(struct vm_map *m, const void *key, uint64_t hash)
{
	struct vm_entry *e = new_entry(m);

	if (m->n * 2 > m->mask)
		grow(m);
	if ((uint64_t)(uintptr_t)e & ~VM_ADDR_MASK)
		BUG("an address has more than %d bits", VM_TAG_SHIFT);
	memset(e, 0, m->entry_size);
	e->hash = hash;
	memmove(e->key, key, m->key_size);
	put_slot(m, e);
	if (m->lru)
		lru_link(m, e);
	m->blocks.left -= m->key_blocks;
	m->n++;
	return e;
}

struct vm_entry *vm_map_insert(struct vm_map *m, const void *key, uint64_t hash)
{
	return is_full(m) ? NULL : insert(m, key, hash);
}

static void delete_slot(struct vm_map *m, uint64_t *s);
static uint64_t *slot_of(struct vm_map *m, struct vm_entry *e);

static int update_hash(struct vm_map *m, const void *key, const void *value, uint64_t flags)
{
	uint64_t hash = vm_map_hash(m, key), *s = find(m, key, hash);

	if (s && flags == UPDATE_NOEXIST)
		return -EEXIST;
	if (!s && flags == UPDATE_EXIST)
		return -ENOENT;
	if (s) {
		memmove(vm_entry_value(m, vm_slot_entry(*s)), value, m->value_size);
		if (m->lru)
			lru_touch(m, vm_slot_entry(*s));
		return 0;
	}
	if (is_full(m)) {
		if (!m->lru)
			return -E2BIG;
		delete_slot(m, slot_of(m, m->lru[1]));
	}
	memmove(vm_entry_value(m, insert(m, key, hash)), value, m->value_size);
	return 0;
}

int vm_map_update(struct vm_map *m, const void *key, const void *value, uint64_t flags)
{
	if (flags > UPDATE_EXIST || m->kind == MAP_RING)
		return -EINVAL;
	if (vm_map_is_hash(m))
		return update_hash(m, key, value, flags);
	if (!lookup_single(m, key))
		return -E2BIG;
	if (flags == UPDATE_NOEXIST)
		return -EEXIST;
	memmove(m->value, value, m->value_size);
	return 0;
}

/*
 * Empties slot @s. A search ends at an empty slot. So later entries are moved back if a search for
 * them would now end too early.
 */
static void close_gap(struct vm_map *m, uint64_t *s)
{
	for (uint64_t *t = vm_next_slot(m, s); *t; t = vm_next_slot(m, t)) {
		uint64_t home = vm_slot_entry(*t)->hash & m->mask;
		uint64_t at = (uint64_t)(t - m->slot), gap = (uint64_t)(s - m->slot);

		/* The entry moves into the gap, unless a search for it begins after the gap. */
		if (((at - home) & m->mask) >= ((at - gap) & m->mask)) {
			*s = *t;
			s = t;
		}
	}
	*s = 0;
}

/* ------------------------------------------------------------- sparse values */

struct vm_block *vm_map_block(struct vm_map *m, uint64_t *entry)
{
	struct vm_block *b = vm_block_new(&m->blocks);

	*entry = (uint64_t)(uintptr_t)b;
	return b;
}

static struct vm_block *block_at(const uint64_t *table, uint32_t i)
{
	return (struct vm_block *)(uintptr_t)table[i];
}

static void free_blocks(struct vm_map *m, const uint64_t *table)
{
	for (uint32_t i = 0; i < sparse_blocks(m->dense_size); i++)
		if (table[i])
			vm_block_free(&m->blocks, block_at(table, i));
}

/* Returns the whole value at @v. A sparse value is copied to the buffer m->dense. */
static const void *dense_value(struct vm_map *m, const uint64_t *v)
{
	size_t words = m->dense_size / 8;

	if (!m->dense_size)
		return v;
	for (size_t i = 0; i < words; i += SPARSE_WORDS) {
		size_t n = words - i < SPARSE_WORDS ? words - i : SPARSE_WORDS;
		const struct vm_block *b = block_at(v, (uint32_t)(i / SPARSE_WORDS));

		if (b)
			memcpy(m->dense + i, b->word, n * 8);
		else
			memset(m->dense + i, 0, n * 8);
	}
	return m->dense;
}

const void *vm_map_read(struct vm_map *m, const void *key)
{
	const uint64_t *v;

	vm_deferred_flush(m);
	v = vm_map_lookup(m, key);
	return v ? dense_value(m, v) : NULL;
}

/* ------------------------------------------------------------------- deletion */

static void delete_slot(struct vm_map *m, uint64_t *s)
{
	struct vm_entry *e = vm_slot_entry(*s);

	if (m->dense_size)
		free_blocks(m, vm_entry_value(m, e));
	close_gap(m, s);
	if (m->lru)
		lru_unlink(m, e);
	e->hash = 0;
	e->key[0] = (uint64_t)(uintptr_t)m->free;
	m->free = e;
	m->blocks.left += m->key_blocks;
	m->n--;
}

int vm_map_delete(struct vm_map *m, const void *key)
{
	uint64_t *s;

	if (!vm_map_is_hash(m))
		return -EINVAL;
	vm_deferred_flush(m);
	s = find(m, key, vm_map_hash(m, key));
	if (!s)
		return -ENOENT;
	delete_slot(m, s);
	return 0;
}

static uint64_t *slot_of(struct vm_map *m, struct vm_entry *e)
{
	uint64_t *s = vm_first_slot(m, e->hash);

	while (vm_slot_entry(*s) != e)
		s = vm_next_slot(m, s);
	return s;
}

void vm_map_each_key(struct vm_map *m, bool (*fn)(void *ctx, const void *key, const void *value),
		     void *ctx)
{
	vm_deferred_flush(m);
	for (size_t i = 0; i < m->chunk.n; i++) {
		for (size_t j = 0; j < m->chunk.v[i].used; j++) {
			struct vm_entry *e = chunk_entry(m, &m->chunk.v[i], j);

			if (e->hash && fn(ctx, e->key, dense_value(m, vm_entry_value(m, e))))
				delete_slot(m, slot_of(m, e));
		}
	}
}

/* --------------------------------------------------------- memory and tests */

static bool chunk_holds(const struct vm_map *m, const struct vm_chunk *c, uint64_t addr, size_t len)
{
	uint64_t off = addr - (uint64_t)(uintptr_t)c->mem;

	if (off >= (uint64_t)c->used * m->entry_size)
		return false;
	off %= m->entry_size;
	return off >= m->value_off && len <= m->value_size &&
	       off - m->value_off <= m->value_size - len;
}

bool vm_map_holds(const struct vm_map *m, uint64_t addr, size_t len)
{
	if (m->value)
		return len <= m->value_size &&
		       addr - (uint64_t)(uintptr_t)m->value <= m->value_size - len;
	for (size_t i = 0; i < m->chunk.n; i++)
		if (chunk_holds(m, &m->chunk.v[i], addr, len))
			return true;
	return vm_blocks_hold(&m->blocks, addr, len);
}

uint64_t vm_map_probes(const struct vm_map *m)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; m->slot && i <= m->mask; i++)
		if (m->slot[i])
			sum += 1 + ((i - vm_slot_entry(m->slot[i])->hash) & m->mask);
	return sum;
}
