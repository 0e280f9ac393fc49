/*
 * test_vm_maps.c - checks the maps of the virtual machine, and deferred additions to their values.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/vm/vm.h"
#include "engine/vm/deferred.h"
#include "engine/vm/internal.h"
#include "engine/vm/isa.h"
#include "tests/check.h"
#include "tests/unit/fake_machine.h"

/* -------------------------------------------------------------------- maps */

static void test_single_values(void **state)
{
	(void)state;
	for (enum vm_mode mode = 0; mode < VM_MODES; mode++) {
		/*
		 * The program sets word 1 of the MAP_PERCPU value to word 2 of the MAP_GLOBAL value
		 * plus 1. Then it looks up key 1, which does not exist.
		 */
		struct vm *vm = MAKE(mode, ST(W, FP, -4, 0), MAP(R1, PERCPU), FRAME(R2, -4),
				     CALL(1), JMPK(JNE, R0, 0, 1), EXIT, MAP_VALUE(R1, GLOBAL, 16),
				     LDX(DW, R1, R1, 0), ALU64K(ADD, R1, 1), STX(DW, R0, 8, R1),
				     ST(W, FP, -4, 1), MAP(R1, PERCPU), FRAME(R2, -4), CALL(1),
				     EXIT);
		uint64_t *globals = vm_globals(vm);
		const uint64_t *percpu = vm_percpu(vm);

		globals[2] = 41;
		assert_int_equal(run_once(vm, NULL), 0);
		assert_int_equal(percpu[1], 42);
		vm_free(vm);
	}
	/* Updating an array returns 0, -EEXIST or -E2BIG. Deleting is refused. */
	CHECK(0, ST(W, FP, -4, 0), MAP(R1, PERCPU), FRAME(R2, -4), MAP_VALUE(R3, GLOBAL, 0),
	      MOVK(R4, 0), CALL(2), EXIT);
	CHECK(-EEXIST, ST(W, FP, -4, 0), MAP(R1, PERCPU), FRAME(R2, -4), MAP_VALUE(R3, GLOBAL, 0),
	      MOVK(R4, 1), CALL(2), EXIT);
	CHECK(-E2BIG, ST(W, FP, -4, 1), MAP(R1, PERCPU), FRAME(R2, -4), MAP_VALUE(R3, GLOBAL, 0),
	      MOVK(R4, 0), CALL(2), EXIT);
	CHECK(-EINVAL, ST(W, FP, -4, 0), MAP(R1, PERCPU), FRAME(R2, -4), CALL(3), EXIT);
}

/* Updates the map SMALL. The context has the key, the value and the flags. */
#define UPDATE_SMALL \
	MOVX(R6, R1), LDX(DW, R1, R6, 0), STX(W, FP, -4, R1), LDX(DW, R1, R6, 8), \
		STX(W, FP, -8, R1), LDX(DW, R4, R6, 16), MAP(R1, SMALL), FRAME(R2, -4), \
		FRAME(R3, -8), CALL(2), EXIT

static bool sum_small(void *ctx, const void *key, const void *value)
{
	uint32_t k, v;

	memcpy(&k, key, 4);
	memcpy(&v, value, 4);
	*(uint64_t *)ctx = *(uint64_t *)ctx * 1000 + k * 10 + v;
	return k == 5;
}

