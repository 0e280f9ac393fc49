/*
 * array.c - code that reads and changes associative arrays in the arena.
 *
 * ir/table.h describes the memory, and why each step is safe. In short: a key is in a slot near its
 * home, the slot that its hash selects, first in the small front of the array or else in the back.
 * The lower half of a slot is its place: the number of an entry, which has key and value, and a
 * generation that each change increments. The inline code handles keys that are in their home slot,
 * and most missing keys. Functions of the unit do the rest.
 */
#include "ir/array.h"

#include <stddef.h>

#include "ir/helpers.h"
#include "ir/table.h"
#include "ir/table_code.h"

#define FIELD(name) ((int32_t)offsetof(struct array_head, name))
#define TRIES 4          /* attempts to take or place an entry, or to delete a duplicate */
#define RELEASE_TRIES 32 /* attempts to release an entry; an entry that is not released is lost */
#define COPY_TRIES 8     /* attempts to copy a value that other programs store to */
#define SEARCH_TRIES 4   /* attempts to search slots that other programs change */
#define LISTS_MAX 256    /* maximum number of lists that a program searches for an entry */
#define ARRAY_SPARE(i) (8 + 8 * (i)) /* offset of spare entry @i in a line */

/* The state while code that searches for a key is generated. */
struct look {
	struct irb *b;
	const struct array_ref *t;
	struct array_key key;
	struct ir_arg array; /* the number of the array */
	int head;            /* register with a pointer to the array's head */
	int hash;
	int fill; /* the function "fill", if the values are memory */
};

/* Returns a register with a member of the array's head. The member never changes. */
static int fixed(struct look *l, int32_t off)
{
	return irb_load(l->b, l->head, off, 8, false);
}

static int key_word(struct look *l, uint32_t i)
{
	int32_t off = 8 * (int32_t)i;

	if (l->key.word)
		return l->key.word[i];
	if (l->key.at.kind == ARG_FRAME)
		return irb_loadv(l->b, FRAME, (int32_t)l->key.at.imm + off, 8, false);
	return irb_loadv(l->b, l->key.at.reg, off, 8, false);
}

/* Emits code that hashes the key as table_hash() does. */
static void hash_key(struct look *l)
{
	struct irb *b = l->b;
	int h, factor;

	h = fixed(l, FIELD(seed));
	factor = irb_const(b, (int64_t)TABLE_HASH_FACTOR);
	for (uint32_t i = 0; i < l->t->key_size / 8; i++)
		h = irb_table_hash(b, h, key_word(l, i), factor);
	l->hash = h;
}

/* Sets l->head for an array whose number is known when the code is generated. */
static void find_head(struct look *l)
{
	int64_t at = (int64_t)TABLE_HEAD(l->t->number);

	l->head = irb_arena(l->b, irb_map_value(l->b, (int)l->t->map, at));
}

/* Returns a register with a pointer to slot @n. */
static int slot_at(struct look *l, int n)
{
	struct irb *b = l->b;

	return irb_arena(b, irb_bin(b, IR_ADD, fixed(l, FIELD(slots)), irb_bini(b, IR_SHL, n, 3)));
}

/* Returns a register with the number of the key's home slot in the front. */
static int front_home(struct look *l)
{
	return irb_bini(l->b, IR_AND, l->hash, ARRAY_FRONT - 1);
}

/* Returns a register with the position of the key's home in the back, for wrap(). */
static int back_home(struct look *l)
{
	return irb_bini(l->b, IR_SHR, l->hash, ARRAY_FRONT_BITS);
}

/*
 * Returns a register with the number of the slot at position @pos of the front or the back. @pos
 * may be beyond the end, and then wraps around.
 */
static int wrap(struct look *l, int pos, bool back)
{
	struct irb *b = l->b;

	if (!back)
		return irb_bini(b, IR_AND, pos, ARRAY_FRONT - 1);
	return irb_bini(b, IR_ADD, irb_bini(b, IR_AND, pos, l->t->slots - 1), ARRAY_FRONT);
}

static int entry_at(struct look *l, int entry)
{
	struct irb *b = l->b;
	/* an entry has a count, too, if the values are memory */
	uint32_t size = array_entry_size(l->t->key_size, 8 + l->t->memory);

	return irb_arena(b, irb_bin(b, IR_ADD, fixed(l, FIELD(entries)),
				    irb_bini(b, IR_MUL, entry, size)));
}

static int link_at(struct look *l, int entry)
{
	struct irb *b = l->b;

	return irb_arena(b,
			 irb_bin(b, IR_ADD, fixed(l, FIELD(links)), irb_bini(b, IR_SHL, entry, 2)));
}

/* Returns the line of a CPU, which begins with its list. */
static int line_at(struct look *l, int cpu)
{
	struct irb *b = l->b;

	return irb_arena(b, irb_bin(b, IR_ADD, fixed(l, FIELD(lines)),
				    irb_bini(b, IR_MUL, cpu, ARRAY_LINE)));
}

static int own_line(struct look *l)
{
	return line_at(l, irb_call(l->b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL));
}

/* Returns a register that is 0 if the entry at @entry has the key. */
static int difference(struct look *l, int entry)
{
	int diff = 0;

	for (uint32_t i = 0; i < l->t->key_size / 8; i++) {
		int d = irb_bin(l->b, IR_XOR, irb_loadv(l->b, entry, 8 * (int32_t)i, 8, false),
				key_word(l, i));

		diff = diff ? irb_bin(l->b, IR_OR, diff, d) : d;
	}
	return diff;
}

/* Returns the number of the entry in @place, the lower half of a slot (ir/table.h). */
static int entry_of(struct irb *b, int place)
{
	return irb_bini(b, IR_AND, place, ARRAY_ENTRY);
}

/* Returns the new place of a slot with place @place when entry @new replaces its entry @old. */
static int next_place(struct irb *b, int place, int old, int new)
{
	int freed = irb_bin(b, IR_SUB, place, old);

	return irb_bin(b, IR_ADD, irb_bini(b, IR_ADD, freed, ARRAY_GEN), new);
}

