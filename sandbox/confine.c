/*
 * confine.c - gives up rights, one step at a time.
 *
 * The order matters. Leaving the network and the root folder needs rights that the change of user
 * gives up. The filter comes last because it forbids the other steps.
 */
#include "sandbox/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <pwd.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define READER_USER "_dtrace"

/* Appends @what to @why, and the text of errno if errno is set. Returns false. */
static bool fail(struct strbuf *why, const char *what)
{
	strbuf_addf(why, "%s%s%s", what, errno ? ": " : "", errno ? strerror(errno) : "");
	return false;
}

/* --------------------------------------------------------------- capabilities */

#define CAP(c) (1ull << CAP_##c)

struct caps {
	struct __user_cap_header_struct head;
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
};

static int get_caps(struct caps *c)
{
	/* Set all bits first: a call that did nothing must not look like an empty set. */
	memset(c->data, 0xff, sizeof(c->data));
	c->head = (struct __user_cap_header_struct){.version = _LINUX_CAPABILITY_VERSION_3};
	return (int)syscall(SYS_capget, &c->head, c->data);
}

/* Returns whether the process has no capabilities except those in @kept. */
static bool only_caps(uint64_t kept)
{
	struct caps c;

	if (get_caps(&c))
		return false;
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		uint32_t others = ~(uint32_t)(kept >> 32 * i);

		if ((c.data[i].effective | c.data[i].permitted) & others || c.data[i].inheritable)
			return false;
	}
	return true;
}

/*
 * Gives up all capabilities except those in @kept. The kernel drops ambient capabilities together
 * with permitted ones.
 */
static bool keep_caps(uint64_t kept, struct strbuf *why)
{
	struct caps c;

	errno = 0;
	if (get_caps(&c))
		return fail(why, "cannot read the capabilities");
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		c.data[i].effective &= (uint32_t)(kept >> 32 * i);
		c.data[i].permitted &= (uint32_t)(kept >> 32 * i);
		c.data[i].inheritable = 0;
	}
	if (syscall(SYS_capset, &c.head, c.data))
		return fail(why, "cannot give up capabilities");
	return only_caps(kept) || fail(why, "capabilities were not given up");
}

static bool drop_caps(const struct confinement *c, struct strbuf *why)
{
	(void)c;
	return keep_caps(0, why);
}

/* ----------------------------------------------------------------------- user */

/*
 * Returns the number of users in the last range of user IDs that this user namespace maps. Sets
 * @first to the first user of that range.
 */
static uint64_t last_range(uint64_t *first)
{
	unsigned long from, outside, count, users = 0;
	FILE *f = fopen("/proc/self/uid_map", "re");

	*first = 0;
	while (f && fscanf(f, "%lu %lu %lu", &from, &outside, &count) == 3) {
		*first = from;
		users = count;
	}
	if (f)
		fclose(f);
	return users;
}

/*
 * Returns whether this process runs as root and can change to another user. In a user namespace
 * that maps only one user, root cannot.
 */
static bool confine_changes_user(void)
{
	uint64_t first;

	return !geteuid() && last_range(&first) != 1;
}

/*
 * Finds the user @name in /etc/passwd. getpwnam(3) is not used because it might ask a server on the
 * network. Returns false if there is no such user, or if the user or its group is root (0).
 */
static bool local_user(const char *name, uid_t *id, gid_t *group)
{
	FILE *f = fopen("/etc/passwd", "re");
	struct passwd *p;
	bool found = false;

	while (f && !found && (p = fgetpwent(f)))
		if (!strcmp(p->pw_name, name)) {
			*id = p->pw_uid;
			*group = p->pw_gid;
			found = *id != 0 && *group != 0;
		}
	if (f)
		fclose(f);
	return found;
}

/*
 * Chooses a user number that is probably not in use: numbers from 0x70000000 on are normally not
 * assigned. Adding the process number makes concurrent runs use different users. If the user
 * namespace has fewer users, chooses one of its last numbers, but not 65534 (nobody).
 */
