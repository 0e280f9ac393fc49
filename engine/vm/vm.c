/*
 * vm.c - life of a machine: its maps, units, records and readable regions.
 */
#include "engine/vm/vm.h"

#include <stdarg.h>
#include <string.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "engine/vm/jit.h"
#include "engine/vm/internal.h"

/* ---------------------------------------------------------- birth and death */

static int make_maps(struct vm *vm, const struct program *p, struct diag *d)
{
	vm->map = xcalloc(p->nmap, sizeof(*vm->map));
	for (; vm->nmap < p->nmap; vm->nmap++) {
		const struct map_def *def = &p->map[vm->nmap];
		bool hash = vm_map_kind_is_hash(def->kind);

		if (def->kind != MAP_RING && (!def->value_size || (hash && !def->key_size)))
			return diag_error(d, D_VERIFY, NOLOC, "map '%s' has no room in its %s",
					  def->name, def->value_size ? "keys" : "values");
		vm_map_init(&vm->map[vm->nmap], def);
	}
	return 0;
}

static int make_code(struct vm *vm, const struct program *p, struct diag *d)
{
	vm->code = xcalloc(p->nunit, sizeof(*vm->code));
	for (; vm->ncode < p->nunit; vm->ncode++) {
		const struct unit *u = &p->unit[vm->ncode];
		struct vm_code *c = &vm->code[vm->ncode];

		c->name = xstrdup(u->target ? u->target : "");
		c->n = u->ninsn;
		c->samples = u->samples;
		c->insn = xcalloc(u->ninsn, sizeof(*c->insn));
		if (u->ninsn)
			memcpy(c->insn, u->insn, u->ninsn * sizeof(*c->insn));
		if (vm_decode(vm, p, c, d)) {
			vm->ncode++; /* to be freed */
			return -1;
		}
	}
	return 0;
}

struct vm *vm_new(const struct program *p, enum vm_mode mode, struct diag *d)
{
	struct vm *vm = xcalloc(1, sizeof(*vm));

	vm->mode = mode;
	vm->random = 0x9e3779b9;
	vm->max_steps = VM_MAX_STEPS;
	if (make_maps(vm, p, d) || make_code(vm, p, d)) {
		vm_free(vm);
		return NULL;
	}
	return vm;
}

static void free_code(struct vm_code *c)
{
	jit_free(c);
	xfree((char *)c->name);
	xfree(c->insn);
	xfree(c->op);
}

void vm_free(struct vm *vm)
{
	struct vm_rec *rec, *next;

	if (!vm)
		return;
	for (uint32_t i = 0; i < vm->ncode; i++)
		free_code(&vm->code[i]);
	for (uint32_t i = 0; i < vm->nmap; i++)
		vm_map_release(&vm->map[i]);
	for (rec = vm->all; rec; rec = next) {
		next = rec->all;
		xfree(rec);
	}
	xfree(vm->code);
	xfree(vm->map);
	xfree(vm);
}

struct vm_env *vm_env(struct vm *vm)
{
	return &vm->env;
}

/* ------------------------------------------------------------------- regions */

void vm_region(struct vm *vm, unsigned i, const void *base, size_t len)
{
	if (i >= VM_REGIONS)
		BUG("region %u of %d", i, VM_REGIONS);
	vm->region[i] = (struct vm_region){vm_addr(base), base ? len : 0};
	if (i >= vm->nregion)
		vm->nregion = i + 1;
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
	/* What the program forgets to write shall be seen. */
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

/* After a trap. */
static void drop_held(struct vm_exec *ex)
{
	for (struct vm_rec *rec = ex->vm->all; rec; rec = rec->all)
		if (rec->owner == ex)
			vm_rec_finish(ex, rec, VM_REC_DISCARDED);
}

/* ---------------------------------------------------------------------- runs */

static uint64_t run_checked(struct vm_exec *ex)
{
	uint64_t ret;

	ex->check = xmalloc(sizeof(*ex->check));
	vm_check_start(ex);
	ret = vm_exec_checked(ex);
	drop_held(ex);
	xfree(ex->check);
	return ret;
}

uint64_t vm_run(struct vm *vm, uint32_t unit, const uint64_t *ctx, unsigned nctx,
		struct record_sink *k)
{
	struct vm_exec ex;

	/* Not all of it: clearing the stack would cost more than most programs do. */
	vm->runs += !vm->code[unit].samples;
	ex.vm = vm;
	ex.code = &vm->code[unit];
	ex.check = NULL;
	ex.sink = k;
	ex.ctx = ctx;
	ex.nctx = nctx;
	ex.first = NULL;
	ex.last = &ex.first;
	ex.depth = 0;
	if (ex.code->native)
		return ex.code->native(&ex, ctx, vm_frame_base(&ex, 0) + VM_FRAME_SIZE);
	return vm->mode == VM_CHECKED ? run_checked(&ex) : vm_exec_fast(&ex);
}

const uint64_t *vm_runs(const struct vm *vm)
{
	return &vm->runs;
}

bool vm_trap(const struct vm_exec *ex, uint32_t at, const char *fmt, ...)
{
	struct strbuf b = {0};
	va_list ap;

	strbuf_addf(&b, "unit '%s', instruction %u: ", ex->code->name, at);
	va_start(ap, fmt);
	strbuf_vaddf(&b, fmt, ap);
	va_end(ap);
	if (!ex->vm->trap)
		BUG("%s", b.s);
	ex->vm->trap(ex->vm->trap_ctx, b.s);
	strbuf_release(&b);
	return false;
}

void vm_set_trap(struct vm *vm, void (*fn)(void *ctx, const char *why), void *ctx)
{
	vm->trap = fn;
	vm->trap_ctx = ctx;
}

void vm_set_max_steps(struct vm *vm, uint32_t n)
{
	vm->max_steps = n;
}

void vm_fail_reserve(struct vm *vm, unsigned n)
{
	vm->fail_reserve = n;
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
	return single_value(vm, MAP_PERCPU);
}

void *vm_globals(struct vm *vm)
{
	return single_value(vm, MAP_GLOBAL);
}
