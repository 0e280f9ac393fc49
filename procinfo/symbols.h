/*
 * symbols.h - functions, names and static probes of files that processes have mapped.
 *
 * This module opens the files and sends them to a reader (sandbox/reader.h), which parses them. A
 * file is identified by device, inode, size and times, so processes that map it share its entry.
 * Offsets are positions in the file in bytes.
 *
 * Each reader gets only the files of one owner. So a reader that hostile input controls can give
 * wrong answers about that owner's files only. Root's reader keeps running. If too many other
 * readers run, the one used least recently is ended, and started again when needed.
 *
 * A file is not read again in this run if the reader died while reading it. After three such files
 * of one owner, no other file of that owner is read; root's files are exempt.
 */
#ifndef PROCINFO_SYMBOLS_H
#define PROCINFO_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "procinfo/note_args.h"

struct diag;
struct mapping;
struct process;
struct symbol_file;

/*
 * Starts the readers, before this process gives up its rights. Runs that do not call it pay
 * nothing. Returns false and records an error in @d if the readers cannot be confined.
 */
bool symbols_start(struct diag *d);

/*
 * Returns the file that @p has mapped as @m. This module owns it. The file must be regular, and
 * opening it must not block. Returns NULL if @m has no file, or if the file cannot be opened, is
 * not an ELF file, or must not be read again. Valid until the next call of this function or of
 * symbols_at_path().
 */
struct symbol_file *symbols_of_mapping(struct process *p, struct mapping *m);

/*
 * Returns the names of code that @p generated, from the file that its runtime writes:
 * /tmp/perf-PID.map. The file must belong to the process's user or to root. It is opened again once
 * a second, because it grows. Offsets in this file are addresses. Otherwise like
 * symbols_of_mapping().
 */
struct symbol_file *symbols_of_jit(struct process *p);

/* Returns the file at @path as process @pid sees it. Otherwise like symbols_of_mapping(). */
struct symbol_file *symbols_at_path(pid_t pid, const char *path);

/* Keeps the file open until the process ends, so that symbols_link() stays valid. */
void symbols_keep(struct symbol_file *f);

/*
 * Appends a path of the open file, for example "/proc/self/fd/7". It stays valid if the file is
 * renamed.
 */
void symbols_link(const struct symbol_file *f, struct strbuf *out);

/* Returns whether the file is a 32-bit ELF file. */
bool symbols_32_bits(const struct symbol_file *f);

/* Returns whether the file may be mapped at any address: a shared library or a PIE executable. */
bool symbols_is_relocatable(const struct symbol_file *f);

/* Returns whether the file is root's and nobody else may write to it. */
bool symbols_by_root(const struct symbol_file *f);

/* Stores the device and the inode of the file. */
void symbols_identity(const struct symbol_file *f, uint64_t *dev, uint64_t *inode);

/* A loaded segment of the file. Addresses are the linker's. */
struct symbol_segment {
	uint64_t off, addr, size, memory;
	bool exec;
};

/* Returns the segments, owned by @f, and their number in @n. */
const struct symbol_segment *symbols_segments(const struct symbol_file *f, uint32_t *n);

/*
 * Appends the name of the function or variable at offset @off; C++ names are demangled. Sets
 * @behind to the distance from its start in bytes. Returns false and appends nothing if there is
 * none.
 */
bool symbols_name(struct symbol_file *f, uint64_t off, uint64_t *behind, struct strbuf *out);

struct symbol_function {
	const char *name; /* valid during the call */
	uint64_t off, size;
	bool global;
	bool can_probe; /* a uprobe on its first instruction is possible */
};

/*
 * Calls @fn for each function in loaded code, in no particular order, and for at most
 * FUNCTIONS_MAX.
 */
void symbols_functions(struct symbol_file *f,
		       void (*fn)(void *ctx, const struct symbol_function *s), void *ctx);

#define FUNCTIONS_MAX 1000000u
#define NOTES_MAX 1000000u /* the usdt provider uses fewer */

struct symbol_note {
	const char *prov, *name; /* valid during the call */
	uint64_t at, semaphore;  /* offsets; semaphore 0: none */
	const struct arg_location *place;
	uint32_t nplace;
};

/* Calls @fn for each static probe of the file, and for at most NOTES_MAX. */
void symbols_notes(struct symbol_file *f, void (*fn)(void *ctx, const struct symbol_note *n),
		   void *ctx);

/* Calls @fn for each instruction in the @size bytes from offset @off on. */
void symbols_instructions(struct symbol_file *f, uint64_t off, uint64_t size,
			  void (*fn)(void *ctx, uint64_t off, bool can_probe), void *ctx);

/*
 * Sets a function that is called with messages about files that could not be read: one line at a
 * time, without a newline.
 */
void symbols_report(void (*fn)(const char *line));

#endif