static uid_t unused_user(void)
{
	const uint64_t high = 0x70000000;
	uint64_t first, users = last_range(&first), id = high + (uint64_t)getpid() % 0x08000000;

	if (id - first < users)
		return (uid_t)id;
	id = first + users - 1 - (uint64_t)getpid() % (users / 64 + 1);
	return (uid_t)(id == 65534 ? id - 1 : id);
}

/*
 * The user and group to change to. They are chosen before the root folder is emptied, because the
 * choice depends on files.
 */
static uid_t uid;
static gid_t gid;

static void choose_user(void)
{
	if (local_user(READER_USER, &uid, &gid))
		return;
	uid = unused_user();
	gid = (gid_t)uid;
}

static bool is_user(void)
{
	uid_t u[3] = {0};
	gid_t g[3] = {0};

	errno = 0;
	return !getresuid(&u[0], &u[1], &u[2]) && !getresgid(&g[0], &g[1], &g[2]) && u[0] == uid &&
	       u[1] == uid && u[2] == uid && g[0] == gid && g[1] == gid && g[2] == gid && uid &&
	       gid && getgroups(0, NULL) == 0;
}

/* Gives up all capabilities except CAP_SETUID and CAP_SETGID, and becomes the chosen user. */
static bool change_user(const struct confinement *c, struct strbuf *why)
{
	(void)c;
	if (!keep_caps(CAP(SETUID) | CAP(SETGID), why))
		return false;
	/*
	 * First set a list with one group, and then an empty list. Otherwise a setgroups() without
	 * effect would look like success where the list was empty before.
	 */
	if (setgroups(1, &gid) || getgroups(0, NULL) != 1 || setgroups(0, NULL) ||
	    setresgid(gid, gid, gid) || setresuid(uid, uid, uid))
		return fail(why, "cannot change to another user");
	return is_user() || fail(why, "the change to another user had no effect");
}

/* -------------------------------------------------------- network, root folder */

/* Returns the inode number of this process's network namespace, or 0 if it is unknown. */
static ino_t network_namespace(void)
{
	struct stat st = {0};

	return stat("/proc/self/ns/net", &st) ? 0 : st.st_ino;
}

static bool leave_network(const struct confinement *c, struct strbuf *why)
{
	ino_t before = network_namespace(), after;

	if (c->connects)
		return true;
	errno = 0;
	if (unshare(CLONE_NEWNET))
		return fail(why, "cannot leave the network namespace");
	after = network_namespace();
	return (before && after && after != before) ||
	       fail(why, "the process may still be in its network namespace");
}

/*
 * Makes an empty file system, which is not mounted anywhere and disappears with this process.
 * Returns a descriptor of its root folder, or -1.
 */
static int mount_empty_folder(void)
{
	int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC), fd = -1;

	if (fs >= 0 && !syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		fd = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC,
				  MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	if (fs >= 0)
		close(fs);
	return fd;
}

/* Copies the file @path, if it exists, into the folder @root, under the same path. */
static bool copy_file(int root, const char *path)
{
	char buf[65536];
	int from = open(path, O_RDONLY | O_CLOEXEC), to = -1;
	ssize_t n = 0;
	bool ok;

	if (from < 0)
		return true;
	to = openat(root, path + 1, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	while (to >= 0 && (n = read(from, buf, sizeof(buf))) > 0)
		if (write(to, buf, (size_t)n) != n)
			break;
	ok = to >= 0 && !n && !fchmod(to, 0444);
	close(from);
	if (to >= 0)
		close(to);
	return ok;
}

/* The files that are needed to look up names. */
static const char *const name_files[] = {"/etc/hosts", "/etc/resolv.conf", "/etc/nsswitch.conf",
					 "/etc/host.conf", "/etc/gai.conf"};

#define NAME_FILES (sizeof(name_files) / sizeof(*name_files))

/* Copies the files for looking up names into the folder @root. */
static bool copy_name_files(int root)
{
	mode_t mask = umask(022);
	bool ok = !mkdirat(root, "etc", 0755);

	for (size_t i = 0; ok && i < NAME_FILES; i++)
		ok = copy_file(root, name_files[i]);
	umask(mask);
	return ok;
}

static bool make_read_only(int root)
{
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};

	return !syscall(SYS_mount_setattr, root, "", AT_EMPTY_PATH, &attr, sizeof(attr));
}

