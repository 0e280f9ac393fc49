/*
 * notes.h - lists the static probes (USDT) of an ELF file. Only readers (confined processes) may
 * call its function.
 *
 * The probes are in the section .note.stapsdt, which SystemTap's <sys/sdt.h> writes. Source:
 * https://sourceware.org/systemtap/wiki/UserSpaceProbeImplementation.
 */
#ifndef PROCINFO_NOTES_H
#define PROCINFO_NOTES_H

#include <stdint.h>

struct elf_note {
	const char *prov, *name;
	const char *args; /* where the arguments are, "-4@%edi 8@-8(%rbp)"; see note_args() */
	uint64_t at;      /* offset of the instruction in the file */
	/*
	 * Offset in the file of the semaphore, a counter of tracers; 0 if there is none. If the
	 * semaphore is in .bss, the offset may be behind the segment's bytes, in their last page.
	 * SEMAPHORE_BEYOND if the semaphore is not in memory that is mapped from the file.
	 */
	uint64_t semaphore;
};

/*
 * Calls @fn for each note of the file @fd. The note and its strings are valid only during the call.
 * In a damaged file, the notes after the damage are missing.
 */
void elf_notes(int fd, void (*fn)(void *ctx, const struct elf_note *n), void *ctx);

#endif
