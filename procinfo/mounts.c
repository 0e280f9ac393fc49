/*
 * mounts.c - detects file systems where another user can block an open() or close().
 */
#include "procinfo/mounts.h"

#include <fcntl.h>
#include <linux/nsfs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "procinfo/mountinfo.h"

struct mount {
	uint64_t id;
	/* device numbers of the file system; stat(2) of a file may return other numbers */
	unsigned major, minor;
	char type[32];
};

static bool same_id(const struct mount *m, const struct mount *wanted)
{
	return m->id == wanted->id;
}

static bool same_device(const struct mount *m, const struct mount *wanted)
{
	return m->major == wanted->major && m->minor == wanted->minor;
}

static bool same_overlay(const struct mount *m, const struct mount *wanted)
{
	return same_device(m, wanted) && !strcmp(m->type, "overlay");
}

/*
 * Finds the first mount in the list at @path for which @same returns true, and sets @m to that
 * mount. Before the call, @m describes the mount to find.
 */
static bool find_mount(const char *path,
		       bool (*same)(const struct mount *m, const struct mount *wanted),
		       struct mount *m)
{
	FILE *f = fopen(path, "re");
	struct mountinfo info;
	struct mount one;
	char *line = NULL;
	size_t cap = 0;
	bool found = false;

	while (f && !found && getline(&line, &cap, f) > 0) {
		if (!mountinfo_parse(&info, line))
			continue;
		one = (struct mount){info.id, info.major, info.minor, ""};
		snprintf(one.type, sizeof(one.type), "%s", info.type);
		found = same(&one, m);
	}
	if (found)
		*m = one;
	free(line);
	if (f)
		fclose(f);
	return found;
}

/*
 * Does the same in the lists of dtrace and of process 1, which differ if dtrace runs in a container
 * or in a chroot. Numbers of mounts are unique on the machine.
 */
static bool find_anywhere(bool (*same)(const struct mount *m, const struct mount *wanted),
			  struct mount *m)
{
	return find_mount("/proc/self/mountinfo", same, m) ||
	       find_mount("/proc/1/mountinfo", same, m);
}

static bool is_fuse(const struct mount *m)
{
	return !strcmp(m->type, "fuse") || !strcmp(m->type, "fuseblk") ||
	       !strncmp(m->type, "fuse.", 5);
}

/*
 * Gets the mount and the device of @fd. Asks for no other attribute: for some attributes, the
 * kernel would have to ask the process that serves a FUSE file system.
 */
static bool get_status(int fd, struct statx *st)
{
	return !statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, st) &&
	       st->stx_mask & STATX_MNT_ID;
}

/*
 * Returns whether the file is one of memfd_create(2) or shmget(2). Such files are on an internal
 * file system of the kernel, which is in no list of mounts.
 */
static bool is_memory(const struct statx *st)
{
	static struct statx memory;
	static int state; /* 0 before the first call, 1 if @memory is set, -1 if it cannot be set */
	int fd;

	if (!state) {
		fd = memfd_create("dtrace", MFD_CLOEXEC);
		state = fd >= 0 && get_status(fd, &memory) ? 1 : -1;
		if (fd >= 0)
			close(fd);
	}
	return state > 0 && st->stx_dev_major == memory.stx_dev_major &&
	       st->stx_dev_minor == memory.stx_dev_minor;
}

/*
 * Returns whether only root can mount in the mount namespace of the process whose folder in /proc
 * is @proc. That is the case if the namespace belongs to our own user namespace.
 */
static bool only_root_mounts_in(int proc)
{
	int namespace = openat(proc, "ns/mnt", O_RDONLY | O_CLOEXEC);
	int owner = namespace < 0 ? -1 : ioctl(namespace, NS_GET_USERNS);
	struct stat theirs, ours;
	bool same = owner >= 0 && !fstat(owner, &theirs) && !stat("/proc/self/ns/user", &ours) &&
		    theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;

	if (owner >= 0)
		close(owner);
	if (namespace >= 0)
		close(namespace);
	return same;
}

/*
 * Returns whether root mounted the overlay. The overlay was found in the mount namespace of a
 * process, whose folder in /proc is @proc. Only root can mount in our own mount namespace and in
 * the mount namespace of process 1. These two differ if dtrace runs in a container.
 */
static bool is_mounted_by_root(const struct mount *overlay, int proc)
{
	struct mount m = *overlay;

	return only_root_mounts_in(proc) || find_anywhere(same_overlay, &m);
}

static enum stall stall_if(bool possible)
{
	return possible ? STALL_POSSIBLE : STALL_NEVER;
}

/*
 * Looks for the mount @m in the list of process @pid. The list has only the mounts below the root
 * directory of the process. If this directory is no mount point, the mount of its files is missing.
 * Then looks for another mount of the same device, which tells the type. But a user's overlay may
 * show the device of a file below it, so this needs a namespace where only root mounts.
 */
static enum stall stall_elsewhere(struct mount m, pid_t pid)
{
	enum stall stall = STALL_UNKNOWN;
	char path[40];
	int proc;

	/* Keep the folder open: if the process ends, another process may get its number. */
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	proc = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (proc < 0)
		return STALL_UNKNOWN;
	snprintf(path, sizeof(path), "/proc/self/fd/%d/mountinfo", proc);
	if (find_mount(path, same_id, &m))
		stall = stall_if(is_fuse(&m) ||
				 (!strcmp(m.type, "overlay") && !is_mounted_by_root(&m, proc)));
	else if (only_root_mounts_in(proc) && find_anywhere(same_device, &m))
		stall = stall_if(is_fuse(&m));
	close(proc);
	return stall;
}

enum stall mounts_stall(int fd, pid_t pid)
{
	struct statx st;
	struct mount m;

	if (!get_status(fd, &st))
		return STALL_UNKNOWN;
	if (is_memory(&st))
		return STALL_NEVER;
	m = (struct mount){st.stx_mnt_id, st.stx_dev_major, st.stx_dev_minor, ""};
	return find_anywhere(same_id, &m) ? stall_if(is_fuse(&m)) : stall_elsewhere(m, pid);
}