static bool is_read_only(int fd)
{
	struct statfs fs = {0};

	return !fstatfs(fd, &fs) && fs.f_flags & ST_RDONLY;
}

/*
 * Returns whether both the root folder and the working folder are @fd, and a path such as /proc no
 * longer exists.
 */
static bool root_is_empty(int fd)
{
	struct stat folder = {0}, root = {0}, here = {0}, proc;

	errno = 0;
	return !fstat(fd, &folder) && !stat("/", &root) && !stat(".", &here) && folder.st_ino &&
	       root.st_dev == folder.st_dev && root.st_ino == folder.st_ino &&
	       here.st_dev == folder.st_dev && here.st_ino == folder.st_ino &&
	       stat("/proc", &proc) == -1 && errno == ENOENT;
}

static bool empty_root(const struct confinement *c, struct strbuf *why)
{
	int fd = mount_empty_folder();
	bool done;

	if (fd < 0)
		return fail(why, "cannot make an empty root folder");
	if ((c->connects && !copy_name_files(fd)) || !make_read_only(fd) || fchdir(fd) ||
	    chroot(".") || chdir("/")) {
		fail(why, "cannot change to an empty root folder");
		close(fd);
		return false;
	}
	done = root_is_empty(fd) && is_read_only(fd);
	close(fd);
	errno = 0;
	return done || fail(why, "the root folder is not empty, or is not read-only");
}

/* ------------------------------------------------------------------------- files */

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>

/* all rights of the first version of Landlock: to read, write, execute, make and remove files */
#define ALL_RIGHTS ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

static bool allow_reading(int rules, const char *path)
{
	struct landlock_path_beneath_attr a = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE};
	bool ok;

	a.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (a.parent_fd < 0)
		return true;
	ok = !syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &a, 0);
	close(a.parent_fd);
	return ok;
}

/*
 * Forbids opening files, except those for looking up names. This is for a process without root: it
 * keeps its root folder, and could otherwise open all files that its user can. Does nothing on a
 * kernel without Landlock. Source: landlock(7).
 */
static bool leave_files(const struct confinement *c, struct strbuf *why)
{
	struct landlock_ruleset_attr attr = {.handled_access_fs = ALL_RIGHTS};
	int rules;
	bool ok = true;

	if (!c->connects)
		return true;
	rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (rules < 0 && (errno == ENOSYS || errno == EOPNOTSUPP))
		return true;
	for (size_t i = 0; ok && i < NAME_FILES; i++)
		ok = allow_reading(rules, name_files[i]);
	ok = ok && rules >= 0 && !syscall(SYS_landlock_restrict_self, rules, 0);
	if (rules >= 0)
		close(rules);
	return ok || fail(why, "cannot give up the right to open files");
}

#else

static bool leave_files(const struct confinement *c, struct strbuf *why)
{
	(void)c, (void)why;
	return true;
}
#endif

/* ------------------------------------------------------------ flags and limits */

static bool no_new_rights(const struct confinement *c, struct strbuf *why)
{
	(void)c;
	errno = 0;
	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return true;
	return fail(why, "no_new_privs is not in force");
}

/*
 * Makes the process not dumpable. Sets the flag before clearing it: otherwise a prctl() without
 * effect would look like success where the flag was already 0.
 */
static bool not_dumpable(const struct confinement *c, struct strbuf *why)
{
	(void)c;
	errno = 0;
	if (!prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) && prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1 &&
	    !prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) && prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0)
		return true;
	return fail(why, "the process can still be dumped");
}

static bool set_limit(int what, uint64_t most, const char *name, struct strbuf *why)
{
	struct rlimit l = {0}, set = {most, most};

	errno = 0;
	if (getrlimit(what, &l))
		return fail(why, name);
	if (l.rlim_max < most) /* the limit is lower already */
		set = (struct rlimit){l.rlim_max, l.rlim_max};
	l = (struct rlimit){most + 1, most + 1};
	if (!setrlimit(what, &set) && !getrlimit(what, &l) && l.rlim_cur <= most &&
	    l.rlim_max <= most)
		return true;
	return fail(why, name);
}

