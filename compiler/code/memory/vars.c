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
 * A live program uses an element of a hash only as a whole. While it reads the element, another CPU
 * may delete it, and the kernel may at once use its memory for another key. So the program copies
 * the value, and tests a check word that follows the value: the hash of key and value. A store
 * replaces the element, and never writes to memory that another key may have.
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
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/table.h"
#include "ir/table_code.h"
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

/* ----------------------------------------------------------------- in hashes */

/* maximum size of memory that is hashed by inline code */
#define SUM_INLINE 32

/*
 * Continues the hash @sum (register) with the @size bytes at @base + @off. Returns a register. A
 * word on the stack may be what the verifier takes for a pointer, so each becomes a number.
 */
static int sum_words(struct irb *b, int sum, int base, int32_t off, uint32_t size)
{
	int factor = irb_const(b, (int64_t)TABLE_HASH_FACTOR), word;

	for (uint32_t at = 0, n; at < size; at += n) {
		for (n = 8; n > size - at;)
			n /= 2;
		word = irb_loadv(b, base, off + (int32_t)at, n, false);
		if (base == FRAME && n == 8)
			word = irb_neg(b, irb_neg(b, word));
		sum = irb_table_hash(b, sum, word, factor);
	}
	return sum;
}

static void make_sum(struct irb *b, struct routines *all, uint32_t size)
{
	int sum = irb_param(b, 0), at = irb_param(b, 1);

	(void)all;
	irb_ret_reg(b, sum_words(b, sum, at, 0, size));
}

static uint32_t sum_params(uint32_t size, uint32_t sizes[FUNC_PARAMS])
{
	sizes[0] = 0;
	sizes[1] = size;
	return 2;
}

static const struct routine summer = {"sum", make_sum, sum_params};

static int sum_memory(struct fire *g, int sum, struct ir_arg at, uint32_t size)
{
	if (size > SUM_INLINE)
		return gen_routine(g, &summer, size, 2, (struct ir_arg[]){arg_reg(sum), at});
	if (at.kind == ARG_FRAME)
		return sum_words(g->b, sum, FRAME, (int32_t)at.imm, size);
	return sum_words(g->b, sum, at.reg, 0, size);
}

/* Returns the size of the check word that follows a value of a hash: 0 in replay. */
static uint32_t check_size(const struct fire *g)
{
	return g->c->opt->replay ? 0 : 8;
}

/* Returns a register with the hash of the key. In replay, elements have no check words. */
static int sum_key(struct fire *g, const struct var *v, struct ir_arg key)
{
	return check_size(g) ? sum_memory(g, irb_const(g->b, v->map), key, v->key_size) : NOREG;
}

/* Returns a slot for a value of @v and the check word that follows it. */
static struct dest element_slot(struct fire *g, const struct var *v)
{
	struct dest d = scratch_slot(g, v->size + check_size(g));

	d.size = v->size;
	return d;
}

/*
 * One attempt to read a number. Sets the variable @value and jumps to @done if the check word is
 * right. Otherwise, another CPU has just changed the element, and the code continues in a new
 * block. Jumps to @none if the hash has no such key. If @none is NOBLOCK, the code continues in the
 * new block then, too: while another CPU replaces an element, the kernel may miss the key.
 */
static void try_load(struct fire *g, const struct var *v, struct ir_arg key, int sum, int value,
		     int done, int none)
{
	struct irb *b = g->b;
	int p = map_lookup(g, v, key), factor, word, check;
	int found = irb_block(b, "found"), right = irb_block(b, "right");
	int wrong = check_size(g) ? irb_cold_block(b, "changed") : NOBLOCK;

	irb_bri(b, CC_EQ, p, 0, none == NOBLOCK ? wrong : none, found);
	irb_place(b, found);
	word = irb_loadv(b, p, 0, 8, false);
	if (check_size(g)) {
		factor = irb_const(b, (int64_t)TABLE_HASH_FACTOR);
		check = irb_loadv(b, p, (int32_t)v->size, 8, false);
		irb_br(b, CC_EQ, irb_table_hash(b, sum, word, factor), check, right, wrong);
	} else {
		irb_jmp(b, right);
	}
	irb_place(b, right);
	irb_assign(b, value, irb_ext(b, word, size_of(v), type_is_signed(v->type)));
	irb_jmp(b, done);
	if (wrong != NOBLOCK)
		irb_place(b, wrong);
}

