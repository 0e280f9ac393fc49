/*
 * helpers.h - the table of kernel helpers and kfuncs that programs may call.
 */
#ifndef ENGINE_VM_HELPERS_H
#define ENGINE_VM_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

struct vm_exec;

/*
 * Kinds of arguments of a helper. Only the checked machine tests whether an argument is of its
 * kind.
 */
enum vm_arg {
	ARG_NONE,
	ARG_ANY,     /* any number */
	ARG_MAP,     /* a map with keys */
	ARG_RING,    /* the map of kind MAP_RING */
	ARG_KEY,     /* a key of the map, which the helper reads */
	ARG_VALUE,   /* a value of the map, which the helper reads */
	ARG_MEM,     /* memory that the helper reads; the next argument is its size */
	ARG_OUT,     /* memory that the helper writes; the next argument is its size */
	ARG_OUT_OPT, /* memory as for ARG_OUT, or NULL */
	ARG_SIZE,
	ARG_STR,    /* a string that the helper reads up to its NUL */
	ARG_RECORD, /* a record that this run has reserved and not finished */
	ARG_DYNPTR, /* a dynptr, 16 bytes that the helper reads */
	ARG_DYNPTR_OUT,
	ARG_CTX, /* the context */
};

struct vm_helper {
	uint32_t id; /* number of the helper in the kernel; 0 for a kfunc */
	const char *name;
	/* function that does the work; NULL if the interpreter's operation @opcode does it */
	uint64_t (*fn)(struct vm_exec *ex, const uint64_t *r);
	uint8_t arg[5]; /* enum vm_arg */
	/* the helper returns a pointer or NULL */
	bool or_null;
	/* enum vm_opcode: the operation that the interpreter has for this helper, or OP_CALL */
	uint8_t opcode;
};

extern const struct vm_helper vm_helpers[];

/* Return the index of the helper in vm_helpers, or -1. */
int vm_helper_by_id(uint32_t id);
int vm_helper_by_name(const char *name);

#endif
