/*
 * cgroup.c - finds the root of the cgroup2 tree, and mounts the tree privately if necessary.
 *
 * Inside a cgroup namespace (as in most containers), "/" of a new mount is the container's own
 * cgroup, and programs that are attached there see only the container's sockets. The root of the
 * whole tree can be opened by its file handle, or through the mounts of process 1.
 */
#include "engine/kernel/impl.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "procinfo/mountinfo.h"

static int open_cgroup2(int at, const char *path)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	/* Another file system may be mounted over @path. */
	if (fd >= 0 && (fstatfs(fd, &fs) || fs.f_type != CGROUP2_SUPER_MAGIC)) {
		close(fd);
		errno = ENOENT;
		fd = -1;
	}
	return fd;
}

/*
 * Returns whether @fd is the root of the cgroup tree. kernfs numbers directories from 1, and the
 * numbers are the same in every namespace.
 */
static bool is_root(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && st.st_ino == 1;
}

/*
 * Opens the root directory by its file handle, which works from any directory of the file system,
 * such as @fd. Returns the root and closes @fd. Returns @fd if it is -1 or the root already, or if
 * the kernel refuses.
 */
static int find_root(int fd)
{
	union {
		struct file_handle h;
		char room[sizeof(struct file_handle) + sizeof(uint64_t)];
	} root = {.h = {.handle_bytes = sizeof(uint64_t), .handle_type = 0xfe}}; /* FILEID_KERNFS */
	const uint64_t number = 1;
	int top;

	if (fd < 0 || is_root(fd))
		return fd;
	memcpy(root.h.f_handle, &number, sizeof(number));
	top = open_by_handle_at(fd, &root.h, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!is_root(top)) {
		if (top >= 0)
			close(top);
		return fd;
	}
	close(fd);
	return top;
}

/*
 * Returns @fd if it is valid and @better is true, else @best. Closes the other descriptor. @best
 * and @fd may be -1.
 */
static int keep_better(int best, int fd, bool better)
{
	int keep = fd >= 0 && better ? fd : best, other = keep == fd ? best : fd;

	if (other >= 0)
		close(other);
	return keep;
}

/*
 * Opens the root of the cgroup tree through the mounts that the file @table lists. If that fails,
 * opens the first mount of the table that is not of a subdirectory (its root is "/"). Returns a
 * descriptor, or -1. @top is prefixed to each path of the table.
 */
static int open_from(const char *table, const char *top)
{
	FILE *f = fopen(table, "re");
	char *line = NULL, full[PATH_MAX];
	struct mountinfo m;
	size_t size = 0;
	int fd, best = -1;

	while (f && !is_root(best) && getline(&line, &size, f) > 0) {
		if (!mountinfo_parse(&m, line) || strcmp(m.type, "cgroup2") ||
		    (size_t)snprintf(full, sizeof(full), "%s%s", top, m.at) >= sizeof(full))
			continue;
		fd = find_root(open_cgroup2(AT_FDCWD, full));
		best = keep_better(best, fd, is_root(fd) || (!strcmp(m.root, "/") && best < 0));
	}
	free(line);
	if (f)
		fclose(f);
	return best;
}

static int open_mounted(void)
{
	return open_from("/proc/self/mountinfo", "");
}

static int open_mounted_by_first(void)
{
	return open_from("/proc/1/mountinfo", "/proc/1/root");
}

/*
 * Mounts the cgroup2 tree without a mount point, and opens it. The mount is invisible, and ends
 * with its last descriptor.
 */
static int open_detached(void)
{
	int fs, mnt = -1, fd = -1;

	fs = fsopen("cgroup2", FSOPEN_CLOEXEC);
	if (fs < 0)
		return -1;
	if (!fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		mnt = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	if (mnt >= 0) {
		fd = open_cgroup2(mnt, ".");
		close(mnt);
	}
	close(fs);
	return fd;
}

/*
 * Mounts the tree in a private mount namespace, opens it, and unmounts it immediately. This works
 * under a system call filter that does not know fsopen(2) and refuses it. The mount point is /proc,
 * because that directory always exists.
 */
static int open_unshared(void)
{
	int fd = -1;

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL))
		return -1;
	if (mount("cgroup2", "/proc", "cgroup2", 0, NULL))
		return -1;
	fd = open_cgroup2(AT_FDCWD, "/proc");
	if (fd >= 0 && umount2("/proc", MNT_DETACH)) {
		close(fd); /* The new mount still covers /proc, which other code needs. */
		fd = -1;
	}
	return fd;
}

/*
 * Enters the cgroup namespace of process 1, and stores a descriptor of a new mount in *@out. Runs
 * in a thread of its own, because setns(2) changes only the calling thread.
 */
static void *mount_in_first(void *out)
{
	int ns = open("/proc/1/ns/cgroup", O_RDONLY | O_CLOEXEC);

	if (ns >= 0 && !setns(ns, CLONE_NEWCGROUP))
		*(int *)out = open_detached();
	if (ns >= 0)
		close(ns);
	return NULL;
}

static int open_in_first(void)
{
	pthread_t t;
	int fd = -1;

	if (!pthread_create(&t, NULL, mount_in_first, &fd))
		pthread_join(t, NULL);
	return fd;
}

int kcgroup_root(bool *whole)
{
	static int (*const way[])(void) = {open_mounted, open_detached, open_mounted_by_first,
					   open_in_first};
	int best = -1, fd;

	for (unsigned i = 0; i < sizeof(way) / sizeof(way[0]) && !is_root(best); i++) {
		fd = find_root(way[i]());
		best = keep_better(best, fd, best < 0 || is_root(fd));
	}
	if (best < 0)
		best = find_root(open_unshared());
	*whole = is_root(best);
	return best;
}
