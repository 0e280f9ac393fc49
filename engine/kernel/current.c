/*
 * current.c - finds where the kernel keeps the current task of each CPU.
 *
 * A program gets the current task from a helper. On some AMD processors the kernel protects every
 * return from a function against speculation (Safe RET,
 * Documentation/admin-guide/hw-vuln/srso.rst). There each call takes some 18 ns, which is more than
 * the rest of many programs. So there, programs load the current task from the kernel's per-CPU
 * variable.
 */
#include "engine/kernel/kernel.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "engine/kernel/bpf.h"
#include "engine/kernel/impl.h"
#include "ir/program.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define SAFE_RET_FILE "/sys/devices/system/cpu/vulnerabilities/spec_rstack_overflow"

/* Returns whether returns from functions are slow on these CPUs. */
static bool slow_returns(void)
{
	char text[128] = "";
	FILE *f = fopen(SAFE_RET_FILE, "re");
	bool slow = f && fgets(text, sizeof(text), f) && strstr(text, "Safe RET");

	if (f)
		fclose(f);
	return slow;
}

/*
 * Finds the address of the per-CPU variable in which the kernel keeps the number of the CPU. On
 * x86-64, Linux 6.10 and later replace a call of bpf_get_smp_processor_id() by three instructions:
 * load the variable's address, add the CPU's offset, load the variable. If the kernel does not do
 * this, the number of the CPU costs a call, too, and nothing can be gained.
 *
 * Returns whether it found the address.
 */
static bool find_cpu_number(uint64_t *at)
{
	static const struct insn ask[] = {
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_smp_processor_id},
		{.code = BPF_JMP | BPF_EXIT},
	};
	static const struct insn add = {.code = BPF_ALU64 | BPF_MOV | BPF_X, .off = -1};
	static const struct insn load = {.code = BPF_LDX | BPF_MEM | BPF_W};
	const struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
					 .insn = ask,
					 .ninsn = COUNT(ask)};
	struct insn now[4] = {0};
	struct bpf_prog_info info = {.xlated_prog_insns = (uintptr_t)now,
				     .xlated_prog_len = sizeof(now)};
	int prog = kbpf_prog_load("dt_try", &s, NULL, 0), err;

	if (prog < 0)
		return false;
	err = kbpf_object_info(prog, &info, sizeof(info));
	close(prog);
	if (err || info.xlated_prog_len != sizeof(now) || memcmp(&now[1], &add, sizeof(add)) ||
	    memcmp(&now[2], &load, sizeof(load)) || now[0].dst)
		return false;
	if (now[0].code == (BPF_ALU64 | BPF_MOV | BPF_K))
		*at = (uint64_t)(int64_t)now[0].imm;
	else if (now[0].code == (BPF_ALU | BPF_MOV | BPF_K))
		*at = (uint32_t)now[0].imm;
	else
		return false;
	return true;
}

/*
 * Returns whether each CPU that is online has its current task at the address in @at, which has @n
 * rows. To find out, a program runs on the CPU. Its argument 0 is the address.
 */
static bool are_right(const uint64_t *at, uint32_t n)
{
	static const struct insn code[] = {
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 3, .src = 1},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 2, .imm = 8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 1, .src = 10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = 1, .imm = -8},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_task},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 1, .src = 10, .off = -8},
		{.code = BPF_ALU64 | BPF_SUB | BPF_X, .dst = 1, .src = 0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1},
		{.code = BPF_JMP | BPF_JEQ | BPF_K, .dst = 1, .off = 1},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K},
		{.code = BPF_JMP | BPF_EXIT},
	};
	const struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
					 .insn = code,
					 .ninsn = COUNT(code)};
	int prog = kbpf_prog_load("dt_current", &s, NULL, 0), answer;
	uint32_t ncpu, *cpu = kcpus_online(&ncpu);
	bool right = prog >= 0 && ncpu > 0;

	for (uint32_t i = 0; i < ncpu && right; i++) {
		answer = cpu[i] < n ? kbpf_prog_ask_on(prog, cpu[i], &at[cpu[i]], 1) : 0;
		right = answer == 1 || answer == -ENXIO; /* the CPU may have gone offline */
	}
	if (prog >= 0)
		close(prog);
	xfree(cpu);
	return right;
}

uint64_t *kernel_current_always(const struct current_place *place, uint32_t *n)
{
	uint32_t ncpu, size = 1;
	const uint32_t *cpu = kcpus_possible(&ncpu);
	uint64_t number, *at, *offset = NULL;

	if (find_cpu_number(&number))
		offset = koffsets_find(place->values);
	if (!offset)
		return NULL;
	while (size <= cpu[ncpu - 1])
		size *= 2;
	at = xcalloc(size, sizeof(*at));
	for (uint32_t i = 0; i < ncpu; i++)
		at[cpu[i]] = number + (uint64_t)place->from_cpu_number + offset[i];
	xfree(offset);
	if (!are_right(at, size)) {
		xfree(at);
		return NULL;
	}
	*n = size;
	return at;
}

uint64_t *kernel_current_at(const struct current_place *place, uint32_t *n)
{
	return slow_returns() ? kernel_current_always(place, n) : NULL;
}
