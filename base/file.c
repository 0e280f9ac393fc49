/*
 * file.c - reads and writes files, including files that other users control.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/xalloc.h"

#define PROC_PATH 40 /* size of a path below /proc/self/fd */

/*
 * Waits until @fd can be written. @fd may be non-blocking although we did not ask for it, because
 * another process that shares the open file may have made it so.
 */
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

bool file_read_exact(int fd, void *p, size_t n)
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

/* ---------------------------------------------------------- files of the caller */

void file_keep_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Returns the lowest descriptor from @from to @least that a text at @words names, or @least. */
static unsigned next_named(char *const *words, unsigned from, unsigned least)
{
	static const char folder[] = "/fd/";

	for (; *words; words++)
		for (const char *s = *words; (s = strstr(s, folder));) {
			unsigned long n = strtoul(s += strlen(folder), NULL, 10);

			least = n >= from && n < least ? (unsigned)n : least;
		}
	return least;
}

void file_close_inherited(char *const *argv)
{
	for (unsigned from = STDERR_FILENO + 1, named; from < INT_MAX; from = named + 1) {
		named = next_named(environ, from, next_named(argv, from, INT_MAX));
		if (named > from)
			close_range(from, named - 1, 0);
	}
}

/* Returns whether @uid, which is not root, called sudo(8) to run this process as root. */
static bool is_caller(uid_t uid)
{
	const char *sudo = geteuid() ? NULL : getenv("SUDO_UID");

	return uid && sudo && uid == strtoul(sudo, NULL, 10);
}

static bool is_our_user(uid_t uid)
{
	return !uid || uid == geteuid() || is_caller(uid);
}

/* ---------------------------------------------------------- who may write to a file */

#define ACL "system.posix_acl_access"

/* Writes the path of a descriptor, which may be of O_PATH, to @path, and returns @path. */
static const char *proc_path(char path[PROC_PATH], int fd)
{
	snprintf(path, PROC_PATH, "/proc/self/fd/%d", fd);
	return path;
}

/* Returns whether /etc has the group @id, with no member except the user with the same number. */
static bool has_one_member(gid_t id)
{
	FILE *groups = fopen("/etc/group", "re"), *users = fopen("/etc/passwd", "re");
	const struct group *g = NULL;
	const struct passwd *p;
	bool alone;

	while (groups && (g = fgetgrent(groups)) && g->gr_gid != id)
		;
	alone = g && !*g->gr_mem && users;
	while (alone && (p = fgetpwent(users)))
		alone = p->pw_gid != id || p->pw_uid == id;
	if (groups)
		fclose(groups);
	if (users)
		fclose(users);
	return alone;
}

bool file_is_open_to_others(int fd, const struct stat *st)
{
	char path[PROC_PATH];

	if (!(st->st_mode & (S_IWGRP | S_IWOTH)))
		return false;
	return st->st_mode & S_IWOTH || !st->st_gid || st->st_gid != st->st_uid ||
	       getxattr(proc_path(path, fd), ACL, NULL, 0) >= 0 || errno != ENODATA ||
	       !has_one_member(st->st_gid);
}

/* ------------------------------------------------------------- files of other users */

/*
 * Returns the reason why the file at the O_PATH descriptor @fd must not be opened, or NULL if the
 * file may be opened.
 */
static const char *reason_to_refuse(int fd, uint64_t most)
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

/*
 * Opens the file at the O_PATH descriptor @at for reading, after checking it. The file is not
 * opened by its name, because the name may lead to another file by now.
 */
