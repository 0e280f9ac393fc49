/*
 * process.h - what a process has mapped, and which functions are there.
 */
#ifndef PROCINFO_PROCESS_H
#define PROCINFO_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "base/vec.h"

#define MAPPING_UNREADABLE UINT32_MAX

struct mapping {
	uint64_t from, to;
	uint64_t off; /* in the file, of what is at @from */
	uint64_t dev, inode;
	bool exec;
	uint32_t name; /* of the file, in process.text: see mapping_path() */
	uint32_t file; /* its number, see symbols_of_mapping(); 0: not looked at, or
			  MAPPING_UNREADABLE */
};

struct process {
	pid_t pid;
	uid_t uid;        /* of the process; (uid_t)-1: unknown */
	uint64_t read_ns; /* when, by now_monotonic() */
	VEC(struct mapping) map;
	uint32_t perf_map;    /* see symbols_of_jit(); 0: none */
	uint64_t perf_map_ns; /* when it was looked for */
	/* names, ended by NULs; each name once if mappings of it are neighbours */
	struct strbuf text;
};

/*
 * Notes what process @pid has mapped now; of one that is not there, nothing.  At most
 * MAPPINGS_MAX mappings are noted.  Free with process_free().  See proc_pid_maps(5).
 */
struct process *process_read(pid_t pid);

/* A process about which nothing is known yet.  Free with process_free(). */
struct process *process_new(pid_t pid);

/* A copy of @p, for process @pid. */
struct process *process_copy(const struct process *p, pid_t pid);
void process_free(struct process *p);

/* Adds a mapping of @path; @m->name is set here. */
void process_add(struct process *p, struct mapping m, const char *path);

/* Bytes of memory that @p takes. */
size_t process_size(const struct process *p);

/* The mapping that holds @addr; NULL: there is none. */
struct mapping *process_mapping_at(struct process *p, uint64_t addr);

/* Code that the process has made in its own memory: of no file. */
bool mapping_is_jit(const struct process *p, const struct mapping *m);

/* "/usr/lib/x86_64-linux-gnu/libc.so.6", "" of no file; and without its folders. */
const char *mapping_path(const struct process *p, const struct mapping *m);
const char *mapping_name(const struct process *p, const struct mapping *m);

/*
 * The file itself, whatever became of its name and wherever the process is: the path of a
 * magic link in /proc, good as long as the process has it mapped.
 */
void mapping_file(const struct process *p, const struct mapping *m, struct strbuf *out);

#define MAPPINGS_MAX 16384
#define MAPPINGS_TEXT_MAX (1u << 20) /* bytes of names */

#endif
