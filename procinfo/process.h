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

#define MAPPING_UNREADABLE UINT32_MAX /* value of mapping.file */

struct mapping {
	uint64_t from, to;
	uint64_t off; /* offset in the file of the byte at @from */
	uint64_t dev, inode;
	bool exec;
	uint32_t name; /* name of the file, as an offset in process.text; see mapping_path() */
	/*
	 * set by symbols_of_mapping(): number of the file, MAPPING_UNREADABLE, or 0: not yet known
	 */
	uint32_t file;
};

struct process {
	pid_t pid;
	uid_t uid;        /* (uid_t)-1: unknown */
	uint64_t read_ns; /* time of reading, by now_monotonic() */
	VEC(struct mapping) map;
	uint32_t perf_map;    /* set by symbols_of_jit(): number of the perf map; 0: none */
	uint64_t perf_map_ns; /* time of the last lookup of the perf map, in ns */
	/* Names of files, each with a NUL. Adjacent mappings of one file share a name. */
	struct strbuf text;
};

/*
 * Reads what process @pid has mapped, up to MAPPINGS_MAX mappings; nothing if the process is gone.
 * The caller frees the result with process_free(). Source: proc_pid_maps(5).
 */
struct process *process_read(pid_t pid);

/* Returns an empty struct for process @pid. The caller frees it with process_free(). */
struct process *process_new(pid_t pid);

/* Returns a copy of @p for process @pid. The caller frees it with process_free(). */
struct process *process_copy(const struct process *p, pid_t pid);

/* Frees @p, which may be NULL. */
void process_free(struct process *p);

/* Adds the mapping @m of the file @path to @p; m.name is ignored. Does nothing if @p is full. */
void process_add(struct process *p, struct mapping m, const char *path);

/* Returns the memory that @p uses, in bytes. */
size_t process_size(const struct process *p);

/* Returns the mapping that contains @addr, or NULL. */
struct mapping *process_mapping_at(struct process *p, uint64_t addr);

/*
 * Returns whether @m is executable memory without a file: code that the process generated itself.
 */
bool mapping_is_jit(const struct process *p, const struct mapping *m);

/*
 * Return the path of the mapped file ("/usr/lib/x86_64-linux-gnu/libc.so.6", or "" without a file),
 * and its last component. The strings belong to @p.
 */
const char *mapping_path(const struct process *p, const struct mapping *m);
const char *mapping_name(const struct process *p, const struct mapping *m);

/*
 * Appends the path of the kernel's link to the mapped file in /proc. The link leads to the file
 * itself, even if the file was renamed or is in another mount namespace. The link exists as long as
 * the mapping.
 */
void mapping_file(const struct process *p, const struct mapping *m, struct strbuf *out);

#define MAPPINGS_MAX 16384
#define MAPPINGS_TEXT_MAX (1u << 20) /* bytes */

#endif
