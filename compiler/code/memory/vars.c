/*
 * vars.c - D's variables: where they are kept, and how they are read and written.
 *
 *   this->x   Scalars are in registers; other types are in scratch memory of the unit.
 *   x         In the MAP_GLOBAL value, which all CPUs share without locking.
 *   self->x   Scalars are in task storage, if trust_storage() is true at all probes that use x.
 *             Otherwise, x is in a hash whose key is the thread.
 *   x[...]    In a hash whose key is the tuple of indexes. If x is an array of the library and its
 *             key is a socket, the element is in the memory of the socket (socket_vars.h).
 *
 * If the kernel has arenas (memory that programs and dtrace share), arrays in the arena (arrays.h)
 * replace hashes of scalars, of strings, and of structs that the program only assigns as a whole.
 *
 * A missing entry reads as 0, and storing 0 deletes the entry. Task storage lives until the thread
 * ends.
 */
#include "compiler/code/memory/vars.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/routine.h"
#include "compiler/code/layout.h"
#include "compiler/code/memory/arrays.h"
#include "compiler/code/memory/keys.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/memory/socket_vars.h"
#include "compiler/code/strings/strings.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/array.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/table.h"
#include "ir/types/type.h"

enum { UPDATE_NOEXIST = 1 };

/*
 * maximum size of a slot that is zeroed by stores; a larger slot gets a copy of the block of zeros
 */
#define ZEROS_STORED 128

static unsigned size_of(const struct var *v)
{
	return type_strip(v->type)->size;
}

/* ------------------------------------------------------------------- this-> */

bool this_of(bool hidden, const struct var *v)
{
	return v->scope == DECL_THIS && v->assigned && v->lib == hidden;
}

/*
 * Zeros all of slot @d, also the bytes after a string's text, because comparisons and keys include
 * them. If @copy, copies the block of zeros instead of storing zeros word by word.
 */
static void zero_slot(struct fire *g, struct dest d, bool copy)
{
	if (copy) {
		irb_copy(g->b, d.base, d.off, irb_global(g->b, g->layout->zeros_off), 0, d.size,
			 NOBLOCK);
		return;
	}
	for (uint32_t at = 0; at < d.size; at += 8)
		irb_storei(g->b, d.base, d.off + (int32_t)at, d.size - at < 8 ? 4 : 8, 0);
}

void this_room(struct fire *g)
{
	struct dest d;

	g->locals.reg = arena_newn(g->c->arena, int, g->c->names->nvar);
	g->locals.off = arena_newn(g->c->arena, int32_t, g->c->names->nvar);
	g->locals.memory.off = (int32_t)g->u->scratch_used;
	for (const struct var *v = g->c->names->vars; v; v = v->next) {
		if (!this_of(g->hidden, v) || !var_in_memory(v))
			continue;
		d = scratch_slot(g, v->size);
		g->locals.off[v->index] = d.off;
	}
	g->locals.memory.size = g->u->scratch_used - (uint32_t)g->locals.memory.off;
}

void this_init(struct fire *g)
{
	struct dest d;

	this_room(g);
	for (struct var *v = g->c->names->vars; v; v = v->next) {
		if (!this_of(g->hidden, v))
			continue;
		if (var_in_memory(v)) {
			d = (struct dest){.base = g->u->scratch_base,
					  .off = g->locals.off[v->index],
					  .size = v->size};
			zero_slot(g, d, d.size > ZEROS_STORED);
		} else if (type_is(v->type, T_STRING)) {
			d = scratch_slot(g, str_var_class(v).size);
			g->locals.off[v->index] = d.off;
			zero_slot(g, d, false); /* a slot of zeros is the empty text (DSTR_TEXT) */
		} else {
			g->locals.reg[v->index] = irb_var(g->b);
			irb_assign_imm(g->b, g->locals.reg[v->index], 0);
		}
	}
}

/* --------------------------------------------------------------------- maps */

static struct ir_arg map_arg(const struct var *v)
{
	return (struct ir_arg){ARG_MAP, 0, v->map};
}

static struct ir_arg dest_arg(struct fire *g, struct dest d)
{
	if (d.base == FRAME)
		return (struct ir_arg){ARG_FRAME, 0, d.off};
	return (struct ir_arg){ARG_REG, irb_addr(g->b, d.base, d.off), 0};
}

