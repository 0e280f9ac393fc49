/*
 * kinst.c - instructions of kernel functions: kinst:MODULE:FUNCTION:OFFSET.
 *
 * A probe is created on demand, as a kprobe. The kernel refuses offsets where no instruction
 * begins, so this file need not decode instructions; kinst::FUNCTION: tries every byte. arg0 ...
 * are the current contents of the registers for arguments.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/intern.h"
#include "providers/fbt/functions.h"
#include "providers/provider.h"

static struct host_probe *make(struct host_env *e, const struct function *f, uint64_t off,
			       int event)
{
	static uint32_t next_id = ID_KINST;
	struct host_probe *p = arena_new(e->arena, struct host_probe);

	*p = (struct host_probe){next_id++, "kinst", f->mod, f->name, NULL, {0}};
	p->name = arena_printf(e->arena, "%llu", (unsigned long long)off);
	p->hook = (struct hook){
		.kind = HOOK_KINST,
		.target = "kinst:::",
		.point = {.addr = f->addr + off, .event = event},
		.many = true,
		.args_at.regs = &native_regs,
		.plain = true,
		.gated = true,
		.by_task = true,
		.function = true,
		.stack.kind = STACK_OF_SAMPLE,
	};
	return p;
}

static bool is_offset(const char *name)
{
	return *name && strspn(name, "0123456789") == strlen(name);
}

static int refuse(struct diag *d, const struct function *f, const char *name, int err)
{
	if (err == EILSEQ)
		return diag_error(d, D_PDESC_ZERO, NOLOC,
				  "no instruction of %s begins at offset %s", f->name, name);
	if (err == EINVAL)
		return diag_error(d, D_PDESC_ZERO, NOLOC,
				  "the kernel forbids probes at offset %s of %s", name, f->name);
	return diag_error(d, D_PDESC_ZERO, NOLOC, "cannot probe offset %s of %s: %s", name, f->name,
			  strerror(err));
}

static struct host_probe *kinst_find(struct host_env *e, const char *func, const char *name,
				     struct diag *d)
{
	uint64_t off = strtoull(name, NULL, 10), size;
	struct function f;
	int event;

	if (!is_offset(name) || glob_is_pattern(func) || !*func || !e->kprobe_at ||
	    !functions_symbol(e, func, &f, &size))
		return NULL;
	if (off >= size) {
		diag_error(d, D_PDESC_ZERO, NOLOC,
			   "offset %s is after the end of %s, which has %llu bytes", name, func,
			   (unsigned long long)size);
		return NULL;
	}
	event = e->kprobe_at(f.addr + off);
	if (event == -EOPNOTSUPP)
		return NULL;
	if (event < 0)
		refuse(d, &f, name, -event);
	return event < 0 ? NULL : make(e, &f, off, event);
}

static void kinst_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	/* These probes are not listed, because there would be millions of them. */
	(void)e, (void)fn, (void)ctx;
}

static void kinst_each_of(struct host_env *e, const char *func,
			  void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	struct function f;
	uint64_t size;

	if (glob_is_pattern(func) || !*func || !e->kprobe_at ||
	    !functions_symbol(e, func, &f, &size))
		return;
	for (uint64_t off = 0; off < size; off++) {
		int event = e->kprobe_at(f.addr + off);

		if (event >= 0)
			fn(ctx, make(e, &f, off, event));
	}
}

static const char *kinst_lacks(struct host_env *e, const char *func)
{
	struct function f;
	uint64_t size;
	int event;

	/* The address 0 is invalid, so this only tests whether the kernel supports kprobes. */
	event = e->kprobe_at ? e->kprobe_at(0) : -EOPNOTSUPP;
	if (event == -EOPNOTSUPP)
		return "kprobes (CONFIG_KPROBES, CONFIG_KPROBE_EVENTS)";
	if (!*func || glob_is_pattern(func))
		return "kinst probes for a pattern: name one function, as in "
		       "kinst::FUNCTION:OFFSET";
	return functions_symbol(e, func, &f, &size)
		       ? NULL
		       : arena_printf(e->arena, "the function %s", func);
}

static const struct provider_stability stability = {
	{EVOLVING_COMMON, PRIVATE_UNKNOWN, PRIVATE_ISA, PRIVATE_ISA, PRIVATE_ISA}};

const struct host_provider provider_kinst = {
	.name = "kinst",
	.stability = &stability,
	.by_function = true,
	.on_demand = true,
	.missing = "the instruction",
	.lacks = kinst_lacks,
	.find = kinst_find,
	.each = kinst_each,
	.each_of = kinst_each_of,
};
