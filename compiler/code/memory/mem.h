/*
 * mem.h - loads from memory, and copies of it.
 */
#ifndef COMPILER_CODE_MEMORY_MEM_H
#define COMPILER_CODE_MEMORY_MEM_H

#include <stdbool.h>
#include <stdint.h>

struct dest;
struct fire;
struct type;

/* Memory that an expression denotes. */
struct mem {
	int base; /* register or FRAME */
	int32_t off;
	struct type *owner; /* struct that @base points to, for the verifier; may be NULL */
	bool lib;       /* the expression is library text: bad addresses read as 0, not a fault */
	bool user;      /* memory of the current process: must be copied, which may fault */
	bool own;       /* memory of ours (map value, scratch): needs no test */
	bool ip_header; /* replay: @base points to a packet's IP header */
	bool or_null;   /* replay: @base may be NULL instead */
};

/*
 * Returns a register with the address of @m. The verifier forbids arithmetic on a pointer that may
 * be NULL, so such a pointer becomes a number.
 */
int address_of(struct fire *g, struct mem m);

/* Returns a register with the @size (1, 2, 4 or 8) bytes at @m. @sgn: widened as signed. */
int mem_load(struct fire *g, struct mem m, unsigned size, bool sgn);

/* Returns whether mem_copy() of @n bytes would load them word by word, as mem_load() does. */
bool mem_is_loaded(struct fire *g, const struct mem *m, uint32_t n);

/* Copies @n bytes at @m to @d + @doff. An address that cannot be read is a fault. */
void mem_copy(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n);

/*
 * As mem_copy(), of a whole struct. The verifier allows plain loads only within one member, so the
 * copy does not use the struct's type.
 */
void mem_copy_whole(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n);

#endif
