/*
 * test_format.c - parses formats of printf() (ir/format.c), and prints values with them
 * (consumer/values/printf.c).
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agg/agg.h"
#include "base/address.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "consumer/values/datum.h"
#include "consumer/values/printf.h"
#include "ir/format.h"
#include "tests/check.h"

static struct arena arena;

static const struct format *parse(const char *text)
{
	const char *err = NULL;
	const struct format *f = format_parse(&arena, text, &err);

	if (!f)
		fail_msg("'%s': %s", text, err);
	return f;
}

static void refuse(const char *text, const char *message)
{
	const char *err = NULL;

	assert_null(format_parse(&arena, text, &err));
	assert_string_equal(err, message);
}

static struct datum num(enum field_kind kind, uint32_t size, int64_t v)
{
	return (struct datum){.kind = kind,
			      .size = size,
			      .num = datum_truncate((uint64_t)v, size, kind == FIELD_INT),
			      .s = ""};
}

static struct datum str(const char *s)
{
	return (struct datum){.kind = FIELD_STRING, .size = 260, .s = s, .len = strlen(s)};
}

static void shows(const char *want, const char *text, const struct datum *d, uint32_t n)
{
	struct strbuf out = {0};

	fmt_show(&out, parse(text), &(struct fmt_args){.arg = d, .narg = n});
	assert_string_equal(strbuf_text(&out), want);
	strbuf_release(&out);
}

static void shows1(const char *want, const char *text, struct datum d)
{
	shows(want, text, &d, 1);
}

static void test_parse(void **state)
{
	const struct format *f = parse("a%-5lld b%%%@*.3d%?p end");

	(void)state;
	assert_int_equal(f->nconv, 5);
	assert_memory_equal(f->conv[0].lit, "a", f->conv[0].litlen);
	assert_string_equal(f->conv[0].def->name, "lld");
	assert_int_equal(f->conv[0].flags, CONV_LEFT);
	assert_int_equal(f->conv[0].width, 5);
	assert_int_equal(f->conv[0].prec, -1);
	assert_int_equal(f->conv[0].size, 8);
	assert_int_equal(f->conv[0].def->want, WANT_SINT);
	assert_int_equal(f->conv[1].def->want, WANT_NONE);
	assert_int_equal(f->conv[2].flags, CONV_AGG | CONV_DYNWIDTH);
	assert_int_equal(f->conv[2].prec, 3);
	assert_int_equal(f->conv[3].width, 16);
	assert_null(f->conv[4].def);
	assert_memory_equal(f->conv[4].lit, " end", 4);
	assert_int_equal(parse("")->nconv, 0);
	assert_int_equal(parse("%hd")->conv[0].size, 2);
	assert_int_equal(parse("%hhd")->conv[0].size, 1);
	assert_int_equal(parse("%5@d")->conv[0].flags, CONV_AGG);
}

static void test_errors(void **state)
{
	(void)state;
	refuse("%z", "format conversion #1 is undefined: %z");
	refuse("%d %lz", "format conversion #2 is undefined: %lz");
	refuse("100%", "format conversion #1 name expected before end of format string");
	refuse("%-%", "format conversion #1 is %%, which takes no flags, width or precision");
	refuse("%1$d", "format conversion #1 uses unsupported positional format (%n$)");
	refuse("%% %1.2.3d", "format conversion #2 has more than one '.' specified");
	refuse("%n", "format conversion #1 is undefined: %n");
	refuse("%65536d", "format conversion #1 has a width or precision that is too large");
	refuse("%.99999999999d", "format conversion #1 has a width or precision that is too large");
	refuse("%**d", "format conversion #1 has more than one '*' specified for the output width");
}

static void test_integers(void **state)
{
	(void)state;
	shows1("-1", "%d", num(FIELD_INT, 4, -1));
	shows1("4294967295", "%d", num(FIELD_UINT, 4, -1));
	shows1("-1", "%i", num(FIELD_UINT, 4, -1));
	shows1("ff", "%x", num(FIELD_INT, 1, -1));
	shows1("FFFF", "%X", num(FIELD_INT, 2, -1));
	shows1("18446744073709551615", "%u", num(FIELD_INT, 8, -1));
	shows1("-9223372036854775808", "%d", num(FIELD_INT, 8, INT64_MIN));
	shows1("0", "%d", num(FIELD_INT, 8, 0));
	shows1("0", "%.0d", num(FIELD_INT, 8, 0));
	shows1("017", "%#o", num(FIELD_INT, 4, 15));
	shows1("0x1f", "%#x", num(FIELD_INT, 4, 31));
	shows1("0", "%#x", num(FIELD_INT, 4, 0));
	shows1("   42|", "%5d|", num(FIELD_INT, 4, 42));
	shows1("42   |", "%-5d|", num(FIELD_INT, 4, 42));
	shows1("-0042", "%05d", num(FIELD_INT, 4, -42));
	shows1("  007", "%5.3d", num(FIELD_INT, 4, 7));
	shows1("+7 ", "%+d ", num(FIELD_INT, 4, 7));
	shows1(" 7", "% d", num(FIELD_INT, 4, 7));
	shows1("1,234,567", "%'d", num(FIELD_INT, 4, 1234567));
	shows1("0x00001f", "%#08x", num(FIELD_INT, 4, 31));
	shows1("ffff8880", "%p", num(FIELD_UINT, 8, 0xffff8880));
	shows1("0xffff8880", "%#p", num(FIELD_UINT, 8, 0xffff8880));
	shows1("        ffff8880", "%?p", num(FIELD_UINT, 8, 0xffff8880));
	shows1("100%", "%d%%", num(FIELD_INT, 4, 100));
}

static void test_star(void **state)
{
	struct datum d[] = {num(FIELD_INT, 4, -6), num(FIELD_INT, 4, 2), str("abc")};

	(void)state;
	shows("ab    |", "%*.*s|", d, 3);
	d[0] = num(FIELD_INT, 4, 6);
	shows("    ab|", "%*.*s|", d, 3);
}

static size_t length(const char *text, const struct datum *d)
{
	struct strbuf b = {0};
	size_t n;

	fmt_show(&b, parse(text), &(struct fmt_args){.arg = d, .narg = 2});
	n = b.len;
	strbuf_release(&b);
	return n;
}

/* A width given as an argument may be any number, but never allocates that much memory. */
static void test_wide(void **state)
{
	struct datum d[] = {num(FIELD_INT, 4, INT32_MAX), num(FIELD_INT, 4, 7)};

	(void)state;
	assert_int_equal(length("%*d", d), CONV_COLUMNS_MAX);
	assert_int_equal(length("%-*d", d), CONV_COLUMNS_MAX);
	assert_int_equal(length("%0*d", d), CONV_COLUMNS_MAX);
	assert_int_equal(length("%.*d", d), CONV_COLUMNS_MAX);
	d[0] = num(FIELD_INT, 4, INT32_MIN + 1);
	assert_int_equal(length("%*d", d), CONV_COLUMNS_MAX);
}

