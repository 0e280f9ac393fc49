/*
 * execname.bpf.c - rawtp:::sys_enter { @[execname] = count(); } by hand.
 */
#include "kernel.h"

struct pt_regs;

struct name {
	char comm[16];
};

COUNTS(names, struct name);

SEC("tp_btf/sys_enter")
int BPF_PROG(execname, struct pt_regs *regs, long id)
{
	struct name name;

	bpf_get_current_comm(&name, sizeof(name));
	bump(&names, &name);
	return 0;
}