/* maximum size of a key that is built on the stack; larger keys are built in scratch memory */
#define KEY_ON_STACK 48

static struct dest key_dest(struct fire *g, uint32_t size)
{
	struct dest d;

	if (size > KEY_ON_STACK)
		return scratch_slot(g, size);
	d = (struct dest){.base = FRAME, .off = irb_frame(g->b, size), .size = size, .zero = true};
	return d;
}

/*
 * Sets @tid and the variable @cpu to the two u32s that identify the current thread: the thread's
 * number, and a part of its start time (0 in a replay), because the kernel uses the number again.
 * All idle threads have the number 0, so the second u32 of an idle thread is 1 + the number of the
 * CPU.
 */
static void current_thread(struct fire *g, int *tid, int *cpu)
{
	struct irb *b = g->b;
	int idle = irb_block(b, "idle"), done = irb_block(b, "thread");

	*cpu = irb_var(b);
	*tid = gen(g, g->c->wants->thread);
	if (g->c->opt->replay)
		irb_assign_imm(b, *cpu, 0);
	else
		irb_assign(b, *cpu, irb_bini(b, IR_SHR, *tid, 32));
	irb_bri(b, CC_EQ, g->c->opt->replay ? *tid : irb_ext(b, *tid, 4, false), 0, idle, done);
	irb_place(b, idle);
	irb_assign(b, *cpu,
		   irb_bini(b, IR_ADD,
			    irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL), 1));
	irb_jmp(b, done);
	irb_place(b, done);
}

/* Returns a register with both u32s of current_thread(), the first in the lower half. */
static int thread_word(struct fire *g)
{
	struct irb *b = g->b;
	int tid, cpu, high;

	current_thread(g, &tid, &cpu);
	high = irb_bini(b, IR_SHL, irb_value(b, cpu), 32);
	return irb_bin(b, IR_OR, irb_ext(b, tid, 4, false), high);
}

static struct ir_arg self_key(struct fire *g)
{
	struct dest d = key_dest(g, 8);
	int tid, cpu;

	current_thread(g, &tid, &cpu);
	irb_store(g->b, d.base, d.off, 4, tid);
	irb_store(g->b, d.base, d.off + 4, 4, cpu);
	return dest_arg(g, d);
}

/*
 * Zeros the bytes of a key between its fields @f, and after the last field. Also zeros the fields
 * that are not numbers, because the code that fills them may leave bytes out.
 */
static void zero_gaps(struct fire *g, const struct var *v, const struct field *f, struct dest d)
{
	uint32_t at = v->scope == DECL_SELF ? 8 : 0, step;

	for (uint32_t i = 0; i <= v->nkey; i++) {
		uint32_t end = i == v->nkey ? v->key_size : f[i].off;

		if (i < v->nkey && !type_is_scalar(type_strip(v->key[i])))
			end += f[i].size;
		for (; at < end; at += step) {
			step = at & 1 ? 1 : at & 2 || end - at < 4 ? 2 : 4;
			step = end - at < step ? 1 : step;
			irb_storei(g->b, d.base, d.off + (int32_t)at, step, 0);
		}
		if (i < v->nkey)
			at = f[i].off + f[i].size;
	}
}

static struct ir_arg assoc_key(struct fire *g, const struct var *v, const struct expr *e)
{
	struct dest d = key_dest(g, v->key_size);
	struct field *f = arena_newn(g->c->arena, struct field, v->nkey);
	/* before the stores, because irb_take_words() finds only stores of one block */
	int thread = v->scope == DECL_SELF ? thread_word(g) : NOREG;

	key_layout(v->key, v->key_class, v->nkey, v->scope == DECL_SELF ? 8 : 0, f);
	zero_gaps(g, v, f, d);
	for (uint32_t i = 0; i < v->nkey; i++)
		gen_key_field(g, e->arg[i], v->key[i],
			      (struct dest){d.base, d.off + (int32_t)f[i].off, f[i].size, true,
					    str_is_text(v->key_class[i]), NULL_FAULT});
	if (v->scope == DECL_SELF)
		irb_store(g->b, d.base, d.off, 8, thread);
	return dest_arg(g, d);
}

static struct ir_arg var_key(struct fire *g, const struct var *v, const struct expr *e)
{
	return v->assoc ? assoc_key(g, v, e) : self_key(g);
}

