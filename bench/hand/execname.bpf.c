/* execname.bpf.c - does by hand the work of rawtp:::sys_enter { @[execname] = count(); }. */
#include "kernel.h"

struct pt_regs;

struct name {
	__u64 comm[2];
};

COUNTS(names, struct name);

SEC("tp_btf/sys_enter")
int BPF_PROG(execname, struct pt_regs *regs, long id)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const __u64 *comm = (const __u64 *)task->comm;
	/* The kernel pads the name with zeros, so no helper has to copy it. */
	struct name name = {{comm[0], comm[1]}};

	bump(&names, &name);
	return 0;
}
