/*
 * agg_table.c - code that looks up keys of aggregations in tables (ir/table.h), and adds keys. A
 * slot of a table's index leads to an entry, which has the key and its values.
 *
 * The code that tests the first slot for a key is inline. A function searches up to TABLE_PROBES
 * slots and adds keys.
 */
#include "ir/agg_table.h"

#include <stddef.h>

#include "ir/helpers.h"
#include "ir/table.h"
#include "ir/table_code.h"

#define FIELD(name) ((int32_t)offsetof(struct table_head, name))

/* The state while code that looks up one key is generated. */
struct look {
	struct irb *b;
	const struct table_ref *t;
	struct ir_arg key;
	const int *word; /* registers with the words of the key; NULL if the words are in memory */
	int head;        /* register with a pointer to the table's head */
	/* @hash: the hash of the key. @high: its upper 32 bits, with the lower 32 bits set to 0 */
	int hash, high;
	/* the value of table_head.index, which is read once because the engine may replace it */
	int index;
	int first; /* the first word of a key on the stack; 0 while it is not loaded yet */
};

static int member(struct look *l, int32_t off)
{
	return irb_loadv(l->b, l->head, off, 8, false);
}

/*
 * Returns the first word of a key on the stack. Its halves, the generation and the first field,
 * were stored by two stores. A load of both halves at once would wait until these stores have left
 * the processor's store buffer.
 */
static int first_word(struct look *l)
{
	int low = irb_loadv(l->b, FRAME, (int32_t)l->key.imm, 4, false);
	int high = irb_loadv(l->b, FRAME, (int32_t)l->key.imm + 4, 4, false);

	return irb_bin(l->b, IR_OR, low, irb_bini(l->b, IR_SHL, high, 32));
}

static int key_word(struct look *l, uint32_t i)
{
	if (l->word)
		return l->word[i];
	if (!i && l->key.kind == ARG_FRAME) {
		l->first = l->first ? l->first : first_word(l);
		return l->first;
	}
	return l->key.kind == ARG_FRAME
		       ? irb_loadv(l->b, FRAME, (int32_t)l->key.imm + 8 * (int32_t)i, 8, false)
		       : irb_loadv(l->b, l->key.reg, 8 * (int32_t)i, 8, false);
}

/*
 * Emits code that finds the head of the table, hashes the key as table_hash() does, and reads the
 * index.
 */
static void start(struct look *l)
{
	struct irb *b = l->b;
	int at = irb_map_value(b, (int)l->t->map, (int64_t)TABLE_HEAD(l->t->number)), h, factor;

	l->head = irb_arena(b, at);
	h = member(l, FIELD(seed));
	factor = irb_const(b, (int64_t)TABLE_HASH_FACTOR);
	for (uint32_t i = 0; i < l->t->key_size / 8; i++)
		h = irb_table_hash(b, h, key_word(l, i), factor);
	l->hash = h;
	l->high = irb_bini(b, IR_SHL, irb_bini(b, IR_SHR, h, 32), 32);
	l->index = member(l, FIELD(index));
}

/* Returns a register with the number of slots - 1. */
static int slot_mask(struct look *l)
{
	return irb_bini(l->b, IR_SHR, l->index, 32);
}

/* Returns a register with a pointer to the slot at position @pos of the index. */
static int slot_at(struct look *l, int pos)
{
	return irb_arena(l->b, irb_bin(l->b, IR_ADD, l->index, irb_bini(l->b, IR_SHL, pos, 3)));
}

/*
 * Returns a register with the number of the entry in slot @word, if the upper half of the hash
 * matches. If it does not match, the value is 2^32 or more.
 */
static int entry_of(struct look *l, int word)
{
	return irb_bini(l->b, IR_SUB, irb_bin(l->b, IR_SUB, word, l->high), 1);
}

static int key_at(struct look *l, int entry)
{
	return irb_arena(l->b, irb_bin(l->b, IR_ADD, member(l, FIELD(keys)),
				       irb_bini(l->b, IR_MUL, entry, l->t->key_size)));
}

/* Returns a register with the address of the value that @entry has for this CPU. */
static int value_at(struct look *l, int entry)
{
	struct irb *b = l->b;
	int cpu = irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL);
	int all = irb_bin(b, IR_ADD, member(l, FIELD(values)),
			  irb_bin(b, IR_MUL, cpu, member(l, FIELD(stride))));

	return irb_bin(b, IR_ADD, all, irb_bini(b, IR_MUL, entry, l->t->value_size));
}

/* Returns a register that is 0 if @entry has the key that is looked up. */
static int difference(struct look *l, int entry)
{
	int key = key_at(l, entry), diff = 0;

	for (uint32_t i = 0; i < l->t->key_size / 8; i++) {
		int d = irb_bin(l->b, IR_XOR, irb_loadv(l->b, key, 8 * (int32_t)i, 8, false),
				key_word(l, i));

		diff = diff ? irb_bin(l->b, IR_OR, diff, d) : d;
	}
	return diff;
}