static int map_load(struct fire *g, const struct var *v, const struct expr *e)
{
	struct irb *b = g->b;
	int32_t frame = irb_frame_mark(b);
	struct ir_arg key = var_key(g, v, e);
	int sum = sum_key(g, v, key), value = irb_var(b), done = irb_block(b, "loaded");

	irb_assign_imm(b, value, 0);
	try_load(g, v, key, sum, value, done, check_size(g) ? NOBLOCK : done);
	if (check_size(g)) {
		try_load(g, v, key, sum, value, done, done);
		irb_count(b, offsetof(struct percpu, dyn_drops));
		irb_jmp(b, done);
	}
	irb_place(b, done);
	irb_frame_release(b, frame);
	return value;
}

/* As try_load(), but copies a string or struct to slot @d, and sets @found to 1 if the key exists.
 */
static void try_copy(struct fire *g, const struct var *v, struct ir_arg key, int sum, int found,
		     struct dest d, int done, int none)
{
	struct irb *b = g->b;
	int p = map_lookup(g, v, key), check;
	int some = irb_block(b, "found"), right = irb_block(b, "right");
	int wrong = check_size(g) ? irb_cold_block(b, "changed") : NOBLOCK;

	irb_bri(b, CC_EQ, p, 0, none == NOBLOCK ? wrong : none, some);
	irb_place(b, some);
	mem_copy(g, (struct mem){.base = p, .own = true, .lib = true}, d, 0, v->size);
	if (check_size(g)) {
		check = irb_loadv(b, p, (int32_t)v->size, 8, false);
		irb_br(b, CC_EQ, sum_memory(g, sum, dest_arg(g, d), v->size), check, right, wrong);
	} else {
		irb_jmp(b, right);
	}
	irb_place(b, right);
	irb_assign_imm(b, found, 1);
	irb_jmp(b, done);
	if (wrong != NOBLOCK)
		irb_place(b, wrong);
}

/*
 * Copies the value of @key, a string or struct, to slot @d. Returns a register that is 0 if there
 * is no such key. If other CPUs changed the element during both attempts, counts a lost store and
 * returns 0.
 */
static int map_copy(struct fire *g, const struct var *v, struct ir_arg key, struct dest d)
{
	struct irb *b = g->b;
	int sum = sum_key(g, v, key), found = irb_var(b), done = irb_block(b, "copied");

	irb_assign_imm(b, found, 0);
	try_copy(g, v, key, sum, found, d, done, check_size(g) ? NOBLOCK : done);
	if (check_size(g)) {
		try_copy(g, v, key, sum, found, d, done, done);
		irb_count(b, offsetof(struct percpu, dyn_drops));
		irb_jmp(b, done);
	}
	irb_place(b, done);
	return irb_value(b, found);
}

/*
 * Replaces element @key, which may be missing, by the value at @value. The value is an
 * element_slot(), whose check word this function sets. If the map is full, counts a lost store.
 */
