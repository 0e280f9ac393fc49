/*
 * active.c - finds the counters by which the kernel knows that a program runs on a CPU.
 *
 * The kernel does not run a program that already runs on the CPU: it counts in bpf_prog.active, an
 * int for each CPU, that a program runs. A backup unit (compiler/code/units/nesting.c) reads the
 * counter of its unit.
 *
 * Per-CPU pointers such as bpf_prog.active and bpf_array.pptrs are not addresses: the kernel adds
 * an offset, which is the same for all variables of a CPU. Iterators over programs and maps find
 * both pointers. Another program then runs once on each CPU. This program gets the address of the
 * CPU's MAP_PERCPU value, computes the CPU's offset from it, and stores the addresses of the
 * counters in the MAP_PERCPU value.
 *
 * If anything fails here, the addresses stay 0, and backups find out in another way whether the
 * kernel has skipped their unit. This also holds for a CPU that is offline now.
 */
#include "engine/kernel/impl.h"

#include <linux/bpf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "engine/kernel/bpf.h"
#include "ir/program.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The output of an iterator for one program or map. */
struct found {
	uint64_t id;
	uint64_t at; /* the per-CPU pointer, to which the kernel adds the CPU's offset */
};

/* The context of both iterators: struct bpf_iter__bpf_prog, struct bpf_iter__bpf_map. */
enum { CTX_META = 0, CTX_OBJECT = 8, META_SEQ = 0 };

/*
 * Loads and runs an iterator. @load has @n instructions that store the id of the object in r6 at
 * r10 - 16, and its address at r10 - 8. Returns a descriptor of the output, an array of struct
 * found, or a negative errno.
 */
static int iterate(uint32_t btf_id, const struct insn *load, uint32_t n)
{
	const struct insn begin[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 9, .src = 1},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 6, .src = 1, .off = CTX_OBJECT},
		{.code = BPF_JMP | BPF_JNE | BPF_K, .dst = 6, .off = 2},
		/* all objects have been shown */
		{.code = BPF_ALU64 | BPF_MOV | BPF_K},
		{.code = BPF_JMP | BPF_EXIT},
	};
	static const struct insn end[] = {
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 1, .src = 9, .off = CTX_META},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 1, .src = 1, .off = META_SEQ},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 2, .src = 10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = 2, .imm = -16},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 3, .imm = sizeof(struct found)},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_seq_write},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K},
		{.code = BPF_JMP | BPF_EXIT},
	};
	struct insn code[32];
	const struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_TRACING,
					 .attach_type = BPF_TRACE_ITER,
					 .attach_btf_id = btf_id,
					 .insn = code,
					 .ninsn = COUNT(begin) + n + COUNT(end)};
	int prog, link = -1, out;

	memcpy(code, begin, sizeof(begin));
	memcpy(code + COUNT(begin), load, n * sizeof(*load));
	memcpy(code + COUNT(begin) + n, end, sizeof(end));
	out = prog = kbpf_prog_load("dt_iterate", &s, NULL, 0);
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

static int iterate_programs(const struct active_counter *a)
{
	const struct insn load[] = {
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 1, .src = 6, .off = (int16_t)a->aux},
		{.code = BPF_LDX | BPF_MEM | BPF_W, .dst = 1, .src = 1, .off = (int16_t)a->id},
		{.code = BPF_STX | BPF_MEM | BPF_DW, .dst = 10, .src = 1, .off = -16},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 1, .src = 6, .off = (int16_t)a->active},
		{.code = BPF_STX | BPF_MEM | BPF_DW, .dst = 10, .src = 1, .off = -8},
	};

	return iterate(a->progs, load, COUNT(load));
}

/* For maps that are no per-CPU arrays, the output has wrong addresses. */
static int iterate_maps(const struct active_counter *a)
{
	const struct insn load[] = {
		{.code = BPF_LDX | BPF_MEM | BPF_W, .dst = 1, .src = 6, .off = (int16_t)a->map_id},
		{.code = BPF_STX | BPF_MEM | BPF_DW, .dst = 10, .src = 1, .off = -16},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 1, .src = 10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = 1, .imm = -8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 2, .imm = 8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 3, .src = 6},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = 3, .imm = (int32_t)a->values},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel},
	};

	return iterate(a->maps, load, COUNT(load));
}

