/*
 * bpf_progs.c - fires the probe iter:::bpf_prog for each BPF program of the machine. The main loop
 * calls kbpf_progs_show() before it fires the ticks that are due, so that a tick sees the result.
 */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "engine/kernel/bpf.h"
#include "engine/kernel/impl.h"

/* Programs are shown this much early, so that they precede a tick of the same rate. */
#define EARLY_NS 5000000u

/* larger than struct bpf_prog_info of any kernel; the bytes that the kernel does not fill stay 0 */
#define INFO_SIZE 1024

static bool has_units(const struct kernel *k)
{
	for (uint32_t i = 0; i < k->p->nunit; i++)
		if (k->p->unit[i].hook == HOOK_RUN && k->p->unit[i].run == RUN_BPF_PROG)
			return true;
	return false;
}

/* Runs the units for program @id. If the program has been unloaded, does nothing. */
static int show(struct kernel *k, uint32_t id, struct record_sink *sink)
{
	_Alignas(8) uint8_t info[INFO_SIZE] = {0};
	uint64_t args[KERNEL_NARG] = {(uintptr_t)info, k->walks};
	int fd = kbpf_prog_open(id), err;

	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	err = kbpf_object_info(fd, info, sizeof(info));
	close(fd);
	return err ? err : k->src.ops->fire(&k->src, RUN_BPF_PROG, args, sink);
}

static int walk(struct kernel *k, struct record_sink *sink)
{
	uint32_t id = 0;
	int err = 0;

	while (!err && !sink->done) {
		err = kbpf_prog_next(id, &id);
		if (!err)
			err = show(k, id, sink);
	}
	k->walks++;
	return err == -ENOENT ? 0 : err;
}

void kbpf_progs_start(struct kernel *k)
{
	k->next_walk = has_units(k) ? 0 : UINT64_MAX;
}

int kbpf_progs_show(struct kernel *k, struct record_sink *sink, struct diag *d)
{
	uint64_t now = now_monotonic(), rate = k->opts.bpf_rate;
	int err;

	if (now + EARLY_NS < k->next_walk)
		return 0;
	if (!rate)
		k->next_walk = UINT64_MAX;
	else if (!k->next_walk || k->next_walk + rate < now)
		k->next_walk = (k->next_walk ? now : k->live) + rate;
	else
		k->next_walk += rate;
	err = walk(k, sink);
	return err ? diag_error(d, D_SYS, NOLOC, "cannot list BPF programs: %s",
				kbpf_strerror(-err))
		   : 0;
}

bool kernel_programs_open(void)
{
	uint32_t id = 0;
	int fd = kbpf_prog_next(0, &id);

	if (!fd)
		fd = kbpf_prog_open(id);
	if (fd > 0)
		close(fd);
	return fd > 0 || fd == -ENOENT;
}