static void map_insert(struct fire *g, const struct var *v, struct ir_arg key, struct dest value)
{
	struct irb *b = g->b;
	struct ir_arg at = dest_arg(g, value);
	int full = irb_cold_block(b, "full"), done = irb_block(b, "stored"), r;

	if (check_size(g))
		irb_store(b, value.base, value.off + (int32_t)v->size, 8,
			  sum_memory(g, sum_key(g, v, key), at, v->size));
	r = irb_call(b, IR_CALL, HELPER_map_update_elem, 4,
		     (struct ir_arg[]){map_arg(v), key, at, {ARG_IMM, 0, 0}});
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
	int32_t frame = irb_frame_mark(b), slot = irb_frame(b, 16);
	struct ir_arg key;
	int r;

	irb_storei(b, FRAME, slot, 8, 1);
	key = var_key(g, v, e);
	if (check_size(g))
		irb_store(b, FRAME, slot + 8, 8, sum_words(b, sum_key(g, v, key), FRAME, slot, 8));
	r = irb_call(b, IR_CALL, HELPER_map_update_elem, 4,
		     (struct ir_arg[]){map_arg(v),
				       key,
				       {ARG_FRAME, 0, slot},
				       {ARG_IMM, 0, UPDATE_NOEXIST}});
	irb_frame_release(b, frame);
	return irb_set(b, CC_EQ, r, irb_const(b, 0));
}

/* A store of a number in an element of a hash. Storing 0 deletes the element. */
struct storing {
	struct ir_arg map, key;
	int sum; /* register with the hash of the key; NOREG in replay */
	int value;
	unsigned size;
	int32_t slot; /* frame offset of the value and the check word */
	/* block after a successful store, and block for a store that finds the map full */
	int done, full;
};

static void put_in_slot(struct irb *b, struct storing *s)
{
	s->slot = irb_frame(b, 16);
	irb_storei(b, FRAME, s->slot, 8, 0);
	irb_store(b, FRAME, s->slot, s->size, irb_scalar(b, s->value));
	if (s->sum != NOREG)
		irb_store(b, FRAME, s->slot + 8, 8, sum_words(b, s->sum, FRAME, s->slot, 8));
}

static void store_number(struct irb *b, const struct storing *s)
{
	int erase = irb_block(b, "erase"), keep = irb_block(b, "keep"), r;

	irb_bri(b, CC_EQ, s->value, 0, erase, keep);
	irb_place(b, erase);
	irb_call(b, IR_CALL, HELPER_map_delete_elem, 2, (struct ir_arg[]){s->map, s->key});
	irb_jmp(b, s->done);
	irb_place(b, keep);
	r = irb_call(b, IR_CALL, HELPER_map_update_elem, 4,
		     (struct ir_arg[]){s->map, s->key, {ARG_FRAME, 0, s->slot}, {ARG_IMM, 0, 0}});
	irb_bri(b, CC_EQ, r, 0, s->done, s->full);
}

/*
 * A variable that is stored at many places has a function that stores it. The parameters are the
 * key, the value, and the hash of the key. The function returns 1 if the map has no room. The
 * variant of the routine has the map's index and log2 of the value's size. The kernel verifies this
 * function at each call: Linux 6.1 accepts only keys on the stack or in a map, and a function that
 * is verified once does not know where its parameter points.
 */
#define MANY_STORES 8
#define STORE_WITH(map, log) ((uint32_t)(map) << 2 | (log))

static void make_store(struct irb *b, struct routines *all, uint32_t with)
{
	struct storing s = {.map = {ARG_MAP, 0, with >> 2}, .size = 1u << (with & 3)};

	s.key = (struct ir_arg){ARG_REG, irb_param(b, 0), 0};
	s.value = irb_param(b, 1);
	s.sum = all->c->opt->replay ? NOREG : irb_param(b, 2);
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
		gen_routine(g, &storer, STORE_WITH(v->map, log), s->sum == NOREG ? 2 : 3,
			    (struct ir_arg[]){s->key, value, arg_reg(s->sum)}),
		0, s->done, s->full);
}

static void map_store(struct fire *g, const struct var *v, const struct expr *e, int value)
{
	struct irb *b = g->b;
	int32_t frame = irb_frame_mark(b);
	struct storing s = {.map = map_arg(v), .value = value, .size = size_of(v)};

	s.key = var_key(g, v, e);
	s.sum = sum_key(g, v, s.key);
	s.done = irb_block(b, "done");
	s.full = irb_cold_block(b, "full");
	if (stored_often(v)) {
		store_by_routine(g, v, &s);
	} else {
		put_in_slot(b, &s);
		store_number(b, &s);
	}
	irb_place(b, s.full);
	irb_count(b, offsetof(struct percpu, dyn_drops));
	irb_jmp(b, s.done);
	irb_place(b, s.done);
	irb_frame_release(b, frame);
}