/* Returns the new place of an empty slot with place @place when entry @new is put into it. */
static int filled_place(struct irb *b, int place, int new)
{
	return irb_bin(b, IR_ADD, irb_bini(b, IR_ADD, place, ARRAY_GEN), new);
}

/* Returns the new place of a slot with place @place when its entry @old is taken out. */
static int freed_place(struct irb *b, int place, int old)
{
	return irb_bini(b, IR_ADD, irb_bin(b, IR_SUB, place, old), ARRAY_GEN);
}

static int number_of(struct look *l, int entry)
{
	return irb_loadv(l->b, entry, (int32_t)l->t->key_size, 8, false);
}

/*
 * Emits code that stores the key in memory. Returns the argument that passes the key to a function.
 */
static struct ir_arg stored_key(struct look *l)
{
	for (uint32_t i = 0; l->key.word && i < l->t->key_size / 8; i++)
		irb_store(l->b, FRAME, (int32_t)l->key.at.imm + 8 * (int32_t)i, 8, l->key.word[i]);
	return l->key.at;
}

/* ------------------------------------------------------------------- in line */

/*
 * The key and the value are read before the place is read again. If another program stored to the
 * key or deleted it meanwhile, the place has changed, and a function searches again.
 */
int irb_array_read(struct irb *b, const struct array_ref *t, struct array_key key, int get)
{
	struct look l = {.b = b, .t = t, .key = key, .array = arg_imm(t->number)};
	int some = irb_block(b, "slot in use"), hit = irb_block(b, "same key");
	int got = irb_block(b, "found");
	int miss = irb_cold_block(b, "not at home"), more = irb_cold_block(b, "search");
	int done = irb_block(b, "loaded"), value = irb_var(b), slot, word, entry, at, v, now;

	irb_assign_imm(b, value, 0);
	find_head(&l);
	hash_key(&l);
	slot = slot_at(&l, front_home(&l));
	word = irb_loadv(b, slot, 0, 8, false);
	entry = entry_of(b, word);
	irb_bri(b, CC_EQ, entry, 0, miss, some);
	irb_place(b, some);
	at = entry_at(&l, entry);
	irb_bri(b, CC_EQ, difference(&l, at), 0, hit, miss);
	irb_place(b, hit);
	v = number_of(&l, at);
	now = irb_loadv(b, slot, 0, 4, false);
	irb_br(b, CC_EQ, now, irb_ext(b, word, 4, false), got, more);
	irb_place(b, got);
	irb_assign(b, value, v);
	irb_jmp(b, done);
	/* the key is missing if the place is unchanged and the upper half of the slot is 0 */
	irb_place(b, miss);
	now = irb_loadv(b, slot, 0, 8, false);
	irb_br(b, CC_EQ, now, irb_ext(b, word, 4, false), done, more);
	irb_place(b, more);
	irb_assign(b, value,
		   irb_call(b, IR_LCALL, get, 2, (struct ir_arg[]){l.array, stored_key(&l)}));
	irb_jmp(b, done);
	irb_place(b, done);
	return value;
}

/* Emits code that writes the key and the value @value to entry @entry, which is in no slot. */
static void write_entry(struct look *l, int entry, int value)
{
	struct irb *b = l->b;
	int at;

	if (l->t->memory) {
		irb_call(b, IR_LCALL, l->fill, 4,
			 (struct ir_arg[]){l->array, arg_reg(entry), l->key.at, arg_reg(value)});
		return;
	}
	at = entry_at(l, entry);
	for (uint32_t i = 0; i < l->t->key_size / 8; i++)
		irb_store(b, at, 8 * (int32_t)i, 8, key_word(l, i));
	irb_store(b, at, (int32_t)l->t->key_size, 8, value);
}

/*
 * Emits a store to a key that is in the array: puts a new entry with the key and the value @value
 * into @slot, if the slot still has @place. Takes the spare entry in word @word of the CPU's line
 * @line. Continues in @done, or in @none if that word has no spare entry.
 */
static void swap_entry(struct look *l, int line, int32_t word, int slot, int place, int value,
		       int done, int none)
{
	struct irb *b = l->b;
	int taken = irb_block(b, "spare entry"), stored = irb_block(b, "stored");
	int lost = irb_block(b, "changed"), spare, old;

	spare = irb_exchange(b, line, word, irb_const(b, 0));
	irb_bri(b, CC_EQ, spare, 0, none, taken);
	irb_place(b, taken);
	write_entry(l, spare, value);
	old = irb_cmpxchg32(b, slot, place, next_place(b, place, entry_of(b, place), spare));
	irb_br(b, CC_EQ, old, place, stored, lost);
	irb_place(b, stored);
	irb_store(b, line, word, 8, entry_of(b, place));
	irb_jmp(b, done);
	irb_place(b, lost);
	irb_store(b, line, word, 8, spare);
	irb_jmp(b, done);
}

void irb_array_write(struct irb *b, const struct array_ref *t, struct array_key key, int value,
		     int set, int done, int full)
{
	struct look l = {.b = b, .t = t, .key = key, .array = arg_imm(t->number)};
	int used = irb_block(b, "slot in use"), hit = irb_block(b, "same key");
	int keep = irb_block(b, "keep"), other = irb_block(b, "set"), slot, place, entry;
	int64_t known;

	if (!irb_is_const(b, value, &known) || known) {
		find_head(&l);
		hash_key(&l);
		slot = slot_at(&l, front_home(&l));
		place = irb_loadv(b, slot, 0, 4, false);
		entry = entry_of(b, place);
		irb_bri(b, CC_EQ, entry, 0, other, used);
		irb_place(b, used);
		irb_bri(b, CC_EQ, difference(&l, entry_at(&l, entry)), 0, hit, other);
		irb_place(b, hit);
		irb_bri(b, CC_EQ, value, 0, other, keep);
		irb_place(b, keep);
		swap_entry(&l, own_line(&l), ARRAY_SPARE(0), slot, place, value, done, other);
	} else {
		irb_jmp(b, other);
	}
	irb_place(b, other);
	irb_bri(b, CC_EQ,
		irb_call(b, IR_LCALL, set, 3,
			 (struct ir_arg[]){l.array, stored_key(&l), arg_reg(irb_scalar(b, value))}),
		0, done, full);
}

