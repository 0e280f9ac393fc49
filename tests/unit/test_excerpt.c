/*
 * test_excerpt.c - checks the excerpt of a source line that error messages show, with a caret below
 * the error (base/excerpt.c).
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/excerpt.h"
#include "tests/check.h"

/* Checks the excerpt of @text around byte @off. */
static void shows(const char *text, size_t off, const char *want)
{
	struct strbuf out = {0};

	excerpt_add(&out, text, strlen(text), off);
	assert_string_equal(strbuf_text(&out), want);
	strbuf_release(&out);
}

static void one_of_several_lines(void **s)
{
	(void)s;
	shows("one\ntwo\nthree\n", 5, "    two\n     ^\n");
	shows("one", 0, "    one\n    ^\n");
	shows("one\r\ntwo\r\n", 6, "    two\n     ^\n");
}

static void at_the_end(void **s)
{
	(void)s;
	shows("one", 3, "    one\n       ^\n");
	shows("one", 999, "    one\n       ^\n");
	shows("one\n \n\n", 6, "    one\n       ^\n");
	shows("one\n\t\n", 4, "    one\n       ^\n");
	shows("one\n", 3, "    one\n       ^\n");
	shows("", 0, "    \n    ^\n");
	shows("  x", 1, "      x\n     ^\n");
}

/* A tab extends to the next multiple of eight columns of the text. */
static void tabs(void **s)
{
	(void)s;
	shows("\tx", 1, "            x\n            ^\n");
	shows("a\tx", 2, "    a       x\n            ^\n");
	shows("12345678\tx", 9, "    12345678        x\n                    ^\n");
}

/* The caret's column counts characters, not bytes. Some characters take two columns, some none. */
static void characters(void **s)
{
	(void)s;
	shows("\xc3\xa9x", 2, "    \xc3\xa9x\n     ^\n");
	shows("\xe6\x97\xa5x", 3, "    \xe6\x97\xa5x\n      ^\n");
	shows("e\xcc\x81x", 3, "    e\xcc\x81x\n     ^\n");
}

/* Control characters, invalid UTF-8 and bidirectional overrides are always escaped. */
static void escapes(void **s)
{
	(void)s;
	shows("\x1b[31mx", 5, "    \\x1b[31mx\n            ^\n");
	shows("\x9bx", 1, "    \\x9bx\n        ^\n");
	shows("\xc2\x9bx", 2, "    \\xc2\\x9bx\n            ^\n");
	shows("\xe2\x80\xaex", 3, "    \\xe2\\x80\\xaex\n                ^\n");
	shows("\x7f\x01", 1, "    \\x7f\\x01\n        ^\n");
	shows("a\rb", 2, "    a\\x0db\n         ^\n");
}

#define TEN "0123456789"
#define SIXTY TEN TEN TEN TEN TEN TEN
#define FIFTEEN "               "
#define BLANKS FIFTEEN FIFTEEN FIFTEEN FIFTEEN FIFTEEN /* 75 blanks */

static void as_wide_as_it_may_be(void **s)
{
	(void)s;
	shows(SIXTY TEN "012345", 0, "    " SIXTY TEN "012345\n    ^\n");
	shows(SIXTY TEN "012345", 75, "    " SIXTY TEN "012345\n" BLANKS "    ^\n");
}

static void cut_behind(void **s)
{
	(void)s;
	shows(SIXTY SIXTY, 0, "    " SIXTY TEN "012...\n    ^\n");
}

static void cut_before(void **s)
{
	(void)s;
	/* The excerpt shows the last 70 columns, with the caret below the last. */
	shows(SIXTY SIXTY, 119, "    ..." SIXTY TEN "\n " BLANKS "^\n");
}

static void cut_on_both_sides(void **s)
{
	struct strbuf out = {0};
	const char *caret;

	(void)s;
	excerpt_add(&out, SIXTY SIXTY SIXTY "X" SIXTY, 241, 180);
	caret = strchr(out.s, '\n') + 1;
	assert_int_equal(caret - out.s - 1, 4 + EXCERPT_COLUMNS);
	assert_memory_equal(out.s, "    ...", 7);
	assert_memory_equal(caret - 4, "...", 3);
	assert_int_equal(out.s[strcspn(caret, "^")], 'X');
	strbuf_release(&out);
}

/*
 * For every offset in a long line with all kinds of bytes, the excerpt is short, and the caret is
 * below it.
 */
static void every_place(void **s)
{
	static const char kinds[] = "a\t\xc3\xa9\xff\x1b\xe6\x97\xa5 ";
	char text[300];

	(void)s;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = kinds[i % (sizeof(kinds) - 1)];
	for (size_t off = 0; off <= sizeof(text); off++) {
		struct strbuf out = {0};
		size_t line, wide = 0;

		excerpt_add(&out, text, sizeof(text), off);
		line = strcspn(out.s, "\n");
		for (size_t i = 0; i < line; i++)
			wide += (out.s[i] & 0xc0) != 0x80;
		assert_true(wide <= 4 + EXCERPT_COLUMNS);
		assert_true(strcspn(out.s + line + 1, "^") <= 4 + EXCERPT_COLUMNS);
		strbuf_release(&out);
	}
}

/* The time does not depend on the length of the line, and characters stay whole. */
static void very_long_lines(void **s)
{
	size_t n = 10u << 20;
	char *line = malloc(n);
	clock_t begin = clock();
	struct strbuf out = {0};

	(void)s;
	assert_non_null(line);
	for (size_t i = 0; i < n; i++)
		line[i] = i & 1 ? '\xa9' : '\xc3';
	for (size_t i = 0; i < 200; i++) {
		strbuf_reset(&out);
		excerpt_add(&out, line, n, n / 2 + 2 * i);
		assert_null(strstr(out.s, "\\x"));
		assert_int_equal(strncmp(out.s, "    ...", 7), 0);
		assert_non_null(strstr(out.s, "...\n"));
	}
	assert_true((clock() - begin) / CLOCKS_PER_SEC < 3);
	strbuf_release(&out);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_several_lines),
		cmocka_unit_test(at_the_end),
		cmocka_unit_test(tabs),
		cmocka_unit_test(characters),
		cmocka_unit_test(escapes),
		cmocka_unit_test(as_wide_as_it_may_be),
		cmocka_unit_test(cut_behind),
		cmocka_unit_test(cut_before),
		cmocka_unit_test(cut_on_both_sides),
		cmocka_unit_test(every_place),
		cmocka_unit_test(very_long_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
