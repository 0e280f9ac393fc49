/*
 * insn.h - decodes machine code, as far as breakpoints need it.
 */
#ifndef PROCINFO_INSN_H
#define PROCINFO_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_MAX 16 /* maximum length of an instruction in bytes */

/*
 * Returns the length in bytes of the instruction at @code, where @n bytes are available. Returns 0
 * for an unknown or incomplete instruction.
 */
size_t insn_length(const uint8_t *code, size_t n);

/*
 * Returns whether no uprobe may be on the instruction at @code (@n bytes available): the kernel is
 * known to refuse it, or to emulate it wrongly.
 */
bool insn_refused(const uint8_t *code, size_t n);

#endif