/* ----------------------------------------------------------------- functions */

/*
 * Begins the body of a function, whose parameters were already read. Register @array has the number
 * of the array.
 */
static struct look begin(struct irb *b, const struct array_ref *t, int array)
{
	struct look l = {.b = b, .t = t, .array = arg_reg(array)};
	int at;

	b->no_cse = true;
	at = irb_map_value(b, (int)t->map, (int64_t)TABLE_HEAD(0));
	at = irb_bin(b, IR_ADD, at, irb_bini(b, IR_MUL, array, sizeof(struct array_head)));
	l.head = irb_arena(b, at);
	return l;
}

static void ret_imm(struct irb *b, int64_t v)
{
	irb_ret_reg(b, irb_const(b, v));
}

/* Returns a register that is 1 if @x is 0, else 0. The code has no branch. */
static int is_zero(struct irb *b, int x)
{
	return irb_bini(b, IR_XOR, irb_bini(b, IR_SHR, irb_bin(b, IR_OR, x, irb_neg(b, x)), 63), 1);
}

/* The state of a scan. All members but @found and @except are variables. */
struct scan {
	int pos, bits; /* @pos: the next position. @bits: a bit for each probe from there on */
	int changed;   /* not 0 if the place of some slot has changed during the scan */
	int result, found;
	int except; /* number of the slot to leave out */
};

/*
 * Emits a scan of the front or the back. If the key is found, sets s->result and goes to block
 * s->found; else continues in a new block. The verifier follows each path through each iteration of
 * the loop, so one branch serves all reasons why a slot does not match: free slots, and slots that
 * the bits exclude, count as slots with another key. The result does not contain the number of the
 * iteration, because the verifier would then follow the result of each iteration separately.
 */
static void scan_part(struct look *l, bool back, const struct scan *s)
{
	struct irb *b = l->b;
	struct irb_loop loop;
	int i = irb_loop(b, &loop, back ? ARRAY_PROBES : ARRAY_FRONT_PROBES, 1);
	int same = irb_block(b, "found"), more = irb_block(b, "other key");
	int next = irb_block(b, "next"), number = wrap(l, irb_value(b, s->pos), back);
	int slot = slot_at(l, number), place = irb_loadv(b, slot, 0, 4, false), no;
	int entry = entry_of(b, place);

	no = irb_bin(b, IR_OR, difference(l, entry_at(l, entry)), is_zero(b, entry));
	no = irb_bin(b, IR_OR, no,
		     irb_bini(b, IR_XOR, irb_bini(b, IR_AND, irb_value(b, s->bits), 1), 1));
	no = irb_bin(b, IR_OR, no, is_zero(b, irb_bin(b, IR_XOR, number, s->except)));
	irb_bri(b, CC_EQ, no, 0, same, more);
	irb_place(b, same);
	irb_assign(b, s->result, irb_bin(b, IR_OR, irb_bini(b, IR_SHL, place, 32), number));
	irb_jmp(b, s->found);
	irb_place(b, more);
	irb_update(b, IR_OR, s->changed,
		   irb_bin(b, IR_XOR, irb_loadv(b, slot, 0, 4, false), place));
	irb_updatei(b, IR_SHR, s->bits, 1);
	irb_bri(b, CC_EQ, irb_value(b, s->bits), 0, loop.done, next);
	irb_place(b, next);
	irb_update(b, IR_ADD, s->pos, i);
	irb_updatei(b, IR_ADD, s->pos, 1);
	irb_loop_end(b, &loop);
}

void irb_array_scan(struct irb *b, const struct array_ref *t)
{
	int array = irb_param(b, 0), key = irb_param(b, 1), hash = irb_param(b, 2);
	struct scan s = {.except = irb_param(b, 3),
			 .pos = irb_var(b),
			 .bits = irb_var(b),
			 .changed = irb_var(b),
			 .result = irb_var(b),
			 .found = irb_block(b, "done")};
	struct look l = begin(b, t, array);
	int all, home, some, back = irb_block(b, "back"), none = irb_block(b, "none");

	l.key.at = arg_reg(key);
	l.hash = hash;
	irb_assign_imm(b, s.changed, 0);
	home = front_home(&l);
	irb_assign(b, s.pos, home);
	all = irb_loadv(b, slot_at(&l, home), 4, 4, false);
	irb_assign(b, s.bits, irb_bini(b, IR_OR, irb_bini(b, IR_AND, all, ARRAY_IN_BACK - 1), 1));
	scan_part(&l, false, &s);
	irb_bri(b, CC_UGE, all, ARRAY_IN_BACK, back, none);
	irb_place(b, back);
	home = back_home(&l);
	irb_assign(b, s.pos, home);
	all = irb_loadv(b, slot_at(&l, wrap(&l, home, true)), 4, 4, false);
	irb_assign(b, s.bits, irb_bini(b, IR_OR, all, 1));
	scan_part(&l, true, &s);
	irb_jmp(b, none);
	irb_place(b, none);
	some = irb_value(b, s.changed);
	irb_assign(b, s.result, irb_set(b, CC_NE, some, irb_const(b, 0)));
	irb_jmp(b, s.found);
	irb_place(b, s.found);
	irb_ret_reg(b, irb_value(b, s.result));
}

/*
 * Emits calls of the function "scan", until no slot has changed during a scan, but at most
 * SEARCH_TRIES calls. Returns place << 32 | number of a slot with the key, or 0. The calls stand
 * one after the other. A loop would need a function of its own, because the callers have loops, and
 * so 32 more bytes of stack.
 */
