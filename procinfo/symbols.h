/*
 * symbols.h - functions, names and static probes of files that processes have mapped.
 *
 * This module opens the files and sends them to a reader (sandbox/reader.h), a confined process
 * that parses them. A file is identified by its device, inode, size and times. So processes that
 * map the same file share one struct symbol_file. Offsets are positions in the file in bytes.
 *
 * Each reader gets only the files of one owner. So if hostile input controls a reader, the reader
 * can give wrong answers about that owner's files only. The reader for root's files always keeps
 * running. If too many other readers run, the one used least recently is ended, and started again
 * when needed.
 *
 * A file is not read again in this run if the reader died while reading it. After three such files
 * of one owner, no other file of that owner is read. This limit does not apply to root's files.
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
 * Starts the readers. Call this function before this process gives up its rights. Runs that do not
 * call it have no costs. Returns false and records an error in @d if the readers cannot be
 * confined.
 */
bool symbols_start(struct diag *d);

/*
 * Returns the file that @p has mapped as @m. The file must be regular, and opening it must not
 * block. Returns NULL if @m has no file, or if the file cannot be opened, is not an ELF file, or
 * must not be read again. This module owns the result, which is valid until the next call of this
 * function, of symbols_of_jit() or of symbols_at_path().
 */
struct symbol_file *symbols_of_mapping(struct process *p, struct mapping *m);

/*
 * Returns the file with the names of code that @p generated: /tmp/perf-PID.map, which the runtime
 * of @p writes. The file must belong to the process's user or to root. It is opened again once a
 * second, because the runtime appends to it. Offsets in the resulting struct symbol_file are
 * addresses. Apart from that, this function works as symbols_of_mapping() does.
 */
struct symbol_file *symbols_of_jit(struct process *p);

/*
 * Returns the file at @path, a path that process @pid would use. Apart from that, this function
 * works as symbols_of_mapping() does.
 */
struct symbol_file *symbols_at_path(pid_t pid, const char *path);

/* Keeps the file open until this process ends, so that the path of symbols_link() stays valid. */
void symbols_keep(struct symbol_file *f);

/*
 * Appends a path of the open file, for example "/proc/self/fd/7". The path stays valid if the file
 * is renamed.
 */
void symbols_link(const struct symbol_file *f, struct strbuf *out);

/* Returns whether the file is a 32-bit ELF file. */
bool symbols_32_bits(const struct symbol_file *f);

/* Returns whether the file may be mapped at any address: a shared library or a PIE executable. */
bool symbols_is_relocatable(const struct symbol_file *f);

/* Returns whether root owns the file and no other user may write to it. */
bool symbols_by_root(const struct symbol_file *f);

/* Sets @dev and @inode to the device and the inode of the file. */
void symbols_identity(const struct symbol_file *f, uint64_t *dev, uint64_t *inode);

/* A loaded segment of the file, with the address that the linker assigned. */
struct symbol_segment {
	uint64_t off, addr, size, memory;
	bool exec;
};

/* Returns the segments, which @f owns, and sets @n to their number. */
const struct symbol_segment *symbols_segments(const struct symbol_file *f, uint32_t *n);

/*
 * Appends the name of the function or variable that contains the offset @off. C++ names are
 * demangled. Sets @behind to @off minus the start of this function or variable. Returns false and
 * appends nothing if there is none.
 */
bool symbols_name(struct symbol_file *f, uint64_t off, uint64_t *behind, struct strbuf *out);

struct symbol_function {
	const char *name; /* valid during the call */
	uint64_t off, size;
	bool global;
	bool can_probe; /* a uprobe can be placed on the first instruction */
};

/*
 * Calls @fn for each function in loaded code, in no particular order. Leaves out names of 4 KB and
 * more. Stops after FUNCTIONS_MAX functions, or when the functions and static probes that were
 * listed since symbols_lists_freed() need too much memory.
 */
void symbols_functions(struct symbol_file *f,
		       void (*fn)(void *ctx, const struct symbol_function *s), void *ctx);

#define FUNCTIONS_MAX 1000000u
/* maximum number of static probes per file; the usdt provider has a lower limit */
#define NOTES_MAX 1000000u

/* the semaphore is in memory where the kernel cannot increment it */
#define SEMAPHORE_BEYOND UINT64_MAX

struct symbol_note {
	const char *prov, *name; /* valid during the call */
	/* offsets in the file; semaphore is 0 if the probe has none, and may be SEMAPHORE_BEYOND */
	uint64_t at, semaphore;
	const struct arg_location *place;
	uint32_t nplace;
};

/*
 * Calls @fn for each static probe of the file. Stops after NOTES_MAX probes, or when memory is
 * short, as symbols_functions() does.
 */
void symbols_notes(struct symbol_file *f, void (*fn)(void *ctx, const struct symbol_note *n),
		   void *ctx);

/* Call this function when the functions and static probes that were listed so far are freed. */
void symbols_lists_freed(void);

/* Calls @fn for each instruction in the @size bytes that begin at offset @off. */
void symbols_instructions(struct symbol_file *f, uint64_t off, uint64_t size,
			  void (*fn)(void *ctx, uint64_t off, bool can_probe), void *ctx);

/*
 * Sets a function that is called with messages about files, for example about a file that could not
 * be read. Each message is one line without a newline.
 */
void symbols_report(void (*fn)(const char *line));

#endif
