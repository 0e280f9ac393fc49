/*
 * syscall.c - the names of the system calls, by number.
 *
 * The names are those of <asm/unistd.h> at build time; the numbers are the same on every kernel.
 * CMake makes a row for each __NR_ constant.
 */
#include <asm/unistd.h>

#include "providers/provider.h"
#include "providers/syscall/types.h"

static const char *const names[] = {
#include <syscall_names.h>
};

const struct family_names family_syscall = {
	.prov = "syscall",
	.mod = "vmlinux",
	.func = names,
	.n = sizeof(names) / sizeof(*names),
	.id = ID_SYSCALL,
	.type = syscall_type,
};