static int map_lookup(struct fire *g, const struct var *v, struct ir_arg key)
{
	return irb_call(g->b, IR_CALL, HELPER_map_lookup_elem, 2,
			(struct ir_arg[]){map_arg(v), key});
}

/*
 * Returns a register with the address of the entry in the map of @v, or with 0 if the entry is
 * missing. Frees the stack memory of the key.
 */
static int map_find(struct fire *g, const struct var *v, const struct expr *e)
{
	int32_t frame = irb_frame_mark(g->b);
	int p = map_lookup(g, v, var_key(g, v, e));

	irb_frame_release(g->b, frame);
	return p;
}

/* --------------------------------------------------------------- in the arena */

static bool in_arena(const struct fire *g, const struct var *v)
{
	return g->layout->map.v[v->map].kind == MAP_ARRAY;
}

bool var_in_arena(const struct fire *g, const struct var *v)
{
	return var_in_map(v) && in_arena(g, v);
}

/* Makes the key of @v, in registers if possible. @word has room for the registers. */
static struct array_key array_key(struct fire *g, const struct var *v, const struct expr *e,
				  int *word)
{
	struct array_key k;
	struct ir_arg arg[TABLE_KEY_MAX / 8];

	if (!v->assoc) {
		k = (struct array_key){.at = dest_arg(g, key_dest(g, 8)), .word = word};
		word[0] = thread_word(g);
		return k;
	}
	k = (struct array_key){.at = assoc_key(g, v, e)};
	if (k.at.kind != ARG_FRAME || !irb_take_words(g->b, (int32_t)k.at.imm, v->key_size, 0, arg))
		return k;
	for (uint32_t i = 0; i < v->key_size / 8; i++)
		word[i] = arg[i].kind == ARG_REG ? arg[i].reg : irb_const(g->b, arg[i].imm);
	k.word = word;
	return k;
}

static int array_load(struct fire *g, const struct var *v, const struct expr *e)
{
	struct array_ref t = array_of(g->layout, v->map);
	int32_t frame = irb_frame_mark(g->b);
	int word[TABLE_KEY_MAX / 8], value;
	int get = array_func(g, ARRAY_GET, v->map);

	value = irb_array_read(g->b, &t, array_key(g, v, e, word), get);
	irb_frame_release(g->b, frame);
	return value;
}

static void array_store(struct fire *g, const struct var *v, const struct expr *e, int value)
{
	struct irb *b = g->b;
	struct array_ref t = array_of(g->layout, v->map);
	int32_t frame = irb_frame_mark(b);
	int word[TABLE_KEY_MAX / 8], done = irb_block(b, "done"), full = irb_cold_block(b, "full");
	int set = array_func(g, ARRAY_SET, v->map);

	irb_array_write(b, &t, array_key(g, v, e, word), value, set, done, full);
	irb_place(b, full);
	irb_count(b, offsetof(struct percpu, dyn_drops));
	irb_jmp(b, done);
	irb_place(b, done);
	irb_frame_release(b, frame);
}

/* Calls function @which of the array of @v with the key @key and a value at @at. */
static int call_array(struct fire *g, const struct var *v, enum array_func which, struct ir_arg key,
		      struct ir_arg at)
{
	struct ir_arg number = {ARG_IMM, 0, g->layout->map.v[v->map].table};

	return irb_call(g->b, IR_LCALL, array_func(g, which, v->map), which == ARRAY_DROP ? 2 : 3,
			(struct ir_arg[]){number, key, at});
}

/*
 * Returns the slot to which array_copy() can copy @v, a string or struct: @d if it fits, else a new
 * one.
 */
static struct dest copy_dest(struct fire *g, const struct var *v, struct dest d)
{
	bool fits = d.base == g->u->scratch_base && d.off % 8 == 0 &&
		    d.size >= g->layout->map.v[v->map].memory;

	return fits ? d : scratch_slot(g, v->size);
}

/*
 * Copies @v, a string or struct, from its array to slot @d. Returns a register that is not 0 if the
 * array has the key. If other programs changed the value during each attempt, counts a lost store
 * and returns 0.
 */
