/*
 * typegen.h - random D programs in which kinds of values meet.
 *
 * Most of what it writes is right: numbers, strings, pointers into the kernel, text
 * behind pointers and translated arguments, converted into each other in every way that
 * D has.  Now and then a kind stands where another belongs, a name is one of the
 * library's, an index is out of bounds: such programs must be refused with a message.
 */
#ifndef TESTS_FUZZ_TYPEGEN_H
#define TESTS_FUZZ_TYPEGEN_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

struct typegen_opts {
	bool live; /* structs and probes of a real kernel beside those that captures have too */
	/* pointers into the kernel's structs as arguments of every function that takes memory */
	bool pointers;
	unsigned slip; /* how many of 1,000 places get the wrong kind */
};

/* Appends the program of that seed to @out; the same for the same arguments. */
void typegen(uint64_t seed, const struct typegen_opts *o, struct strbuf *out);

#endif
