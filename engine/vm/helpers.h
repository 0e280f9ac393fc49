/*
 * helpers.h - the table of kernel helpers and kfuncs that programs may call.
 */
#ifndef ENGINE_VM_HELPERS_H
#define ENGINE_VM_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

struct vm_exec;

/* Kinds of arguments. Only the checked machine tests them. */
enum vm_arg {
	ARG_NONE,
	ARG_ANY,     /* any number */
	ARG_MAP,     /* a map with keys */
	ARG_RING,    /* the map of kind MAP_RING */
	ARG_KEY,     /* the map's key, which is read */
	ARG_VALUE,   /* the map's value, which is read */
	ARG_MEM,     /* memory that is read; the next argument is its size */
	ARG_OUT,     /* memory that is written; the next argument is its size */
	ARG_OUT_OPT, /* as ARG_OUT, or NULL */
	ARG_SIZE,
	ARG_STR,    /* a string that is read up to its NUL */
	ARG_RECORD, /* a record that this run has reserved and not finished */
	ARG_DYNPTR, /* 16 bytes that are read */
	ARG_DYNPTR_OUT,
	ARG_CTX, /* the context */
};

struct vm_helper {
	uint32_t id; /* 0: a kfunc */
	const char *name;
	uint64_t (*fn)(struct vm_exec *ex, const uint64_t *r); /* NULL: the opcode does the work */
	uint8_t arg[5];                                        /* enum vm_arg */
	bool or_null;                                          /* returns a pointer or NULL */
	uint8_t opcode; /* enum vm_opcode: the interpreter's own operation, or OP_CALL */
};

extern const struct vm_helper vm_helpers[];

/* Return the index into vm_helpers, or -1. */
int vm_helper_by_id(uint32_t id);
int vm_helper_by_name(const char *name);

#endif
