/* test_toprows.c - checks in which order -x view=top shows its rows. */
#include <string.h>

#include "base/xalloc.h"
#include "consumer/screen/toprows.h"
#include "ir/program.h"
#include "tests/check.h"

/* Checks that the rows with these @n keys are in this order after sorting. */
static void check_order(enum field_kind kind, const char *const *key, size_t n)
{
	struct field field = {.kind = kind, .size = 8};
	const struct agg_info ai = {.key = &field, .nkey = 1};
	struct toprows t = {.ai = &ai, .nkey = 1};

	for (size_t i = n; i-- > 0;) {
		struct toprow row = {.key = xcalloc(2, sizeof(char *))};

		row.key[0] = xstrdup(key[i]);
		vec_push(&t.row, row);
	}
	toprows_sort(&t, 0, false);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(t.row.v[i].key[0], key[i]);
	toprows_release(&t);
}

/* Some of these numbers are too close to each other for a double. */
static void numbers_are_compared_exactly(void **state)
{
	static const char *const sign[] = {"-9223372036854775808",
					   "-9223372036854775807",
					   "-10",
					   "9",
					   "9223372036854775806",
					   "9223372036854775807"};
	static const char *const none[] = {"9",
					   "10",
					   "1700000000000000001",
					   "1700000000000000002",
					   "18446744073709551614",
					   "18446744073709551615"};
	static const char *const address[] = {"0x9", "0x10", "0xffff888100000010",
					      "0xffff888100000020"};
	static const char *const text[] = {"10", "9"};

	(void)state;
	check_order(FIELD_INT, sign, 6);
	check_order(FIELD_UINT, none, 6);
	check_order(FIELD_UINT, address, 4);
	check_order(FIELD_STRING, text, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_compared_exactly)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
