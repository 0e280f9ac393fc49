/* regs.c - the registers that hold arguments and results in the C calling convention. */
#include <asm/ptrace.h>
#include <stddef.h>

#include "providers/provider.h"

#ifdef __x86_64__
#define AT(reg) offsetof(struct pt_regs, reg)
const struct hook_regs native_regs = {.arg = {AT(rdi), AT(rsi), AT(rdx), AT(rcx), AT(r8), AT(r9)},
				      .narg = 6,
				      .ret = AT(rax),
				      .caller = AT(rsp),
				      .on_stack = true};
#elif defined(__aarch64__)
#define AT(n) offsetof(struct user_pt_regs, regs[n])
const struct hook_regs native_regs = {.arg = {AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6),
					      AT(7)},
				      .narg = 8,
				      .ret = AT(0),
				      .caller = AT(30)};
#else
#error "dtrace runs on x86-64 and arm64 only, see docs/limits.md"
#endif