void irb_table_find(struct irb *b, const struct table_ref *t, struct ir_arg key, const int *word,
		    int add, int slot, int found, int none)
{
	struct look l = {.b = b, .t = t, .key = key, .word = word};
	int same = irb_block(b, "same hash"), hit = irb_block(b, "same key");
	int miss = irb_cold_block(b, "look on"), got = irb_cold_block(b, "found later");
	int entry, at;

	start(&l);
	entry = entry_of(&l, irb_loadv(b, slot_at(&l, irb_bin(b, IR_AND, l.hash, slot_mask(&l))), 0,
				       8, false));
	irb_bri(b, CC_EQ, irb_bini(b, IR_SHR, entry, 32), 0, same, miss);
	irb_place(b, same);
	irb_bri(b, CC_EQ, difference(&l, entry), 0, hit, miss);
	irb_place(b, hit);
	irb_assign(b, slot, irb_arena(b, value_at(&l, entry)));
	irb_jmp(b, found);
	irb_place(b, miss);
	for (uint32_t i = 0; word && i < t->key_size / 8; i++)
		irb_store(b, FRAME, (int32_t)key.imm + 8 * (int32_t)i, 8, word[i]);
	at = irb_call(b, IR_LCALL, add, 1, &key);
	irb_bri(b, CC_NE, at, 0, got, none);
	irb_place(b, got);
	irb_assign(b, slot, irb_arena(b, at));
	irb_jmp(b, found);
}

/* Returns a register with a pointer to the word of table_head.spare for this CPU. */
static int spare_word(struct look *l)
{
	struct irb *b = l->b;
	int cpu = irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL);

	return irb_arena(b,
			 irb_bin(b, IR_ADD, member(l, FIELD(spare)), irb_bini(b, IR_SHL, cpu, 3)));
}

/* Keeps @entry, which no slot refers to, for the next key that this CPU adds. */
static void keep_entry(struct look *l, int entry)
{
	struct irb *b = l->b;
	int at = spare_word(l), none = irb_const(b, 0);

	irb_cmpxchg(b, at, none, irb_bini(b, IR_ADD, irb_value(b, entry), 1));
}

/*
 * Wakes the engine's thread, which then checks every table and does not read the record. In an NMI
 * the ring may be locked, so the thread is not woken. The thread then notices at its next regular
 * check that the table must grow.
 */
static void wake_engine(struct look *l, int entry)
{
	int32_t at = irb_frame(l->b, 8);

	irb_store(l->b, FRAME, at, 8, irb_value(l->b, entry));
	irb_call(l->b, IR_CALL, HELPER_ringbuf_output, 4,
		 (struct ir_arg[]){{ARG_MAP, 0, (int64_t)l->t->wake},
				   {ARG_FRAME, 0, at},
				   {ARG_IMM, 0, 8},
				   {ARG_IMM, 0, WAKE_FLAG}});
}

/* If this CPU has a spare entry, sets the variable @entry to that entry and goes to @have. */
static void take_spare(struct look *l, int entry, int have)
{
	struct irb *b = l->b;
	int some = irb_block(b, "spare entry"), mine = irb_block(b, "spare entry taken");
	int none = irb_block(b, "no spare entry");
	int at = spare_word(l), kept = irb_loadv(b, at, 0, 8, false), old;

	irb_bri(b, CC_EQ, kept, 0, none, some);
	irb_place(b, some);
	old = irb_cmpxchg(b, at, kept, irb_const(b, 0));
	irb_br(b, CC_EQ, old, kept, mine, none);
	irb_place(b, mine);
	irb_assign(b, entry, irb_bini(b, IR_SUB, kept, 1));
	irb_jmp(b, have);
	irb_place(b, none);
}

/*
 * Sets the variable @entry to the number of a free entry. This is the spare entry of this CPU, else
 * a released entry from the ring buffer, else the next unused entry. The function that is being
 * built returns 0 if no entry is free.
 */
static void take_entry(struct look *l, int entry)
{
	struct irb *b = l->b;
	int again = irb_block(b, "entry to use again"), bump = irb_block(b, "new entry");
	int some = irb_block(b, "room"), full = irb_block(b, "no room");
	int won = irb_block(b, "taken"), have = irb_block(b, "have entry");
	int wake = irb_cold_block(b, "the table must grow"), enough = irb_block(b, "enough room");
	int first, room, n, at, old, following;

	take_spare(l, entry, have);
	first = member(l, FIELD(free_head));
	room = member(l, FIELD(room));
	irb_br(b, CC_EQ, first, member(l, FIELD(free_tail)), bump, again);
	irb_place(b, again);
	at = irb_bini(b, IR_SHL, irb_bin(b, IR_AND, first, member(l, FIELD(free_mask))), 3);
	at = irb_bin(b, IR_ADD, at, member(l, FIELD(free)));
	n = irb_loadv(b, irb_arena(b, at), 0, 8, false);
	at = irb_addr(b, l->head, FIELD(free_head));
	following = irb_bini(b, IR_ADD, first, 1);
	old = irb_cmpxchg(b, at, first, following);
	irb_br(b, CC_EQ, old, first, won, bump);
	irb_place(b, won);
	irb_assign(b, entry, n);
	irb_jmp(b, have);
	irb_place(b, bump);
	irb_br(b, CC_ULT, member(l, FIELD(next)), room, some, full);
	irb_place(b, some);
	irb_assign(b, entry, irb_fetch_add(b, l->head, FIELD(next), irb_const(b, 1)));
	irb_br(b, CC_EQ, irb_value(b, entry), member(l, FIELD(mark)), wake, enough);
	irb_place(b, wake);
	wake_engine(l, entry);
	irb_jmp(b, enough);
	irb_place(b, enough);
	irb_br(b, CC_ULT, irb_value(b, entry), room, have, full);
	irb_place(b, full);
	irb_ret(b);
	irb_place(b, have);
}

