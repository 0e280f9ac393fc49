/*
 * uprobe.c - attaches programs to instructions of processes (uprobes). One program may be attached
 * to many instructions.
 *
 * From Linux 6.6 on, one link attaches a program to all points of a file. Before Linux 6.6, each
 * point takes a perf event and a link. In both cases the cookie tells the program which of its
 * points was hit. The kernel sets breakpoints in the memory of one process, or of all processes
 * that map the file.
 */
#include "engine/kernel/impl.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "engine/kernel/bpf.h"

#define PMU "/sys/bus/event_source/devices/uprobe/"

/* The type of perf's uprobe events, and the bit of their configuration that selects returns. */
struct pmu {
	int type, ret_bit;
};

/* Returns the number in the file @path, which has @format, or a negative errno. */
static int number_in(const char *path, const char *format)
{
	FILE *f = fopen(path, "re");
	int n;

	if (!f)
		return -errno;
	if (fscanf(f, format, &n) != 1 || n < 0)
		n = -EINVAL;
	fclose(f);
	return n;
}

static int find_pmu(struct pmu *p)
{
	p->type = number_in(PMU "type", "%d");
	p->ret_bit = number_in(PMU "format/retprobe", "config:%d");
	return p->type < 0 ? p->type : p->ret_bit < 0 ? -EOPNOTSUPP : 0;
}

int kernel_uprobes(void)
{
	struct pmu p;

	return -find_pmu(&p);
}

/* ------------------------------------------------ all points of a file at once */

static bool same_file(const struct attach_point *a, const struct attach_point *b)
{
	return a->pid == b->pid && a->awaited == b->awaited && !strcmp(a->file, b->file);
}

/*
 * Stores the consecutive points from @i that have the same file, process and awaited probe (or
 * none) into the arrays of @out. Returns their number.
 */
static uint32_t select_file(const struct unit *u, uint32_t i, uint64_t *arrays,
			    struct kbpf_uprobes *out)
{
	uint64_t *offset = arrays, *semaphore = arrays + u->npoint, *cookie = semaphore + u->npoint;
	uint32_t n = 0;
	bool counts = false;

	for (; i + n < u->npoint && same_file(&u->point[i], &u->point[i + n]); n++) {
		offset[n] = u->point[i + n].addr;
		semaphore[n] = u->point[i + n].semaphore;
		cookie[n] = u->point[i + n].cookie;
		counts |= semaphore[n];
	}
	*out = (struct kbpf_uprobes){.file = u->point[i].file,
				     .pid = u->point[i].pid,
				     .offset = offset,
				     .semaphore = counts ? semaphore : NULL,
				     .cookie = cookie,
				     .n = n,
				     .ret = u->hook == HOOK_URETPROBE};
	return n;
}

/*
 * Returns whether error @err would occur for every file, because it is about this process or the
 * kernel.
 */
static bool is_general(int err)
{
	return err == -EPERM || err == -EACCES || err == -ENOMEM || err == -EMFILE ||
	       err == -ENFILE;
}

/*
 * Handles error @err of attaching to point @at. Returns 0 if the run goes on without the point's
 * file, or @err if the run must fail.
 */
static int leave_out(const struct attach_point *at, int err, struct refused_files *refused)
{
	if (at->pid || is_general(err))
		return err;
	for (size_t i = 0; i < refused->file.n; i++)
		if (!strcmp(refused->file.v[i], at->file))
			return 0;
	if (!refused->file.n)
		refused->err = err;
	vec_push(&refused->file, at->file);
	return 0;
}

static int attach_files(const struct unit *u, struct kunit *ku, struct refused_files *refused)
{
	uint64_t *arrays = xcalloc(3 * (size_t)u->npoint, sizeof(*arrays));
	int err = 0;

	for (uint32_t i = 0, n; i < u->npoint && !err; i += n) {
		struct kbpf_uprobes up;
		int fd;

		n = select_file(u, i, arrays, &up);
		if (u->point[i].awaited)
			continue;
		fd = kbpf_link_uprobes(ku->prog, &up);
		if (fd >= 0)
			vec_push(&ku->link, fd);
		else
			err = leave_out(&u->point[i], fd, refused);
	}
	xfree(arrays);
	return err;
}

/* --------------------------------------------------------- one point at a time */

static int attach_point(const struct pmu *pmu, const struct unit *u, const struct attach_point *at,
			int prog)
{
	struct perf_event_attr attr = {
		.type = (uint32_t)pmu->type,
		.size = sizeof(attr),
		.config = at->semaphore << 32 |
			  (u->hook == HOOK_URETPROBE ? 1ull << pmu->ret_bit : 0),
		.config1 = (uint64_t)(uintptr_t)at->file,
		.config2 = at->addr,
	};
	int event = (int)syscall(SYS_perf_event_open, &attr, at->pid ? at->pid : -1,
				 at->pid ? -1 : 0, -1, PERF_FLAG_FD_CLOEXEC),
	    link;

	if (event < 0)
		return -errno;
	link = kbpf_link_perf(prog, event, at->cookie);
	close(event); /* the link keeps the event open */
	return link;
}

static int attach_points(const struct unit *u, struct kunit *ku, struct refused_files *refused)
{
	struct pmu pmu;
	int err = find_pmu(&pmu);

	for (uint32_t i = 0; i < u->npoint && !err; i++) {
		int fd;

		if (u->point[i].awaited)
			continue;
		fd = attach_point(&pmu, u, &u->point[i], ku->prog);
		if (fd >= 0)
			vec_push(&ku->link, fd);
		else
			err = leave_out(&u->point[i], fd, refused);
	}
	return err;
}

int kuprobes_attach(const struct unit *u, struct kunit *ku, struct refused_files *refused)
{
	return kuprobe_multi() ? attach_files(u, ku, refused) : attach_points(u, ku, refused);
}

/* Attaches the unit to the point @at, and to none of its other points. */
static int attach_here(const struct unit *u, struct kunit *ku, struct attach_point at)
{
	struct refused_files refused = {0};
	struct unit one = *u;
	int err;

	one.point = &at;
	one.npoint = 1;
	err = kuprobes_attach(&one, ku, &refused);
	vec_free(&refused.file);
	return err ? err : refused.err;
}

static int attach_awaited(const struct unit *u, struct kunit *ku, uint32_t number,
			  struct attach_point at)
{
	uint64_t row = at.cookie;
	int err = 0;

	for (uint32_t i = 0; i < u->npoint && !err; i++) {
		if (u->point[i].awaited != number)
			continue;
		at.cookie = row << 32 | u->point[i].cookie;
		at.awaited = 0;
		err = attach_here(u, ku, at);
	}
	return err;
}

int kuprobes_enable(struct kernel *k, uint32_t number, const struct attach_point *at)
{
	int err = 0;

	for (uint32_t i = 0; i < k->p->nunit && !err; i++) {
		uint32_t n = kunit_in_order(k->p, i);

		if (k->p->unit[n].hook == HOOK_UPROBE || k->p->unit[n].hook == HOOK_URETPROBE)
			err = attach_awaited(&k->p->unit[n], &k->unit[n], number, *at);
	}
	return err;
}