static int search(struct look *l, int scan, struct ir_arg except)
{
	struct irb *b = l->b;
	int r = irb_var(b), done = irb_block(b, "searched");

	for (int i = 0; i < SEARCH_TRIES; i++) {
		int again = irb_block(b, "slots changed");

		irb_assign(b, r,
			   irb_call(b, IR_LCALL, scan, 4,
				    (struct ir_arg[]){l->array, l->key.at, arg_reg(l->hash),
						      except}));
		irb_bri(b, CC_EQ, irb_value(b, r), ARRAY_CHANGED, again, done);
		irb_place(b, again);
	}
	irb_assign_imm(b, r, 0);
	irb_jmp(b, done);
	irb_place(b, done);
	return irb_value(b, r);
}

/*
 * If the place has changed since the search, another program has stored to the key or deleted it,
 * so the search is repeated. If all attempts fail, the function returns the value read last if its
 * entry still has the key, else 0.
 */
void irb_array_get(struct irb *b, const struct array_ref *t, int scan)
{
	int array = irb_param(b, 0), key = irb_param(b, 1), none, found, same, changed;
	struct look l = begin(b, t, array);
	int last = irb_var(b), r, at, v, place, slot, mask;
	int over = irb_block(b, "no such key");
	struct irb_loop loop;

	l.key.at = arg_reg(key);
	hash_key(&l);
	irb_assign_imm(b, last, 0);
	irb_loop(b, &loop, TRIES, 1);
	none = irb_block(b, "none"), found = irb_block(b, "found");
	same = irb_block(b, "still the same"), changed = irb_block(b, "changed");
	r = search(&l, scan, arg_imm(-1));
	irb_bri(b, CC_EQ, r, 0, none, found);
	irb_place(b, none);
	irb_jmp(b, over);
	irb_place(b, found);
	place = irb_bini(b, IR_SHR, r, 32);
	at = entry_at(&l, entry_of(b, place));
	v = number_of(&l, at);
	slot = slot_at(&l, irb_ext(b, r, 4, false));
	irb_br(b, CC_EQ, irb_loadv(b, slot, 0, 4, false), place, same, changed);
	irb_place(b, same);
	irb_ret_reg(b, v);
	irb_place(b, changed);
	mask = irb_neg(b, is_zero(b, difference(&l, at)));
	irb_assign(b, last, irb_bin(b, IR_AND, v, mask));
	irb_loop_end(b, &loop);
	irb_ret_reg(b, irb_value(b, last));
	irb_place(b, over);
	ret_imm(b, 0);
}

/*
 * Emits a search for a free slot in the front or the back. If there is a free slot, sets the
 * variables @pos (its position) and @probe (the number of its probe) and goes to @free. Otherwise
 * continues in a new block.
 */
static void find_free(struct look *l, bool back, int pos, int probe, int free)
{
	struct irb *b = l->b;
	struct irb_loop loop;
	int i = irb_loop(b, &loop, back ? ARRAY_PROBES : ARRAY_FRONT_PROBES, 1);
	int next = irb_block(b, "next"), slot = slot_at(l, wrap(l, irb_value(b, pos), back));

	irb_assign(b, probe, irb_value(b, i));
	irb_bri(b, CC_EQ, entry_of(b, irb_loadv(b, slot, 0, 4, false)), 0, free, next);
	irb_place(b, next);
	irb_update(b, IR_ADD, pos, i);
	irb_updatei(b, IR_ADD, pos, 1);
	irb_loop_end(b, &loop);
}

/*
 * Emits the end of irb_array_place(), which puts @entry in the slot at position @pos. This slot is
 * probe @probe of the home @home.
 */
static void put_entry(struct look *l, bool back, int home, int pos, int probe, int entry)
{
	struct irb *b = l->b;
	int far = irb_block(b, "not at home"), put = irb_block(b, "put");
	int placed = irb_block(b, "placed"), lost = irb_block(b, "lost the race");
	int free = irb_block(b, "still free"), number, slot, place, next, bit;

	irb_bri(b, CC_EQ, irb_value(b, probe), 0, put, far);
	irb_place(b, far);
	bit = irb_const(b, 1);
	bit = irb_bin(b, IR_SHL, bit, irb_value(b, probe));
	irb_atomic_or(b, slot_at(l, wrap(l, home, back)), 4, bit);
	irb_jmp(b, put);
	irb_place(b, put);
	number = wrap(l, irb_value(b, pos), back);
	slot = slot_at(l, number);
	place = irb_loadv(b, slot, 0, 4, false);
	irb_bri(b, CC_EQ, entry_of(b, place), 0, free, lost);
	irb_place(b, free);
	next = irb_ext(b, filled_place(b, place, entry), 4, false);
	irb_br(b, CC_EQ, irb_cmpxchg32(b, slot, place, next), place, placed, lost);
	irb_place(b, placed);
	number = irb_bini(b, IR_OR, number, ARRAY_PLACED);
	irb_ret_reg(b, irb_bin(b, IR_OR, irb_bini(b, IR_SHL, next, 32), number));
	irb_place(b, lost);
	ret_imm(b, 0);
}

void irb_array_place(struct irb *b, const struct array_ref *t)
{
	int array = irb_param(b, 0), hash = irb_param(b, 1), entry = irb_param(b, 2);
	struct look l = begin(b, t, array);
	int pos = irb_var(b), probe = irb_var(b), front, back;
	int in_front = irb_block(b, "in front"), in_back = irb_block(b, "in back");

	l.hash = hash;
	front = front_home(&l), back = back_home(&l);
	irb_assign(b, pos, front);
	irb_assign_imm(b, probe, 0);
	find_free(&l, false, pos, probe, in_front);
	irb_assign(b, pos, back);
	find_free(&l, true, pos, probe, in_back);
	ret_imm(b, ARRAY_NO_SLOT);
	irb_place(b, in_front);
	put_entry(&l, false, front, pos, probe, entry);
	irb_place(b, in_back);
	irb_atomic_or(b, slot_at(&l, front), 4, irb_const(b, ARRAY_IN_BACK));
	put_entry(&l, true, back, pos, probe, entry);
}

/*
 * Emits an attempt to take the first entry of @list, whose head was @head. Returns a register with
 * the old head. The attempt succeeded if the old head equals @head.
 */
