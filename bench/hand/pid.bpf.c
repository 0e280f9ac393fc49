/* pid.bpf.c - does by hand the work of rawtp:::sys_enter { @[pid] = count(); }. */
#include "kernel.h"

struct pt_regs;

COUNTS(pids, int);

SEC("tp_btf/sys_enter")
int BPF_PROG(pid, struct pt_regs *regs, long id)
{
	struct task_struct *task = bpf_get_current_task_btf();
	int pid = task->tgid;

	bump(&pids, &pid);
	return 0;
}
