/*
 * syscall.c - the names of the system calls, by number.
 *
 * As <asm/unistd.h> had them for the machine that this was compiled for: the numbers are the same
 * on every kernel.  CMake makes a row of each __NR_ that it defines.
 */
#include <asm/unistd.h>

#include "providers/provider.h"
#include "providers/syscall/types.h"

static const char *const names[] = {
#include <syscall_names.h>
};

/* The published programs name the module that FreeBSD has. */
const struct family_names family_syscall = {
	.prov = "syscall",
	.mod = "vmlinux",
	.alias = "freebsd",
	.func = names,
	.n = sizeof(names) / sizeof(*names),
	.id = ID_SYSCALL,
	.type = syscall_type,
};
