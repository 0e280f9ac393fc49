/*
 * vm.h - a virtual machine that runs a program's units on memory of this process.
 *
 * Programs are decoded once: references to maps and helpers become pointers. Units run as native
 * code or in a direct-threaded interpreter. A checked machine also refuses, at run time, everything
 * that the kernel's verifier would refuse; see vm_new().
 */
#ifndef ENGINE_VM_VM_H
#define ENGINE_VM_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/source.h"
#include "ir/program.h"

struct diag;
struct vm;

/* Results of helpers such as bpf_ktime_get_ns. */
struct vm_env {
	uint64_t time_ns; /* ktime_get_ns and ktime_get_tai_ns */
	const void *task; /* get_current_task_btf: a ksim task_struct */
	uint32_t cpu;
};

/* How units run. */
enum vm_mode {
	VM_INTERPRETED,
	VM_CHECKED,
	VM_NATIVE, /* as native code where possible; else interpreted */
	VM_MODES   /* number of modes */
};

/*
 * Creates a machine: makes the maps of @p (for one CPU) and decodes its units. Hashes grow as
 * needed up to max_entries; 0 means up to 1 GiB. Returns NULL, with the reason in @d, if the code
 * uses features that this machine lacks. The caller frees the machine with vm_free().
 *
 * VM_CHECKED: uninitialised registers, reads of unwritten stack and NULL map values trap. r1-r5 are
 * invalid after calls. Every access must be in the stack, a reserved record, a map value, the
 * context or a region added with vm_region(). The number of instructions is bounded. A trap is an
 * internal error: it aborts with the unit, the instruction and the reason (BUG()).
 */
struct vm *vm_new(const struct program *p, enum vm_mode mode, struct diag *d);
void vm_free(struct vm *vm);

/* Returns the results of helpers. The caller changes them between runs. */
struct vm_env *vm_env(struct vm *vm);

/*
 * Sets slot @i (0..15) of the memory that programs may read: ksim objects, packet bytes. If @len is
 * 0, the slot becomes empty. The caller keeps the memory.
 *
 * In any machine, bpf_probe_read_kernel succeeds only inside a region, a map value, the stack or a
 * record. In a checked machine, plain loads must stay inside too. Loads below 64 KiB, which read
 * members of a NULL pointer, give 0 in any machine, as the kernel's protected loads do.
 */
void vm_region(struct vm *vm, unsigned i, const void *base, size_t len);

/*
 * Runs unit @unit. @ctx is its context: the hook's @nctx arguments. Each record goes to @k when it
 * is committed. Returns r0.
 */
uint64_t vm_run(struct vm *vm, uint32_t unit, const uint64_t *ctx, unsigned nctx,
		struct record_sink *k);

/*
 * Returns a counter of runs of units, except those that only request a sample. It is valid as long
 * as the machine.
 */
const uint64_t *vm_runs(const struct vm *vm);

/*
 * vm_map_each(), vm_percpu() and vm_globals() work as the functions of struct source_ops with these
 * names.
 */
int vm_map_each(struct vm *vm, uint32_t map,
		bool (*fn)(void *ctx, const void *key, const void *value), void *ctx);
/* Returns the whole value of @key, valid until the next call, or NULL if there is none. */
const void *vm_read_value(struct vm *vm, uint32_t map, const void *key);
/* Deletes @key if it exists. */
void vm_delete_key(struct vm *vm, uint32_t map, const void *key);
const void *vm_percpu(struct vm *vm);
void *vm_globals(struct vm *vm);

#endif
