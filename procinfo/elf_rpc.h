/*
 * elf_rpc.h - the requests about ELF files that dtrace sends to a reader, and the answers.
 *
 * dtrace numbers the files it sends. An offset is the position in the file in bytes, because it is
 * the same whatever address a process maps the file at.
 *
 *     request         body                       answers, of the same type
 *     ELF_OPEN        u32 file, with descriptor  u32 class, u32 type, bytes build ID,
 *                                                u32 n, n * segment; none if not an ELF file
 *     ELF_DEBUG       u32 file, with descriptor  none; the descriptor is its debug file
 *     ELF_NAME        u32 file, u64 offset       u64 distance from its start, text name; or none
 *     ELF_FUNCTIONS   u32 file                   { u64 offset, u64 size, u32 flags, text name } ...
 *     ELF_NOTES       u32 file                   { u64 offset, u64 semaphore, text provider,
 *                                                text name, u32 n, n * argument } ...
 *     ELF_CODE        u32 file, u64 from, size   { u32 distance from @from, u32 flags } ...
 *     ELF_CLOSE       u32 file                   none
 *     ELF_PERF_MAP    u32 file, with descriptor  an empty one if it is a perf map; offsets of
 *                                                ELF_NAME are addresses then
 *
 *     segment         u64 offset, address, size in the file, size in memory; u32 executable
 *     argument        u32 kind, size, signed, register, index, scale; u64 value
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
enum { CODE_NO_PROBE = 1 };                          /* flags of an instruction */

enum {
	ELF_FILES = 192,      /* files that a reader keeps open */
	ELF_SEGMENTS = 64,    /* segments read of a file */
	ELF_ID_MAX = 64,      /* maximum size of a build ID in bytes */
	ELF_TEXT_MAX = 32768, /* maximum size of a name in bytes */
	ELF_ARGUMENTS = 32,   /* arguments read of a static probe */
};

#endif
