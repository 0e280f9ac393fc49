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
	 * number of the function's line in the kernel's list; distinguishes functions with the same
	 * name
	 */
	uint32_t line;
	bool first; /* the first function of that name in its module */
};

/* The kernel's list of functions. */
#define FUNCTIONS_LIST "/sys/kernel/tracing/available_filter_functions"

/*
 * Calls @fn for each function whose name matches @pattern, in the kernel's order. If @pattern is
 * not an exact name, skips the functions of left_out[] (functions.c). Always skips functions whose
 * address is uncertain. Returns 0, a positive errno if the list cannot be read, or ENODATA if the
 * kernel hides addresses.
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