static int pop(struct look *l, int list, int head)
{
	struct irb *b = l->b;
	int next = irb_loadv(b, link_at(l, irb_ext(b, head, 4, false)), 0, 4, false);
	int tag = irb_bini(b, IR_SHL, irb_bini(b, IR_ADD, irb_bini(b, IR_SHR, head, 32), 1), 32);

	return irb_cmpxchg(b, list, head, irb_bin(b, IR_OR, tag, next));
}

/* Emits code that returns from the function with a new entry, if there is room for one. */
static void take_new(struct look *l)
{
	struct irb *b = l->b;
	int some = irb_block(b, "room"), none = irb_block(b, "no room");
	int wake = irb_cold_block(b, "the array must grow"), enough = irb_block(b, "enough room");
	int won = irb_block(b, "taken"), room = irb_loadv(b, l->head, FIELD(room), 8, false);
	int32_t record = irb_frame(b, 8);
	int entry;

	irb_br(b, CC_ULT, irb_loadv(b, l->head, FIELD(next), 8, false), room, some, none);
	irb_place(b, some);
	entry = irb_fetch_add(b, l->head, FIELD(next), irb_const(b, 1));
	irb_br(b, CC_EQ, entry, irb_loadv(b, l->head, FIELD(mark), 8, false), wake, enough);
	irb_place(b, wake);
	irb_store(b, FRAME, record, 8, entry);
	irb_call(b, IR_CALL, HELPER_ringbuf_output, 4,
		 (struct ir_arg[]){{ARG_MAP, 0, (int64_t)l->t->wake},
				   {ARG_FRAME, 0, record},
				   arg_imm(8),
				   arg_imm(WAKE_FLAG)});
	irb_jmp(b, enough);
	irb_place(b, enough);
	irb_br(b, CC_ULT, entry, room, won, none);
	irb_place(b, won);
	irb_ret_reg(b, entry);
	irb_place(b, none);
}

/*
 * The function takes a new entry if there is room. Otherwise it takes the first entry of the first
 * list that is not empty, beginning with this CPU's list.
 */
void irb_array_take(struct irb *b, const struct array_ref *t)
{
	int array = irb_param(b, 0);
	struct look l = begin(b, t, array);
	uint32_t n = t->ncpu < LISTS_MAX ? t->ncpu : LISTS_MAX;
	int some, next, none = irb_block(b, "none"), won = irb_block(b, "taken");
	int cpu = irb_var(b), head = irb_var(b), over, old, list, found;
	struct irb_loop loop;

	take_new(&l);
	irb_assign(b, cpu, irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL));
	irb_assign_imm(b, head, 0);
	irb_loop(b, &loop, n, 1);
	some = irb_block(b, "released entry"), next = irb_block(b, "next");
	irb_assign(b, head, irb_loadv(b, line_at(&l, irb_value(b, cpu)), 0, 8, false));
	irb_bri(b, CC_NE, irb_ext(b, irb_value(b, head), 4, false), 0, some, next);
	irb_place(b, next);
	irb_updatei(b, IR_ADD, cpu, 1);
	over = irb_const(b, t->ncpu);
	over = irb_set(b, CC_UGE, irb_value(b, cpu), over);
	irb_update(b, IR_AND, cpu, irb_bini(b, IR_SUB, over, 1));
	irb_loop_end(b, &loop);
	irb_jmp(b, none);
	irb_place(b, some);
	list = line_at(&l, irb_value(b, cpu));
	found = irb_value(b, head);
	old = pop(&l, list, found);
	irb_br(b, CC_EQ, old, found, won, none);
	irb_place(b, won);
	irb_ret_reg(b, irb_ext(b, found, 4, false));
	irb_place(b, none);
	ret_imm(b, 0);
}

/*
 * Emits an attempt to put @entry in this CPU's list. Continues in @done, or in a new block if the
 * list changed.
 */
static void push(struct look *l, int entry, int done)
{
	struct irb *b = l->b;
	int list = own_line(l), head = irb_loadv(b, list, 0, 8, false), tag, old;
	int again = irb_block(b, "list changed");

	irb_store(b, link_at(l, entry), 0, 4, head);
	tag = irb_bini(b, IR_SHL, irb_bini(b, IR_ADD, irb_bini(b, IR_SHR, head, 32), 1), 32);
	old = irb_cmpxchg(b, list, head, irb_bin(b, IR_OR, tag, entry));
	irb_br(b, CC_EQ, old, head, done, again);
	irb_place(b, again);
}

void irb_array_release(struct irb *b, const struct array_ref *t)
{
	int array = irb_param(b, 0), entry = irb_param(b, 1);
	struct look l = begin(b, t, array);
	struct irb_loop loop;

	irb_loop(b, &loop, RELEASE_TRIES, 1);
	push(&l, entry, loop.done);
	irb_loop_end(b, &loop);
	ret_imm(b, 0);
}

/*
 * Emits code that takes the entry out of the slot at @slot and releases it, if the slot still has
 * @place.
 */
static void erase(struct look *l, int slot, int place, int release)
{
	struct irb *b = l->b;
	int mine = irb_block(b, "erased"), gone = irb_block(b, "gone"), again, entry;

	entry = entry_of(b, place);
	again = irb_cmpxchg32(b, slot, place, freed_place(b, place, entry));
	irb_br(b, CC_EQ, again, place, mine, gone);
	irb_place(b, mine);
	push(l, entry, gone);
	irb_call(b, IR_LCALL, release, 2, (struct ir_arg[]){l->array, arg_reg(entry)});
	irb_jmp(b, gone);
	irb_place(b, gone);
}

/*
 * Sets the variable @entry to a free entry: the first entry of this CPU's list, or if the list is
 * empty, the result of the function @take. The function that is being built returns 1 if no entry
 * is free.
 */
