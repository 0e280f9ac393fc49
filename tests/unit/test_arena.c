/*
 * test_arena.c - checks that memory from an arena is zero, aligned and not shared with another
 * object, at any total size.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "tests/check.h"

enum { LARGE = 3 << 20, PIECES = 9000 };

static void take(struct arena *a, size_t size, unsigned char **to, unsigned char mark)
{
	unsigned char *p = arena_alloc(a, size);

	assert_true((uintptr_t)p % 16 == 0);
	for (size_t i = 0; i < size; i++)
		assert_true(p[i] == 0);
	memset(p, mark, size);
	*to = p;
}

/*
 * Allocates objects that fill the small chunks of an arena and several large chunks. One object is
 * larger than a large chunk.
 */
static void test_many(void **state)
{
	static unsigned char *at[PIECES];
	unsigned char *large = NULL;
	struct arena a;

	(void)state;
	arena_init(&a);
	for (int i = 0; i < PIECES; i++) {
		if (i == PIECES / 2)
			take(&a, LARGE, &large, 0xee);
		take(&a, (size_t)i % 1000 + 1, &at[i], (unsigned char)(i % 251 + 1));
	}
	for (int i = 0; i < PIECES; i++)
		for (int k = 0; k <= i % 1000; k++)
			assert_int_equal(at[i][k], i % 251 + 1);
	for (size_t i = 0; i < LARGE; i++)
		assert_int_equal(large[i], 0xee);
	assert_true(a.total >= LARGE + PIECES * 400);
	arena_release(&a);
	assert_null(a.chunk);
	assert_true(a.total == 0);
}

/* An arena that has only a few small objects allocates no large chunk. */
static void test_few(void **state)
{
	unsigned char *p;
	struct arena a = {0};

	(void)state;
	take(&a, 100, &p, 1);
	assert_true(a.total < 100000);
	arena_release(&a);
}

/*
 * arena_extend() makes only the newest object longer, and only within its chunk. The added bytes
 * are zero.
 */
static void test_extend(void **state)
{
	unsigned char *first, *last;
	struct arena a = {0};

	(void)state;
	take(&a, 40, &first, 1);
	take(&a, 40, &last, 2);
	assert_false(arena_extend(&a, first, 40, 80));
	assert_true(arena_extend(&a, last, 40, 1000));
	for (int i = 0; i < 1000; i++)
		assert_int_equal(last[i], i < 40 ? 2 : 0);
	for (int i = 0; i < 40; i++)
		assert_int_equal(first[i], 1);
	memset(last, 2, 1000);
	take(&a, 40, &first, 3);
	assert_true(first >= last + 1000);
	assert_false(arena_extend(&a, first, 40, LARGE));
	assert_false(arena_extend(&a, last, 1000, 1001));
	arena_release(&a);
	assert_false(arena_extend(&a, first, 40, 80));
}

/*
 * Objects between those of arena_words() are still aligned to 16 bytes, and share no memory with
 * them.
 */
static void test_words(void **state)
{
	enum { N = 5000 };
	static uint64_t *words[N];
	static unsigned char *bytes[N];
	struct arena a = {0};

	(void)state;
	for (int i = 0; i < N; i++) {
		words[i] = arena_words(&a, (size_t)i % 7 + 1);
		assert_true((uintptr_t)words[i] % 8 == 0);
		for (int k = 0; k < i % 7 + 1; k++)
			words[i][k] = (uint64_t)i;
		take(&a, (size_t)i % 40 + 1, &bytes[i], (unsigned char)(i % 251 + 1));
	}
	for (int i = 0; i < N; i++) {
		for (int k = 0; k < i % 7 + 1; k++)
			assert_int_equal(words[i][k], i);
		for (int k = 0; k < i % 40 + 1; k++)
			assert_int_equal(bytes[i][k], i % 251 + 1);
	}
	arena_release(&a);
}

/*
 * arena_newn() ends the process if count times size wraps around, instead of returning a short
 * object.
 */
static void test_too_many(void **state)
{
	int status = 0;
	pid_t child;

	(void)state;
	child = fork();
	if (!child) {
		struct arena a = {0};

		signal(SIGABRT, SIG_DFL);
		arena_newn(&a, uint64_t, SIZE_MAX / 8 + 2);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many),     cmocka_unit_test(test_few),
		cmocka_unit_test(test_extend),   cmocka_unit_test(test_words),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