/*
 * Reads the output of an iterator from @fd, and closes @fd. Stores in @at the addresses of the @n
 * objects whose ids are in @id. Returns whether it found all of them.
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

static uint32_t id_of_map(int fd)
{
	struct bpf_map_info info = {0};

	return kbpf_object_info(fd, &info, sizeof(info)) ? 0 : info.id;
}

/*
 * Loads the program that stores the addresses of a CPU's counters. @at has the per-CPU pointers of
 * @n counters. @values is bpf_array.pptrs[0] of the MAP_PERCPU.
 */
static int load_storer(const struct kernel *k, uint64_t values, const uint64_t *at, uint32_t n)
{
	const struct insn begin[] = {
		{.code = BPF_ST | BPF_MEM | BPF_W, .dst = 10, .off = -4},
		{.code = BPF_LD | BPF_IMM | BPF_DW,
		 .dst = 1,
		 .src = INSN_MAP,
		 .imm = k->map[MAP_ID_PERCPU].fd},
		{0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 2, .src = 10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = 2, .imm = -4},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem},
		{.code = BPF_JMP | BPF_JNE | BPF_K, .dst = 0, .off = 1},
		{.code = BPF_JMP | BPF_EXIT},
		/*
		 * The verifier allows no subtraction of pointers. A pointer that is loaded from a
		 * map's value is a number. The first word of the value is struct percpu.events. It
		 * is still 0, and becomes 0 again.
		 */
		{.code = BPF_STX | BPF_MEM | BPF_DW, .dst = 0, .src = 0},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 7, .src = 0},
		{.code = BPF_ST | BPF_MEM | BPF_DW, .dst = 0},
		{.code = BPF_LD | BPF_IMM | BPF_DW, .dst = 1, .imm = (int32_t)(uint32_t)values},
		{.imm = (int32_t)(values >> 32)},
		{.code = BPF_ALU64 | BPF_SUB | BPF_X, .dst = 7, .src = 1},
	};
	static const struct insn end[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K},
					  {.code = BPF_JMP | BPF_EXIT}};
	enum { EACH = 4 };
	uint32_t ninsn = COUNT(begin) + n * EACH + COUNT(end);
	struct insn *code = xcalloc(ninsn, sizeof(*code)), *next = code + COUNT(begin);
	struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
				   .insn = code,
				   .ninsn = ninsn};
	int prog;

	memcpy(code, begin, sizeof(begin));
	for (uint32_t i = 0; i < k->p->nunit; i++) {
		if (!k->p->unit[i].active_at)
			continue;
		*next++ = (struct insn){.code = BPF_LD | BPF_IMM | BPF_DW,
					.dst = 1,
					.imm = (int32_t)(uint32_t)*at};
		*next++ = (struct insn){.imm = (int32_t)(*at++ >> 32)};
		*next++ = (struct insn){.code = BPF_ALU64 | BPF_ADD | BPF_X, .dst = 1, .src = 7};
		*next++ = (struct insn){.code = BPF_STX | BPF_MEM | BPF_DW,
					.dst = 0,
					.src = 1,
					.off = (int16_t)k->p->unit[i].active_at};
	}
	memcpy(next, end, sizeof(end));
	prog = kbpf_prog_load("dt_active", &s, NULL, 0);
	xfree(code);
	return prog;
}

static void store_addresses(const struct kernel *k, const uint64_t *at, uint32_t n)
{
	uint32_t id = id_of_map(k->map[MAP_ID_PERCPU].fd);
	uint64_t values = 0;
	int prog;

	if (!find(iterate_maps(&k->p->active), &id, &values, 1) || !values)
		return;
	prog = load_storer(k, values, at, n);
	for (uint32_t i = 0; prog >= 0 && i < k->src.ncpu; i++)
		kbpf_prog_ask_on(prog, k->cpu[i], NULL, 0);
	if (prog >= 0)
		close(prog);
}

void kactive_find(struct kernel *k)
{
	uint32_t *id = xcalloc(k->p->nunit, sizeof(*id)), n = 0;
	uint64_t *at = xcalloc(k->p->nunit, sizeof(*at));

	for (uint32_t i = 0; i < k->p->nunit; i++)
		if (k->p->unit[i].active_at)
			id[n++] = id_of_program(k->unit[i].prog);
	if (n && k->p->active.progs && find(iterate_programs(&k->p->active), id, at, n))
		store_addresses(k, at, n);
	xfree(at);
	xfree(id);
}