static int open_checked(int at, uint64_t most, const char **why)
{
	char path[PROC_PATH];
	int fd;

	*why = reason_to_refuse(at, most);
	if (*why)
		return -1;
	fd = open(proc_path(path, at), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		*why = file_error(errno);
	return fd;
}

int file_open_foreign(int dir, const char *path, uint64_t most, const char **why)
{
	int at = openat(dir, path, O_PATH | O_CLOEXEC), fd;

	if (at < 0) {
		*why = strerror(errno);
		return -1;
	}
	fd = open_checked(at, most, why);
	close(at);
	return fd;
}

/*
 * Opens the file that a link leads to. @link is an O_PATH descriptor of the link. @path, the name
 * of the link, serves only to find its folder. The text of the link is read by descriptor, because
 * the name may be another user's link by now.
 */
static int open_linked(int link, const char *path, uint64_t most, const char **why)
{
	const char *slash = strrchr(path, '/');
	char to[PATH_MAX], folder[PATH_MAX];
	ssize_t n = readlinkat(link, "", to, sizeof(to) - 1);
	int dir, fd;

	if (n < 0) {
		*why = strerror(errno);
		return -1;
	}
	to[n] = 0;
	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) + 1 : 1,
		 slash ? path : ".");
	dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		*why = strerror(errno);
		return -1;
	}
	fd = file_open_foreign(dir, to, most, why);
	close(dir);
	return fd;
}

int file_open_listed(const char *path, uint64_t most, const char **why)
{
	int at = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), fd = -1;
	struct stat st, to;

	if (at < 0 || fstat(at, &st))
		*why = strerror(errno);
	else if (!S_ISLNK(st.st_mode))
		fd = open_checked(at, most, why);
	else if (!is_our_user(st.st_uid))
		*why = "it is a link that another user made";
	else
		fd = open_linked(at, path, most, why);
	if (fd >= 0 && is_caller(st.st_uid) && (fstat(fd, &to) || !is_caller(to.st_uid))) {
		*why = file_error(FILE_OF_CALLER);
		close(fd);
		fd = -1;
	}
	if (at >= 0)
		close(at);
	return fd;
}

bool file_read_foreign(int dir, const char *path, uint64_t most, struct strbuf *b, const char **why)
{
	int fd = file_open_foreign(dir, path, most, why);
	bool whole = fd >= 0 && file_read_fd(fd, most, b, why);

	if (fd >= 0)
		close(fd);
	return whole;
}

bool file_read_fd(int fd, uint64_t most, struct strbuf *b, const char **why)
{
	uint64_t sum = 0;
	char buf[65536];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0 && (sum += (uint64_t)n) <= most)
		strbuf_add(b, buf, (size_t)n);
	if (n)
		*why = n < 0 ? strerror(errno) : strerror(EFBIG);
	strbuf_add(b, "", 0);
	return !n;
}

/* ----------------------------------------------------------------- output files */

#define LINKS_MAX 40 /* the kernel's own limit, MAXSYMLINKS */

const char *file_error(int err)
{
	if (err == FILE_IS_LINK)
		return "the file is a link, in a folder that another user may write to";
	if (err == FILE_NOT_OURS)
		return "the file belongs to another user or has several names, in a folder that "
		       "another user may write to";
	if (err == FILE_OF_CALLER)
		return "the user who called sudo made a link to a file of another user";
	if (err == FILE_IS_SHARED)
		return "other users may write to it, or to a folder above it";
	return err == EAGAIN ? "a process holds a lease on it" : strerror(err);
}

/* The result of resolving a path: a folder and the name of a file in that folder. */
struct target {
	int dir;            /* O_PATH descriptor of the folder */
	bool writable;      /* others may write to that folder */
	bool foreign;       /* another user owns that folder, or may replace it */
	bool callers;       /* the user who called sudo owns that folder, or one above it */
	bool led;           /* that user may have made one of the links that were followed */
	uid_t owner;        /* owner of that folder */
	struct strbuf name; /* name of the file in that folder */
	/*
	 * Path of the folder with links resolved, ending in "/". Empty for the working directory.
	 */
	struct strbuf path;
	int fd;            /* O_PATH descriptor of the file, or -1 if there is no such file */
	bool open_already; /* the name is a link in /proc to a file that some process has open */
	struct stat st;    /* status of the file */
};

static void target_release(struct target *p)
{
	if (p->dir >= 0)
		close(p->dir);
	if (p->fd >= 0)
		close(p->fd);
	strbuf_release(&p->name);
	strbuf_release(&p->path);
}