static int array_copy(struct fire *g, const struct var *v, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int32_t frame = irb_frame_mark(b);
	struct ir_arg key = var_key(g, v, e);
	int r = call_array(g, v, ARRAY_COPY, key, dest_arg(g, d)), found = irb_var(b);
	int busy = irb_cold_block(b, "busy"), done = irb_block(b, "copied");

	irb_frame_release(b, frame);
	irb_assign(b, found, r);
	irb_bri(b, CC_EQ, r, ARRAY_BUSY, busy, done);
	irb_place(b, busy);
	irb_count(b, offsetof(struct percpu, dyn_drops));
	irb_assign_imm(b, found, 0);
	irb_jmp(b, done);
	irb_place(b, done);
	return irb_value(b, found);
}

/* ----------------------------------------------------------------- in hashes */

static int map_load(struct fire *g, const struct var *v, const struct expr *e)
{
	struct irb *b = g->b;
	int p = map_find(g, v, e), value = irb_var(b);
	int found = irb_block(b, "found"), done = irb_block(b, "loaded");

	irb_assign_imm(b, value, 0);
	irb_bri(b, CC_EQ, p, 0, done, found);
	irb_place(b, found);
	irb_assign(b, value, irb_loadv(b, p, 0, size_of(v), type_is_signed(v->type)));
	irb_jmp(b, done);
	irb_place(b, done);
	return value;
}

/*
 * Sets entry @key, which may be missing, to the value at @value. If the map is full, counts a lost
 * store.
 */
static void map_insert(struct fire *g, const struct var *v, struct ir_arg key, struct ir_arg value)
{
	struct irb *b = g->b;
	int r = in_arena(g, v)
			? call_array(g, v, ARRAY_SET, key, value)
			: irb_call(b, IR_CALL, HELPER_map_update_elem, 4,
				   (struct ir_arg[]){map_arg(v), key, value, {ARG_IMM, 0, 0}});
	int full = irb_cold_block(b, "full"), done = irb_block(b, "stored");

	irb_bri(b, CC_EQ, r, 0, done, full);
	irb_place(b, full);
	irb_count(b, offsetof(struct percpu, dyn_drops));
	irb_jmp(b, done);
	irb_place(b, done);
}

/* ---------------------------------------------------------- with the thread */

enum { STORAGE_CREATE = 1 };

static int task_storage(struct fire *g, const struct var *v, int64_t flags)
{
	return irb_call(g->b, IR_CALL, HELPER_task_storage_get, 4,
			(struct ir_arg[]){map_arg(v),
					  {ARG_REG, irb_task(g->b), 0},
					  {ARG_IMM, 0, 0},
					  {ARG_IMM, 0, flags}});
}

/*
 * Returns a register with the address of the thread's storage, or with NULL if the thread has none.
 * The unit looks the storage up once, and again after a store that may have created the storage.
 */
static int storage_find(struct fire *g, const struct var *v)
{
	int p = irb_memo_find(g->b, g->u, g->u->storage_version);

	if (p != NOREG)
		return p;
	p = task_storage(g, v, 0);
	irb_memo_add(g->b, g->u, g->u->storage_version, p);
	return p;
}

/*
 * As storage_find(), but creates missing storage. The result is NULL only if the kernel has no
 * memory.
 */
static int storage_make(struct fire *g, const struct var *v)
{
	struct unit_build *u = g->u;
	int p = irb_memo_find(g->b, &u->storage_version, u->storage_version);

	if (p != NOREG)
		return p;
	p = task_storage(g, v, STORAGE_CREATE);
	u->storage_version++; /* storage that was missing before may exist now */
	irb_memo_add(g->b, u, u->storage_version, p);
	irb_memo_add(g->b, &u->storage_version, u->storage_version, p);
	return p;
}

static int kept_find(struct fire *g, const struct var *v, const struct expr *e)
{
	return v->with_socket ? socket_find(g, e) : storage_find(g, v);
}

static int kept_make(struct fire *g, const struct var *v, const struct expr *e)
{
	return v->with_socket ? socket_make(g, e) : storage_make(g, v);
}

static bool with_object(const struct var *v)
{
	return v->with_task || v->with_socket;
}

static int storage_load(struct fire *g, const struct var *v, const struct expr *e)
{
	struct irb *b = g->b;
	int p = kept_find(g, v, e), value = irb_var(b);
	int found = irb_block(b, "kept"), done = irb_block(b, "loaded");

	irb_assign_imm(b, value, 0);
	irb_bri(b, CC_EQ, p, 0, done, found);
	irb_place(b, found);
	irb_assign(b, value, irb_loadv(b, p, v->off, size_of(v), type_is_signed(v->type)));
	irb_jmp(b, done);
	irb_place(b, done);
	return value;
}

