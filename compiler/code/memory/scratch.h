/*
 * scratch.h - slots in the scratch memory of a unit (the eBPF program of one hook).
 */
#ifndef COMPILER_CODE_MEMORY_SCRATCH_H
#define COMPILER_CODE_MEMORY_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

struct fire;

/* Effect of storing a NULL string in a slot: a fault, an empty string, or a NULL string. */
enum null_string { NULL_FAULT, NULL_EMPTY, NULL_KEEP };

/* A slot: memory that a string or key is written to. */
struct dest {
	int base; /* register or FRAME */
	int32_t off;
	uint32_t size; /* size in bytes */
	bool zero;     /* unused bytes must be zero, because the slot is compared as a whole */
	bool text;     /* the slot must get characters, even if the string has a cheaper form */
	enum null_string null;
};

/*
 * Returns a slot of @size bytes, aligned to 8 bytes, in scratch memory. The caller frees it with
 * scratch_release().
 */
struct dest scratch_slot(struct fire *g, uint32_t size);

/* Frees all slots that were taken since g->u->scratch_used was @mark. */
void scratch_release(struct fire *g, uint32_t mark);

#endif