static bool set_limits(const struct confinement *c, struct strbuf *why)
{
	if (!set_limit(RLIMIT_CORE, 0, "RLIMIT_CORE is not in force", why))
		return false;
#ifndef SANITIZED /* sanitizers map terabytes */
	if (c->address_bytes &&
	    !set_limit(RLIMIT_AS, c->address_bytes, "RLIMIT_AS is not in force", why))
		return false;
	if (c->data_bytes &&
	    !set_limit(RLIMIT_DATA, c->data_bytes, "RLIMIT_DATA is not in force", why))
		return false;
#endif
	return !c->cpu_seconds ||
	       set_limit(RLIMIT_CPU, c->cpu_seconds, "RLIMIT_CPU is not in force", why);
}

static bool set_filter(const struct confinement *c, struct strbuf *why)
{
#ifdef SANITIZED /* sanitizers make other system calls, for example when the process ends */
	(void)c, (void)why;
	return true;
#else
	return filter_install(c->calls, why);
#endif
}

/* ---------------------------------------------------------------- public functions */

struct step {
	bool (*run)(const struct confinement *c, struct strbuf *why);
	bool needs_root; /* only root can take the step, and only root needs it */
};

static const struct step steps[] = {
	{leave_network, true}, {empty_root, true},    {change_user, true},
	{drop_caps, false},    {not_dumpable, false}, {no_new_rights, false},
	{leave_files, false},  {set_limits, false},   {set_filter, false},
};

/*
 * The steps for a process that executes a command next. The process keeps the root folder, because
 * the command needs its libraries. Clearing the dumpable flag would be useless, because a process
 * is dumpable again after it executes a new program.
 */
static const struct step command_steps[] = {
	{leave_network, true},  {change_user, true}, {drop_caps, false},
	{no_new_rights, false}, {set_limits, false},
};

static bool take_steps(const struct step *step, size_t n, const struct confinement *c,
		       struct strbuf *why)
{
	bool root = confine_changes_user();

	if (root)
		choose_user();
	for (size_t i = 0; i < n; i++) {
		if (step[i].needs_root && !root)
			continue;
		errno = 0;
		if (!step[i].run(c, why) && !c->best_effort)
			return false;
	}
	if (c->best_effort)
		strbuf_reset(why);
	return true;
}

bool confine(const struct confinement *c, struct strbuf *why)
{
#ifndef SANITIZED
	if (!filter_load(why) && !c->best_effort)
		return false;
#endif
	return take_steps(steps, sizeof(steps) / sizeof(*steps), c, why);
}

bool confine_command(const struct confinement *c, struct strbuf *why)
{
	return take_steps(command_steps, sizeof(command_steps) / sizeof(*command_steps), c, why);
}

bool confine_capabilities(struct strbuf *why)
{
	return keep_caps(0, why) && no_new_rights(NULL, why);
}

bool confine_further(unsigned calls, struct strbuf *why)
{
	return set_filter(&(struct confinement){.calls = calls}, why);
}

/* Calls @try while CAP_SYS_ADMIN is not in the effective set, and returns its result. */
static bool without_admin(bool (*try)(void))
{
	struct caps c, less;
	bool yes;

	if (get_caps(&c))
		return true;
	less = c;
	less.data[CAP_SYS_ADMIN / 32].effective &= ~(1u << CAP_SYS_ADMIN % 32);
	syscall(SYS_capset, &less.head, less.data);
	yes = try();
	syscall(SYS_capset, &c.head, c.data);
	return yes;
}

bool confine_tracing(bool (*enough)(void), struct strbuf *why)
{
	uint64_t kept = CAP(BPF) | CAP(PERFMON) | CAP(NET_ADMIN) | CAP(SYSLOG) | CAP(SYS_PTRACE) |
			CAP(DAC_READ_SEARCH);

	if (enough && !without_admin(enough))
		kept |= CAP(SYS_ADMIN);
	return keep_caps(kept, why) && no_new_rights(NULL, why);
}
