/*
 * vm.h - a virtual machine that runs a program's units on this process's memory.
 *
 * Programs are pre-decoded once (map and helper references become pointers), and
 * run as code of this machine or direct-threaded.  A checked machine also refuses, at run time,
 * whatever the kernel's verifier would refuse; see vm_new().
 */
#ifndef ENGINE_VM_H
#define ENGINE_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/source.h"
#include "ir/program.h"

struct diag;
struct vm;

/* What the helpers bpf_ktime_get_ns, get_current_* ... answer. */
struct vm_env {
	uint64_t time_ns; /* ktime_get_ns and ktime_get_tai_ns */
	const void *task; /* what get_current_task_btf returns: the ksim task_struct */
	uint32_t cpu;
};

/* How units run. */
enum vm_mode {
	VM_INTERPRETED,
	VM_CHECKED,
	VM_NATIVE, /* as code of this machine, where that can be made; else interpreted */
	VM_MODES   /* how many there are */
};

/*
 * Makes the maps of @p (one CPU; hashes grow as needed up to max_entries, 0 = up to
 * 1 GiB) and decodes its units.  VM_CHECKED: uninitialised registers and stack
 * reads trap, r1-r5 die after calls, NULL map values trap, every access must lie
 * in the stack, a live record, a map value, the context or a region added with
 * vm_region(), and the number of instructions is bounded.  A trap is a bug of
 * ours: it aborts with the unit, the instruction and the reason (BUG()).
 * NULL with the reason in @d if the code uses what this machine does not have.
 */
struct vm *vm_new(const struct program *p, enum vm_mode mode, struct diag *d);
void vm_free(struct vm *vm);

/* The caller changes it between runs. */
struct vm_env *vm_env(struct vm *vm);

/*
 * Memory that programs may read: ksim objects, packet bytes.  bpf_probe_read_kernel
 * succeeds only inside a region (or a map value, stack, record) in any machine; in a
 * checked one plain loads must stay inside too, except that loads through small
 * addresses (below 64 KiB: a NULL pointer's members) give 0 in both, as the kernel's
 * protected loads do.  Slot @i (0..15) is replaced; len 0: empty.
 */
void vm_region(struct vm *vm, unsigned i, const void *base, size_t len);

/*
 * Runs unit @unit with the context @ctx (an array of uint64_t: the hook's arguments)
 * of @nctx values.  Each record is given to @k when it is committed.  Returns r0.
 */
uint64_t vm_run(struct vm *vm, uint32_t unit, const uint64_t *ctx, unsigned nctx,
		struct record_sink *k);

/* How often units ran that do more than to ask for a sample; it goes on while the machine lives. */
const uint64_t *vm_runs(const struct vm *vm);

/* As the source_ops of the same names. */
int vm_map_each(struct vm *vm, uint32_t map,
		bool (*fn)(void *ctx, const void *key, const void *value), void *ctx);
/* The value of @key, all of it; it may be gone with the next call.  NULL: there is no such key. */
const void *vm_read_value(struct vm *vm, uint32_t map, const void *key);
/* Deletes @key, if it is there. */
void vm_delete_key(struct vm *vm, uint32_t map, const void *key);
const void *vm_percpu(struct vm *vm);
void *vm_globals(struct vm *vm);

#endif