/* Sets the variable @result to @entry and goes to @done. */
static void found_entry(struct look *l, int entry, int result, int done)
{
	irb_assign(l->b, result, entry);
	irb_jmp(l->b, done);
}

/*
 * Adds the key at slot @pos, which was free when the code read the slot. Sets the variable @result
 * to the entry of the key and goes to @done. If no entry is free, or if another key took the slot
 * meanwhile, the function that is being built returns 0.
 */
static void add_key(struct look *l, int pos, int result, int done)
{
	struct irb *b = l->b;
	int mine = irb_block(b, "added"), other = irb_block(b, "lost the race");
	int same = irb_block(b, "same hash"), equal = irb_block(b, "same key"),
	    differs = irb_block(b, "another key");
	int entry = irb_var(b), key, at, word, old, none;

	irb_assign_imm(b, entry, 0);
	take_entry(l, entry);
	key = key_at(l, irb_value(b, entry));
	for (uint32_t i = 0; i < l->t->key_size / 8; i++)
		irb_store(b, key, 8 * (int32_t)i, 8, key_word(l, i));
	at = slot_at(l, pos);
	none = irb_const(b, 0);
	word = irb_bin(b, IR_ADD, l->high, irb_value(b, entry));
	word = irb_bini(b, IR_ADD, word, 1);
	old = irb_cmpxchg(b, at, none, word);
	irb_bri(b, CC_EQ, old, 0, mine, other);
	irb_place(b, mine);
	found_entry(l, irb_value(b, entry), result, done);
	irb_place(b, other);
	keep_entry(l, entry);
	old = entry_of(l, old);
	irb_bri(b, CC_EQ, irb_bini(b, IR_SHR, old, 32), 0, same, differs);
	irb_place(b, same);
	irb_bri(b, CC_EQ, difference(l, old), 0, equal, differs);
	irb_place(b, equal);
	found_entry(l, old, result, done);
	irb_place(b, differs);
	irb_ret(b);
}

/*
 * Makes the function global, so that the kernel verifies it once, and not at each call. Returns a
 * register with the parameter, the address of the key.
 */
static int key_param(struct irb *b, const struct table_ref *t)
{
	int param[FUNC_PARAMS];

	b->f->params = (struct func_params){.global = true, .n = 1, .size = {t->key_size}};
	irb_take_params(b, param);
	return param[0];
}

/*
 * The hash is compared without a branch, because the verifier walks all rounds of the loop. If a
 * slot has another hash, the code compares the key of entry 0, and ignores the result.
 */
void irb_table_add(struct irb *b, const struct table_ref *t)
{
	struct look l = {.b = b, .t = t, .key = {ARG_REG, key_param(b, t), 0}};
	int pos = irb_var(b), free = irb_block(b, "free"), taken, found, next;
	int word, entry, other, mask, result = irb_var(b), done = irb_block(b, "entry");
	struct irb_loop loop;

	start(&l);
	mask = slot_mask(&l);
	irb_assign(b, pos, irb_bin(b, IR_AND, l.hash, mask));
	irb_loop(b, &loop, TABLE_PROBES, 1);
	taken = irb_block(b, "taken"), found = irb_block(b, "found"), next = irb_block(b, "next");
	word = irb_loadv(b, slot_at(&l, irb_value(b, pos)), 0, 8, false);
	irb_bri(b, CC_EQ, word, 0, free, taken);
	irb_place(b, taken);
	entry = entry_of(&l, word);
	other = irb_bini(b, IR_SHR, entry, 32);
	entry = irb_bin(b, IR_AND, entry, irb_bini(b, IR_SAR, irb_bini(b, IR_SUB, other, 1), 63));
	irb_bri(b, CC_EQ, irb_bin(b, IR_OR, other, difference(&l, entry)), 0, found, next);
	irb_place(b, found);
	found_entry(&l, entry, result, done);
	irb_place(b, next);
	irb_assign(b, pos, irb_bin(b, IR_AND, irb_bini(b, IR_ADD, irb_value(b, pos), 1), mask));
	irb_loop_end(b, &loop);
	irb_ret(b);
	irb_place(b, free);
	add_key(&l, irb_value(b, pos), result, done);
	irb_place(b, done);
	irb_ret_reg(b, value_at(&l, irb_value(b, result)));
}