static void test_map_update(void **state)
{
	(void)state;
	for (enum vm_mode mode = 0; mode < VM_MODES; mode++) {
		struct vm *vm = MAKE(mode, UPDATE_SMALL);
		uint64_t seen = 0;
#define PUT(k, v, flags) ((int64_t)vm_run(vm, 0, (uint64_t[]){k, v, flags}, 3, NULL))
		assert_int_equal(PUT(5, 1, 2), -ENOENT);
		assert_int_equal(PUT(5, 1, 1), 0);
		assert_int_equal(PUT(5, 2, 1), -EEXIST);
		assert_int_equal(PUT(6, 3, 0), 0);
		assert_int_equal(PUT(7, 3, 0), -E2BIG);
		assert_int_equal(PUT(5, 4, 2), 0);
		assert_int_equal(PUT(5, 4, 3), -EINVAL);
		assert_int_equal(vm_map_each(vm, SMALL, sum_small, &seen), 0);
		assert_int_equal(seen, 54063);
		/* Key 5 was deleted, so the map has room. */
		assert_int_equal(PUT(7, 8, 0), 0);
		seen = 0;
		vm_map_each(vm, SMALL, sum_small, &seen);
		assert_int_equal(seen, 78063);
		assert_int_equal(vm_map_each(vm, GLOBAL, sum_small, &seen), -1);
		vm_free(vm);
	}
}

static void test_map_delete(void **state)
{
	(void)state;
	/*
	 * A program adds a key and deletes it twice. Another adds it, deletes it and looks it up.
	 */
	CHECK(-ENOENT, ST(DW, FP, -8, 7), MAP(R1, HASH), FRAME(R2, -8), FRAME(R3, -8), MOVK(R4, 0),
	      CALL(2), MAP(R1, HASH), FRAME(R2, -8), CALL(3), JMPK(JEQ, R0, 0, 1), EXIT,
	      MAP(R1, HASH), FRAME(R2, -8), CALL(3), EXIT);
	CHECK(0, ST(DW, FP, -8, 7), MAP(R1, HASH), FRAME(R2, -8), FRAME(R3, -8), MOVK(R4, 0),
	      CALL(2), MAP(R1, HASH), FRAME(R2, -8), CALL(3), MAP(R1, HASH), FRAME(R2, -8), CALL(1),
	      EXIT);
}

/*
 * Counts by a key that has the layout of an aggregation's key: 4 bytes of generation, another
 * number of 4 bytes, and 16 bytes of values.
 */
static void test_count_by_key(void **state)
{
	(void)state;
	for (enum vm_mode mode = 0; mode < VM_MODES; mode++) {
		struct vm *vm = MAKE(mode, LDX(DW, R6, R1, 0), ST(W, FP, -24, 1), ST(W, FP, -20, 2),
				     STX(W, FP, -16, R6), ST(W, FP, -12, 0), ST(DW, FP, -8, 0),
				     /* Look up; on a miss, add the key and look up again. */
				     MAP(R1, HASH24), FRAME(R2, -24), CALL(1), JMPK(JNE, R0, 0, 15),
				     MAP(R1, HASH24), FRAME(R2, -24), MAP_VALUE(R3, GLOBAL, 32),
				     MOVK(R4, 1), CALL(2), MAP(R1, HASH24), FRAME(R2, -24), CALL(1),
				     JMPK(JNE, R0, 0, 1), EXIT, LDX(DW, R1, R0, 0),
				     ALU64K(ADD, R1, 1), STX(DW, R0, 0, R1), MOVX(R0, R1), EXIT);
		uint64_t r = 0;

		for (uint64_t i = 0; i < 30; i++)
			r = vm_run(vm, 0, (uint64_t[]){i % 3}, 1, NULL);
		assert_int_equal(r, 10);
		vm_free(vm);
	}
}

enum { BIG = 1000000 };

struct visit {
	uint64_t n, next;
	bool ordered;
};

static bool visit_big(void *ctx, const void *key, const void *value)
{
	struct visit *v = ctx;
	uint64_t k, val;

	memcpy(&k, key, 8);
	memcpy(&val, value, 8);
	v->ordered &= k == v->next && val == ~k;
	v->next = k + 1;
	v->n++;
	return k % 2;
}

static bool visit_even(void *ctx, const void *key, const void *value)
{
	uint64_t k;

	(void)value;
	memcpy(&k, key, 8);
	if (!(k % 2))
		++*(uint64_t *)ctx;
	return false;
}

