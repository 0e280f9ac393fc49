/*
 * active.c - finds the counters by which the kernel knows that a program runs on a CPU.
 *
 * The kernel does not run a program that already runs on the CPU: it counts in bpf_prog.active, an
 * int for each CPU, that a program runs. A backup unit (compiler/code/units/nesting.c) reads the
 * counter of its unit.
 *
 * bpf_prog.active is a per-CPU pointer. An iterator over programs reads it. The address of a CPU's
 * counter is the pointer plus the CPU's offset (offset.c), and is stored in the CPU's MAP_PERCPU
 * value.
 *
 * If anything fails here, the addresses stay 0. Then backups do nothing, and dtrace reports the
 * events that the kernel skips as missed.
 */
#include "engine/kernel/impl.h"

#include <linux/bpf.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "engine/kernel/bpf.h"
#include "ir/program.h"

/* The output of the iterator for one program. */
struct found {
	uint64_t id;
	uint64_t at; /* the per-CPU pointer bpf_prog.active */
};

/* The context of the iterator: struct bpf_iter__bpf_prog. */
enum { CTX_META = 0, CTX_PROG = 8, META_SEQ = 0 };

/*
 * Loads and runs the iterator. Returns a descriptor of the output, an array of struct found, or a
 * negative errno.
 */
static int iterate(const struct active_counter *a)
{
	const struct insn code[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 9, .src = 1},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 6, .src = 1, .off = CTX_PROG},
		{.code = BPF_JMP | BPF_JNE | BPF_K, .dst = 6, .off = 2},
		/* all programs have been shown */
		{.code = BPF_ALU64 | BPF_MOV | BPF_K},
		{.code = BPF_JMP | BPF_EXIT},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 1, .src = 6, .off = (int16_t)a->aux},
		{.code = BPF_LDX | BPF_MEM | BPF_W, .dst = 1, .src = 1, .off = (int16_t)a->id},
		{.code = BPF_STX | BPF_MEM | BPF_DW, .dst = 10, .src = 1, .off = -16},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 1, .src = 6, .off = (int16_t)a->active},
		{.code = BPF_STX | BPF_MEM | BPF_DW, .dst = 10, .src = 1, .off = -8},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 1, .src = 9, .off = CTX_META},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 1, .src = 1, .off = META_SEQ},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 2, .src = 10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = 2, .imm = -16},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 3, .imm = sizeof(struct found)},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_seq_write},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K},
		{.code = BPF_JMP | BPF_EXIT},
	};
	const struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_TRACING,
					 .attach_type = BPF_TRACE_ITER,
					 .attach_btf_id = a->progs,
					 .insn = code,
					 .ninsn = sizeof(code) / sizeof(code[0])};
	int prog = kbpf_prog_load("dt_iterate", &s, NULL, 0), link = -1, out = prog;

	if (prog >= 0)
		out = link = kbpf_link_iter(prog);
	if (link >= 0)
		out = kbpf_iter_create(link);
	if (link >= 0)
		close(link);
	if (prog >= 0)
		close(prog);
	return out;
}

/*
 * Reads the output of an iterator from @fd, and closes @fd. Stores in @at the pointers of the @n
 * programs whose ids are in @id. Returns whether it found all of them.
 */
static bool find(int fd, const uint32_t *id, uint64_t *at, uint32_t n)
{
	struct found f;
	uint32_t found = 0;

	while (fd >= 0 && found < n && file_read_exact(fd, &f, sizeof(f)))
		for (uint32_t i = 0; i < n; i++)
			if (id[i] && id[i] == f.id) {
				at[i] = f.at;
				found++;
			}
	if (fd >= 0)
		close(fd);
	return found == n;
}

/* Returns the ID of a program, or 0. */
static uint32_t id_of_program(int fd)
{
	struct bpf_prog_info info = {0};

	return kbpf_object_info(fd, &info, sizeof(info)) ? 0 : info.id;
}

/*
 * Stores the addresses of the counters in the MAP_PERCPU values, which are still 0. @at has the
 * per-CPU pointers of the units with a backup. @offset has the offset of each CPU.
 */
static void store_addresses(const struct kernel *k, const uint64_t *at, const uint64_t *offset)
{
	size_t stride = (k->p->map[MAP_ID_PERCPU].value_size + 7) & ~7u;
	char *all = xcalloc(k->src.ncpu, stride);
	const uint32_t key = 0;

	for (uint32_t i = 0; i < k->p->nunit; i++) {
		uint32_t off = k->p->unit[i].active_at;

		for (uint32_t cpu = 0; off && cpu < k->src.ncpu; cpu++)
			*(uint64_t *)(all + cpu * stride + off) = *at + offset[cpu];
		at += off != 0;
	}
	kbpf_map_update(k->map[MAP_ID_PERCPU].fd, &key, all);
	xfree(all);
}

void kactive_find(struct kernel *k)
{
	uint32_t *id = xcalloc(k->p->nunit, sizeof(*id)), n = 0;
	uint64_t *at = xcalloc(k->p->nunit, sizeof(*at)), *offset = NULL;

	for (uint32_t i = 0; i < k->p->nunit; i++)
		if (k->p->unit[i].active_at)
			id[n++] = id_of_program(k->unit[i].prog);
	if (n && k->p->active.progs && find(iterate(&k->p->active), id, at, n))
		offset = koffsets_find(k->p->active.values);
	if (offset)
		store_addresses(k, at, offset);
	xfree(offset);
	xfree(at);
	xfree(id);
}
