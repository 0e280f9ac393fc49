/*
 * insn.h - what must be known of machine code to set breakpoints in it.
 */
#ifndef PROCINFO_INSN_H
#define PROCINFO_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_MAX 16 /* bytes of an instruction, at most */

/*
 * How long is the instruction at @code, of which @n bytes are there?  0: it is none that is known,
 * or it goes beyond.
 */
size_t insn_length(const uint8_t *code, size_t n);

/* Does the kernel refuse a breakpoint there, as far as we know it? */
bool insn_refused(const uint8_t *code, size_t n);

#endif
