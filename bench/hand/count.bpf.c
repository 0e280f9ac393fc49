/* count.bpf.c - does by hand the work of rawtp:::sys_enter { @ = count(); }. */
#include "kernel.h"

struct pt_regs;

TOTAL(total);

SEC("tp_btf/sys_enter")
int BPF_PROG(count, struct pt_regs *regs, long id)
{
	count_one(&total);
	return 0;
}
