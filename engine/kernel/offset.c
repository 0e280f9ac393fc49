/*
 * offset.c - finds the offset of each CPU, which the kernel adds to the address of a per-CPU
 * variable.
 *
 * Per-CPU pointers, such as bpf_prog.active, are not addresses. The address of a CPU's copy is the
 * pointer plus the offset of the CPU, which is the same for all variables. A per-CPU array has such
 * a pointer for each value, and a helper returns the address of the value of any CPU. So this
 * address minus the pointer is the CPU's offset, even if the CPU is offline.
 */
#include "engine/kernel/impl.h"

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "engine/kernel/bpf.h"
#include "ir/program.h"

#define STACK_SIZE 512 /* maximum size of a program's stack in bytes */

/*
 * Loads a program whose context has three numbers:
 *
 *   [0]  the CPU
 *   [1]  set to the address of this CPU's value of the per-CPU array @map
 *   [2]  set to the pointer, which is at offset @values of the map
 */
static int load_finder(int map, uint32_t values)
{
	const int16_t copy = (int16_t)-(int32_t)(values + 8);
	const struct insn code[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 6, .src = 1},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 1, .src = 10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = 1, .imm = copy},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 2, .imm = (int32_t)values + 8},
		{.code = BPF_LD | BPF_IMM | BPF_DW, .dst = 3, .src = INSN_MAP, .imm = map},
		{0},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 1, .src = 10, .off = -8},
		{.code = BPF_STX | BPF_MEM | BPF_DW, .dst = 6, .src = 1, .off = 16},
		/* the key 0 */
		{.code = BPF_ST | BPF_MEM | BPF_W, .dst = 10, .off = -4},
		{.code = BPF_LD | BPF_IMM | BPF_DW, .dst = 1, .src = INSN_MAP, .imm = map},
		{0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 2, .src = 10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = 2, .imm = -4},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 3, .src = 6},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_percpu_elem},
		{.code = BPF_STX | BPF_MEM | BPF_DW, .dst = 6, .src = 0, .off = 8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K},
		{.code = BPF_JMP | BPF_EXIT},
	};
	const struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_SYSCALL,
					 .flags = BPF_F_SLEEPABLE,
					 .insn = code,
					 .ninsn = sizeof(code) / sizeof(code[0])};

	return kbpf_prog_load("dt_offset", &s, NULL, 0);
}

uint64_t *koffsets_find(uint32_t values)
{
	const struct kbpf_map_spec one = {.type = BPF_MAP_TYPE_PERCPU_ARRAY,
					  .key_size = 4,
					  .value_size = 8,
					  .max_entries = 1};
	int map = kbpf_map_create("dt_offset", &one), prog = -1;
	uint32_t n, i = 0;
	const uint32_t *cpu = kcpus_possible(&n);
	uint64_t *offset = xcalloc(n, sizeof(*offset));

	if (map >= 0 && values + 8 <= STACK_SIZE)
		prog = load_finder(map, values);
	for (; i < n && prog >= 0; i++) {
		uint64_t io[3] = {cpu[i]};

		if (kbpf_prog_run(prog, io, 3) || !io[1] || !io[2])
			break;
		offset[i] = io[1] - io[2];
	}
	if (prog >= 0)
		close(prog);
	if (map >= 0)
		close(map);
	if (i < n) {
		xfree(offset);
		return NULL;
	}
	return offset;
}
