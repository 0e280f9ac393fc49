/*
 * vm.h - a virtual machine that runs a program's units on memory of this process.
 *
 * A unit (the eBPF program of one hook) is decoded once, and its references to maps and helpers
 * become pointers. Units run as native code or in an interpreter. A checked machine also refuses,
 * at run time, everything that the kernel's verifier would refuse; see vm_new().
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

/* Results that helpers such as bpf_ktime_get_ns return to programs. */
struct vm_env {
	uint64_t time_ns; /* result of ktime_get_ns and ktime_get_tai_ns */
	const void *task; /* result of get_current_task_btf: a struct task_struct of ksim.h */
	uint32_t cpu;
};

/* How a machine runs units. */
enum vm_mode {
	VM_INTERPRETED,
	VM_CHECKED,
	VM_NATIVE, /* units run as native code if possible, else interpreted */
	VM_MODES   /* number of modes */
};

/*
 * Creates a machine: makes the maps of @p (for one CPU) and decodes its units. Hashes grow as
 * needed, up to max_entries keys, or up to 1 GiB if max_entries is 0. Returns NULL, with the reason
 * in @d, if the code is malformed or uses features that this machine lacks. The caller frees the
 * machine with vm_free().
 *
 * If @mode is VM_CHECKED, the machine traps when a program uses an uninitialised register, reads
 * stack that it has not written, or dereferences a NULL map value. r1 to r5 count as uninitialised
 * after a call. Every access must be in the stack, a reserved record, a map value, the context or a
 * region added with vm_region(). The number of instructions is bounded. A trap is an internal
 * error: the process aborts with a message that names the unit, the instruction and the reason
 * (BUG()).
 */
struct vm *vm_new(const struct program *p, enum vm_mode mode, struct diag *d);
void vm_free(struct vm *vm);

/* Returns the struct with the results of helpers. The caller may change them between runs. */
struct vm_env *vm_env(struct vm *vm);

/*
 * Sets region @i (0..15) of the memory that programs may read, such as replay's kernel objects
 * (ksim.h) or packet bytes. If @len is 0, there is no such region any more. The caller keeps the
 * memory.
 *
 * In any machine, bpf_probe_read_kernel succeeds only inside a region, a map value, the stack or a
 * record. In a checked machine, plain loads must also stay inside these areas. Loads below 64 KiB,
 * which read members of a NULL pointer, give 0 in any machine, as the kernel's protected loads do.
 */
void vm_region(struct vm *vm, unsigned i, const void *base, size_t len);

/* A region of memory that programs may read: @len bytes at address @base. */
struct vm_region {
	uint64_t base;
	size_t len;
};

/*
 * Returns region @i, which the caller may change between runs. It is valid as long as the machine.
 * For a region that changes with every packet, this is faster than vm_region().
 */
struct vm_region *vm_region_at(struct vm *vm, unsigned i);

/*
 * Runs unit @unit. @ctx is its context, which has the @nctx arguments of the hook. Delivers to @k
 * the records that the program submits, in the order in which the program reserved them. Returns
 * r0.
 */
uint64_t vm_run(struct vm *vm, uint32_t unit, const uint64_t *ctx, unsigned nctx,
		struct record_sink *k);

/*
 * Returns a counter of runs of units. Runs of units that only ask the consumer for a sample are not
 * counted. The pointer is valid as long as the machine.
 */
const uint64_t *vm_runs(const struct vm *vm);

/*
 * vm_map_each(), vm_percpu() and vm_globals() work like the functions of struct source_ops with the
 * names map_each, percpu and globals.
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
