/*
 * perf.c - opens perf events: kprobes and CPU clocks. Source: perf_event_open(2).
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/kernel/impl.h"

int kperf_kprobe(uint64_t addr, bool ret)
{
	struct perf_event_attr attr = {.size = sizeof(attr),
				       .config = ret,
				       .kprobe_addr = addr,
				       .disabled = 1};
	FILE *f = fopen("/sys/bus/event_source/devices/kprobe/type", "re");
	long fd;

	if (!f || fscanf(f, "%u", &attr.type) != 1)
		attr.type = 0;
	if (f)
		fclose(f);
	if (!attr.type)
		return -EOPNOTSUPP;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

int kernel_kprobe_at(uint64_t addr)
{
	return kperf_kprobe(addr, false);
}

int kperf_clock(uint64_t period_ns, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period_ns,
		.disabled = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

bool kernel_clocks_open(void)
{
	int cpu = sched_getcpu(), fd = kperf_clock(1000000000, cpu < 0 ? 0 : cpu);

	if (fd >= 0)
		close(fd);
	return fd != -EACCES && fd != -EPERM;
}
