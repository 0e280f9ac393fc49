/* test_fixed_memory.c - maps memory at a fixed address, or elsewhere if that address is in use. */
#include <string.h>

#include "engine/replay/fixed_memory.h"
#include "tests/check.h"

#define SIZE 10000

static void test_same(void **state)
{
	unsigned char *a = fixed_memory_map(FIXED_CAPTURE, SIZE), *b;

	(void)state;
	memset(a, 1, SIZE);
	fixed_memory_unmap(a, SIZE);
	b = fixed_memory_map(FIXED_CAPTURE, SIZE);
	assert_ptr_equal(a, b);
	assert_int_equal(b[0] | b[SIZE - 1], 0);
	fixed_memory_unmap(b, SIZE);
	fixed_memory_unmap(NULL, SIZE);
}

static void test_taken(void **state)
{
	unsigned char *a = fixed_memory_map(FIXED_OBJECTS, SIZE),
		      *b = fixed_memory_map(FIXED_OBJECTS, SIZE);

	(void)state;
	assert_ptr_not_equal(a, b);
	memset(a, 1, SIZE);
	assert_int_equal(b[0] | b[SIZE - 1], 0);
	fixed_memory_unmap(a, SIZE);
	fixed_memory_unmap(b, SIZE);
}

static void test_grow(void **state)
{
	unsigned char *a = fixed_memory_map(FIXED_CAPTURE, SIZE), *b;

	(void)state;
	a[0] = 1;
	a[SIZE - 1] = 2;
	b = fixed_memory_grow(a, SIZE, 100 * SIZE);
	/* the memory grows in place, because the addresses after it are free */
	assert_ptr_equal(a, b);
	assert_int_equal(b[0], 1);
	assert_int_equal(b[SIZE - 1], 2);
	assert_int_equal(b[100 * SIZE - 1], 0);
	fixed_memory_unmap(b, 100 * SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
