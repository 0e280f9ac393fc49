/*
 * mounts.c - reads lists of mounts. Source: proc_pid_mountinfo(5).
 */
#include "procinfo/mounts.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct mount {
	uint64_t id;
	/* device numbers of the file system; stat(2) of a file may return other numbers */
	unsigned major, minor;
	char type[32];
};

/*
 * Parses a line such as "36 35 98:0 /root /where rw,noatime shared:1 - ext3 /dev/root rw". Blanks
 * in names are escaped, so they do not confuse the parser.
 */
static bool read_mount(const char *line, struct mount *m)
{
	const char *type = strstr(line, " - ");
	unsigned long id;

	if (!type || sscanf(line, "%lu %*u %u:%u", &id, &m->major, &m->minor) != 3 ||
	    sscanf(type, " - %31s", m->type) != 1)
		return false;
	m->id = id;
	return true;
}

static bool same_id(const struct mount *m, const struct mount *wanted)
{
	return m->id == wanted->id;
}

static bool same_overlay(const struct mount *m, const struct mount *wanted)
{
	return m->major == wanted->major && m->minor == wanted->minor &&
	       !strcmp(m->type, "overlay");
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
	struct mount one;
	char *line = NULL;
	size_t cap = 0;
	bool found = false;

	while (f && !found && getline(&line, &cap, f) > 0)
		found = read_mount(line, &one) && same(&one, m);
	if (found)
		*m = one;
	free(line);
	if (f)
		fclose(f);
	return found;
}

static bool is_fuse(const struct mount *m)
{
	return !strcmp(m->type, "fuse") || !strcmp(m->type, "fuseblk") ||
	       !strncmp(m->type, "fuse.", 5);
}

/*
 * Gets the mount and the device of @fd. Asks for no other attribute, because the kernel would ask
 * the process of a FUSE file system for it.
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
 * Returns whether the overlay is mounted in our mount namespace or in that of process 1, where only
 * root can mount. The two differ if dtrace runs in a container.
 */
static bool is_mounted_by_root(const struct mount *overlay)
{
	struct mount ours = *overlay, inits = *overlay;

	return find_mount("/proc/self/mountinfo", same_overlay, &ours) ||
	       find_mount("/proc/1/mountinfo", same_overlay, &inits);
}

static enum stall stall_if(bool possible)
{
	return possible ? STALL_POSSIBLE : STALL_NEVER;
}

enum stall mounts_stall(int fd, pid_t pid)
{
	struct statx st;
	struct mount m;
	char theirs[40];

	if (!get_status(fd, &st))
		return STALL_UNKNOWN;
	if (is_memory(&st))
		return STALL_NEVER;
	m.id = st.stx_mnt_id;
	if (find_mount("/proc/self/mountinfo", same_id, &m))
		return stall_if(is_fuse(&m));
	snprintf(theirs, sizeof(theirs), "/proc/%d/mountinfo", (int)pid);
	if (!find_mount(theirs, same_id, &m))
		return STALL_UNKNOWN;
	return stall_if(is_fuse(&m) || (!strcmp(m.type, "overlay") && !is_mounted_by_root(&m)));
}
