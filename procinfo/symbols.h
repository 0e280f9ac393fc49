/*
 * symbols.h - functions, names and static probes of files that processes have mapped.
 *
 * This side opens the files and asks; a reader (sandbox/reader.h) parses them.  A file is known by
 * device, inode, size and times, so processes that share it share what is known of it.  Places are
 * offsets in the file.
 *
 * A reader gets the files of one owner only, so a reader that hostile bytes have taken over can
 * tell lies about their owner's files and no other's.  Root's reader stays; of the others the one
 * that was asked least recently ends when too many are there, and another one is started when it is
 * wanted again.
 *
 * A file during whose reading a reader died is not read again in this run.  Neither are other
 * files of an owner who has three such files, unless root owns them.
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
 * Starts what reads files, before the run gives up the rights for that.  A run that never calls
 * this function pays nothing.  False, with the error in @d: the process for it cannot be confined.
 */
bool symbols_start(struct diag *d);

/*
 * The file that @p has mapped as @m; its owner is this module.  The file is opened without waiting
 * for it, and only if it is a regular file.  NULL: there is none, it cannot be opened, it is no ELF
 * file, or it may not be read any more.  Good until the next call of this function or of
 * symbols_at_path().
 */
struct symbol_file *symbols_of_mapping(struct process *p, struct mapping *m);

/*
 * The names of code that @p has made in its own memory, from the file that its runtime writes:
 * /tmp/perf-PID.map.  Only a file of the process's own user, or of root, is read.  The file is
 * looked for again once a second, because it grows.  Otherwise as symbols_of_mapping(); places are
 * addresses.
 */
struct symbol_file *symbols_of_jit(struct process *p);

/* The file at @path as process @pid sees it.  Otherwise as symbols_of_mapping(). */
struct symbol_file *symbols_at_path(pid_t pid, const char *path);

/* Has the file stay open, so that symbols_link() leads to it, until symbols_release(). */
void symbols_keep(struct symbol_file *f);

/* A path that leads to the open file, whatever becomes of its name: "/proc/self/fd/7". */
void symbols_link(const struct symbol_file *f, struct strbuf *out);

bool symbols_32_bits(const struct symbol_file *f);
bool symbols_is_library(const struct symbol_file *f);
void symbols_identity(const struct symbol_file *f, uint64_t *dev, uint64_t *inode);

/* A part of the file that is loaded; its addresses are the linker's. */
struct symbol_segment {
	uint64_t off, addr, size, memory;
	bool exec;
};

const struct symbol_segment *symbols_segments(const struct symbol_file *f, uint32_t *n);

/*
 * Appends the name of the function or variable at place @off, C++'s names taken apart, and sets
 * *@behind to the bytes from its start.  False: there is none, and nothing is appended.
 */
bool symbols_name(struct symbol_file *f, uint64_t off, uint64_t *behind, struct strbuf *out);

struct symbol_function {
	const char *name; /* until the callback returns */
	uint64_t off, size;
	bool global;
	bool can_probe; /* the kernel takes a breakpoint at its first instruction */
};

/* Calls @fn for each function in code that is loaded, in no order; at most FUNCTIONS_MAX. */
void symbols_functions(struct symbol_file *f,
		       void (*fn)(void *ctx, const struct symbol_function *s), void *ctx);

#define FUNCTIONS_MAX 1000000u
#define NOTES_MAX 1000000u /* the usdt provider keeps fewer */

struct symbol_note {
	const char *prov, *name; /* until the callback returns */
	uint64_t at, semaphore;  /* places; semaphore 0: none */
	const struct arg_location *place;
	uint32_t nplace;
};

/* Calls @fn for each static probe of the file, at most NOTES_MAX. */
void symbols_notes(struct symbol_file *f, void (*fn)(void *ctx, const struct symbol_note *n),
		   void *ctx);

/* Calls @fn for each instruction in @size bytes from place @off on. */
void symbols_instructions(struct symbol_file *f, uint64_t off, uint64_t size,
			  void (*fn)(void *ctx, uint64_t off, bool can_probe), void *ctx);

/* Has @fn told, one line without its end at a time, what could not be read and why. */
void symbols_report(void (*fn)(const char *line));

/* Closes all files. */
void symbols_release(void);

#endif
