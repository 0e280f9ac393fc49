/* trap.c - reports a program that the checked machine refuses. */
#include <stdarg.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "engine/vm/internal.h"

bool vm_trap(const struct vm_exec *ex, uint32_t at, const char *fmt, ...)
{
	struct strbuf b = {0};
	va_list ap;

	strbuf_addf(&b, "unit '%s', instruction %u: ", ex->code->name, at);
	va_start(ap, fmt);
	strbuf_vaddf(&b, fmt, ap);
	va_end(ap);
	if (!ex->vm->trap)
		BUG("%s", b.s);
	ex->vm->trap(ex->vm->trap_ctx, b.s);
	strbuf_release(&b);
	return false;
}

void vm_set_trap(struct vm *vm, void (*fn)(void *ctx, const char *why), void *ctx)
{
	vm->trap = fn;
	vm->trap_ctx = ctx;
}