static void test_growth(void **state)
{
	struct map_def def = {.kind = MAP_HASH, .name = "big", .key_size = 8, .value_size = 8};
	uint64_t **ptr = xcalloc(BIG, sizeof(*ptr)), even = 0;
	struct visit v = {.ordered = true};
	struct vm_map m;

	(void)state;
	vm_map_init(&m, &def);
	for (uint64_t k = 0; k < BIG; k++) {
		uint64_t val = ~k;

		assert_int_equal(vm_map_update(&m, &k, &val, 1), 0);
		ptr[k] = vm_map_lookup(&m, &k);
	}
	for (uint64_t k = 0; k < BIG; k++) {
		assert_ptr_equal(vm_map_lookup(&m, &k), ptr[k]);
		assert_true(*ptr[k] == ~k);
	}
	vm_map_each_key(&m, visit_big, &v);
	assert_true(v.ordered);
	assert_int_equal(v.n, BIG);
	assert_int_equal(m.n, BIG / 2);
	for (uint64_t k = 0; k < BIG; k++)
		assert_ptr_equal(vm_map_lookup(&m, &k), k % 2 ? NULL : ptr[k]);
	vm_map_each_key(&m, visit_even, &even);
	assert_int_equal(even, BIG / 2);
	vm_map_release(&m);
	xfree(ptr);
}

/* Keys of 1 to 80 bytes are found, and keys that differ in the last byte are not. */
static void test_key_sizes(void **state)
{
	(void)state;
	for (uint32_t size = 1; size <= 80; size++) {
		struct map_def def = {.kind = MAP_HASH,
				      .name = "k",
				      .key_size = size,
				      .value_size = 4};
		unsigned char *key = xcalloc(1, size);
		struct vm_map m;

		vm_map_init(&m, &def);
		for (uint32_t i = 0; i < size * 4; i++) {
			uint32_t j = i, v;

			key[i / 4] = (unsigned char)(i % 4 + 1);
			assert_int_equal(vm_map_update(&m, key, &j, 1), 0);
			memcpy(&v, vm_map_lookup(&m, key), 4);
			assert_int_equal(v, i);
			/* A key with another last byte is not found. */
			key[size - 1] ^= 0x80;
			assert_null(vm_map_lookup(&m, key));
			key[size - 1] ^= 0x80;
		}
		assert_int_equal(m.n, size * 4);
		vm_map_release(&m);
		xfree(key);
	}
}

/* Compares a map with a plain array, under random updates and deletions. */
static void test_churn(void **state)
{
	struct map_def def = {.kind = MAP_HASH, .name = "c", .key_size = 4, .value_size = 4};
	static uint32_t there[500];
	uint32_t x = 1;
	struct vm_map m;

	(void)state;
	vm_map_init(&m, &def);
	for (uint32_t i = 1; i < 200000; i++) {
		uint32_t k, *v;

		x = x * 1103515245 + 12345;
		k = (x >> 8) % COUNT(there);
		v = vm_map_lookup(&m, &k);
		assert_int_equal(v ? *v : 0, there[k]);
		if (x >> 30) {
			assert_int_equal(vm_map_update(&m, &k, &i, 0), 0);
			there[k] = i;
		} else {
			assert_int_equal(vm_map_delete(&m, &k), there[k] ? 0 : -ENOENT);
			there[k] = 0;
		}
	}
	vm_map_release(&m);
}

/* A map without max_entries has a limit that bounds its memory. */
static void test_default_bound(void **state)
{
	struct map_def def = {.kind = MAP_HASH, .name = "h", .key_size = 24, .value_size = 1016};
	struct vm_map m;

	(void)state;
	vm_map_init(&m, &def);
	assert_in_range(m.max_entries, 900000, (1u << 30) / (24 + 1016));
	vm_map_release(&m);
	def.value_size = 1u << 30; /* a few large entries must still fit */
	vm_map_init(&m, &def);
	assert_in_range(m.max_entries, 1, 100);
	vm_map_release(&m);
	def.max_entries = 7;
	vm_map_init(&m, &def);
	assert_int_equal(m.max_entries, 7);
	vm_map_release(&m);
}

