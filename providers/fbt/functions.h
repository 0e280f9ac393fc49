/*
 * functions.h - the functions that the kernel lets be probed, and where they are.
 */
#ifndef PROVIDERS_FBT_FUNCTIONS_H
#define PROVIDERS_FBT_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct host_env;

struct function {
	/* "vmlinux" of the kernel proper; they live as long as the environment */
	const char *mod, *name;
	uint64_t addr;
	uint32_t line; /* of the kernel's list: tells functions of one name apart */
	bool first;    /* of those of its name that the kernel proper has, the first */
};

/* Where the list was looked for. */
#define FUNCTIONS_LIST "/sys/kernel/tracing/available_filter_functions"

/*
 * Calls @fn for each whose name matches @pattern, in the kernel's order.  0, or a positive errno:
 * the list cannot be read, ENODATA: addresses are not shown.
 */
int functions_each(struct host_env *e, const char *pattern,
		   void (*fn)(void *ctx, const struct function *f), void *ctx);

/*
 * The function of that name, the first if there are more, and how far it is to what comes behind
 * it. False: there is none, or addresses are not shown.
 */
bool functions_symbol(struct host_env *e, const char *name, struct function *f, uint64_t *size);

#endif
