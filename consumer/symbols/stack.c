/*
 * stack.c - reads and prints recorded stacks.
 */
#include "consumer/symbols/stack.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/strbuf.h"
#include "consumer/symbols/ksyms.h"
#include "consumer/symbols/usyms.h"
#include "ir/program.h"

static uint64_t address(const char *at, size_t i)
{
	uint64_t v;

	memcpy(&v, at + 8 * i, sizeof(v));
	return v;
}

#define PROGRAM "bpf_prog_"

/*
 * Functions of the kernel that run between a hook and the BPF helper that reads the stack, in Linux
 * 5.10 to 6.18. A name that ends with '*' stands for all names with this prefix.
 */
static const char *const tracing[] = {
	PROGRAM "*",        /* the BPF program and its dispatcher */
	"bpf_trampoline_*", /* hooks at raw tracepoints and functions */
	"ftrace_trampoline",
	"bpf_trace_run*",
	"__bpf_trace_*",
	"__traceiter_*",
	"__bpf_get_stack", /* the BPF helper itself, if it reads the stack of a task */
	"__bpf_get_task_stack",
	"bpf_get_task_stack",
	"get_callchain_entry_for_task",
	"__bpf_prog_run_save_cb", /* hooks of control groups */
	"__cgroup_bpf_run_*",
	"bpf_iter_run_prog",
	"__bpf_prog_test_run_raw_tp", /* BEGIN, END and tick-N */
};

static bool is_tracing(const char *name)
{
	for (size_t i = 0; i < sizeof(tracing) / sizeof(*tracing); i++) {
		size_t n = strcspn(tracing[i], "*");

		if (!strncmp(name, tracing[i], n) && (tracing[i][n] || !name[n]))
			return true;
	}
	return false;
}

/*
 * Returns how many of the @n innermost frames belong to tracing.
 *
 * Some of these frames have no name: BPF programs, if the kernel does not list them
 * (net.core.bpf_jit_kallsyms), and the trampolines that call them, after these are freed. So a
 * frame without a name belongs to tracing
 * - if a frame of tracing calls it, directly or indirectly;
 * - if it calls a BPF program, with only nameless frames between the two.
 */
static size_t tracing_frames(const char *at, size_t n, const struct ksyms *t)
{
	size_t own = 0, i;
	bool program = true; /* an unknown first frame is treated as a BPF program */
	struct ksym s;

	for (i = 0; i < n && i < STACK_TRACER_FRAMES; i++) {
		if (!ksyms_find(t, address(at, i), &s))
			continue;
		if (!is_tracing(s.name))
			break;
		own = i + 1;
		program = !strncmp(s.name, PROGRAM, strlen(PROGRAM));
	}
	/* the first named frame of other code is not among these frames */
	if (i == n || i == STACK_TRACER_FRAMES)
		return own;
	return program ? i : own;
}

size_t stack_read(const void *slot, uint32_t size, const struct ksyms *t, const char **at)
{
	size_t n = 0, own = 0, max = (size - sizeof(struct stack_slot)) / 8;
	struct stack_slot head;

	memcpy(&head, slot, sizeof(head));
	*at = (const char *)slot + sizeof(head);
	while (n < max && address(*at, n))
		n++;
	if (head.within && n)
		own = tracing_frames(*at, n, t ? t : ksyms_kernel());
	*at += 8 * own;
	n -= own;
	return n < head.limit ? n : head.limit;
}

static void pad(struct strbuf *out, long n)
{
	while (n-- > 0)
		strbuf_addc(out, ' ');
}

/*
 * Appends the name of a frame. All frames except the first are return addresses. If a function ends
 * with a call that never returns, the return address is the first byte of the next function. So
 * this function prints the name of the function that contains the previous byte.
 */
static void frame_text(const struct ksyms *t, uint64_t addr, bool first, struct strbuf *out)
{
	struct ksym s, at;

	if (first || !ksyms_find(t, addr, &at) || at.addr != addr || !ksyms_find(t, addr - 1, &s))
		ksym_text(t, addr, out);
	else
		strbuf_addf(out, "%s`%s+0x%" PRIx64, s.mod, s.name, addr - s.addr);
}

uint64_t stack_frame(struct strbuf *out, const char *at, size_t i)
{
	frame_text(ksyms_kernel(), address(at, i), i == 0, out);
	return address(at, i);
}

uint64_t ustack_frame(struct strbuf *out, const char *at, size_t i)
{
	usym_text(address(at, 0), address(at, i + 1), USYM_OFFSET, out);
	return address(at, i + 1);
}

void stack_name(struct strbuf *out, const char *at, size_t i)
{
	const struct ksyms *t = ksyms_kernel();
	uint64_t addr = address(at, i);
	struct ksym s;

	ksym_name(t, i && ksyms_find(t, addr - 1, &s) ? addr - 1 : addr, false, out);
}

void ustack_name(struct strbuf *out, const char *at, size_t i)
{
	usym_text(address(at, 0), address(at, i + 1), USYM_NAME, out);
}

/* Appends the line of a frame. stack_show() describes @indent and @width. */
static void show_frame(struct strbuf *out, const struct strbuf *text, int indent, int width)
{
	pad(out, indent);
	pad(out, width - (long)text->len);
	strbuf_add(out, text->s, text->len);
	pad(out, -width - (long)text->len);
	strbuf_addc(out, '\n');
}

void stack_show(struct strbuf *out, const char *at, size_t n, const struct ksyms *t, int indent,
		int width)
{
	struct strbuf text = {0};

	strbuf_addc(out, '\n');
	for (size_t i = 0; i < n; i++) {
		t = t ? t : ksyms_kernel();
		strbuf_reset(&text);
		frame_text(t, address(at, i), i == 0, &text);
		show_frame(out, &text, indent, width);
	}
	strbuf_release(&text);
}

size_t ustack_read(const void *slot, uint32_t size, const char **at)
{
	size_t n = 0, max = (size - sizeof(struct ustack_slot)) / 8;
	struct ustack_slot head;

	memcpy(&head, slot, sizeof(head));
	*at = (const char *)slot + offsetof(struct ustack_slot, pid);
	max = max < head.limit ? max : head.limit;
	while (n < max && address(*at, n + 1))
		n++;
	usyms_remember(head.pid);
	return head.limit ? n + 1 : 0;
}

void ustack_show(struct strbuf *out, const char *at, size_t n, int indent, int width)
{
	struct strbuf text = {0};

	strbuf_addc(out, '\n');
	for (size_t i = 1; i < n; i++) {
		strbuf_reset(&text);
		usym_text(address(at, 0), address(at, i), USYM_OFFSET, &text);
		show_frame(out, &text, indent, width);
	}
	strbuf_release(&text);
}