static void test_text(void **state)
{
	struct datum bytes = {.kind = FIELD_BYTES, .size = 8, .s = "eth0\0\0\0", .len = 8};

	(void)state;
	shows1("  x y|", "%5s|", str("x y"));
	shows1("x y  |", "%-5s|", str("x y"));
	shows1("x", "%.1s", str("x y"));
	shows1("eth0", "%s", bytes);
	shows1("a\\n\\\"\\033\\\\", "%S", str("a\n\"\033\\"));
	shows1("A", "%c", num(FIELD_INT, 1, 'A'));
	shows1("  A", "%3c", num(FIELD_INT, 4, 'A'));
	shows1("\\t", "%C", num(FIELD_INT, 4, '\t'));
	shows1("0xffff", "%a", num(FIELD_UINT, 8, 0xffff));
	shows1("192.0.2.1  |", "%-11I|", str("192.0.2.1"));
	shows1("  443", "%5P", num(FIELD_UINT, 2, 443));
}

static void test_time(void **state)
{
	struct datum t = num(FIELD_INT, 8, 1732150111000000000);

	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	shows1("2024 Nov 21 00:48:31", "%Y", t);
	shows1("2024 Nov  1 00:48:31", "%Y", num(FIELD_INT, 8, 1730422111000000000));
	shows1("Thu, 21 Nov 2024 00:48:31 UTC", "%T", t);
	shows1("  2024 Nov 21 00:48:31", "%22Y", t);
}