static void take_entry(struct look *l, int entry, int take)
{
	struct irb *b = l->b;
	int some = irb_block(b, "released entry"), won = irb_block(b, "taken");
	int other = irb_block(b, "take"), have = irb_block(b, "have entry"), got, again;
	int list = own_line(l), head = irb_loadv(b, list, 0, 8, false);
	struct irb_loop loop;

	irb_assign(b, entry, irb_ext(b, head, 4, false));
	irb_bri(b, CC_EQ, irb_value(b, entry), 0, other, some);
	irb_place(b, some);
	irb_br(b, CC_EQ, pop(l, list, head), head, won, other);
	irb_place(b, won);
	irb_jmp(b, have);
	irb_place(b, other);
	irb_loop(b, &loop, TRIES, 1);
	got = irb_block(b, "took"), again = irb_block(b, "try again");
	irb_assign(b, entry, irb_call(b, IR_LCALL, take, 1, &l->array));
	irb_bri(b, CC_NE, irb_value(b, entry), 0, got, again);
	irb_place(b, got);
	irb_jmp(b, have);
	irb_place(b, again);
	irb_loop_end(b, &loop);
	ret_imm(b, 1);
	irb_place(b, have);
}

/*
 * Puts @entry in a slot. Sets the variables @slot and @place to the number of the slot and to its
 * place. The function that is being built returns 1 if all slots are in use.
 */
static void place_entry(struct look *l, int home, int entry, int slot, int place,
			const struct array_callees *f)
{
	struct irb *b = l->b;
	int try = irb_block(b, "home is free"), other = irb_block(b, "place");
	int placed = irb_block(b, "placed"), some, again, tried, full = irb_block(b, "no slot");
	int free = irb_loadv(b, home, 0, 4, false), got = irb_var(b), next;
	struct irb_loop loop;

	irb_assign(b, slot, front_home(l));
	irb_bri(b, CC_EQ, entry_of(b, free), 0, try, other);
	irb_place(b, try);
	next = filled_place(b, free, irb_value(b, entry));
	irb_assign(b, place, irb_ext(b, next, 4, false));
	irb_br(b, CC_EQ, irb_cmpxchg32(b, home, free, irb_value(b, place)), free, placed, other);
	irb_place(b, other);
	irb_loop(b, &loop, TRIES, 1);
	tried = irb_block(b, "tried"), again = irb_block(b, "try again");
	irb_assign(b, got,
		   irb_call(b, IR_LCALL, f->place, 3,
			    (struct ir_arg[]){l->array, arg_reg(l->hash),
					      arg_reg(irb_value(b, entry))}));
	irb_bri(b, CC_NE, irb_value(b, got), 0, tried, again);
	irb_place(b, again);
	irb_loop_end(b, &loop);
	irb_jmp(b, full);
	irb_place(b, tried);
	some = irb_block(b, "slot");
	irb_bri(b, CC_EQ, irb_value(b, got), ARRAY_NO_SLOT, full, some);
	irb_place(b, full);
	irb_call(b, IR_LCALL, f->release, 2,
		 (struct ir_arg[]){l->array, arg_reg(irb_value(b, entry))});
	ret_imm(b, 1);
	irb_place(b, some);
	irb_assign(b, place, irb_bini(b, IR_SHR, irb_value(b, got), 32));
	irb_assign(b, slot, irb_bini(b, IR_AND, irb_value(b, got), ARRAY_PLACED - 1));
	irb_jmp(b, placed);
	irb_place(b, placed);
}

/* Calls the function that stores @value to a key that is in the array. */
static int call_replace(struct look *l, int at, int value, const struct array_callees *f)
{
	return irb_call(l->b, IR_LCALL, f->replace, 4,
			(struct ir_arg[]){l->array, l->key.at, arg_reg(value), arg_reg(at)});
}

/*
 * Emits the end of irb_array_set(). Our entry is in @slot now, which has @place. Another program
 * may have added the same key to another slot meanwhile. If so, the code deletes the key from the
 * slot with the greater number. If that is our slot, the code first stores our value in the other
 * slot. Our value is @value, or the value that another program has stored in our slot since.
 */
static void settle(struct look *l, int slot, int place, int value, const struct array_callees *f)
{
	struct irb *b = l->b;
	int twice, ours, theirs, at, next, our_slot, again, entry, same, differs, number;
	int last = irb_var(b);
	struct irb_loop loop;

	irb_assign(b, last, value);
	irb_loop(b, &loop, TRIES, 1);
	twice = irb_block(b, "twice"), ours = irb_block(b, "ours"), theirs = irb_block(b, "theirs");
	again = irb_block(b, "changed"), same = irb_block(b, "same key");
	differs = irb_block(b, "settled");
	next = search(l, f->scan, arg_reg(irb_value(b, slot)));
	irb_bri(b, CC_EQ, next, 0, loop.done, twice);
	irb_place(b, twice);
	at = irb_ext(b, next, 4, false);
	irb_br(b, CC_ULT, at, irb_value(b, slot), ours, theirs);
	irb_place(b, ours);
	call_replace(l, next, irb_value(b, last), f);
	our_slot = slot_at(l, irb_value(b, slot));
	erase(l, our_slot, irb_value(b, place), f->release);
	irb_assign(b, place, irb_loadv(b, our_slot, 0, 4, false));
	entry = entry_of(b, irb_value(b, place));
	irb_bri(b, CC_EQ, entry, 0, differs, again);
	irb_place(b, again);
	number = entry_at(l, entry);
	irb_assign(b, last, number_of(l, number));
	irb_bri(b, CC_EQ, difference(l, number), 0, same, differs);
	irb_place(b, differs);
	ret_imm(b, 0);
	irb_place(b, theirs);
	erase(l, slot_at(l, at), irb_bini(b, IR_SHR, next, 32), f->release);
	irb_jmp(b, same);
	irb_place(b, same);
	irb_loop_end(b, &loop);
	ret_imm(b, 0);
}

/*
 * Does the work of settle() for values that are memory. If the key in our slot must go, its entry
 * moves to the other slot, so no value is copied. The entry leaves our slot first, so that it is
 * never in two slots.
 */
