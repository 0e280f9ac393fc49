/*
 * process.h - the files and memory that a process has mapped.
 */
#ifndef PROCINFO_PROCESS_H
#define PROCINFO_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "base/vec.h"

#define MAPPING_UNREADABLE UINT32_MAX /* value of mapping.file if the file cannot be read */

struct mapping {
	uint64_t from, to;
	uint64_t since; /* time when it was made, by now_monotonic(), or 0 if it is unknown */
	uint64_t off;   /* position in the file of the byte that is mapped at @from */
	uint64_t dev, inode;
	bool exec;
	uint32_t name; /* offset in process.text of the file's name; see mapping_path() */
	/*
	 * Number of the file, or MAPPING_UNREADABLE, or 0 if symbols_of_mapping() has not set it
	 * yet.
	 */
	uint32_t file;
};

struct process {
	pid_t pid;
	uid_t uid;        /* user of the process, or (uid_t)-1 if unknown */
	uint64_t read_ns; /* time when reading began, by now_monotonic() */
	uint64_t cost_ns; /* time that reading took, in ns */
	/* page of the kernel's code ([vdso]), which differs between programs; 0 without one */
	uint32_t mark;
	/* time when another program or process took the PID, by now_monotonic(), or 0 */
	uint64_t over;
	bool full;               /* a mapping was left out, so mappings may be out of date */
	bool stale;              /* mappings may have changed since @read_ns */
	struct process *older;   /* the program or process that had this PID before; owned */
	VEC(struct mapping) map; /* in the order in which they were made */
	/* number of the process's perf map (perf_map.h), set by symbols_of_jit(); 0 without one */
	uint32_t perf_map;
	uint64_t perf_map_ns; /* time of the last lookup of the perf map, in ns */
	/* Names of files, each with a NUL. Adjacent mappings of one file share a name. */
	struct strbuf text;
};

/*
 * Reads the mappings of process @pid that have a name or are executable, up to MAPPINGS_MAX of
 * them. If the process no longer exists, or is blocked (maps.h), the result has no mappings. The
 * caller frees the result with process_free(). Source: proc_pid_maps(5).
 */
struct process *process_read(pid_t pid);

/* Returns a struct process for @pid without mappings. The caller frees it with process_free(). */
struct process *process_new(pid_t pid);

/* Returns a copy of @p for process @pid. The caller frees it with process_free(). */
struct process *process_copy(const struct process *p, pid_t pid);

/* Frees @p, which may be NULL, and the older ones. */
void process_free(struct process *p);

/*
 * Adds the mapping @m of the file @path to @p, unless it was added shortly before. @m.name is
 * ignored. If @p has no room, sets @p->full.
 */
void process_add(struct process *p, struct mapping m, const char *path);

/*
 * Finds the file that was mapped at @addr at any time since @from. Sets @found to the newest
 * mapping there, unless @found already has a mapping of the same part of the same file, in process
 * @found_in. Returns false if the address belonged to several files.
 */
bool process_find(struct process *p, uint64_t addr, uint64_t from, struct process **found_in,
		  struct mapping **found);

/* Adds the mappings that @newer, read later, has at addresses where @p has others or none. */
void process_merge(struct process *p, const struct process *newer);

/* Returns the memory that @p and the older ones use, in bytes. */
size_t process_size(const struct process *p);

/* Returns the newest mapping that contains @addr, or NULL. */
struct mapping *process_mapping_at(struct process *p, uint64_t addr);

/* Returns whether @m is executable memory without a file: code that the process generated. */
bool mapping_is_jit(const struct process *p, const struct mapping *m);

/*
 * mapping_path() returns the path of the mapped file, such as
 * "/usr/lib/x86_64-linux-gnu/libc.so.6". mapping_name() returns the last component of that path,
 * "libc.so.6". If no file is mapped, the result is "", or a name in brackets such as "[vdso]". The
 * strings belong to @p.
 */
const char *mapping_path(const struct process *p, const struct mapping *m);
const char *mapping_name(const struct process *p, const struct mapping *m);

#define MAPPINGS_MAX 16384
#define MAPPINGS_TEXT_MAX (1u << 20) /* maximum total length of the paths in bytes */

#endif