static const uint64_t no_blocks[8];

/* Returns word @i of the sparse value of key @k. Allocates the word's block if necessary. */
static uint64_t *sparse_word(struct vm_map *m, uint64_t k, unsigned i)
{
	uint64_t *table = vm_map_lookup(m, &k);

	if (!table[i / 16])
		assert_non_null(vm_map_block(m, &table[i / 16]));
	return &((struct vm_block *)(uintptr_t)table[i / 16])->word[i % 16];
}

static bool visit_sparse(void *ctx, const void *key, const void *value)
{
	const uint64_t *v = value;
	uint64_t k, sum = 0;

	memcpy(&k, key, 8);
	for (unsigned i = 0; i < 127; i++)
		sum += v[i];
	assert_int_equal(sum, k * 3 + 3);
	assert_int_equal(v[k % 127], k + 1 + (k % 127 == (k + 50) % 127 ? 1 : 0) * (k * 2 + 2));
	++*(unsigned *)ctx;
	return k % 2;
}

/*
 * Reading a sparse value returns all of its words. Deleting the value frees its blocks.
 */
static void test_sparse_values(void **state)
{
	struct map_def def = {.kind = MAP_PERCPU_HASH,
			      .name = "s",
			      .key_size = 8,
			      .value_size = 1016,
			      .sparse = true};
	const uint64_t *all, *table;
	struct vm_map m;
	unsigned n = 0;
	uint64_t k, left;

	(void)state;
	vm_map_init(&m, &def);
	left = m.blocks.left;
	for (k = 0; k < 1000; k++) {
		assert_int_equal(vm_map_update(&m, &k, no_blocks, 1), 0);
		*sparse_word(&m, k, k % 127) += k + 1;
		*sparse_word(&m, k, (k + 50) % 127) += k * 2 + 2;
	}
	k = 126;
	all = vm_map_read(&m, &k);
	assert_int_equal(all[126], 127);
	assert_int_equal(all[125], 0);
	table = vm_map_lookup(&m, &k);
	assert_true(vm_map_holds(&m, table[126 / 16] + 120, 8));
	assert_false(vm_map_holds(&m, table[126 / 16] + 124, 8));
	vm_map_each_key(&m, visit_sparse, &n);
	assert_int_equal(n, 1000);
	assert_int_equal(m.n, 500);
	for (k = 0; k < 1000; k += 2)
		vm_map_delete(&m, &k);
	assert_int_equal(m.blocks.left, left);
	assert_int_equal(vm_map_update(&m, &k, no_blocks, 1), 0);
	*sparse_word(&m, k, 3) = 7;
	all = vm_map_read(&m, &k);
	for (unsigned i = 0; i < 127; i++)
		assert_int_equal(all[i], i == 3 ? 7 : 0);
	vm_map_release(&m);
}

/* ------------------------------------------------------------------- additions */

enum { ADDED_KEYS = 50, ADDED_WORDS = 4 };

/* Expected words of each key, and the number of keys that the map has shown. */
struct added {
	uint64_t v[ADDED_KEYS][ADDED_WORDS];
	unsigned visited;
	uint32_t key_size;
};

static void make_key(unsigned char *key, unsigned k, uint32_t size)
{
	memset(key, 0, size);
	memcpy(key, &k, sizeof(k));
	key[size - 1] ^= 0x5a;
}

static bool visit_added(void *ctx, const void *key, const void *value)
{
	struct added *a = ctx;
	unsigned char want[64];
	unsigned k;

	memcpy(&k, key, sizeof(k));
	k ^= a->key_size == 4 ? 0x5a000000u : 0;
	assert_in_range(k, 0, ADDED_KEYS - 1);
	make_key(want, k, a->key_size);
	assert_memory_equal(key, want, a->key_size);
	assert_memory_equal(value, a->v[k], sizeof(a->v[k]));
	a->visited++;
	return false;
}

