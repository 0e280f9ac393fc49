/*
 * typegen.h - generates random D programs that mix kinds of values.
 *
 * Most programs are valid. They convert numbers, strings, pointers into the kernel, text that
 * pointers lead to, and translated arguments into each other in many ways. Some programs have a
 * value of the wrong kind, a name that only the library may use, or an index out of bounds. The
 * compiler must refuse these programs with a message.
 */
#ifndef TESTS_FUZZ_TYPEGEN_H
#define TESTS_FUZZ_TYPEGEN_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

struct typegen_opts {
	bool live; /* also use structs and probes that do not exist in replay */
	/* pass pointers into the kernel's structs to every function that takes memory */
	bool pointers;
	unsigned slip; /* how many of 1,000 places get a value of the wrong kind */
};

/* Appends the program of seed @seed to @out. The same arguments give the same program. */
void typegen(uint64_t seed, const struct typegen_opts *o, struct strbuf *out);

#endif
