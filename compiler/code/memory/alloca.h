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

/*
 * Reserves the memory for all that the clause allocates. Does nothing if the clause allocates no
 * memory.
 */
void alloca_begin(struct fire *g, const struct enabling *en);

/*
 * Allocates @n (register) bytes, aligned to 8 and not zeroed. They are freed when the clause ends.
 * Returns a register with their address. If there is not enough memory, that is a fault at run
 * time.
 */
int alloca_take(struct fire *g, int n);

/*
 * Returns a register with address @addr (register) as a pointer, through which the verifier lets
 * the program write @n (register) bytes. It is a fault if the bytes are not allocated.
 */
int alloca_at(struct fire *g, int addr, int n);

/*
 * As alloca_at(), for the @size bytes at @m. These bytes may also be in a variable that is a struct
 * or array, unless the variable is kept in a hash.
 */
struct mem writable_mem(struct fire *g, struct mem m, uint32_t size);

/*
 * Copies @n (register) bytes from address @from to @at, which alloca_take() or alloca_at()
 * returned. If @user, @from is an address of the current process, else of the kernel. A bad address
 * is a fault.
 */
void alloca_fill(struct fire *g, int at, int n, int from, bool user);

/*
 * Copies @n (register) bytes, at most @most, from @at, which is memory of dtrace, to address @to of
 * the current process. A bad address is a fault.
 */
void alloca_copy_out(struct fire *g, int to, int at, int n, uint32_t most);

/*
 * Returns a register with the number of bytes allocated so far, to pass to alloca_release() later.
 */
int alloca_mark(struct fire *g);

/* Frees all memory that was allocated since alloca_mark() returned @mark. */
void alloca_release(struct fire *g, int mark);

#endif
