/*
 * objects.h - the programs and libraries (objects) of the processes that a description names.
 */
#ifndef PROVIDERS_PID_OBJECTS_H
#define PROVIDERS_PID_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "providers/provider.h"

struct process;

struct object_function {
	const char *name;
	uint64_t addr, size; /* address in the process, and size in bytes */
	bool global, can_probe;
	/* probes at the function's entry and return, created on demand */
	struct host_probe *made[2];
};

struct object {
	const char *name, *path; /* "libc.so.6", and its path as the process sees it */
	struct objects *of;      /* the process that has mapped the object */
	bool mapped;             /* false for a library that the process may load later */
	bool program;            /* the program that the process executes, also called a.out */
	/* address range of the object's code, and the offset of this code in the file */
	uint64_t from, to, off;
	struct object_function *fn; /* sorted by address; see object_read() */
	uint32_t nfn, id;           /* number of functions, and the first ID of their probes */
	bool read;
	uint64_t dev, inode;
	VEC(struct host_probe *) inside; /* probes at offsets in functions, created on demand */
	/* static probes, indexed by the number of their note in the file; created on demand */
	struct host_probe **noted;
};

/* A process and its objects. The mappings are read once and do not change during a compile. */
struct objects {
	pid_t pid;
	struct process *process;
	VEC(struct object) v;
	struct objects *next;
};

/*
 * Returns a name from a file of a process: the @n bytes at @s, interned. Unsafe bytes are escaped
 * as by visible_add(), so the name is safe to show.
 */
const char *objects_name(struct host_env *e, const char *s, size_t n);

/*
 * Returns the objects of process @pid, which are read only once. Returns NULL if no code of
 * the process was found: it does not exist, has no memory, or may not be read.
 */
struct objects *objects_of(struct host_env *e, pid_t pid);

/*
 * Adds the library @mod, which the process may load later. It must be in the folder of the program
 * or of a library of the process. The kernel sets uprobes in files that are mapped later, too.
 */
void objects_expect(struct host_env *e, struct objects *os, const char *mod);

/* Returns whether the process runs a 32-bit program, which has other registers. */
bool objects_are_32_bits(const struct objects *os);

/* Reads the functions of the object's file, unless they were read before. */
void object_read(struct host_env *e, struct object *o);

/*
 * Returns the symbols of the object's file, or NULL if the file cannot be read. The result is valid
 * as long as a result of symbols_of_mapping().
 */
struct symbol_file *object_symbols(const struct object *o);

/*
 * Returns a path that always leads to the file that was read, even after the file was renamed or
 * replaced. With another path, a uprobe could be set into the middle of an instruction of another
 * file. The file stays open, and the path is in memory of @e. Returns "" if the file cannot be
 * opened.
 */
const char *object_link(struct host_env *e, const struct object *o);

/*
 * Returns whether the pattern matches the object's name, its path, "a.out" (for the program), or
 * "libc" for libc.so.6.
 */
bool object_is(const struct object *o, const char *pattern);

/*
 * Returns whether the pattern matches the path of a mapped file, or its name, as object_is() does.
 */
bool object_path_is(const char *path, const char *pattern);

/* Calls @fn for each instruction in the @size bytes of code at address @addr. */
void object_code(const struct object *o, uint64_t addr, uint64_t size,
		 void (*fn)(void *ctx, uint64_t addr, bool can_probe), void *ctx);

/* Returns the function at @addr, or NULL. */
const struct object_function *object_function_at(const struct object *o, uint64_t addr);

/* Returns the offset of @addr in the file. */
uint64_t object_offset(const struct object *o, uint64_t addr);

#endif
