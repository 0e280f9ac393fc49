/* insn.h - decodes machine code as far as uprobes need it. */
#ifndef PROCINFO_INSN_H
#define PROCINFO_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_MAX 16 /* maximum length of an instruction in bytes */

/*
 * Returns the length in bytes of the instruction at @code, where @n bytes are available. Returns 0
 * if the instruction is unknown or incomplete.
 */
size_t insn_length(const uint8_t *code, size_t n);

/*
 * Returns whether no uprobe may be placed on the instruction at @code, where @n bytes are
 * available. The kernel is known to refuse such an instruction, or to emulate it wrongly.
 */
bool insn_refused(const uint8_t *code, size_t n);

#endif
