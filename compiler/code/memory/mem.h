/* mem.h - loads from memory, and copies memory. */
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
	/* type of the struct that @base points to, for the verifier; may be NULL */
	struct type *owner;
	/* the expression is in library text, where a bad address reads as 0 and is no fault */
	bool lib;
	/*
	 * the memory belongs to the current process: code must copy it before use, which may fault
	 */
	bool user;
	/* the memory belongs to dtrace (map value, scratch), so loads need no test */
	bool own;
	bool cast;      /* load through a cast, see trust_needs_cast() */
	bool ip_header; /* in replay: @base points to a packet's IP header */
	bool or_null;   /* in replay: @base may be NULL instead of pointing to the IP header */
};

/*
 * Returns a register with the address of @m. The verifier forbids arithmetic on a pointer that may
 * be NULL, so such a pointer becomes a number.
 */
int address_of(struct fire *g, struct mem m);

/*
 * Returns a register with the @size (1, 2, 4 or 8) bytes at @m, widened to 64 bits. If @sgn, the
 * value is sign-extended.
 */
int mem_load(struct fire *g, struct mem m, unsigned size, bool sgn);

/* Returns whether mem_copy() of @n bytes would load them word by word, as mem_load() does. */
bool mem_is_loaded(struct fire *g, const struct mem *m, uint32_t n);

/* Copies @n bytes from @m to byte @doff of slot @d. An address that cannot be read is a fault. */
void mem_copy(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n);

/*
 * As mem_copy(), for a whole struct. Through a pointer of the struct's type, the verifier allows
 * plain loads only within one member. So the copy does not use that type.
 */
void mem_copy_whole(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n);

#endif
