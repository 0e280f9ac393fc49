/*
 * elf_rpc.h - the requests about ELF files that dtrace sends to a reader, and the answers.
 *
 * dtrace numbers the files that it sends; "file" is such a number. An offset is a position in the
 * file in bytes. Offsets are used because they do not depend on the address at which a process maps
 * the file. An answer has the type of its request. "{ ... } ..." means that an answer contains any
 * number of such rows, and that there may be several answers.
 *
 *     request         body                       answer
 *     ELF_OPEN        u32 file; the message      u32 class, u32 type, bytes build ID,
 *                     carries the descriptor     u32 n, n times "segment"; there is no
 *                                                answer if it is not an ELF file
 *     ELF_DEBUG       u32 file; the message      no answer
 *                     carries the descriptor
 *                     of the file's debug file
 *     ELF_NAME        u32 file, u64 offset       u64 distance from the start of the
 *                                                function, text name; there is no answer
 *                                                if the function is not known
 *     ELF_FUNCTIONS   u32 file                   { u64 offset, u64 size, u32 flags,
 *                                                text name } ...
 *     ELF_NOTES       u32 file                   { u64 offset, u64 semaphore, text provider,
 *                                                text name, u32 n, n times "argument" } ...
 *     ELF_CODE        u32 file, u64 offset of    { u32 distance from the first one,
 *                     the first instruction,     u32 flags } ...
 *                     u64 size
 *     ELF_CLOSE       u32 file                   no answer
 *     ELF_PERF_MAP    u32 file; the message      an empty body if it is a perf map; for
 *                     carries the descriptor     such a file, the offsets of ELF_NAME are
 *                                                addresses
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
	ELF_FILES = 192,      /* maximum number of files that a reader keeps open */
	ELF_SEGMENTS = 64,    /* maximum number of segments that are read from a file */
	ELF_ID_MAX = 64,      /* maximum size of a build ID in bytes */
	ELF_TEXT_MAX = 32768, /* maximum size in bytes of a name in an ELF file */
	ELF_ARGUMENTS = 32,   /* maximum number of arguments read for a static probe */
	/* ELF_FUNCTIONS and ELF_NOTES leave out names that have this number of bytes or more */
	ELF_LISTED_NAME_MAX = 4096,
	ELF_LIST_MAX = 128 << 20, /* a list ends after rows of this total size in bytes */
};

#endif
