/*
 * note_args.h - where the arguments of a static probe are, as its note says.
 */
#ifndef PROCINFO_NOTE_ARGS_H
#define PROCINFO_NOTE_ARGS_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

/* Where a static probe has one of its arguments. */
struct arg_location {
	enum { ARG_CONSTANT, ARG_REGISTER, ARG_MEMORY, ARG_UNKNOWN } kind;
	uint32_t size; /* 1, 2, 4 or 8 bytes */
	bool sgn;
	int32_t reg, index; /* offsets of registers in the context; -1: none */
	int32_t scale;
	int64_t value; /* the constant, or what is added: reg + index * scale + value */
};

/*
 * Reads "-4@%edi 8@-8(%rbp) 8@$5" (x86-64) or "-4@w0 8@[sp, 8] 8@5" (arm64), as <sys/sdt.h> writes
 * it.  Returns the places, *@n of them, in memory of @a; what is not understood has ARG_UNKNOWN.
 */
struct arg_location *note_args(struct arena *a, const char *text, uint32_t *n);

/* Whether a reader may have made @p: code can be compiled for it without a fault. */
bool arg_location_is_valid(const struct arg_location *p);

#endif
