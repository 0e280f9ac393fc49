/*
 * objects.h - the programs and libraries of processes whose probes are asked for.
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
	uint64_t addr, size; /* in the process */
	bool global, can_probe;
	struct host_probe *made[2]; /* probes at its entry and return, as they were asked for */
};

struct object {
	const char *name, *path;    /* "libc.so.6", and as the process has it */
	struct objects *of;         /* the process */
	bool mapped;                /* false: a library that the process may load later */
	bool program;               /* what the process executes: also called a.out */
	uint64_t from, to, off;     /* where its code is mapped, and what of the file is there */
	struct object_function *fn; /* by address; see object_read() */
	uint32_t nfn, id;           /* the probes' IDs begin there */
	bool read;
	uint64_t dev, inode;
	VEC(struct host_probe *) inside; /* probes at offsets, as they were asked for */
	/* static ones, by the number of their note; NULL: none was asked for yet */
	struct host_probe **noted;
};

/* A process; what it has mapped does not change while a program is compiled. */
struct objects {
	pid_t pid;
	struct process *process;
	VEC(struct object) v;
	struct objects *next;
};

/*
 * Returns the @n bytes at @s, the name that a process's file gives to a function, a probe or
 * itself, as visible_add() writes it; interned.  So every place that shows it may.
 */
const char *objects_name(struct host_env *e, const char *s, size_t n);

/* Those of process @pid, read once; NULL: there is no such process. */
struct objects *objects_of(struct host_env *e, pid_t pid);

/*
 * Adds a library that the process may load later, if @mod is the name of one, and a file of that
 * name is in the folder of the program or of a library that it has: the kernel sets breakpoints in
 * what is mapped from then on, too.
 */
void objects_expect(struct host_env *e, struct objects *os, const char *mod);

/* Is the program one of 32 bits?  Its registers, and what is in them, are others. */
bool objects_are_32_bits(const struct objects *os);

/* Reads the functions that a file has. */
void object_read(struct host_env *e, struct object *o);

/* The file; see symbols_of_mapping() for how long it is good.  NULL: it cannot be read. */
struct symbol_file *object_symbols(const struct object *o);

/*
 * A path to the file that was read, in memory of @e, which holds whatever becomes of its name: at
 * the name there may be another file by now, in which a breakpoint would hit the middle of an
 * instruction.  The file stays open.  "": it cannot be opened.
 */
const char *object_link(struct host_env *e, const struct object *o);

/* Does the pattern mean it: by its name, its path, "a.out", or "libc" for libc.so.6? */
bool object_is(const struct object *o, const char *pattern);

/* The same of a file that is mapped, whose bytes are anybody's. */
bool object_path_is(const char *path, const char *pattern);

/* Calls @fn for each instruction of the file's @size bytes of code from @addr on. */
void object_code(const struct object *o, uint64_t addr, uint64_t size,
		 void (*fn)(void *ctx, uint64_t addr, bool can_probe), void *ctx);

/* The function at @addr; NULL: there is none. */
const struct object_function *object_function_at(const struct object *o, uint64_t addr);

/* Where @addr is in the file. */
uint64_t object_offset(const struct object *o, uint64_t addr);

#endif
