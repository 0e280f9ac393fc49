/* vm.c - creates and frees virtual machines, and runs units. */
#include "engine/vm/vm.h"

#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/vm/jit.h"
#include "engine/vm/internal.h"

/* ------------------------------------------------------- making and freeing */

/* Makes the maps count lost additions in percpu.agg_drops, as programs count lost updates. */
static void count_drops(struct vm *vm)
{
	struct percpu *own = vm_ptr(vm_addr(vm_percpu(vm)));

	for (uint32_t i = 0; i < vm->nmap; i++)
		vm->map[i].deferred.drops = own ? &own->agg_drops : NULL;
}

static int make_maps(struct vm *vm, const struct program *p, struct diag *d)
{
	vm->map = xcalloc(p->nmap, sizeof(*vm->map));
	for (; vm->nmap < p->nmap; vm->nmap++) {
		const struct map_def *def = &p->map[vm->nmap];
		bool hash = vm_map_kind_is_hash(def->kind);

		if (def->kind != MAP_RING && (!def->value_size || (hash && !def->key_size)))
			return diag_error(d, D_VERIFY, NOLOC, "the %s of map '%s' have 0 bytes",
					  def->value_size ? "keys" : "values", def->name);
		vm_map_init(&vm->map[vm->nmap], def);
	}
	count_drops(vm);
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
		c->counted = !u->samples;
		c->insn = xcalloc(u->ninsn, sizeof(*c->insn));
		if (u->ninsn)
			memcpy(c->insn, u->insn, u->ninsn * sizeof(*c->insn));
		if (vm_decode(vm, p, c, d)) {
			vm->ncode++; /* count this unit too, so that vm_free() frees it */
			return -1;
		}
	}
	return 0;
}

/* Makes the state of a run. Sets only members that are the same in every run. */
static struct vm_exec *new_exec(struct vm *vm)
{
	struct vm_exec *ex = xmalloc(sizeof(*ex));

	ex->vm = vm;
	ex->check = NULL;
	ex->depth = 0;
	return ex;
}

struct vm *vm_new(const struct program *p, enum vm_mode mode, struct diag *d)
{
	struct vm *vm = xcalloc(1, sizeof(*vm));

	vm->mode = mode;
	vm->random = 0x9e3779b9;
	vm->max_steps = VM_MAX_STEPS;
	vm->outer = new_exec(vm);
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
	xfree(vm->outer);
	xfree(vm->code);
	xfree(vm->map);
	xfree(vm);
}

struct vm_env *vm_env(struct vm *vm)
{
	return &vm->env;
}

/* Discards the records that run @ex still has reserved because it trapped. */
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

/*
 * clang's -fsanitize=function (part of "undefined" since clang 17) checks calls by pointer: it
 * reads a hash in front of the function. Native code has no hash, so the check would read foreign
 * memory.
 */
#ifdef __clang__
#define CALLS_NATIVE __attribute__((no_sanitize("function")))
#else
#define CALLS_NATIVE
#endif

CALLS_NATIVE static inline uint64_t run_native(const struct vm_code *c, struct vm_exec *ex)
{
	return c->native(ex, ex->ctx, vm_frame_base(ex, 0) + VM_FRAME_SIZE);
}

static __attribute__((noinline)) uint64_t run_interpreted(struct vm_exec *ex)
{
	ex->check = NULL;
	ex->depth = 0;
	return ex->vm->mode == VM_CHECKED ? run_checked(ex) : vm_exec_fast(ex);
}

static inline uint64_t run(struct vm *vm, struct vm_exec *ex, uint32_t unit, const uint64_t *ctx,
			   unsigned nctx, struct record_sink *k)
{
	const struct vm_code *c = &vm->code[unit];

	vm->runs += c->counted;
	ex->code = c;
	ex->sink = k;
	ex->ctx = ctx;
	ex->nctx = nctx;
	ex->first = NULL;
	ex->last = &ex->first;
	return __builtin_expect(c->native != NULL, 1) ? run_native(c, ex) : run_interpreted(ex);
}

/* Runs a unit during another run, from within record() of the sink. */
static __attribute__((noinline)) uint64_t run_nested(struct vm *vm, uint32_t unit,
						     const uint64_t *ctx, unsigned nctx,
						     struct record_sink *k)
{
	struct vm_exec *ex = new_exec(vm);
	uint64_t ret = run(vm, ex, unit, ctx, nctx, k);

	xfree(ex);
	return ret;
}

uint64_t vm_run(struct vm *vm, uint32_t unit, const uint64_t *ctx, unsigned nctx,
		struct record_sink *k)
{
	struct vm_exec *ex = vm->outer;
	uint64_t ret;

	if (__builtin_expect(!ex, 0))
		return run_nested(vm, unit, ctx, nctx, k);
	vm->outer = NULL;
	ret = run(vm, ex, unit, ctx, nctx, k);
	vm->outer = ex;
	return ret;
}

const uint64_t *vm_runs(const struct vm *vm)
{
	return &vm->runs;
}

void vm_set_max_steps(struct vm *vm, uint32_t n)
{
	vm->max_steps = n;
}

void vm_fail_reserve(struct vm *vm, unsigned n)
{
	vm->fail_reserve = n;
}