static void add_many(struct vm_map *m, struct added *a, unsigned n)
{
	unsigned char key[64];

	for (unsigned i = 0; i < n; i++) {
		unsigned k = (unsigned)rand() % ADDED_KEYS, w = (unsigned)rand() % ADDED_WORDS;

		make_key(key, k, a->key_size);
		vm_map_add(m, key, w, i, i % 3);
		a->v[k][w] += i;
		a->v[k][0] += i % 3;
	}
}

/*
 * With keys of 4 to 64 bytes, no addition is lost, and a reader of the map sees each addition
 * immediately.
 */
static void test_additions(void **state)
{
	(void)state;
	for (uint32_t size = 4; size <= 64; size += 4) {
		struct map_def def = {.kind = MAP_PERCPU_HASH,
				      .name = "a",
				      .key_size = size,
				      .value_size = ADDED_WORDS * 8};
		struct added a = {.key_size = size};
		unsigned char key[64];
		struct vm_map m;

		vm_map_init(&m, &def);
		for (unsigned n = 1; n < 3000; n *= 3) {
			add_many(&m, &a, n);
			a.visited = 0;
			vm_map_each_key(&m, visit_added, &a);
			assert_int_equal(a.visited, m.n);
		}
		assert_int_equal(m.n, ADDED_KEYS);
		make_key(key, 7, size);
		vm_map_add(&m, key, 1, 5, 0);
		a.v[7][1] += 5;
		assert_memory_equal(vm_map_read(&m, key), a.v[7], sizeof(a.v[7]));
		vm_map_add(&m, key, 1, 5, 0);
		assert_int_equal(vm_map_delete(&m, key), 0);
		assert_null(vm_map_read(&m, key));
		vm_map_release(&m);
	}
}

/*
 * An addition counts as a drop if the map has no room for its key, or if its word is beyond the
 * value.
 */
static void test_lost_additions(void **state)
{
	struct map_def def = {.kind = MAP_PERCPU_HASH,
			      .name = "a",
			      .key_size = 8,
			      .value_size = 16,
			      .max_entries = 3};
	uint64_t drops = 0;
	struct vm_map m;

	(void)state;
	vm_map_init(&m, &def);
	m.deferred.drops = &drops;
	for (uint64_t k = 0; k < 10; k++)
		vm_map_add(&m, &k, 0, 1, 0);
	vm_deferred_flush(&m);
	assert_int_equal(m.n, 3);
	assert_int_equal(drops, 7);
	vm_map_add(&m, &(uint64_t){1}, 2, 1, 0);
	vm_deferred_flush(&m);
	assert_int_equal(drops, 8);
	vm_map_release(&m);
}

/* Additions to sparse values allocate the blocks that they need. */
static void test_sparse_additions(void **state)
{
	struct map_def def = {.kind = MAP_PERCPU_HASH,
			      .name = "s",
			      .key_size = 12,
			      .value_size = 1016,
			      .max_entries = 1,
			      .sparse = true};
	uint64_t want[127] = {0}, drops = 0, word;
	unsigned char key[12] = {1};
	struct vm_map m;

	(void)state;
	vm_map_init(&m, &def);
	m.deferred.drops = &drops;
	for (unsigned i = 0; i < 1000; i++) {
		word = (unsigned)rand() % 127;
		vm_map_add(&m, key, word, i, i & 1);
		want[word] += i;
		want[0] += i & 1;
	}
	assert_memory_equal(vm_map_read(&m, key), want, sizeof(want));
	vm_map_add(&m, key, 127, 1, 0);
	assert_memory_equal(vm_map_read(&m, key), want, sizeof(want));
	assert_int_equal(drops, 1);
	vm_map_release(&m);
}

