/*
 * kernel_cgroup.c - find the root of the cgroup2 tree, mounting it in private if need be.
 *
 * Inside a cgroup namespace (most containers) "/" is the container's own cgroup:
 * the programs then see the sockets of the container and no others, which is all
 * that one may trace from in there.
 */
#include "engine/kernel_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

static int open_cgroup2(int at, const char *path)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	/* Another mount may hide the one that the table shows. */
	if (fd >= 0 && (fstatfs(fd, &fs) || fs.f_type != CGROUP2_SUPER_MAGIC)) {
		close(fd);
		errno = ENOENT;
		fd = -1;
	}
	return fd;
}

/* Undoes the \040 escapes of mountinfo, in place. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] && s[2] && s[3]) {
			*to++ = (s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0');
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

/* A line is "41 31 0:38 / /sys/fs/cgroup rw,relatime [tags] - cgroup2 ...": root, mount point. */
static int open_mounted(void)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, *path, *end;
	size_t size = 0;
	int fd = -1, at;

	while (f && fd < 0 && getline(&line, &size, f) > 0) {
		at = 0;
		if (!strstr(line, " - cgroup2 "))
			continue;
		if (sscanf(line, "%*d %*d %*s %n", &at) < 0 || strncmp(line + at, "/ ", 2))
			continue;
		path = line + at + 2;
		end = strchr(path, ' ');
		if (!end)
			continue;
		*end = '\0';
		unescape(path);
		fd = open_cgroup2(AT_FDCWD, path);
	}
	free(line);
	if (f)
		fclose(f);
	return fd;
}

/* A mount that is attached nowhere: nobody sees it, and it goes with its last descriptor. */
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
 * Where system call filters older than fsopen(2) refuse it: a mount in a name space
 * of our own, lifted off again as soon as we hold its directory.  /proc is as good a
 * place as any; it exists, and only we miss it for that moment.
 */
static int open_unshared(void)
{
	int fd = -1;

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL))
		return -1;
	if (mount("cgroup2", "/proc", "cgroup2", 0, NULL))
		return -1;
	fd = open_cgroup2(AT_FDCWD, "/proc");
	umount2("/proc", MNT_DETACH);
	return fd;
}

int kcgroup_root(void)
{
	int fd = open_mounted();

	if (fd < 0)
		fd = open_detached();
	if (fd < 0)
		fd = open_unshared();
	return fd;
}
