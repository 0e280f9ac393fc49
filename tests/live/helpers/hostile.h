/*
 * hostile.h - calls getppid() from a function of any name, or with a forged frame.
 */
#include <unistd.h>

#ifdef __x86_64__
#define CALL_GETPPID "\tmov $110, %eax\n\tsyscall\n\tret\n"
#define FAKE_GETPPID \
	"\tpush %rbp\n\tmov %rdi, %rbp\n\tmov $110, %eax\n\tsyscall\n\tpop %rbp\n\tret\n"
#define FUNCTION "@function"
#else
#define CALL_GETPPID "\tmov x8, #173\n\tsvc #0\n\tret\n"
#define FAKE_GETPPID \
	"\tstp x29, x30, [sp, #-16]!\n\tmov x29, x0\n\tmov x8, #173\n\tsvc #0\n" \
	"\tldp x29, x30, [sp], #16\n\tret\n"
#define FUNCTION "%function"
#endif

#define ASM_FUNCTION(name, label, body) \
	__asm__(".text\n.globl \"" name "\"\n.type \"" name "\"," FUNCTION "\n\"" name \
		"\":\n" label ":\n" body ".size \"" name "\", .-\"" name "\"\n")

/*
 * Defines a function with the symbol @name that calls getppid(). The program calls it as
 * hostile_call().
 */
#define HOSTILE_CALL(name) \
	ASM_FUNCTION(name, ".Lcall", CALL_GETPPID); \
	__asm__(".set hostile_call, .Lcall\n"); \
	long hostile_call(void);

/*
 * A frame record for fake_call(), which calls getppid(). In a stack trace, @back appears to be the
 * caller of fake_call().
 */
struct fake_frame {
	struct fake_frame *next;
	const void *back;
};

#define FAKE_CALL \
	ASM_FUNCTION("fake_call", ".Lfake", FAKE_GETPPID); \
	long fake_call(const struct fake_frame *frame);