static bool is_shared(const struct target *p)
{
	return p->writable || p->foreign;
}

/*
 * Makes the folder @fd the current folder of @p, which then owns the descriptor, also on failure.
 * @fd may be the -1 of a failed open(). Returns 0 or a positive errno.
 */
static int enter_folder(struct target *p, int fd)
{
	struct stat st;

	if (fd < 0)
		return errno;
	if (p->dir >= 0)
		close(p->dir);
	p->dir = fd;
	if (fstat(fd, &st))
		return errno;
	if (!S_ISDIR(st.st_mode))
		return ENOTDIR;
	p->owner = st.st_uid;
	p->callers |= is_caller(st.st_uid);
	p->foreign |= !is_our_user(st.st_uid);
	p->writable = file_is_open_to_others(fd, &st);
	p->foreign |= p->writable && !(st.st_mode & S_ISVTX);
	return 0;
}

/*
 * Returns whether @fd is on procfs. Opening a link on procfs opens the file itself; the text of the
 * link does not matter.
 */
static bool is_on_procfs(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/*
 * Follows the link @fd: prepends the text of the link to @rest, the part of the path that is not
 * resolved yet.
 */
static int follow_link(struct target *p, int fd, struct strbuf *rest)
{
	struct strbuf after = *rest;
	char to[PATH_MAX];
	ssize_t n = readlinkat(fd, "", to, sizeof(to));

	if (n <= 0 || n == sizeof(to))
		return n < 0 ? errno : ENAMETOOLONG;
	*rest = (struct strbuf){0};
	strbuf_add(rest, to, (size_t)n);
	strbuf_adds(rest, strbuf_text(&after));
	strbuf_release(&after);
	if (*to != '/')
		return 0;
	strbuf_reset(&p->path);
	strbuf_addc(&p->path, '/');
	return enter_folder(p, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/*
 * Moves the next component of the path from @rest to p->name. Returns whether components remain in
 * @rest.
 */
static bool take_component(struct target *p, struct strbuf *rest)
{
	const char *from = strbuf_text(rest) + strspn(strbuf_text(rest), "/");
	size_t n = strcspn(from, "/");
	struct strbuf left = {0};

	strbuf_reset(&p->name);
	strbuf_add(&p->name, from, n);
	strbuf_adds(&left, from + n);
	strbuf_release(rest);
	*rest = left;
	return left.len;
}

/*
 * Resolves the next component of the path. After the last component, sets @last and completes @p.
 * Increments @links for each link that is followed. Returns 0 or an error.
 */
static int follow_component(struct target *p, struct strbuf *rest, bool *last, int *links)
{
	bool link;

	*last = !take_component(p, rest);
	if (!p->name.len)
		return EISDIR;
	p->fd = openat(p->dir, p->name.s, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (p->fd < 0)
		return *last && errno == ENOENT ? 0 : errno;
	if (fstat(p->fd, &p->st))
		return errno;
	link = S_ISLNK(p->st.st_mode);
	if (link && is_shared(p))
		return FILE_IS_LINK;
	p->open_already = link && is_on_procfs(p->fd);
	if (*last && (!link || p->open_already))
		return 0;
	if (link && !p->open_already) {
		p->led |= p->callers;
		int err = ++*links > LINKS_MAX ? ELOOP : follow_link(p, p->fd, rest);

		close(p->fd);
		p->fd = -1;
		*last = false;
		return err;
	}
	strbuf_addf(&p->path, "%s/", p->name.s);
	close(p->fd);
	p->fd = -1;
	return enter_folder(p, openat(p->dir, p->name.s,
				      O_PATH | O_DIRECTORY | O_CLOEXEC |
					      (p->open_already ? 0 : O_NOFOLLOW)));
}

/* Resolves @path into @p. The caller releases @p, also after an error. Returns 0 or an error. */
static int resolve_target(struct target *p, const char *path)
{
	struct strbuf rest = {0};
	bool last = false;
	int links = 0, err;

	*p = (struct target){.dir = -1, .fd = -1};
	strbuf_adds(&rest, path);
	if (*path == '/')
		strbuf_addc(&p->path, '/');
	err = *path ? enter_folder(p,
				   open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC))
		    : ENOENT;
	while (!err && !last)
		err = follow_component(p, &rest, &last, &links);
	strbuf_release(&rest);
	if (!err && p->fd >= 0 && is_shared(p) && !p->open_already &&
	    (!is_our_user(p->st.st_uid) || (S_ISREG(p->st.st_mode) && p->st.st_nlink > 1)))
		err = FILE_NOT_OURS;
	if (!err && p->led && !p->open_already && !is_caller(p->fd >= 0 ? p->st.st_uid : p->owner))
		err = FILE_OF_CALLER;
	return err;
}

int file_check_owner(const char *path)
{
	struct target p;
	int err = resolve_target(&p, path);
	bool folder = err == EISDIR; /* the path ends in a slash */

	if (folder)
		err = 0;
	else if (!err && p.fd < 0)
		err = ENOENT;
	else if (!err && !is_our_user(p.st.st_uid))
		err = FILE_NOT_OURS;
	if (!err && (p.foreign || (!folder && file_is_open_to_others(p.fd, &p.st))))
		err = FILE_IS_SHARED;
	target_release(&p);
	return err;
}

int file_open_of_others(const char *path, uint64_t most, const char **why)
{
	struct target p;
	int err = resolve_target(&p, path), fd = -1;

	if (err == FILE_NOT_OURS && !is_our_user(p.st.st_uid))
		err = p.led ? FILE_OF_CALLER : 0;
	if (!err && p.fd < 0)
		err = ENOENT;
	if (err)
		*why = file_error(err);
	else
		fd = open_checked(p.fd, most, why);
	target_release(&p);
	return fd;
}

/*
 * Opens the resolved file for writing. Uses p->fd and not the file's name, because the name may
 * lead to another file by now. But a link in /proc to an open file is opened by its name, because
 * this opens the file that the link stands for. O_NONBLOCK refuses a regular file on which a
 * process holds a lease; it does not affect writing.
 */
static int open_target(const struct target *p, int how)
{
	char path[PROC_PATH];

	if (p->open_already)
		return openat(p->dir, p->name.s, O_WRONLY | O_NOCTTY | O_CLOEXEC | how);
	how |= S_ISREG(p->st.st_mode) ? O_NONBLOCK : 0;
	return open(proc_path(path, p->fd), O_WRONLY | O_NOCTTY | O_CLOEXEC | how);
}

int file_open_output(const char *path, int how)
{
	struct target p;
	int err, fd = -1;

	do {
		err = resolve_target(&p, path);
		if (!err && p.fd >= 0)
			fd = open_target(&p, how);
		else if (!err)
			fd = openat(p.dir, p.name.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | how,
				    0666);
		if (!err && fd < 0)
			err = errno;
		target_release(&p);
	} while (err == EEXIST); /* retry: another process created the file after we looked */
	if (err)
		errno = err;
	return fd;
}

/*
 * Creates a hidden file in the folder of @p and sets @name to its name. The name is random, because
 * another user may make files of any names that can be guessed.
 */
static int create_beside(const struct target *p, mode_t mode, struct strbuf *name)
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof(number), 0) < 0)
		return -1;
	strbuf_reset(name);
	strbuf_addf(name, ".dtrace-%d-%016" PRIx64, (int)getpid(), number);
	return openat(p->dir, name->s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

/*
 * Writes the bytes and closes @fd. EINVAL from fdatasync() is ignored: it means that the file is
 * not on a disk. The result of close() matters, because close() may report a full disk. Returns 0
 * or a positive errno.
 */
static int write_and_close(int fd, const void *p, size_t n, bool lasting)
{
	int err = file_write(fd, p, n) && (!lasting || !fdatasync(fd) || errno == EINVAL) ? 0
											  : errno;

	if (close(fd) && !err)
		err = errno;
	return err;
}

/*
 * Gives the new file @fd the ACL of the file @old. If that has none, removes the ACL that a default
 * ACL of the folder gave to the new file.
 */
static int copy_acl(int fd, int old)
{
	char path[PROC_PATH], acl[UINT16_MAX + 1];
	ssize_t n = getxattr(proc_path(path, old), ACL, acl, sizeof(acl));

	if (n < 0)
		return errno == ENODATA && fremovexattr(fd, ACL) && errno != ENODATA ? errno : 0;
	return fsetxattr(fd, ACL, acl, (size_t)n, 0) ? errno : 0;
}

static int copy_rights(int fd, const struct target *old)
{
	const struct stat *to = &old->st;
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return errno;
	if ((st.st_uid != to->st_uid || st.st_gid != to->st_gid) &&
	    fchown(fd, to->st_uid, to->st_gid))
		return errno;
	err = copy_acl(fd, old->fd);
	return err ? err : fchmod(fd, to->st_mode & 0777) ? errno : 0;
}

/*
 * Renames the new file @name to the name of the target. In a shared folder, another user may have
 * created the target by now. linkat() then fails with EEXIST, where renameat() would replace the
 * other user's file.
 */
static int move_into_place(const struct target *p, const char *name)
{
	if (p->fd >= 0 || !is_shared(p))
		return renameat(p->dir, name, p->dir, p->name.s) ? errno : 0;
	if (!linkat(p->dir, name, p->dir, p->name.s, 0))
		return unlinkat(p->dir, name, 0) ? errno : 0;
	return errno;
}

static int replace(const struct target *at, const void *p, size_t n, mode_t mode, bool lasting)
{
	struct strbuf name = {0};
	/* Start with mode 0600: users who may not read the old file must not read the new file. */
	int fd = create_beside(at, at->fd >= 0 ? 0600 : mode, &name);
	int err = fd < 0 ? errno : at->fd >= 0 ? copy_rights(fd, at) : 0;

	if (!err)
		err = write_and_close(fd, p, n, lasting);
	else if (fd >= 0)
		close(fd);
	if (!err)
		err = move_into_place(at, name.s);
	if (err && fd >= 0)
		unlinkat(at->dir, name.s, 0);
	strbuf_release(&name);
	return err;
}

/*
 * Returns whether the error @err of replace() means that the file cannot be replaced, but perhaps
 * overwritten. The reasons are: we may not create a file in the folder, we may not give the new
 * file the old owner, or the file is a mount point.
 */
static bool cannot_be_replaced(int err)
{
	return err == EPERM || err == EACCES || err == EROFS || err == EBUSY;
}

static int overwrite(const struct target *at, const void *p, size_t n, bool lasting)
{
	int fd = open_target(at, O_TRUNC);

	return fd < 0 ? errno : write_and_close(fd, p, n, lasting);
}

int file_replace(const char *path, const void *p, size_t n, mode_t mode, bool lasting)
{
	struct target at;
	int err;

	do {
		err = resolve_target(&at, path);
		if (!err)
			err = replace(&at, p, n, mode, lasting);
		if (at.fd >= 0 && cannot_be_replaced(err))
			err = overwrite(&at, p, n, lasting);
		target_release(&at);
	} while (err == EEXIST);
	return err;
}

char *file_resolve_output(const char *path)
{
	struct target p;
	int err = resolve_target(&p, path);
	char *to = NULL;

	if (!err && (p.fd < 0 || S_ISREG(p.st.st_mode))) {
		strbuf_adds(&p.path, strbuf_text(&p.name));
		to = xstrdup(strbuf_text(&p.path));
	}
	target_release(&p);
	errno = err;
	return to;
}

int file_can_replace(const char *path)
{
	struct strbuf name = {0};
	struct target p;
	int err = resolve_target(&p, path), fd = -1;

	if (!err) {
		fd = p.fd >= 0 ? open_target(&p, 0) : create_beside(&p, 0600, &name);
		err = fd < 0 ? errno : 0;
	}
	if (fd >= 0)
		close(fd);
	if (!err && p.fd < 0)
		unlinkat(p.dir, name.s, 0);
	strbuf_release(&name);
	target_release(&p);
	return err;
}
