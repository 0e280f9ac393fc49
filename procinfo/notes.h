/*
 * notes.h - static probes that programs and libraries say they have: .note.stapsdt, as <sys/sdt.h>
 * of SystemTap writes it.  Read by a reader only.
 */
#ifndef PROCINFO_NOTES_H
#define PROCINFO_NOTES_H

#include <stdint.h>

struct elf_note {
	const char *prov, *name;
	const char *args;   /* "-4@%edi 8@-8(%rbp)" */
	uint64_t at;        /* the instruction, as an offset in the file */
	uint64_t semaphore; /* likewise the counter of those who trace it; 0: there is none */
};

/*
 * Calls @fn, which keeps no pointer, for each note of the file @fd.  A file that is damaged has the
 * notes that come before the damage.
 */
void elf_notes(int fd, void (*fn)(void *ctx, const struct elf_note *n), void *ctx);

#endif