/*
 * Stores @value in the storage of the thread or socket. A constant 0 does not create the storage,
 * because missing storage reads as 0.
 */
static void storage_store(struct fire *g, const struct var *v, const struct expr *e, int value)
{
	struct irb *b = g->b;
	int found = irb_block(b, "kept"), none = irb_cold_block(b, "none"),
	    done = irb_block(b, "stored");
	int64_t known;
	bool zero = irb_is_const(b, value, &known) && !known;
	int p = zero ? kept_find(g, v, e) : kept_make(g, v, e);

	irb_bri(b, CC_EQ, p, 0, none, found);
	irb_place(b, found);
	irb_store(b, p, v->off, size_of(v), value);
	irb_jmp(b, done);
	irb_place(b, none);
	if (!zero)
		irb_count(b, offsetof(struct percpu, dyn_drops));
	irb_jmp(b, done);
	irb_place(b, done);
}

int var_claim(struct fire *g, const struct expr *e)
{
	const struct var *v = e->ref.var;
	struct irb *b = g->b;
	int32_t frame = irb_frame_mark(b), slot = irb_frame(b, 8);
	struct ir_arg key;
	int r;

	irb_storei(b, FRAME, slot, 8, 1);
	key = var_key(g, v, e);
	r = irb_call(b, IR_CALL, HELPER_map_update_elem, 4,
		     (struct ir_arg[]){map_arg(v),
				       key,
				       {ARG_FRAME, 0, slot},
				       {ARG_IMM, 0, UPDATE_NOEXIST}});
	irb_frame_release(b, frame);
	return irb_set(b, CC_EQ, r, irb_const(b, 0));
}

/* A store of a number in an entry of a hash. Storing 0 deletes the entry. */
struct storing {
	struct ir_arg map, key;
	int value;
	unsigned size;
	int32_t slot; /* frame offset of the value, for a new entry */
	/* block after a successful store, and block for a store that finds the map full */
	int done, full;
};

static void put_in_slot(struct irb *b, struct storing *s)
{
	s->slot = irb_frame(b, 8);
	irb_storei(b, FRAME, s->slot, 8, 0);
	irb_store(b, FRAME, s->slot, s->size, s->value);
}

static void store_number(struct irb *b, const struct storing *s)
{
	int erase = irb_block(b, "erase"), keep = irb_block(b, "keep"),
	    found = irb_block(b, "found");
	int fresh = irb_block(b, "new"), p, r;

	irb_bri(b, CC_EQ, s->value, 0, erase, keep);
	irb_place(b, erase);
	irb_call(b, IR_CALL, HELPER_map_delete_elem, 2, (struct ir_arg[]){s->map, s->key});
	irb_jmp(b, s->done);
	irb_place(b, keep);
	p = irb_call(b, IR_CALL, HELPER_map_lookup_elem, 2, (struct ir_arg[]){s->map, s->key});
	irb_bri(b, CC_EQ, p, 0, fresh, found);
	irb_place(b, found);
	irb_store(b, p, 0, s->size, s->value);
	irb_jmp(b, s->done);
	irb_place(b, fresh);
	r = irb_call(b, IR_CALL, HELPER_map_update_elem, 4,
		     (struct ir_arg[]){s->map, s->key, {ARG_FRAME, 0, s->slot}, {ARG_IMM, 0, 0}});
	irb_bri(b, CC_EQ, r, 0, s->done, s->full);
}

/*
 * A variable that is stored at many places has a function that stores it. The parameters are the
 * key and the value. The function returns 1 if the map has no room. The variant of the routine has
 * the map's index and log2 of the value's size. The kernel verifies this function at each call:
 * Linux 6.1 accepts only keys on the stack or in a map, and a function that is verified once does
 * not know where its parameter points.
 */
#define MANY_STORES 8
#define STORE_WITH(map, log) ((uint32_t)(map) << 2 | (log))

