/*
 * notes.h - static probes that programs and libraries say they have (.note.stapsdt, as <sys/sdt.h>
 * of SystemTap writes it).
 */
#ifndef PROCESS_NOTES_H
#define PROCESS_NOTES_H

#include <stdint.h>

struct note {
	const char *prov, *name;
	const char *args;   /* "-4@%edi 8@-8(%rbp)" */
	uint64_t at;        /* the instruction, as an offset in the file */
	uint64_t semaphore; /* likewise what counts who traces it; 0: nothing does */
};

/* Calls @fn, which keeps no pointer, for each note of file @path; none if it cannot be read. */
void notes_each(const char *path, void (*fn)(void *ctx, const struct note *n), void *ctx);

#endif
