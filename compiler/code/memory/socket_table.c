/*
 * socket_table.c - code that finds, enters and removes sockets in the table of sockets.
 *
 * The first word of the table is not 0 if the kernel may hold storage for some socket. The slots
 * follow. A slot has the value, and then its key. The key is 0 if the slot is free, SLOT_BUSY while
 * a program fills it, and otherwise the socket's address + 1. The 1 is added so that a NULL pointer
 * matches no free slot.
 *
 * A program takes a free slot by compare-and-swap. If another program fills the slot at that
 * moment, the program uses the kernel's storage instead. The other program may run on another CPU,
 * or may have been interrupted by this one. A slot becomes free again when its socket ends. At that
 * point, no other program can ask for the socket.
 */
#include "compiler/code/memory/socket_table.h"

#include "compiler/code/eval/fire.h"
#include "compiler/code/layout.h"
#include "ir/ir.h"

/*
 * Number of low bits of a socket's address that are ignored to choose its slot. A TCP socket has
 * more than 2^SOCKET_BITS bytes, so sockets side by side in memory have different slots.
 */
#define SOCKET_BITS 11
#define SLOT_BUSY 2 /* no socket has this key, because none has the address 1 */
#define SPILLED 8   /* size of the first word of the table */

static uint32_t slot_size(uint32_t value_size)
{
	return 8 + ((value_size + 7) & ~7u);
}

uint32_t socket_table_size(uint32_t slots, uint32_t value_size)
{
	return SPILLED + slots * slot_size(value_size);
}

/* The slot of a socket. */
struct slot {
	uint32_t size;
	int at;  /* register with the slot's address */
	int key; /* register with the socket's key, its address + 1 */
	int old; /* register with the key that is in the slot now */
};

static struct slot slot_of(struct fire *g, int sk)
{
	struct irb *b = g->b;
	struct slot s = {.size = slot_size(g->layout->map.v[g->layout->socket_map].value_size)};
	int n = irb_scalar(b, sk), i;

	i = irb_bini(b, IR_AND, irb_bini(b, IR_SHR, n, SOCKET_BITS), g->layout->socket_slots - 1);
	i = irb_bini(b, IR_MUL, i, s.size);
	s.at = irb_bin(b, IR_ADD, irb_map_value(b, g->layout->socket_table, SPILLED), i);
	s.key = irb_bini(b, IR_ADD, n, 1);
	s.old = irb_loadv(b, s.at, (int32_t)s.size - 8, 8, false);
	return s;
}

int socket_table_search(struct fire *g, int sk, int found, int none)
{
	struct slot s = slot_of(g, sk);

	irb_br(g->b, CC_EQ, s.old, s.key, found, none);
	return s.at;
}

void socket_table_enter(struct fire *g, int sk)
{
	struct irb *b = g->b;
	struct slot s = slot_of(g, sk);
	int other = irb_block(b, "other"), take = irb_block(b, "take slot"),
	    mine = irb_block(b, "slot"), done = irb_block(b, "entered"), was, zero, busy;
	int32_t key = (int32_t)s.size - 8;

	/*
	 * The slot already has this key if the library missed the end of an earlier socket at this
	 * address.
	 */
	irb_br(b, CC_EQ, s.old, s.key, mine, other);
	irb_place(b, other);
	irb_bri(b, CC_EQ, s.old, 0, take, done);
	irb_place(b, take);
	zero = irb_const(b, 0);
	busy = irb_const(b, SLOT_BUSY);
	was = irb_cmpxchg(b, irb_addr(b, s.at, key), zero, busy);
	irb_bri(b, CC_EQ, was, 0, mine, done);
	irb_place(b, mine);
	for (int32_t i = 0; i < key; i += 8)
		irb_storei(b, s.at, i, 8, 0);
	irb_exchange(b, s.at, key, s.key); /* a barrier: other CPUs see the zeros first */
	irb_jmp(b, done);
	irb_place(b, done);
}

void socket_table_leave(struct fire *g, int sk)
{
	struct irb *b = g->b;
	struct slot s = slot_of(g, sk);
	int found = irb_block(b, "entered"), done = irb_block(b, "left");

	irb_br(b, CC_EQ, s.old, s.key, found, done);
	irb_place(b, found);
	/* An exchange is a barrier: reads of the value cannot move after it. */
	irb_exchange(b, s.at, (int32_t)s.size - 8, irb_const(b, 0));
	irb_jmp(b, done);
	irb_place(b, done);
}

int socket_table_spilled(struct fire *g)
{
	return irb_loadv(g->b, irb_map_value(g->b, g->layout->socket_table, 0), 0, 8, false);
}

void socket_table_spill(struct fire *g)
{
	struct irb *b = g->b;
	int first = irb_cold_block(b, "first"), done = irb_block(b, "spilled");

	irb_bri(b, CC_EQ, socket_table_spilled(g), 0, first, done);
	irb_place(b, first);
	irb_storei(b, irb_map_value(b, g->layout->socket_table, 0), 0, 8, 1);
	irb_jmp(b, done);
	irb_place(b, done);
}
