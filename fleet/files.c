/* files.c - reads and writes small files, and runs programs. */
#include "fleet/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/close_range.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "fleet/host/group.h"

const char *path_in(char *buf, const char *dir, const char *name)
{
	snprintf(buf, PATH_MAX, "%s/%s", dir, name);
	return buf;
}

bool file_get(const char *path, uint64_t from, size_t most, struct strbuf *b)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char buf[65536];
	ssize_t n;

	if (fd < 0)
		return false;
	while (most &&
	       (n = pread(fd, buf, most < sizeof(buf) ? most : sizeof(buf), (off_t)from)) > 0) {
		strbuf_add(b, buf, (size_t)n);
		from += (uint64_t)n;
		most -= (size_t)n;
	}
	close(fd);
	return true;
}

bool file_put(const char *path, const void *p, size_t n)
{
	errno = file_replace(path, p, n, 0600, false);
	return !errno;
}

bool file_keep(const char *path, const void *p, size_t n)
{
	errno = file_replace(path, p, n, 0600, true);
	return !errno;
}

static const char *room_of(char *buf, const char *path)
{
	snprintf(buf, PATH_MAX, "%s.room", path);
	return buf;
}

bool file_reserve(const char *path)
{
	char room[PATH_MAX], blank[FILE_ROOM];

	memset(blank, ' ', sizeof(blank));
	return file_keep(room_of(room, path), blank, sizeof(blank));
}

/*
 * Overwrites an existing file with the @n bytes at @p, and cuts off the rest. This needs no room on
 * the disk if the file has at least @n bytes already.
 */
static bool overwrite(const char *path, const void *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && pwrite(fd, p, n, 0) == (ssize_t)n && !ftruncate(fd, (off_t)n) &&
		  !fdatasync(fd);

	if (fd >= 0)
		close(fd);
	return ok;
}

static bool is_disk_full(void)
{
	return errno == ENOSPC || errno == EDQUOT;
}

bool file_keep_reserved(const char *path, const void *p, size_t n)
{
	char room[PATH_MAX];

	if (file_keep(path, p, n))
		return true;
	room_of(room, path);
	return is_disk_full() && n <= FILE_ROOM && overwrite(room, p, n) && !rename(room, path);
}

uint64_t file_get_number(const char *path)
{
	struct strbuf b = {0};
	uint64_t v = 0;

	file_get(path, 0, 32, &b);
	if (b.len)
		v = strtoull(b.s, NULL, 10);
	strbuf_release(&b);
	return v;
}

enum { NUMBER_SIZE = 32 };

static size_t number_text(char text[NUMBER_SIZE], uint64_t v)
{
	return (size_t)snprintf(text, NUMBER_SIZE, "%" PRIu64 "\n", v);
}

bool file_put_number(const char *path, uint64_t v)
{
	char text[NUMBER_SIZE];
	size_t n = number_text(text, v);

	return file_put(path, text, n) ||
	       (is_disk_full() && file_size(path) && overwrite(path, text, n));
}

bool file_keep_number(const char *path, uint64_t v)
{
	char text[NUMBER_SIZE];

	return file_keep(path, text, number_text(text, v));
}

uint64_t file_size(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : (uint64_t)st.st_size;
}

bool file_has_changed(const char *path, struct file_version *v)
{
	struct file_version now;
	struct stat st;
	bool same;

	if (stat(path, &st))
		return false;
	now.ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
	now.ino = st.st_ino;
	same = now.ns == v->ns && now.ino == v->ino;
	*v = now;
	return !same;
}

bool file_is_open_to(const char *path, mode_t mode)
{
	struct stat st;

	return !stat(path, &st) && st.st_mode & mode;
}

const char *file_weakness(const char *path)
{
	struct stat st;
	int err;

	if (stat(path, &st))
		return NULL;
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return S_ISDIR(st.st_mode) ? "other users may write to it (chmod 700)"
					   : "other users may write to it (chmod 644)";
	if (st.st_uid && st.st_uid != geteuid())
		return "it belongs to another user (chown root)";
	err = file_check_owner(path);
	return err == FILE_IS_SHARED ? "other users may write to a folder above it"
	       : err                 ? file_error(err)
				     : NULL;
}

static void redirect(const char *path, int to)
{
	int fd;

	if (!path)
		path = "/dev/null";
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
	if (fd < 0 || dup2(fd, to) < 0) {
		dprintf(STDERR_FILENO, "failed to write %s: %s\n", path, strerror(errno));
		_exit(127);
	}
	close(fd);
}

static void limit(int what, uint64_t n)
{
	struct rlimit l = {n, n};

	if (n)
		setrlimit(what, &l);
}

static void set_limits(const struct limits *l)
{
	struct rlimit none = {0, 0};

	setrlimit(RLIMIT_CORE, &none);
	limit(RLIMIT_FSIZE, l->file);
	limit(RLIMIT_NOFILE, l->open);
#ifndef __SANITIZE_ADDRESS__ /* the data of AddressSanitizer would exceed the limit */
	limit(RLIMIT_DATA, l->memory);
#endif
}

pid_t run_command(const char *const *argv, const char *out, const char *err, const struct limits *l)
{
	static char *const env[] =
		{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C",
		 NULL};
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	/* The command must not inherit connections and locks. */
	close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
	/* Redirect standard error first: if @out cannot be opened, the error is written to @err. */
	redirect(err, STDERR_FILENO);
	redirect(out, STDOUT_FILENO);
	if (l->groups && !group_enter(l->groups)) {
		dprintf(STDERR_FILENO, "failed to enter the control group of the run: %s\n",
			strerror(errno));
		_exit(127);
	}
	set_limits(l);
	execvpe(argv[0], (char *const *)argv, env);
	dprintf(STDERR_FILENO, "failed to run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

void folder_empty(const char *dir)
{
	char path[PATH_MAX];
	DIR *d = opendir(dir);

	for (const struct dirent *e; d && (e = readdir(d));)
		unlink(path_in(path, dir, e->d_name));
	if (d)
		closedir(d);
}