static void settle_memory(struct look *l, int slot, int place, const struct array_callees *f)
{
	struct irb *b = l->b;
	int twice, ours, theirs, changed, again, next, at, our_slot, entry, old, out, moved, lost;
	int other, settled = irb_block(b, "settled"), release = irb_block(b, "release");
	int unused = irb_var(b);
	struct irb_loop loop;

	irb_loop(b, &loop, TRIES, 1);
	twice = irb_block(b, "twice"), ours = irb_block(b, "ours"), theirs = irb_block(b, "theirs");
	out = irb_block(b, "taken out"), changed = irb_block(b, "changed");
	lost = irb_block(b, "other key"), again = irb_block(b, "again");
	next = search(l, f->scan, arg_reg(irb_value(b, slot)));
	irb_bri(b, CC_EQ, next, 0, loop.done, twice);
	irb_place(b, twice);
	at = irb_ext(b, next, 4, false);
	other = irb_bini(b, IR_SHR, next, 32);
	irb_br(b, CC_ULT, at, irb_value(b, slot), ours, theirs);
	irb_place(b, ours);
	our_slot = slot_at(l, irb_value(b, slot));
	entry = entry_of(b, irb_value(b, place));
	old = irb_value(b, place);
	irb_br(b, CC_EQ, irb_cmpxchg32(b, our_slot, old, freed_place(b, old, entry)), old, out,
	       changed);
	irb_place(b, out);
	moved = irb_block(b, "moved");
	irb_assign(b, unused, entry);
	old = next_place(b, other, entry_of(b, other), entry);
	irb_br(b, CC_EQ, irb_cmpxchg32(b, slot_at(l, at), other, old), other, moved, release);
	irb_place(b, moved);
	irb_assign(b, unused, entry_of(b, other));
	irb_jmp(b, release);
	irb_place(b, changed);
	irb_assign(b, place, irb_loadv(b, our_slot, 0, 4, false));
	entry = entry_of(b, irb_value(b, place));
	irb_bri(b, CC_EQ, entry, 0, settled, lost);
	irb_place(b, lost);
	irb_bri(b, CC_EQ, difference(l, entry_at(l, entry)), 0, again, settled);
	irb_place(b, theirs);
	erase(l, slot_at(l, at), other, f->release);
	irb_jmp(b, again);
	irb_place(b, again);
	irb_loop_end(b, &loop);
	irb_jmp(b, settled);
	irb_place(b, release);
	irb_call(b, IR_LCALL, f->release, 2,
		 (struct ir_arg[]){l->array, arg_reg(irb_value(b, unused))});
	irb_jmp(b, settled);
	irb_place(b, settled);
	ret_imm(b, 0);
}

/*
 * Emits a search for the key. If the array has the key, sets the variables @slot and @place and
 * goes to @have; else goes to @missing.
 */
static void find(struct look *l, int home, int slot, int place, int have, int missing, int scan)
{
	struct irb *b = l->b;
	int word = irb_loadv(b, home, 0, 8, false), used = irb_block(b, "slot in use");
	int here = irb_block(b, "at home"), other = irb_block(b, "not at home");
	int more = irb_block(b, "search"), found = irb_block(b, "found"), r, entry, now;

	irb_assign(b, slot, front_home(l));
	irb_assign(b, place, irb_ext(b, word, 4, false));
	entry = entry_of(b, word);
	irb_bri(b, CC_EQ, entry, 0, other, used);
	irb_place(b, used);
	irb_bri(b, CC_EQ, difference(l, entry_at(l, entry)), 0, here, other);
	irb_place(b, here);
	irb_jmp(b, have);
	irb_place(b, other); /* the same test as in irb_array_read() */
	now = irb_loadv(b, home, 0, 8, false);
	irb_br(b, CC_EQ, now, irb_value(b, place), missing, more);
	irb_place(b, more);
	r = search(l, scan, arg_imm(-1));
	irb_bri(b, CC_EQ, r, 0, missing, found);
	irb_place(b, found);
	irb_assign(b, slot, irb_ext(b, r, 4, false));
	irb_assign(b, place, irb_bini(b, IR_SHR, r, 32));
	irb_jmp(b, have);
}

/* Tries the spare entries of the CPU in turn. */
void irb_array_replace(struct irb *b, const struct array_ref *t, int fill)
{
	int array = irb_param(b, 0), key = irb_param(b, 1), value = irb_param(b, 2),
	    found = irb_param(b, 3);
	struct look l = begin(b, t, array);
	int done = irb_block(b, "stored"), next, line, slot, place;

	l.key.at = arg_reg(key);
	l.fill = fill;
	line = own_line(&l);
	slot = slot_at(&l, irb_ext(b, found, 4, false));
	place = irb_bini(b, IR_SHR, found, 32);
	for (int i = 0; i < ARRAY_SPARES; i++) {
		next = irb_block(b, "other spare entry");
		swap_entry(&l, line, ARRAY_SPARE(i), slot, place, value, done, next);
		irb_place(b, next);
	}
	ret_imm(b, 1);
	irb_place(b, done);
	ret_imm(b, 0);
}

/*
 * Emits a store of @value to the key, which is in slot @slot with place @at. The function that is
 * being built returns the result.
 */
static void set_found(struct look *l, int slot, int at, int value, const struct array_callees *f)
{
	struct irb *b = l->b;
	int stored = irb_block(b, "stored"), busy = irb_block(b, "spare entry in use");
	int to = slot_at(l, irb_value(b, slot)), place = irb_value(b, at), line = own_line(l);
	int others;

	swap_entry(l, line, ARRAY_SPARE(0), to, place, value, stored, busy);
	irb_place(b, stored);
	ret_imm(b, 0);
	irb_place(b, busy);
	others = irb_bini(b, IR_SHL, irb_value(b, at), 32);
	others = irb_bin(b, IR_OR, others, irb_value(b, slot));
	irb_ret_reg(b, call_replace(l, others, value, f));
}

/*
 * Emits a deletion of the key, which is in slot @slot with place @at. The function that is being
 * built returns 0.
 */
static void drop_found(struct look *l, int slot, int at, int release)
{
	struct irb *b = l->b;
	int to = slot_at(l, irb_value(b, slot));

	erase(l, to, irb_value(b, at), release);
	ret_imm(b, 0);
}

