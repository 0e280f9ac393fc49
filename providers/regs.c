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
				      .on_stack = true,
				      .sp = AT(rsp),
				      .on_stack_at = 8}; /* behind the return address */
#elif defined(__aarch64__)
#define AT(n) offsetof(struct user_pt_regs, regs[n])
const struct hook_regs native_regs = {.arg = {AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6),
					      AT(7)},
				      .narg = 8,
				      .ret = AT(0),
				      .caller = AT(30),
				      .sp = offsetof(struct user_pt_regs, sp)};
#else
#error "dtrace runs on x86-64 and arm64 only, see docs/limits.md"
#endif

bool hook_has_register(const struct hook *h, uint64_t i)
{
	if (h->at_return)
		return i == 1;
	return i <
	       (h->args_at.entered || h->kind == HOOK_KPROBE ? HOOK_ARGS : h->args_at.regs->narg);
}
