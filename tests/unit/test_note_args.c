/* test_note_args.c - parses the locations of arguments in the notes of static probes. */
#include <asm/ptrace.h>

#include "base/arena.h"
#include "providers/provider.h"
#include "procinfo/note_args.h"
#include "tests/check.h"

#ifdef __x86_64__
#define AT(reg) offsetof(struct pt_regs, reg)
#define FIVE "$5"
static const char text[] =
	"-4@%edi 8@$5 8@-8(%rsp) 1@(%rax,%rbx,4) -2@$-7 8@(,%r9,8) 4@name(%rip) 8f@%xmm0 %r15";
static const struct arg_location wanted[] = {
	{LOCATION_REGISTER, 4, true, AT(rdi), -1, 0, 0},
	{LOCATION_CONSTANT, 8, false, -1, -1, 0, 5},
	{LOCATION_MEMORY, 8, false, AT(rsp), -1, 1, -8},
	{LOCATION_MEMORY, 1, false, AT(rax), AT(rbx), 4, 0},
	{LOCATION_CONSTANT, 2, true, -1, -1, 0, -7},
	{LOCATION_MEMORY, 8, false, -1, AT(r9), 8, 0},
	{LOCATION_UNKNOWN, 8, false, -1, -1, 0, 0},
	{LOCATION_UNKNOWN, 8, false, -1, -1, 0, 0},
	{LOCATION_REGISTER, 8, false, AT(r15), -1, 0, 0},
};
#else
#define AT(n) offsetof(struct user_pt_regs, regs[n])
#define FIVE "5"
static const char text[] = "-4@w0 8@[sp, 8] 8@5 8@[x1, x2] -1@-3 8@x30 8@[x0] 8f@d0";
static const struct arg_location wanted[] = {
	{LOCATION_REGISTER, 4, true, AT(0), -1, 0, 0},
	{LOCATION_MEMORY, 8, false, offsetof(struct user_pt_regs, sp), -1, 1, 8},
	{LOCATION_CONSTANT, 8, false, -1, -1, 0, 5},
	{LOCATION_MEMORY, 8, false, AT(1), AT(2), 1, 0},
	{LOCATION_CONSTANT, 1, true, -1, -1, 0, -3},
	{LOCATION_REGISTER, 8, false, AT(30), -1, 0, 0},
	{LOCATION_MEMORY, 8, false, AT(0), -1, 1, 0},
	{LOCATION_UNKNOWN, 8, false, -1, -1, 0, 0},
};
#endif

static void test_places(void **state)
{
	struct arena a = {0};
	uint32_t n;
	const struct arg_location *p = note_args(&a, text, &n);

	(void)state;
	assert_int_equal(n, sizeof(wanted) / sizeof(*wanted));
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(p[i].kind, wanted[i].kind);
		assert_int_equal(p[i].size, wanted[i].size);
		assert_int_equal(p[i].sgn, wanted[i].sgn);
		assert_int_equal(p[i].reg, wanted[i].reg);
		assert_int_equal(p[i].index, wanted[i].index);
		assert_int_equal(p[i].scale, wanted[i].scale);
		assert_int_equal(p[i].value, wanted[i].value);
	}
	arena_release(&a);
}

static void test_nothing(void **state)
{
	struct arena a = {0};
	uint32_t n = 1;

	(void)state;
	note_args(&a, "  ", &n);
	assert_int_equal(n, 0);
	arena_release(&a);
}

/*
 * Sizes in a note are untrusted. A bad size is refused even if its lower 32 bits are a valid size.
 */
static void test_sizes(void **state)
{
	static const char *const wrong[] = {"4294967300@" FIVE, "-4294967300@" FIVE,
					    "-9223372036854775808@" FIVE, "16@" FIVE, "0@" FIVE};
	struct arena a = {0};
	uint32_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		const struct arg_location *p = note_args(&a, wrong[i], &n);

		assert_int_equal(n, 1);
		assert_int_equal(p->kind, LOCATION_UNKNOWN);
	}
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_places),
					   cmocka_unit_test(test_nothing),
					   cmocka_unit_test(test_sizes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
