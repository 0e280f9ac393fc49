/*
 * alloca.h - memory that a clause allocates.
 */
#ifndef COMPILER_CODE_MEMORY_ALLOCA_H
#define COMPILER_CODE_MEMORY_ALLOCA_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/code/memory/mem.h"

struct enabling;
struct fire;

/* Reserves the clause's memory, all of it free. Does nothing if the clause needs none. */
void alloca_begin(struct fire *g, const struct enabling *en);

/*
 * Allocates @n (register) bytes until the clause ends, aligned to 8 and not zeroed. Returns a
 * register with their address; not enough memory is a fault when the program runs.
 */
int alloca_take(struct fire *g, int n);

/*
 * Returns a register with the address @addr (register) as a pointer that @n (register) bytes may be
 * written to. If the bytes are not allocated, there is a fault.
 */
int alloca_at(struct fire *g, int addr, int n);

/*
 * As alloca_at(), for the @size bytes at @m. They may also be in a variable that is a struct or
 * array, except one in a hash.
 */
struct mem writable_mem(struct fire *g, struct mem m, uint32_t size);

/*
 * Copies @n (register) bytes from address @from to @at, which alloca_take() returned. @user: from
 * the current process, else from the kernel. A bad address is a fault.
 */
void alloca_fill(struct fire *g, int at, int n, int from, bool user);

/*
 * Copies @n (register) bytes, at most @most, from our memory @at to address @to of the current
 * process. A bad address is a fault.
 */
void alloca_copy_out(struct fire *g, int to, int at, int n, uint32_t most);

/* Returns a register with the size of the allocated memory so far, for alloca_release(). */
int alloca_mark(struct fire *g);

/* Frees all memory that was allocated since alloca_mark() returned @mark. */
void alloca_release(struct fire *g, int mark);

#endif
