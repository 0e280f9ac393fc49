/*
 * process.h - what a process has mapped, and which functions are there.
 */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "process/libdw.h"

struct mapping {
	uint64_t from, to;
	uint64_t off;  /* in the file, of what is at @from */
	uint64_t dev, inode;
	bool exec;
	uint32_t name; /* of the file, in process.text: see mapping_path() */
};

struct process {
	pid_t pid;
	uint64_t read_ns; /* when, by now_monotonic() */
	VEC(struct mapping) map;
	struct strbuf text; /* names, ended by NULs */
	struct strbuf maps; /* /proc/PID/maps, as it was */
	Dwfl *dwfl;
	bool opened;
};

/*
 * Notes what process @pid has mapped now; of one that is not there, nothing.  Free with
 * process_free().
 */
struct process *process_read(pid_t pid);

/* Likewise, from what /proc/PID/maps would have said. */
struct process *process_parse(pid_t pid, char *maps);
void process_free(struct process *p);

/* The mapping of a file that holds @addr; NULL: there is none. */
const struct mapping *process_at(const struct process *p, uint64_t addr);

/* "/usr/lib/x86_64-linux-gnu/libc.so.6"; and without its folders. */
const char *mapping_path(const struct process *p, const struct mapping *m);
const char *mapping_name(const struct process *p, const struct mapping *m);

/*
 * The file itself, whatever became of its name and wherever the process is: the path of a
 * magic link in /proc, good as long as the process has it mapped.
 */
void mapping_file(const struct process *p, const struct mapping *m, struct strbuf *out);

/* libdw's view of it, made when it is first wanted; NULL: libdw is not there, or knows nothing of it. */
Dwfl *process_symbols(struct process *p);

/* Which function is at @addr, and how far behind its start; NULL: no symbol is.  Good as long as @p. */
const char *process_symbol(struct process *p, uint64_t addr, uint64_t *off);

/* A function of a file that the process has mapped. */
struct function {
	const char *name;
	uint64_t addr, size;
	bool global;
};

/* Calls @fn for each function of the file that has @m mapped; a name may stand for several, or several for one. */
void process_functions(struct process *p, const struct mapping *m, void (*fn)(void *ctx, const struct function *f),
		       void *ctx);

#endif