/* The number of blocks of sparse values is limited too, by max_entries or by memory. */
static void test_sparse_bound(void **state)
{
	struct map_def def = {.kind = MAP_PERCPU_HASH,
			      .name = "s",
			      .key_size = 8,
			      .value_size = 1016,
			      .max_entries = 2,
			      .sparse = true};
	uint64_t k = 1, entry;
	struct vm_map m;

	(void)state;
	vm_map_init(&m, &def);
	for (int i = 0; i < 16; i++)
		assert_non_null(vm_map_block(&m, &entry));
	assert_null(vm_map_block(&m, &entry));
	assert_int_equal(entry, 0);
	vm_map_release(&m);
	def.max_entries = 0;
	vm_map_init(&m, &def);
	assert_in_range(m.max_entries, 3000000, (1u << 30) / (64 + 128));
	m.blocks.left = 1;
	assert_int_equal(vm_map_update(&m, &k, no_blocks, 1), 0);
	k = 2;
	assert_int_equal(vm_map_update(&m, &k, no_blocks, 1), -E2BIG);
	vm_map_release(&m);
}

/* A full LRU map evicts the least recently used key for a new key. */
static void test_lru(void **state)
{
	struct map_def def = {.kind = MAP_LRU_HASH,
			      .name = "l",
			      .key_size = 4,
			      .value_size = 4,
			      .max_entries = 100};
	struct vm_map m;

	(void)state;
	vm_map_init(&m, &def);
	for (uint32_t k = 0; k < 100; k++)
		assert_int_equal(vm_map_update(&m, &k, &k, 1), 0);
	for (uint32_t k = 0; k < 100; k += 2) /* looks up even keys and updates every tenth */
		assert_non_null(vm_map_lookup(&m, &k));
	for (uint32_t k = 0; k < 100; k += 10)
		assert_int_equal(vm_map_update(&m, &k, &k, 2), 0);
	for (uint32_t k = 1000; k < 1050; k++) {
		assert_int_equal(vm_map_update(&m, &k, &k, 1), 0);
		assert_int_equal(m.n, 100);
	}
	/* a lookup counts as a use, so key 0 is the newest one at the end */
	for (uint32_t k = 99; k < 100; k--)
		assert_int_equal(vm_map_lookup(&m, &k) == NULL, k % 2);
	for (uint32_t k = 0; k < 100; k += 20) {
		assert_int_equal(vm_map_delete(&m, &k), 0);
		assert_int_equal(vm_map_delete(&m, &k), -ENOENT);
	}
	for (uint32_t k = 2000; k < 2005; k++)
		assert_int_equal(vm_map_update(&m, &k, &k, 1), 0);
	for (uint32_t k = 1000; k < 1050; k++) /* nothing was evicted */
		assert_non_null(vm_map_lookup(&m, &k));
	for (uint32_t k = 3000; k < 13000; k++) {
		assert_int_equal(vm_map_update(&m, &k, &k, 0), 0);
		assert_int_equal(*(uint32_t *)vm_map_lookup(&m, &k), k);
	}
	for (uint32_t k = 0; k < 13000; k++)
		assert_int_equal(vm_map_lookup(&m, &k) != NULL, k >= 12900);
	assert_int_equal(m.n, 100);
	vm_map_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_single_values),
		cmocka_unit_test(test_map_update),
		cmocka_unit_test(test_map_delete),
		cmocka_unit_test(test_count_by_key),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_key_sizes),
		cmocka_unit_test(test_churn),
		cmocka_unit_test(test_lru),
		cmocka_unit_test(test_default_bound),
		cmocka_unit_test(test_sparse_values),
		cmocka_unit_test(test_additions),
		cmocka_unit_test(test_lost_additions),
		cmocka_unit_test(test_sparse_additions),
		cmocka_unit_test(test_sparse_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