static void make_store(struct irb *b, struct routines *all, uint32_t with)
{
	struct storing s = {.map = {ARG_MAP, 0, with >> 2}, .size = 1u << (with & 3)};

	(void)all;
	s.key = (struct ir_arg){ARG_REG, irb_param(b, 0), 0};
	s.value = irb_param(b, 1);
	put_in_slot(b, &s);
	s.done = irb_block(b, "stored");
	s.full = irb_block(b, "full");
	store_number(b, &s);
	irb_place(b, s.full);
	irb_ret_reg(b, irb_const(b, 1));
	irb_place(b, s.done);
	irb_ret(b);
}

static const struct routine storer = {"store", make_store, NULL};

static bool stored_often(const struct var *v)
{
	return v->nassign >= MANY_STORES;
}

static void store_by_routine(struct fire *g, const struct var *v, const struct storing *s)
{
	uint32_t log = 0;
	struct ir_arg value = {ARG_REG, irb_scalar(g->b, s->value), 0};

	while (1u << log < s->size)
		log++;
	irb_bri(g->b, CC_EQ,
		gen_routine(g, &storer, STORE_WITH(v->map, log), 2,
			    (struct ir_arg[]){s->key, value}),
		0, s->done, s->full);
}

static void map_store(struct fire *g, const struct var *v, const struct expr *e, int value)
{
	struct irb *b = g->b;
	int32_t frame = irb_frame_mark(b);
	struct storing s = {.map = map_arg(v), .value = value, .size = size_of(v)};

	if (!stored_often(v))
		put_in_slot(b, &s);
	s.key = var_key(g, v, e);
	s.done = irb_block(b, "done");
	s.full = irb_cold_block(b, "full");
	if (stored_often(v))
		store_by_routine(g, v, &s);
	else
		store_number(b, &s);
	irb_place(b, s.full);
	irb_count(b, offsetof(struct percpu, dyn_drops));
	irb_jmp(b, s.done);
	irb_place(b, s.done);
	irb_frame_release(b, frame);
}

/* ------------------------------------------------------------------- memory */

/*
 * Returns a register with the address of the entry to read. If the entry is missing, the register
 * has the address of the block of zeros.
 */
static int map_or_zeros(struct fire *g, const struct var *v, const struct expr *e)
{
	struct irb *b = g->b;
	int p = map_find(g, v, e), at = irb_var(b);
	int found = irb_block(b, "found"), done = irb_block(b, "entry");

	irb_assign(b, at, irb_global(b, g->layout->zeros_off));
	irb_bri(b, CC_EQ, p, 0, done, found);
	irb_place(b, found);
	irb_assign(b, at, p);
	irb_jmp(b, done);
	irb_place(b, done);
	return at;
}

/*
 * Returns a register with the address of the entry to write. A new entry has zeros. If the map is
 * full, returns the address of scratch memory that is never read, and counts a lost store.
 */
static int map_make(struct fire *g, const struct var *v, const struct expr *e)
{
	struct irb *b = g->b;
	int32_t frame = irb_frame_mark(b);
	struct ir_arg key = var_key(g, v, e);
	struct dest nowhere = scratch_slot(g, v->size);
	int found = irb_block(b, "found"), fresh = irb_block(b, "new"), made = irb_block(b, "made");
	int full = irb_cold_block(b, "full"), done = irb_block(b, "entry");
	int p = map_lookup(g, v, key), at = irb_var(b), q;

	irb_assign(b, at, irb_addr(b, nowhere.base, nowhere.off));
	irb_bri(b, CC_EQ, p, 0, fresh, found);
	irb_place(b, found);
	irb_assign(b, at, p);
	irb_jmp(b, done);
	irb_place(b, fresh);
	irb_call(b, IR_CALL, HELPER_map_update_elem, 4,
		 (struct ir_arg[]){map_arg(v),
				   key,
				   {ARG_GLOBAL, 0, g->layout->zeros_off},
				   {ARG_IMM, 0, UPDATE_NOEXIST}});
	q = map_lookup(g, v, key);
	irb_bri(b, CC_EQ, q, 0, full, made);
	irb_place(b, made);
	irb_assign(b, at, q);
	irb_jmp(b, done);
	irb_place(b, full);
	irb_count(b, offsetof(struct percpu, dyn_drops));
	irb_jmp(b, done);
	irb_place(b, done);
	irb_frame_release(b, frame);
	return at;
}

