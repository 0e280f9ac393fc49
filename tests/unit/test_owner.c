/*
 * test_owner.c - checks that the time and the memory for names of users and control groups are
 * limited.
 *
 * Plain folders take the place of control groups, and functions of the test replace functions of
 * the C library.
 */
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "procinfo/budget.h"
#include "procinfo/owner.h"
#include "tests/check.h"

/* ---------------------------------------- replacements for the C library */

static char mount_dir[] = "/dev/shm/dtrace-test-XXXXXX";
static bool given;
static unsigned looked_up, lines;
static useconds_t delay;

FILE *setmntent(const char *file, const char *mode)
{
	(void)file, (void)mode;
	given = false;
	return stdin;
}

struct mntent *getmntent(FILE *f)
{
	static struct mntent m = {.mnt_fsname = (char *)"none",
				  .mnt_dir = mount_dir,
				  .mnt_type = (char *)"cgroup2"};

	(void)f;
	if (given)
		return NULL;
	given = true;
	return &m;
}

int endmntent(FILE *f)
{
	(void)f;
	return 1;
}

int getpwuid_r(uid_t uid, struct passwd *pw, char *room, size_t size, struct passwd **found)
{
	looked_up++;
	usleep(delay);
	snprintf(room, size, "user%u", uid);
	pw->pw_name = room;
	*found = pw;
	return 0;
}

/* There is always time, also on a busy machine. */
bool budget_left(enum budget b, uint64_t owner, bool *first)
{
	(void)b, (void)owner, (void)first;
	return true;
}

void budget_spend(enum budget b, uint64_t owner, uint64_t ns)
{
	(void)b, (void)owner, (void)ns;
}

static void count_line(const char *line)
{
	(void)line;
	lines++;
}

/* ---------------------------------------------------------------------- users */

static void test_users(void **state)
{
	(void)state;
	owner_report(count_line);
	assert_string_equal(owner_user(1), "user1");
	delay = OWNER_USERS_NS / 2000 + 1;
	assert_string_equal(owner_user(2), "user2");
	assert_string_equal(owner_user(3), "user3");
	assert_string_equal(owner_user(4), "4"); /* the time is used up */
	assert_string_equal(owner_user(5), "5");
	assert_string_equal(owner_user(2), "user2");
	assert_int_equal(looked_up, 3);
	assert_int_equal(lines, 1);
	owner_release();
}

/* ------------------------------------------------------------- control groups */

enum { LEVELS = 8, GROUPS = 20000 };

/* Path of the innermost of LEVELS nested folders, about 2,000 bytes long. */
static char deep[PATH_MAX];

/* The end of long names, so that some 14,000 of them fill the memory for groups of a user. */
static char padding[201];

/* the user who owns the innermost folder, and so all groups below it */
#define USER 54321

static int make_deep(void **state)
{
	struct statfs fs;
	size_t n;

	(void)state;
	if (statfs("/dev/shm", &fs) || fs.f_type != TMPFS_MAGIC || !mkdtemp(mount_dir))
		return 0;
	n = (size_t)sprintf(deep, "%s", mount_dir);
	for (int i = 0; i < LEVELS; i++) {
		n += (size_t)sprintf(deep + n, "/%0250d", i);
		assert_int_equal(mkdir(deep, 0700), 0);
	}
	memset(padding, 'x', sizeof(padding) - 1);
	if (!getuid())
		assert_int_equal(chown(deep, USER, USER), 0);
	return 0;
}

static int remove_deep(void **state)
{
	(void)state;
	while (strlen(deep) >= sizeof(mount_dir) - 1) {
		rmdir(deep);
		*strrchr(deep, '/') = '\0';
	}
	owner_release();
	return 0;
}

/* Creates control group @i, removes it and returns its inode number. */
static uint64_t group(unsigned i)
{
	char path[PATH_MAX + 16];
	struct stat st;

	snprintf(path, sizeof(path), "%.*s/%u%s", PATH_MAX - 300, deep, i, padding);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(stat(path, &st), 0);
	owner_read_events();
	assert_int_equal(rmdir(path), 0);
	return st.st_ino;
}

static bool is_named(uint64_t id, unsigned i)
{
	const char *path = owner_cgroup(id), *name = strrchr(path, '/');

	return name && (unsigned)atoi(name + 1) == i;
}

static void test_groups_that_end(void **state)
{
	static uint64_t id[GROUPS];
	struct stat st;
	unsigned known = 0;

	(void)state;
	if (!*deep)
		skip();
	assert_int_equal(stat(deep, &st), 0);
	assert_true(owner_watch() >= 0);
	for (unsigned i = 0; i < GROUPS; i++) {
		id[i] = group(i);
		assert_string_equal(owner_container(id[i]), OWNER_NONE);
	}
	for (unsigned i = 0; i < GROUPS; i++)
		known += is_named(id[i], i);
	assert_in_range(known, 1000, OWNER_GROUPS_USER_BYTES / strlen(padding));
	assert_true(is_named(id[GROUPS - 1], GROUPS - 1));
	assert_false(is_named(id[0], 0));
	assert_string_equal(owner_container(id[0]), OWNER_UNKNOWN);
	/* This group still exists. */
	assert_string_equal(owner_cgroup(st.st_ino), deep + strlen(mount_dir));
}

