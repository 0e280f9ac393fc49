/*
 * memory.c - the memory of a machine other than the stack: readable regions, map values, and ring
 * records.
 */
#include <string.h>

#include "base/xalloc.h"
#include "engine/vm/deferred.h"
#include "engine/vm/internal.h"

/* ------------------------------------------------------------------- regions */

struct vm_region *vm_region_at(struct vm *vm, unsigned i)
{
	if (i >= VM_REGIONS)
		BUG("region %u of only %d", i, VM_REGIONS);
	if (i >= vm->nregion)
		vm->nregion = i + 1;
	return &vm->region[i];
}

void vm_region(struct vm *vm, unsigned i, const void *base, size_t len)
{
	*vm_region_at(vm, i) = (struct vm_region){vm_addr(base), base ? len : 0};
}

bool vm_in_region(const struct vm *vm, uint64_t addr, size_t len)
{
	for (unsigned i = 0; i < vm->nregion; i++) {
		const struct vm_region *g = &vm->region[i];

		if (len <= g->len && addr - g->base <= g->len - len && g->len)
			return true;
	}
	return false;
}

bool vm_in_map(const struct vm *vm, uint64_t addr, size_t len)
{
	for (uint32_t i = 0; i < vm->nmap; i++)
		if (vm_map_holds(&vm->map[i], addr, len))
			return true;
	return false;
}

bool vm_in_record(const struct vm *vm, uint64_t addr, size_t len)
{
	for (const struct vm_rec *rec = vm->all; rec; rec = rec->all)
		if (rec->owner && len <= rec->size && addr - vm_addr(rec->data) <= rec->size - len)
			return true;
	return false;
}

/* ---------------------------------------------------------------------- maps */

int vm_map_each(struct vm *vm, uint32_t map,
		bool (*fn)(void *ctx, const void *key, const void *value), void *ctx)
{
	if (map >= vm->nmap || !vm_map_is_hash(&vm->map[map]))
		return -1;
	vm_map_each_key(&vm->map[map], fn, ctx);
	return 0;
}

const void *vm_read_value(struct vm *vm, uint32_t map, const void *key)
{
	return vm_map_read(&vm->map[map], key);
}

void vm_delete_key(struct vm *vm, uint32_t map, const void *key)
{
	vm_map_delete(&vm->map[map], key);
}

static void *single_value(struct vm *vm, enum map_kind kind)
{
	for (uint32_t i = 0; i < vm->nmap; i++)
		if (vm->map[i].kind == kind)
			return vm->map[i].value;
	return NULL;
}

const void *vm_percpu(struct vm *vm)
{
	/*
	 * First carry out the pending additions: an addition that fails is counted in the per-CPU
	 * value.
	 */
	for (uint32_t i = 0; i < vm->nmap; i++)
		vm_deferred_flush(&vm->map[i]);
	return single_value(vm, MAP_PERCPU);
}

void *vm_globals(struct vm *vm)
{
	return single_value(vm, MAP_GLOBAL);
}

/* ------------------------------------------------------------------- records */

static struct vm_rec *new_rec(struct vm *vm, size_t size)
{
	size_t cap = 256;
	struct vm_rec *rec;

	while (cap < size)
		cap *= 2;
	rec = xmalloc(sizeof(*rec) + cap);
	*rec = (struct vm_rec){.all = vm->all, .cap = cap};
	return vm->all = rec;
}

struct vm_rec *vm_rec_reserve(struct vm_exec *ex, size_t size)
{
	struct vm_rec **link = &ex->vm->free, *rec;

	while (*link && (*link)->cap < size)
		link = &(*link)->free;
	rec = *link;
	if (rec)
		*link = rec->free;
	else
		rec = new_rec(ex->vm, size);
	rec->owner = ex;
	rec->size = size;
	rec->state = VM_REC_RESERVED;
	rec->next_reserved = NULL;
	*ex->last = rec;
	ex->last = &rec->next_reserved;
	/* A byte that the program forgets to write has the value 0xa5 in the record. */
	if (ex->check)
		memset(rec->data, 0xa5, size);
	return rec;
}

static void deliver(struct vm_exec *ex, struct vm_rec *rec)
{
	if (rec->state == VM_REC_SUBMITTED && ex->sink && ex->sink->record)
		ex->sink->record(ex->sink->ctx, (const struct record *)(const void *)rec->data,
				 rec->size);
	rec->free = ex->vm->free;
	ex->vm->free = rec;
}

void vm_rec_finish(struct vm_exec *ex, struct vm_rec *rec, enum vm_rec_state state)
{
	rec->owner = NULL;
	rec->state = state;
	while ((rec = ex->first) && rec->state != VM_REC_RESERVED) {
		ex->first = rec->next_reserved;
		if (!ex->first)
			ex->last = &ex->first;
		deliver(ex, rec);
	}
}
