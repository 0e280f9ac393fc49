/*
 * types.h - the prototypes of the system calls.
 */
#ifndef PROVIDERS_SYSCALL_TYPES_H
#define PROVIDERS_SYSCALL_TYPES_H

#include <stdbool.h>

/* "ssize_t (unsigned int, void *, size_t)"; NULL: it is not known. */
const char *syscall_type(const char *name);

#endif
