/*
 * elf_rpc.h - what dtrace asks a reader about ELF files, and how the answers look.
 *
 * dtrace numbers the files that it hands in.  Places in a file are offsets in bytes from its
 * start, because they hold whatever address a process has mapped the file at.
 *
 *	request         body                       answers, of the same type
 *	ELF_OPEN        u32 file, with descriptor  u32 class, u32 type, bytes build ID,
 *	                                           u32 n, n * segment; none: no ELF file
 *	ELF_DEBUG       u32 file, with descriptor  none: the file with its debugging symbols
 *	ELF_NAME        u32 file, u64 place        u64 bytes behind its start, text name; or none
 *	ELF_FUNCTIONS   u32 file                   { u64 place, u64 size, u32 flags, text name } ...
 *	ELF_NOTES       u32 file                   { u64 place, u64 semaphore, text provider,
 *	                                           text name, u32 n, n * argument } ...
 *	ELF_CODE        u32 file, u64 from, size   { u32 bytes behind @from, u32 flags } ...
 *	ELF_CLOSE       u32 file                   none
 *	ELF_PERF_MAP    u32 file, with descriptor  none, but empty: the file is a map of perf's
 *form; places of ELF_NAME are addresses then
 *
 *	segment         u64 place, address, size in the file, size in memory; u32 executable
 *	argument        u32 kind, size, signed, register, index, scale; u64 value
 */
#ifndef PROCINFO_ELF_RPC_H
#define PROCINFO_ELF_RPC_H

#include "sandbox/job.h"

enum {
	ELF_OPEN = RPC_FIRST,
	ELF_DEBUG,
	ELF_NAME,
	ELF_FUNCTIONS,
	ELF_NOTES,
	ELF_CODE,
	ELF_CLOSE,
	ELF_PERF_MAP,
};

enum { FUNCTION_GLOBAL = 1, FUNCTION_NO_PROBE = 2 }; /* flags of a function */
enum { CODE_NO_PROBE = 1 };                          /* of an instruction */

enum {
	ELF_FILES = 192,      /* that a reader keeps open */
	ELF_SEGMENTS = 64,    /* of a file that are looked at */
	ELF_ID_MAX = 64,      /* bytes of a build ID */
	ELF_TEXT_MAX = 32768, /* bytes of a name of a function, a provider or a probe */
	ELF_ARGUMENTS = 32,   /* of a static probe */
};

#endif
