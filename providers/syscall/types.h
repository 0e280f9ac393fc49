/*
 * types.h - the prototypes of the system calls.
 */
#ifndef PROVIDERS_SYSCALL_TYPES_H
#define PROVIDERS_SYSCALL_TYPES_H

#include <stdbool.h>

/*
 * Returns the prototype of a system call, for example "ssize_t (unsigned int, void *, size_t)", or
 * NULL if it is unknown.
 */
const char *syscall_type(const char *name);

#endif