static void make(char *path, unsigned i)
{
	snprintf(path, PATH_MAX, "%.*s/%u%s", PATH_MAX - 300, deep, i, padding);
	assert_int_equal(mkdir(path, 0700), 0);
}

/* The queue of inotify overflows, so that the end of a group and a new group are missed. */
static void test_news_are_lost(void **state)
{
	char ends[PATH_MAX], stays[PATH_MAX], path[PATH_MAX];
	struct stat end, stay;

	(void)state;
	if (!*deep)
		skip();
	assert_true(owner_watch() >= 0);
	make(ends, 1);
	owner_read_events();
	for (unsigned i = 0; i < 2 * GROUPS; i++) {
		make(path, 2);
		assert_int_equal(rmdir(path), 0);
		make(path, 3); /* a different name each time, because inotify merges equal events */
		assert_int_equal(rmdir(path), 0);
	}
	make(stays, 4);
	assert_int_equal(stat(ends, &end) | stat(stays, &stay) | rmdir(ends), 0);
	assert_true(is_named(end.st_ino, 1));
	assert_true(is_named(stay.st_ino, 4));
	for (unsigned i = 10; i < GROUPS; i++)
		group(i);
	assert_false(is_named(end.st_ino, 1));
	assert_true(is_named(stay.st_ino, 4));
	assert_int_equal(rmdir(stays), 0);
}

/*
 * Groups of a user fill the memory for that user. A message says so, and a group of another user
 * still has a name.
 */
static void test_groups_of_one_user(void **state)
{
	static char path[GROUPS][PATH_MAX];
	char other[PATH_MAX];
	struct stat st;

	(void)state;
	if (!*deep || getuid())
		skip();
	lines = 0;
	assert_true(owner_watch() >= 0);
	for (unsigned i = 0; i < GROUPS; i++) {
		make(path[i], i);
		owner_read_events();
	}
	assert_int_equal(lines, 1);
	assert_int_equal(stat(path[GROUPS - 1], &st), 0);
	assert_string_equal(owner_cgroup(st.st_ino), OWNER_UNKNOWN);
	snprintf(other, sizeof(other), "%s/machine-other.scope", mount_dir);
	assert_int_equal(mkdir(other, 0700) | stat(other, &st), 0);
	assert_string_equal(owner_cgroup(st.st_ino), "/machine-other.scope");
	assert_string_equal(owner_container(st.st_ino), "other");
	rmdir(other);
	for (unsigned i = 0; i < GROUPS; i++)
		rmdir(path[i]);
	owner_release();
}

/* A group whose path is longer than PATH_MAX has a path and a container. */
static void test_long_path(void **state)
{
	enum { LONG = 25 };
	char name[251] = {0}, *up;
	struct stat st;
	int fd[LONG];

	(void)state;
	if (!*deep)
		skip();
	memset(name, 'n', sizeof(name) - 1);
	assert_true(owner_watch() >= 0);
	for (int i = 0; i < LONG; i++) {
		const char *one = i ? name : "machine-box.scope";
		int in = i ? fd[i - 1] : open(deep, O_PATH);

		assert_int_equal(mkdirat(in, one, 0700), 0);
		fd[i] = openat(in, one, O_PATH);
		if (!i)
			close(in);
		owner_read_events();
	}
	assert_int_equal(fstat(fd[LONG - 1], &st), 0);
	up = strstr(owner_cgroup(st.st_ino), "/machine-box.scope/nnn");
	assert_non_null(up);
	assert_string_equal(owner_container(st.st_ino), "box");
	/* the groups exist when the run starts */
	assert_true(owner_watch() >= 0);
	assert_string_equal(owner_container(st.st_ino), "box");
	for (int i = LONG - 1; i > 0; i--) {
		assert_int_equal(unlinkat(fd[i - 1], name, AT_REMOVEDIR), 0);
		close(fd[i]);
	}
	close(fd[0]);
	snprintf(name, sizeof(name), "machine-box.scope");
	fd[0] = open(deep, O_PATH);
	assert_int_equal(unlinkat(fd[0], name, AT_REMOVEDIR), 0);
	close(fd[0]);
	owner_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_users),         cmocka_unit_test(test_groups_that_end),
		cmocka_unit_test(test_news_are_lost), cmocka_unit_test(test_groups_of_one_user),
		cmocka_unit_test(test_long_path),
	};

	return cmocka_run_group_tests(tests, make_deep, remove_deep);
}