static struct mem slot_mem(struct fire *g, const struct var *v)
{
	if (v->scope == DECL_THIS)
		return (struct mem){.base = g->u->scratch_base,
				    .off = g->locals.off[v->index],
				    .own = true,
				    .lib = true};
	return (struct mem){.base = irb_global(g->b, v->off), .own = true, .lib = true};
}

/* Returns a slot with a copy of the struct of @v, whose map is in the arena. */
static struct mem array_mem(struct fire *g, const struct var *v, const struct expr *e)
{
	struct irb *b = g->b;
	struct dest d = scratch_slot(g, v->size);
	int found = array_copy(g, v, e, d);
	int none = irb_block(b, "zeros"), done = irb_block(b, "struct");

	irb_bri(b, CC_EQ, found, 0, none, done);
	irb_place(b, none);
	zero_slot(g, d, d.size > ZEROS_STORED);
	irb_jmp(b, done);
	irb_place(b, done);
	return (struct mem){.base = d.base, .off = d.off, .own = true, .lib = true};
}

struct mem var_mem(struct fire *g, const struct var *v, const struct expr *e, bool write)
{
	if (!var_in_map(v))
		return slot_mem(g, v);
	if (in_arena(g, v) && write)
		BUG("%s: a part of a struct in the arena is assigned", v->name);
	if (in_arena(g, v))
		return array_mem(g, v, e);
	return (struct mem){.base = write ? map_make(g, v, e) : map_or_zeros(g, v, e),
			    .own = true,
			    .lib = true};
}

struct mem var_store_mem(struct fire *g, const struct var *v, const struct expr *e, struct mem from)
{
	struct dest d = scratch_slot(g, v->size);
	int32_t frame;
	struct ir_arg key;

	mem_copy_whole(g, from, d, 0, type_strip(v->type)->size);
	frame = irb_frame_mark(g->b);
	key = var_key(g, v, e);
	map_insert(g, v, key, dest_arg(g, d));
	irb_frame_release(g->b, frame);
	return (struct mem){.base = d.base, .off = d.off, .own = true, .lib = true};
}

/* ------------------------------------------------------------------ scalars */

int var_load(struct fire *g, const struct var *v, const struct expr *e)
{
	/*
	 * The value is 0: the kernel has no hook for the clauses that assign @v, or this code never
	 * runs.
	 */
	if ((v->lib && !v->assigned) || (var_in_map(v) && !var_is_kept(v)))
		return irb_const(g->b, 0);
	if (with_object(v))
		return storage_load(g, v, e);
	if (var_in_map(v))
		return in_arena(g, v) ? array_load(g, v, e) : map_load(g, v, e);
	if (v->scope == DECL_THIS)
		return v->assigned ? g->locals.reg[v->index] : irb_const(g->b, 0);
	return irb_loadv(g->b, irb_global(g->b, v->off), 0, size_of(v), type_is_signed(v->type));
}

void var_store(struct fire *g, const struct var *v, const struct expr *e, int value)
{
	if (with_object(v))
		storage_store(g, v, e, value);
	else if (var_in_arena(g, v))
		array_store(g, v, e, value);
	else if (var_in_map(v))
		map_store(g, v, e, value);
	else if (v->scope == DECL_THIS)
		irb_assign(g->b, g->locals.reg[v->index], value);
	else
		irb_store(g->b, irb_global(g->b, v->off), 0, size_of(v), value);
}

/* ------------------------------------------------------------------ strings */

static void store_empty(struct fire *g, struct dest d)
{
	for (uint32_t i = 0; i < (d.zero ? d.size : 8); i += 4)
		irb_storei(g->b, d.base, d.off + (int32_t)i, 4, 0);
}

