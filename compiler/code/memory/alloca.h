/*
 * alloca.h - memory that clauses allocate by alloca(), copyin() and similar subroutines.
 */
#ifndef COMPILER_CODE_MEMORY_ALLOCA_H
#define COMPILER_CODE_MEMORY_ALLOCA_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/code/memory/mem.h"

struct enabling;
struct fire;

/*
 * Reserves the area from which the clauses of a firing allocate. @memory has the flags
 * enabling.memory of all these clauses; if it is 0, none of them allocates.
 */
void alloca_room(struct fire *g, unsigned memory);

/* Makes the area empty when the clause @en starts, if the clause allocates memory at all. */
void alloca_begin(struct fire *g, const struct enabling *en);

/*
 * Allocates @n (register) bytes, aligned to 8 and not zeroed, until the clause ends. Returns a
 * register with their address. If the area has too little room, that is a fault at run time.
 */
int alloca_take(struct fire *g, int n);

/*
 * Returns a register with a pointer to address @addr (register), through which the verifier accepts
 * writes of @n (register) bytes. If the clause has not allocated all these bytes, that is a fault
 * at run time.
 */
int alloca_at(struct fire *g, int addr, int n);

/*
 * As alloca_at(), for the @size bytes at @m. The bytes may also belong to a variable that is a
 * struct or array and is not kept in a hash.
 */
struct mem writable_mem(struct fire *g, struct mem m, uint32_t size);

/*
 * Copies @n (register) bytes from address @from to @at, a result of alloca_take() or alloca_at().
 * @from is an address of the current process if @user, else of the kernel. A bad address is a
 * fault.
 */
void alloca_fill(struct fire *g, int at, int n, int from, bool user);

/*
 * Copies @n (register) bytes from @at, in memory of dtrace, to address @to of the current process.
 * A bad address is a fault, and so is @n > @most.
 */
void alloca_copy_out(struct fire *g, int to, int at, int n, uint32_t most);

/*
 * Returns a register with the number of bytes allocated so far, to pass to alloca_release() later.
 */
int alloca_mark(struct fire *g);

/* Frees all memory that was allocated since alloca_mark() returned @mark. */
void alloca_release(struct fire *g, int mark);

#endif