void irb_array_set(struct irb *b, const struct array_ref *t, const struct array_callees *f)
{
	int array = irb_param(b, 0), key = irb_param(b, 1), value = irb_param(b, 2);
	struct look l = begin(b, t, array);
	int have = irb_block(b, "have key"), missing = irb_block(b, "no such key");
	int gone = irb_block(b, "delete"), keep = irb_block(b, "keep"), add = irb_block(b, "add");
	int none = irb_block(b, "nothing to delete"), alone = irb_block(b, "alone");
	int rest = irb_block(b, "search again");
	int slot = irb_var(b), at = irb_var(b), entry = irb_var(b), home, others;

	l.key.at = arg_reg(key);
	l.fill = f->fill;
	hash_key(&l);
	home = slot_at(&l, front_home(&l));
	find(&l, home, slot, at, have, missing, f->scan);
	irb_place(b, have);
	if (t->memory) {
		irb_jmp(b, keep);
	} else {
		irb_bri(b, CC_EQ, value, 0, gone, keep);
		irb_place(b, gone);
		drop_found(&l, slot, at, f->release);
	}
	irb_place(b, keep);
	set_found(&l, slot, at, value, f);
	irb_place(b, missing);
	if (t->memory) {
		irb_jmp(b, add);
	} else {
		irb_bri(b, CC_EQ, value, 0, none, add);
		irb_place(b, none);
		ret_imm(b, 0);
	}
	irb_place(b, add);
	take_entry(&l, entry, f->take);
	write_entry(&l, irb_value(b, entry), value);
	place_entry(&l, home, entry, slot, at, f);
	/*
	 * If the entry is in its home slot, and no key with this home was ever elsewhere, no other
	 * slot can have the same key.
	 */
	others = irb_bin(b, IR_XOR, irb_value(b, slot), front_home(&l));
	others = irb_bin(b, IR_OR, others, irb_loadv(b, home, 4, 4, false));
	irb_bri(b, CC_EQ, others, 0, alone, rest);
	irb_place(b, alone);
	ret_imm(b, 0);
	irb_place(b, rest);
	if (t->memory)
		settle_memory(&l, slot, at, f);
	else
		settle(&l, slot, at, value, f);
}

/* ------------------------------------------------------- values that are memory */

/* Copies a value from @from + @off to @to + @to_off. */
static void copy_memory(struct look *l, int from, int32_t off, int to, int32_t to_off)
{
	int32_t n = (int32_t)l->t->memory;

	for (int32_t i = 0; i < n; i += 8) {
		unsigned size = n - i < 8 ? 4 : 8;

		irb_store(l->b, to, to_off + i, size, irb_loadv(l->b, from, off + i, size, false));
	}
}

/*
 * Emits the function "fill". It changes the entry's count before and after it writes the entry. So
 * a program that copies the value at the same time sees two different counts.
 */
void irb_array_fill(struct irb *b, const struct array_ref *t)
{
	int array = irb_param(b, 0), entry = irb_param(b, 1), key = irb_param(b, 2),
	    value = irb_param(b, 3);
	struct look l = begin(b, t, array);
	int32_t key_size = (int32_t)t->key_size;
	int at = entry_at(&l, entry), count = irb_loadv(b, at, key_size, 8, false);

	irb_store(b, at, key_size, 8, irb_bini(b, IR_ADD, count, 1));
	for (int32_t i = 0; i < key_size; i += 8)
		irb_store(b, at, i, 8, irb_loadv(b, key, i, 8, false));
	copy_memory(&l, value, 0, at, key_size + 8);
	irb_store(b, at, key_size, 8, irb_bini(b, IR_ADD, count, 2));
	ret_imm(b, 0);
}

/*
 * Emits the function "copy". After it has read the entry's count, it reads the place again. If the
 * place has not changed, the entry had the key and a whole value. If the count is the same after
 * the copy, the copy is whole too, even if other programs have stored to the key meanwhile.
 */
void irb_array_copy(struct irb *b, const struct array_ref *t, int scan)
{
	int array = irb_param(b, 0), key = irb_param(b, 1), to = irb_param(b, 2);
	struct look l = begin(b, t, array);
	int32_t key_size = (int32_t)t->key_size;
	int slot = irb_var(b), place = irb_var(b), none = irb_block(b, "none");
	int home, at, count, now, found, same, whole, changed;
	struct irb_loop loop;

	l.key.at = arg_reg(key);
	hash_key(&l);
	home = slot_at(&l, front_home(&l));
	irb_loop(b, &loop, COPY_TRIES, 1);
	found = irb_block(b, "found"), same = irb_block(b, "still the same");
	changed = irb_block(b, "changed"), whole = irb_block(b, "whole");
	find(&l, home, slot, place, found, none, scan);
	irb_place(b, found);
	at = entry_at(&l, entry_of(b, irb_value(b, place)));
	count = irb_loadv(b, at, key_size, 8, false);
	now = irb_loadv(b, slot_at(&l, irb_value(b, slot)), 0, 4, false);
	irb_br(b, CC_EQ, now, irb_value(b, place), same, changed);
	irb_place(b, same);
	copy_memory(&l, at, key_size + 8, to, 0);
	irb_br(b, CC_EQ, irb_loadv(b, at, key_size, 8, false), count, whole, changed);
	irb_place(b, whole);
	ret_imm(b, ARRAY_FOUND);
	irb_place(b, changed);
	irb_loop_end(b, &loop);
	ret_imm(b, ARRAY_BUSY);
	irb_place(b, none);
	ret_imm(b, ARRAY_NONE);
}

void irb_array_drop(struct irb *b, const struct array_ref *t, int scan, int release)
{
	int array = irb_param(b, 0), key = irb_param(b, 1);
	struct look l = begin(b, t, array);
	int have = irb_block(b, "have key"), missing = irb_block(b, "no such key");
	int slot = irb_var(b), at = irb_var(b);

	l.key.at = arg_reg(key);
	hash_key(&l);
	find(&l, slot_at(&l, front_home(&l)), slot, at, have, missing, scan);
	irb_place(b, have);
	drop_found(&l, slot, at, release);
	irb_place(b, missing);
	ret_imm(b, 0);
}
