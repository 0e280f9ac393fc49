/*
 * file.c - see file.h.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/xalloc.h"

int file_read(FILE *f, struct strbuf *b)
{
	char buf[65536];
	size_t n;

	errno = 0;
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		strbuf_add(b, buf, n);
	strbuf_add(b, "", 0);
	return !ferror(f) ? 0 : errno ? errno : EIO;
}

/* Somebody else may have made it non-blocking: it is one with their descriptor. */
static bool wait_for_room(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

bool file_write(int fd, const void *p, size_t n)
{
	for (const char *s = p; n;) {
		ssize_t done = write(fd, s, n);

		if (done < 0 && errno == EAGAIN && wait_for_room(fd))
			continue;
		if (done < 0 && errno != EINTR)
			return false;
		s += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return true;
}

bool file_read_all(int fd, void *p, size_t n)
{
	for (char *at = p; n;) {
		ssize_t got = read(fd, at, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

/* ------------------------------------------------------------- files of other users */

/* NULL: the file at the O_PATH descriptor @fd may be opened. */
static const char *refusal(int fd, uint64_t most)
{
	struct stat st;

	if (fstat(fd, &st))
		return strerror(errno);
	if (S_ISDIR(st.st_mode))
		return strerror(EISDIR);
	if (!S_ISREG(st.st_mode))
		return "it is not a regular file";
	return (uint64_t)st.st_size > most ? strerror(EFBIG) : NULL;
}

int file_open_foreign(int dir, const char *path, uint64_t most, const char **why)
{
	int at = openat(dir, path, O_PATH | O_CLOEXEC), fd = -1;
	char again[40];

	*why = at < 0 ? strerror(errno) : refusal(at, most);
	if (!*why) {
		/* By descriptor: its name may have become another file's. */
		snprintf(again, sizeof(again), "/proc/self/fd/%d", at);
		fd = open(again, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		if (fd < 0)
			*why = errno == EAGAIN ? "its owner holds a lease on it" : strerror(errno);
	}
	if (at >= 0)
		close(at);
	return fd;
}

bool file_read_foreign(int dir, const char *path, uint64_t most, struct strbuf *b, const char **why)
{
	int fd = file_open_foreign(dir, path, most, why);
	uint64_t sum = 0;
	char buf[65536];
	ssize_t n;

	if (fd < 0)
		return false;
	while ((n = read(fd, buf, sizeof(buf))) > 0 && (sum += (uint64_t)n) <= most)
		strbuf_add(b, buf, (size_t)n);
	if (n)
		*why = n < 0 ? strerror(errno) : strerror(EFBIG);
	strbuf_add(b, "", 0);
	close(fd);
	return !n;
}

/* --------------------------------------------------------------- files to replace */

#define LINKS_MAX 40 /* as many as the kernel follows */

/*
 * Beside the file, so that taking its place is one step; hidden, and no file that is there already: who was killed may
 * have left one.  Its descriptor, @name owned, or a negative errno.
 */
static int create_beside(const char *path, mode_t mode, char **name)
{
	const char *slash = strrchr(path, '/');
	int len = slash ? (int)(slash + 1 - path) : 0, fd, err;
	struct strbuf b = {0};

	for (unsigned i = 0;; i++) {
		strbuf_reset(&b);
		strbuf_addf(&b, "%.*s.dtrace-%d-%u", len, path, (int)getpid(), i);
		fd = open(b.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	err = errno;
	*name = b.s;
	if (fd >= 0)
		return fd;
	xfree(b.s);
	return -err;
}

/* A disk that is full may say so at the end only.  Some files are on no disk: EINVAL. */
static int write_and_close(int fd, const void *p, size_t n, bool lasting)
{
	int err = file_write(fd, p, n) && (!lasting || !fdatasync(fd) || errno == EINVAL) ? 0 : errno;

	if (close(fd) && !err)
		err = errno;
	return err;
}

/* The successor is of the same owner and mode. */
static int inherit(int fd, const struct stat *old)
{
	struct stat st;

	if (fstat(fd, &st))
		return errno;
	if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) && fchown(fd, old->st_uid, old->st_gid))
		return errno;
	return fchmod(fd, old->st_mode & 0777) ? errno : 0;
}

/* @old: of the file that is there; NULL: none is. */
static int replace(const char *path, const struct stat *old, const void *p, size_t n, mode_t mode, bool lasting)
{
	char *name;
	int fd = create_beside(path, old ? 0600 : mode, &name), err; /* nobody opens it who may not read @old */

	if (fd < 0)
		return -fd;
	err = old ? inherit(fd, old) : 0;
	if (err)
		close(fd);
	else
		err = write_and_close(fd, p, n, lasting);
	if (!err && rename(name, path))
		err = errno;
	if (err)
		unlink(name);
	xfree(name);
	return err;
}

/* Nothing may be made beside the file, or be its owner's, or take its place: it is mounted there, say. */
static bool must_stay(int err)
{
	return err == EPERM || err == EACCES || err == EROFS || err == EBUSY;
}

static int overwrite(const char *path, const void *p, size_t n, bool lasting)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	return fd < 0 ? errno : write_and_close(fd, p, n, lasting);
}

int file_replace(const char *path, const void *p, size_t n, mode_t mode, bool lasting)
{
	struct stat st;
	bool there = !stat(path, &st);
	int err = replace(path, there ? &st : NULL, p, n, mode, lasting);

	return there && must_stay(err) ? overwrite(path, p, n, lasting) : err;
}

/* What @path is a link to; owned.  NULL: it is none. */
static char *follow(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct strbuf b = {0};
	char to[PATH_MAX];
	ssize_t n = readlink(path, to, sizeof(to) - 1);

	if (n <= 0)
		return NULL;
	to[n] = '\0';
	if (*to != '/' && slash)
		strbuf_add(&b, path, (size_t)(slash + 1 - path));
	strbuf_adds(&b, to);
	return b.s;
}

/* A link of /proc leads to what is open, whatever its text says. */
static bool is_open_file(const char *path)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct statfs fs;
	bool is = fd >= 0 && !fstatfs(fd, &fs) && fs.f_type == PROC_SUPER_MAGIC;

	if (fd >= 0)
		close(fd);
	return is;
}

char *file_to_replace(const char *path)
{
	char *at = xstrdup(path), *next;
	struct stat st;

	for (int i = 0; i < LINKS_MAX && !is_open_file(at); i++) {
		next = follow(at);
		if (!next) {
			if (lstat(at, &st) || S_ISREG(st.st_mode))
				return at;
			break;
		}
		xfree(at);
		at = next;
	}
	xfree(at);
	return NULL;
}

int file_replaceable(const char *path)
{
	struct stat st;
	bool there = !stat(path, &st);
	char *name = NULL;
	int fd = there ? open(path, O_WRONLY | O_CLOEXEC) : create_beside(path, 0600, &name);

	if (fd < 0)
		return there ? errno : -fd;
	close(fd);
	if (name)
		unlink(name);
	xfree(name);
	return 0;
}