static void test_agg(void **state)
{
	struct agg_info count = {.kind = {.fn = AGG_COUNT, .value_size = 8}};
	struct agg_info avg = {.kind = {.fn = AGG_AVG, .value_size = 16}};
	int64_t n = 1000, nt[] = {4, 42};
	struct fmt_agg agg[] = {{&count, &n, 10}, {&avg, nt, 1}};
	struct datum key[] = {num(FIELD_INT, 4, 7), str("k")};
	struct strbuf out = {0};

	(void)state;
	fmt_show(&out, parse("%6d  %4s %@8d %@d %@d\n"),
		 &(struct fmt_args){.arg = key, .narg = 2, .agg = agg, .nagg = 2});
	assert_string_equal(out.s, "     7     k      100 10 10\n");
	strbuf_release(&out);
}

static void ip6(const char *want, const uint16_t *group)
{
	struct strbuf out = {0};
	uint8_t a[16];

	for (int i = 0; i < 8; i++) {
		a[2 * i] = (uint8_t)(group[i] >> 8);
		a[2 * i + 1] = (uint8_t)group[i];
	}
	address_ip6(a, &out);
	assert_string_equal(out.s, want);
	strbuf_release(&out);
}

#define G(...) \
	(const uint16_t[8]) \
	{ \
		__VA_ARGS__ \
	}

static void test_addresses(void **state)
{
	struct strbuf out = {0};

	(void)state;
	ip6("::", G(0));
	ip6("::1", G(0, 0, 0, 0, 0, 0, 0, 1));
	ip6("2001:db8::1", G(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1));
	ip6("2001:db8:1:1::1:1:1", G(0x2001, 0xdb8, 1, 1, 0, 1, 1, 1));
	ip6("2001::1:0:0:1:2", G(0x2001, 0, 0, 1, 0, 0, 1, 2));
	ip6("2001:0:1::1:2", G(0x2001, 0, 1, 0, 0, 0, 1, 2));
	ip6("fe80::", G(0xfe80));
	ip6("1:2:3:4:5:6:7:8", G(1, 2, 3, 4, 5, 6, 7, 8));
	ip6("0:0:abcd::1:2", G(0, 0, 0xabcd, 0, 0, 0, 1, 2));
	ip6("192.0.2.1", G(0, 0, 0, 0, 0, 0xffff, 0xc000, 0x201));
	ip6("192.0.2.1", G(0, 0, 0, 0, 0, 0, 0xc000, 0x201));
	ip6("::ffff:0:c000:201", G(0, 0, 0, 0, 0xffff, 0, 0xc000, 0x201));
	address_ntop6((const uint8_t[16]){[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 7}, &out);
	assert_string_equal(out.s, "::ffff:10.0.0.7");
	strbuf_release(&out);
	address_ip4((const uint8_t[]){10, 0, 100, 255}, &out);
	assert_string_equal(out.s, "10.0.100.255");
	strbuf_release(&out);
}

static int done(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),     cmocka_unit_test(test_errors),
		cmocka_unit_test(test_integers),  cmocka_unit_test(test_star),
		cmocka_unit_test(test_wide),      cmocka_unit_test(test_text),
		cmocka_unit_test(test_time),      cmocka_unit_test(test_agg),
		cmocka_unit_test(test_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
