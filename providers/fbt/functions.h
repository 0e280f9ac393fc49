/*
 * functions.h - lists the kernel functions that can be probed, with their addresses.
 */
#ifndef PROVIDERS_FBT_FUNCTIONS_H
#define PROVIDERS_FBT_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct host_env;

struct function {
	/*
	 * The module ("vmlinux" for the kernel itself) and the function. Both strings live as long
	 * as the environment.
	 */
	const char *mod, *name;
	uint64_t addr;
	/*
	 * number of the function's line in the kernel's list, which tells functions of one name
	 * apart
	 */
	uint32_t line;
	bool first; /* the first function of that name in its module */
};

/* The kernel's list of functions. */
#define FUNCTIONS_LIST "/sys/kernel/tracing/available_filter_functions"

/*
 * Calls @fn for each function whose name matches @pattern, in the kernel's order. A pattern leaves
 * out the functions of left_out[]; an exact name does not. Functions whose address is not certain
 * are skipped. Returns 0, a positive errno if the list cannot be read, or ENODATA if the kernel
 * hides addresses.
 */
int functions_each(struct host_env *e, const char *pattern,
		   void (*fn)(void *ctx, const struct function *f), void *ctx);

/*
 * Finds the first function called @name. Sets @f to the function, and @size to the number of bytes
 * up to the next symbol. Returns false if there is no such function, or if the kernel hides
 * addresses.
 */
bool functions_symbol(struct host_env *e, const char *name, struct function *f, uint64_t *size);

#endif
