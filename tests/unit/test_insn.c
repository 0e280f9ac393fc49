/*
 * test_insn.c - checks the lengths of machine instructions, and which instructions the kernel
 * refuses to probe.
 */
#include <string.h>

#include "procinfo/insn.h"
#include "tests/check.h"

#ifdef __x86_64__

/*
 * Instructions, each with the assembler's text, the bytes and the number of bytes. The length is 0
 * if the bytes are not an instruction of 64-bit programs.
 */
static const struct row {
	const char *text, *code;
	size_t length;
	bool refused;
} rows[] = {
	{"push %rbp", "\x55", 1, false},
	{"endbr64", "\xf3\x0f\x1e\xfa", 4, false},
	{"ret", "\xc3", 1, false},
	{"ret $8", "\xc2\x08\x00", 3, false},
	{"mov %rsp,%rbp", "\x48\x89\xe5", 3, false},
	{"sub $0x98,%rsp", "\x48\x81\xec\x98\x00\x00\x00", 7, false},
	{"add $1,%eax", "\x83\xc0\x01", 3, false},
	{"mov $7,%eax", "\xb8\x07\x00\x00\x00", 5, false},
	{"mov $7,%ax", "\x66\xb8\x07\x00", 4, false},
	{"movabs $1,%rax", "\x48\xb8\x01\x00\x00\x00\x00\x00\x00\x00", 10, false},
	{"movabs 0x0,%al", "\xa0\x00\x00\x00\x00\x00\x00\x00\x00", 9, false},
	{"mov 8(%rsp),%eax", "\x8b\x44\x24\x08", 4, false},
	{"mov 0x100(%rax,%rbx,4),%ecx", "\x8b\x8c\x98\x00\x01\x00\x00", 7, false},
	{"mov 0x0(,%rax,8),%ecx", "\x8b\x0c\xc5\x00\x00\x00\x00", 7, false},
	{"lea 0(%rip),%rdi", "\x48\x8d\x3d\x00\x00\x00\x00", 7, false},
	{"call", "\xe8\x00\x00\x00\x00", 5, false},
	{"jmp short", "\xeb\x10", 2, false},
	{"jne near", "\x0f\x85\x00\x01\x00\x00", 6, false},
	{"test $1,%dil", "\x40\xf6\xc7\x01", 4, false},
	{"not %eax", "\xf7\xd0", 2, false},
	{"test $1,%eax", "\xf7\xc0\x01\x00\x00\x00", 6, false},
	{"imul $0x64,%rdi,%rax", "\x48\x6b\xc7\x64", 4, false},
	{"enter $16,$0", "\xc8\x10\x00\x00", 4, false},
	{"nopw 0(%rax,%rax)", "\x66\x0f\x1f\x44\x00\x00", 6, false},
	{"pshufb", "\x66\x0f\x38\x00\xc1", 5, false},
	{"palignr $8", "\x66\x0f\x3a\x0f\xc1\x08", 6, false},
	{"pshufd $0", "\x66\x0f\x70\xc0\x00", 5, false},
	{"bt $3,%eax", "\x0f\xba\xe0\x03", 4, false},
	{"vzeroupper, which has the opcode of ja", "\xc5\xf8\x77", 3, true},
	{"vmovd %esi,%xmm0", "\xc5\xf9\x6e\xc6", 4, true},
	{"vpinsrb", "\xc4\xe3\x79\x20\xc0\x01", 6, true},
	{"vpbroadcastb %esi,%ymm16, which has that of jp", "\x62\xe2\x7d\x28\x7a\xc6", 6, true},
	{"lock incl (%rdi)", "\xf0\xff\x07", 3, true},
	{"cs nopw", "\x2e\x66\x0f\x1f\x84\x00\x00\x00\x00\x00", 10, true},
	{"hlt", "\xf4", 1, true},
	{"int3", "\xcc", 1, true},
	{"push %es", "\x06", 0, true},
};

static void test_lengths(void **state)
{
	uint8_t code[2 * INSN_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];
		size_t n = r->length ? r->length : 1;

		memset(code, 0x90, sizeof(code));
		memcpy(code, r->code, n);
		if (insn_length(code, sizeof(code)) != r->length)
			fail_msg("%s: %zu bytes", r->text, insn_length(code, sizeof(code)));
		if (insn_refused(code, sizeof(code)) != r->refused)
			fail_msg("%s: %s", r->text, r->refused ? "taken" : "refused");
		for (size_t less = 0; less < r->length; less++)
			if (insn_length(code, less))
				fail_msg("%s: of %zu bytes", r->text, less);
	}
}

#else

static void test_lengths(void **state)
{
	const uint8_t ret[] = {0xc0, 0x03, 0x5f, 0xd6};

	(void)state;
	assert_int_equal(insn_length(ret, sizeof(ret)), 4);
	assert_int_equal(insn_length(ret, 3), 0);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
