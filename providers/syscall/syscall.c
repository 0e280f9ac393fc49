/*
 * syscall.c - the names of the system calls, by number.
 *
 * As <asm/unistd.h> had them for the machine that this was compiled for: the numbers are the same on
 * every kernel.  CMake makes a row of each __NR_ that it defines.
 */
#include <asm/unistd.h>

#include "providers/provider.h"

static const char *const names[] = {
#include <syscall_names.h>
};

const struct family_names family_syscall = {"syscall", "vmlinux", names, sizeof(names) / sizeof(*names), ID_SYSCALL};