void var_load_str(struct fire *g, const struct var *v, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int p, found, none, done;
	uint32_t n = str_var_class(v).size < d.size ? str_var_class(v).size : d.size;
	struct mem from = {.off = v->off, .own = true, .lib = true};
	struct dest copy;

	bool kept = v->assigned && (!var_in_map(v) || var_is_kept(v));

	if (!kept && var_in_map(v))
		gen_str_null(g, e, d);
	else if (!kept)
		store_empty(g, d);
	if (!kept)
		return;
	/* zero the bytes after those that are copied below */
	for (uint32_t i = n; d.zero && i < d.size; i += 4)
		irb_storei(b, d.base, d.off + (int32_t)i, 4, 0);
	if (!var_in_map(v)) {
		mem_copy(g, slot_mem(g, v), d, 0, n);
		return;
	}
	if (!v->with_socket && in_arena(g, v)) {
		copy = copy_dest(g, v, d);
		p = array_copy(g, v, e, copy);
		from.base = copy.base;
		from.off = copy.off;
	} else {
		p = v->with_socket ? socket_find(g, e) : map_find(g, v, e);
		from.base = p;
	}
	found = irb_block(b, "found");
	none = irb_block(b, "not set");
	done = irb_block(b, "string");
	irb_bri(b, CC_EQ, p, 0, none, found);
	irb_place(b, found);
	if (from.base != d.base || from.off != d.off)
		mem_copy(g, from, d, 0, n);
	irb_jmp(b, done);
	irb_place(b, none);
	gen_str_null(g, e, d);
	irb_jmp(b, done);
	irb_place(b, done);
}

static void erase(struct fire *g, const struct var *v, struct ir_arg key)
{
	if (in_arena(g, v))
		call_array(g, v, ARRAY_DROP, key, key);
	else
		irb_call(g->b, IR_CALL, HELPER_map_delete_elem, 2,
			 (struct ir_arg[]){map_arg(v), key});
}

void var_erase(struct fire *g, const struct var *v, const struct expr *e)
{
	int32_t frame = irb_frame_mark(g->b);

	erase(g, v, var_key(g, v, e));
	irb_frame_release(g->b, frame);
}

/*
 * Stores the string in slot @d in the entry of @v in its map. If the string is NULL at run time,
 * deletes the entry.
 */
static void store_entry(struct fire *g, const struct var *v, const struct expr *e, struct dest d,
			bool may_be_null)
{
	struct irb *b = g->b;
	struct ir_arg key = var_key(g, v, e);
	int null, some, done;

	if (!may_be_null) {
		map_insert(g, v, key, dest_arg(g, d));
		return;
	}
	null = irb_block(b, "null");
	some = irb_block(b, "not null");
	done = irb_block(b, "stored");
	branch_null(g, d, null, some);
	irb_place(b, null);
	erase(g, v, key);
	irb_jmp(b, done);
	irb_place(b, some);
	map_insert(g, v, key, dest_arg(g, d));
	irb_jmp(b, done);
	irb_place(b, done);
}

/*
 * Writes string @value, which is not NULL, to the memory of the socket. Uses no scratch memory,
 * because a program that needs it looks it up at each event, even if it rarely stores.
 */
static struct dest store_with_socket(struct fire *g, const struct var *v, const struct expr *e,
				     const struct expr *value)
{
	struct irb *b = g->b;
	struct dest d = {.base = socket_make(g, e),
			 .off = v->off,
			 .size = v->size,
			 .zero = true,
			 .null = NULL_KEEP,
			 .text = str_is_text(str_var_class(v))};
	int found = irb_block(b, "kept"), none = irb_cold_block(b, "none"),
	    done = irb_block(b, "stored");

	irb_bri(b, CC_EQ, d.base, 0, none, found);
	irb_place(b, found);
	gen_str(g, value, d);
	irb_jmp(b, done);
	irb_place(b, none);
	irb_count(b, offsetof(struct percpu, dyn_drops));
	irb_jmp(b, done);
	irb_place(b, done);
	return d;
}

struct dest var_store_str(struct fire *g, const struct var *v, const struct expr *e,
			  const struct expr *value)
{
	struct dest d;
	struct mem from, to;

	if (v->with_socket)
		return store_with_socket(g, v, e, value);
	/* A store to a map reads all of the slot, so the slot is as large as the variable. */
	d = scratch_slot(g, v->size);
	from = (struct mem){.base = d.base, .off = d.off, .own = true, .lib = true};
	d.null = NULL_KEEP;
	d.text = str_is_text(str_var_class(v));
	gen_str(g, value, d);
	if (var_in_map(v) && str_is_null(value)) {
		erase(g, v, var_key(g, v, e));
		return d;
	}
	if (var_in_map(v)) {
		store_entry(g, v, e, d, str_class(g->c, value).forms & 1u << DSTR_NULL);
		return d;
	}
	to = slot_mem(g, v);
	mem_copy(g, from, (struct dest){.base = to.base, .off = to.off, .size = d.size}, 0, d.size);
	return d;
}
