/* test_ksyms.c - checks the table of kernel functions (consumer/symbols/ksyms.c). */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "consumer/symbols/ksyms.h"
#include "tests/check.h"

static struct ksyms *read_text(const char *text)
{
	FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	struct ksyms *t;

	assert_non_null(f);
	t = ksyms_read(f);
	fclose(f);
	return t;
}

static void is(const struct ksyms *t, uint64_t addr, const char *want)
{
	struct strbuf b = {0};

	ksym_text(t, addr, &b);
	assert_string_equal(b.s, want);
	strbuf_release(&b);
}

static void test_find(void **state)
{
	struct ksyms *t = read_text("ffffffff81000100 T second\n"
				    "ffffffff81000000 t first\n"
				    "ffffffffc0201000 t helper\t[mod_a]\n"
				    "ffffffffc0202000 T entry\t[mod_a]\n"
				    "ffffffffc0400000 W weak\t[mod_b]\n"
				    "ffffffff81000200 T third\n");

	(void)state;
	is(t, 0, "0x0");
	is(t, 0xffffffff80ffffff, "0xffffffff80ffffff");
	is(t, 0xffffffff81000000, "vmlinux`first");
	is(t, 0xffffffff810000ff, "vmlinux`first+0xff");
	is(t, 0xffffffff81000100, "vmlinux`second");
	is(t, 0xffffffff81000fff, "vmlinux`third+0xdff");
	/* beyond the page that contains the symbol `third` */
	is(t, 0xffffffff81001000, "0xffffffff81001000");
	is(t, 0xffffffffc0203000, "0xffffffffc0203000");
	is(t, 0xffffffffc0201004, "mod_a`helper+0x4");
	is(t, 0xffffffffc0202000, "mod_a`entry");
	is(t, 0xffffffffc0400001, "mod_b`weak+0x1");
	is(t, 0xffffffffffffffff, "0xffffffffffffffff");
	ksyms_free(t);
}

/* An address belongs to no function if it is far from the symbol that precedes it. */
static void test_far(void **state)
{
	struct ksyms *t = read_text("1000 T a\n8000000 T b\n");

	(void)state;
	is(t, 0x1000 + 0x1ffff, "vmlinux`a+0x1ffff");
	is(t, 0x1000 + 0x20000, "0x21000");
	ksyms_free(t);
}

static void test_several_names(void **state)
{
	struct ksyms *t = read_text(
		"1000 t local\n1000 T __global\n1000 T _global\n1000 W weak\n1000 T global\n"
		"1000 T other\n2000 t __pfx_f\n2010 t f\n");

	(void)state;
	is(t, 0x1001, "vmlinux`global+0x1");
	is(t, 0x2000, "vmlinux`global+0x1000");
	is(t, 0x2010, "vmlinux`f");
	ksyms_free(t);
}

/*
 * Ignores lines that name no symbol: numbers that are not addresses, hidden addresses, and damaged
 * lines.
 */
static void test_no_symbols(void **state)
{
	struct ksyms *t = read_text(
		"1000 A number\n1000 ? what\n0000000000000000 T hidden\n\n1000\n1000 \n1000 T\n"
		"1000 T \nzzz T x\n1000 Tx y\n1000  T x\n1000 T\tx\n9000 t last [m");

	(void)state;
	is(t, 0x1000, "0x1000");
	is(t, 0x9001, "m`last+0x1");
	ksyms_free(t);
	t = read_text("9000 t one\t[]\na000 t two\t[");
	is(t, 0x9001, "vmlinux`one+0x1");
	is(t, 0xa001, "vmlinux`two+0x1");
	ksyms_free(t);
}

static void finds(const struct ksyms *t, const char *mod, const char *name, uint64_t want)
{
	uint64_t addr = 0, size;

	assert_int_equal(ksyms_address(t, mod, name, &addr, &size), SYMBOL_FOUND);
	assert_int_equal(addr, want);
}

/*
 * Finds an address by name. Symbols of the kernel itself are preferred to symbols of modules, and
 * global symbols to local ones.
 */
static void test_address(void **state)
{
	struct ksyms *t = read_text(
		"1000 d x\n2000 D x\n3000 b x\n8000 D x\t[mod_a]\n9000 B y\t[mod_b]\n");
	uint64_t addr, size;

	(void)state;
	assert_int_equal(ksyms_address(t, "", "x", &addr, &size), SYMBOL_FOUND);
	assert_int_equal(size, 0x1000);
	finds(t, "", "x", 0x2000);
	finds(t, "vmlinux", "x", 0x2000);
	finds(t, "kernel", "x", 0x2000);
	finds(t, "mod_a", "x", 0x8000);
	finds(t, "", "y", 0x9000);
	assert_int_equal(ksyms_address(t, "vmlinux", "y", &addr, &size), SYMBOL_NO_NAME);
	assert_int_equal(ksyms_address(t, "mod_a", "y", &addr, &size), SYMBOL_NO_NAME);
	assert_int_equal(ksyms_address(t, "mod_c", "y", &addr, &size), SYMBOL_NO_MODULE);
	ksyms_free(t);
}

static void test_kernel(void **state)
{
	(void)state;
	ksyms_forget("/nonexistent");
	is(ksyms_kernel(), 0xffffffff81000000, "0xffffffff81000000");
	ksyms_forget(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),          cmocka_unit_test(test_far),
		cmocka_unit_test(test_several_names), cmocka_unit_test(test_no_symbols),
		cmocka_unit_test(test_address),       cmocka_unit_test(test_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
