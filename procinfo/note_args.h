/*
 * note_args.h - parses the argument locations in the note of a static probe (USDT).
 */
#ifndef PROCINFO_NOTE_ARGS_H
#define PROCINFO_NOTE_ARGS_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

/* The location of one argument of a static probe. */
struct arg_location {
	enum { LOCATION_CONSTANT, LOCATION_REGISTER, LOCATION_MEMORY, LOCATION_UNKNOWN } kind;
	uint32_t size; /* size of the value in bytes: 1, 2, 4 or 8 */
	bool sgn;      /* the value is signed */
	/* offsets in struct pt_regs (arm64: user_pt_regs), or -1 without a register */
	int32_t reg, index;
	int32_t scale;
	/* the constant, or the displacement in the address reg + index * scale + value */
	int64_t value;
};

/*
 * Parses the argument locations in a static probe's note. <sys/sdt.h> writes them as text: "-4@%edi
 * 8@-8(%rbp) 8@$5" on x86-64, "-4@w0 8@[sp, 8] 8@5" on arm64. Returns an array of locations,
 * allocated in @a, and sets @n to its length. An argument that cannot be parsed has the kind
 * LOCATION_UNKNOWN.
 */
struct arg_location *note_args(struct arena *a, const char *text, uint32_t *n);

/*
 * Returns whether @p is valid, so that code can be compiled for it. Use this function to check
 * locations that a reader sent.
 */
bool arg_location_is_valid(const struct arg_location *p);

#endif
