/*
 * accept.h - finds the socket that accept(2) returns, at the return of every system call. For
 * kernels that cannot trace functions.
 */
#ifndef BENCH_HAND_ACCEPT_H
#define BENCH_HAND_ACCEPT_H

#include "kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct pt_regs___accept {
	unsigned long orig_ax;
};

struct socket {
	struct file *file;
	struct sock *sk;
};

struct inode {
	unsigned short i_mode;
};

struct file {
	struct inode *f_inode;
	void *private_data;
};

struct fdtable {
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct task_struct___accept {
	struct files_struct *files;
};

#pragma clang attribute pop

#define ACCEPT 43 /* numbers of system calls on x86-64 */
#define ACCEPT4 288
#define S_IFMT 0xf000
#define S_IFSOCK 0xc000

/* Returns the socket, or NULL if the system call is another one, or has failed. */
static __always_inline struct sock *accepted(struct pt_regs *regs, long fd)
{
	struct pt_regs___accept *r = (void *)regs;
	struct task_struct___accept *task;
	struct socket *socket;
	struct file **at, *file;

	if ((r->orig_ax != ACCEPT && r->orig_ax != ACCEPT4) || fd < 0)
		return NULL;
	task = (void *)bpf_get_current_task_btf();
	at = BPF_CORE_READ(task, files, fdt, fd);
	if (bpf_probe_read_kernel(&file, sizeof(file), at + fd) || !file ||
	    (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return NULL;
	socket = BPF_CORE_READ(file, private_data);
	if (!socket || BPF_CORE_READ(socket, file) != file)
		return NULL;
	return BPF_CORE_READ(socket, sk);
}

#endif