/* ------------------------------------------------------------------- memory */

static struct mem slot_mem(struct fire *g, const struct var *v)
{
	if (v->scope == DECL_THIS)
		return (struct mem){.base = g->u->scratch_base,
				    .off = g->locals.off[v->index],
				    .own = true,
				    .lib = true};
	return (struct mem){.base = irb_global(g->b, v->off), .own = true, .lib = true};
}

/* Copies the struct or array of key @key of @v to slot @d, or zeros if there is no such key. */
static void copy_or_zero(struct fire *g, const struct var *v, struct ir_arg key, struct dest d)
{
	struct irb *b = g->b;
	int found = map_copy(g, v, key, d);
	int none = irb_block(b, "zeros"), done = irb_block(b, "struct");

	irb_bri(b, CC_EQ, found, 0, none, done);
	irb_place(b, none);
	zero_slot(g, d, d.size > ZEROS_STORED);
	irb_jmp(b, done);
	irb_place(b, done);
}

struct mem var_mem(struct fire *g, const struct var *v, const struct expr *e, struct element *to)
{
	int32_t frame;
	struct dest d;
	struct ir_arg key;

	if (!var_in_map(v))
		return slot_mem(g, v);
	d = element_slot(g, v);
	frame = irb_frame_mark(g->b);
	key = var_key(g, v, e);
	copy_or_zero(g, v, key, d);
	if (to)
		*to = (struct element){.var = v, .key = key, .at = d, .frame = frame};
	else
		irb_frame_release(g->b, frame);
	return (struct mem){.base = d.base, .off = d.off, .own = true, .lib = true};
}

void var_put(struct fire *g, const struct element *to)
{
	if (!to->var)
		return;
	map_insert(g, to->var, to->key, to->at);
	irb_frame_release(g->b, to->frame);
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
		return map_load(g, v, e);
	if (v->scope == DECL_THIS)
		return v->assigned ? g->locals.reg[v->index] : irb_const(g->b, 0);
	return irb_loadv(g->b, irb_global(g->b, v->off), 0, size_of(v), type_is_signed(v->type));
}

void var_store(struct fire *g, const struct var *v, const struct expr *e, int value)
{
	if (with_object(v))
		storage_store(g, v, e, value);
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

/* Returns the slot to which map_copy() can copy string @v: @d if it fits, else a new one. */
static struct dest copy_dest(struct fire *g, const struct var *v, struct dest d)
{
	bool fits = d.base == g->u->scratch_base && d.off % 8 == 0 && d.size >= v->size;

	return fits ? (struct dest){.base = d.base, .off = d.off, .size = v->size}
		    : scratch_slot(g, v->size);
}

void var_load_str(struct fire *g, const struct var *v, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int p, found, none, done;
	uint32_t n = str_var_class(v).size < d.size ? str_var_class(v).size : d.size;
	struct mem from = {.off = v->off, .own = true, .lib = true};
	struct dest copy;
	int32_t frame;
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
	if (v->with_socket) {
		p = socket_find(g, e);
		from.base = p;
	} else {
		copy = copy_dest(g, v, d);
		frame = irb_frame_mark(b);
		p = map_copy(g, v, var_key(g, v, e), copy);
		irb_frame_release(b, frame);
		from.base = copy.base;
		from.off = copy.off;
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
	irb_call(g->b, IR_CALL, HELPER_map_delete_elem, 2, (struct ir_arg[]){map_arg(v), key});
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
		map_insert(g, v, key, d);
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
	map_insert(g, v, key, d);
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
	d = var_in_map(v) ? element_slot(g, v) : scratch_slot(g, v->size);
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
