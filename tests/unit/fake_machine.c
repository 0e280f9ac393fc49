/* fake_machine.c - makes and runs the virtual machines of unit tests; see fake_machine.h. */
#include "tests/unit/fake_machine.h"

#include <stdio.h>

#include "base/diag.h"
#include "tests/check.h"

struct map_def machine_maps[] = {
	{.kind = MAP_GLOBAL, .name = "globals", .value_size = 128},
	{.kind = MAP_PERCPU, .name = "percpu", .value_size = 96},
	{.kind = MAP_RING, .name = "ring", .max_entries = 4096},
	{.kind = MAP_PERCPU_HASH, .name = "hash", .key_size = 8, .value_size = 8},
	{.kind = MAP_HASH, .name = "small", .key_size = 4, .value_size = 4, .max_entries = 2},
	{.kind = MAP_HASH, .name = "hash24", .key_size = 24, .value_size = 16},
};

static struct kfunc kfuncs[] = {
	{"bpf_rdonly_cast", 0},  {"bpf_cast_to_kern_ctx", 0}, {"bpf_dynptr_from_skb", 0},
	{"bpf_dynptr_slice", 0}, {"bpf_unheard_of", 0},
};

struct vm *try_new(const struct insn *insn, size_t n, enum vm_mode mode, struct diag *d)
{
	struct unit u = {.hook = HOOK_RUN,
			 .target = "test",
			 .insn = (struct insn *)insn,
			 .ninsn = (uint32_t)n};
	struct program p = {.unit = &u,
			    .nunit = 1,
			    .map = machine_maps,
			    .nmap = COUNT(machine_maps),
			    .kfunc = kfuncs,
			    .nkfunc = COUNT(kfuncs)};

	return vm_new(&p, mode, d);
}

struct vm *make(const struct insn *insn, size_t n, enum vm_mode mode)
{
	struct diag d = {0};
	struct vm *vm = try_new(insn, n, mode, &d);

	if (!vm)
		fail_msg("refused: %s", d.msg);
	return vm;
}

char trapped[256];

void note_trap(void *ctx, const char *why)
{
	(void)ctx;
	snprintf(trapped, sizeof(trapped), "%s", why);
}

static const uint64_t *const no_ctx = (const uint64_t[]){11, 22, 33};

uint64_t run_once(struct vm *vm, struct record_sink *k)
{
	return vm_run(vm, 0, no_ctx, 3, k);
}

void check_insns(uint64_t want, const struct insn *insn, size_t n)
{
	for (enum vm_mode mode = 0; mode < VM_MODES; mode++) {
		struct vm *vm = make(insn, n, mode);

		assert_int_equal(run_once(vm, NULL), want);
		vm_free(vm);
	}
}
