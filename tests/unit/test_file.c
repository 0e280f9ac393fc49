/*
 * test_file.c - checks how files are replaced, when dtrace waits for the disk, and that it refuses
 * files and folders that other users control.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/snapshots.h"
#include "tests/check.h"

static char dir[] = "/tmp/test_file.XXXXXX", path[64];

/* Memory that all processes of the test share. */
static struct shared {
	atomic_int synced;
	atomic_bool held; /* the disk is busy */
	char at_sync[64]; /* content of the file when fdatasync() was called */
	char successor[64];
} *shared;

static void read_file(const char *name, char text[64])
{
	int fd = open(name, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, 63);

	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

/* Replaces fdatasync() of the C library, to look at the file and to act as a busy disk. */
int fdatasync(int fd)
{
	char name[80];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	read_file(path, shared->at_sync);
	read_file(name, shared->successor);
	while (shared->held)
		usleep(1000);
	shared->synced++;
	return 0;
}

static void content_is(const char *want)
{
	char text[64];

	read_file(path, text);
	assert_string_equal(text, want);
}

static void lasting_is_on_the_disk_first(void **state)
{
	(void)state;
	shared->synced = 0;
	assert_int_equal(file_replace(path, "one", 3, 0600, false), 0);
	assert_int_equal(shared->synced, 0);
	assert_int_equal(file_replace(path, "two", 3, 0600, true), 0);
	assert_int_equal(shared->synced, 1);
	assert_string_equal(shared->at_sync, "one");
	assert_string_equal(shared->successor, "two");
	content_is("two");
}

/* snapshots_put() does not wait for the disk; snapshots_wait() does. */
static void snapshots_wait_for_nobody(void **state)
{
	struct snapshots *s = snapshots_start(path);

	(void)state;
	assert_non_null(s);
	shared->synced = 0;
	shared->held = true;
	assert_int_equal(snapshots_put(s, "three", 5), 0);
	content_is("two");
	shared->held = false;
	assert_int_equal(snapshots_wait(s), 0);
	assert_int_equal(shared->synced, 1);
	assert_string_equal(shared->at_sync, "two");
	content_is("three");
	assert_int_equal(snapshots_put(s, "four", 4), 0);
	assert_int_equal(snapshots_put(s, "five", 4), 0);
	assert_int_equal(snapshots_wait(s), 0);
	assert_int_equal(snapshots_wait(s), 0);
	content_is("five");
	snapshots_stop(s);
}

/* snapshots_wait() returns an error only if the last snapshot failed, not if an earlier one did. */
static void the_last_one_counts(void **state)
{
	struct snapshots *s = snapshots_start(path);
	char away[80];

	(void)state;
	snprintf(away, sizeof(away), "%s.away", dir);
	assert_int_equal(rename(dir, away), 0);
	assert_int_equal(snapshots_put(s, "six", 3), 0);
	assert_int_equal(snapshots_wait(s), ENOENT);
	assert_int_equal(rename(away, dir), 0);
	content_is("five");
	assert_int_equal(rename(dir, away), 0);
	assert_int_equal(snapshots_put(s, "seven", 5), 0);
	assert_int_equal(rename(away, dir), 0);
	assert_int_equal(snapshots_put(s, "eight", 5), 0);
	assert_int_equal(snapshots_wait(s), 0);
	content_is("eight");
	snapshots_stop(s);
}

/* ------------------------------------------------------------- files of other users */

static char *name_of(const char *file)
{
	static char name[80];

	snprintf(name, sizeof(name), "%s/%s", dir, file);
	return name;
}

/* Checks that the file is refused with the reason @want. */
static void is_refused(const char *file, uint64_t most, const char *want)
{
	const char *why = NULL;

	alarm(60); /* ends the test if open() blocks */
	assert_int_equal(file_open_foreign(AT_FDCWD, name_of(file), most, &why), -1);
	alarm(0);
	assert_string_equal(why, want);
	assert_int_equal(unlink(name_of(file)), 0);
}

static void only_regular_files_are_opened(void **state)
{
	(void)state;
	assert_int_equal(mkfifo(name_of("fifo"), 0666), 0);
	is_refused("fifo", 100, "it is not a regular file");
	assert_int_equal(symlink("/dev/zero", name_of("zero")), 0);
	is_refused("zero", 100, "it is not a regular file");
	assert_int_equal(symlink("/", name_of("folder")), 0);
	is_refused("folder", 100, "Is a directory");
	assert_int_equal(symlink("nowhere", name_of("link")), 0);
	is_refused("link", 100, "No such file or directory");
}

static void their_size_is_bounded(void **state)
{
	int fd = open(name_of("sparse"), O_WRONLY | O_CREAT, 0600);
	const char *why = NULL;
	struct strbuf b = {0};

	(void)state;
	assert_int_equal(ftruncate(fd, 5000), 0);
	close(fd);
	assert_true(file_read_foreign(AT_FDCWD, name_of("sparse"), 5000, &b, &why));
	assert_int_equal(b.len, 5000);
	strbuf_release(&b);
	is_refused("sparse", 4999, "File too large");
	/* The file's size is reported as 0, but there is more to read. */
	assert_false(file_read_foreign(AT_FDCWD, "/proc/self/maps", 100, &b, &why));
	assert_string_equal(why, "File too large");
	strbuf_release(&b);
}

/* The owner of a file with a lease could block open(2) for lease-break-time, 45 seconds. */
static void nobody_waits_for_a_lease(void **state)
{
	int fd = open(name_of("lease"), O_WRONLY | O_CREAT, 0600);

	(void)state;
	signal(SIGIO, SIG_IGN);
	if (fcntl(fd, F_SETLEASE, F_WRLCK)) {
		close(fd);
		unlink(name_of("lease"));
		skip();
	}
	is_refused("lease", 100, "a process holds a lease on it");
	close(fd);
}

static void a_folder_may_be_a_descriptor(void **state)
{
	int at = open(dir, O_PATH | O_DIRECTORY), fd;
	const char *why = NULL;

	(void)state;
	fd = open(name_of("named"), O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "text", 4), 4);
	close(fd);
	fd = file_open_foreign(at, "named", 4, &why);
	assert_true(fd >= 0);
	assert_null(why);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	close(at);
	unlink(name_of("named"));
}

#define OTHER 65534 /* nobody */

/* file_open_listed() follows a symbolic link only if our own user made the link. */
static void a_listed_link_must_be_ours(void **state)
{
	const char *why = NULL;
	int fd;

	(void)state;
	fd = open(name_of("target"), O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "text", 4), 4);
	close(fd);
	fd = file_open_listed(name_of("target"), 4, &why);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(symlink("target", name_of("link")), 0);
	fd = file_open_listed(name_of("link"), 4, &why);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(file_open_listed(name_of("link"), 3, &why), -1);
	assert_string_equal(why, "File too large");
	if (!lchown(name_of("link"), OTHER, OTHER)) {
		assert_int_equal(file_open_listed(name_of("link"), 4, &why), -1);
		assert_string_equal(why, "it is a link that another user made");
	}
	assert_int_equal(unlink(name_of("link")), 0);
	assert_int_equal(file_open_listed(name_of("link"), 4, &why), -1);
	assert_string_equal(why, "No such file or directory");
	unlink(name_of("target"));
}

/* A text that never ends is refused. */
static void a_text_is_bounded(void **state)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	struct strbuf b = {0};
	const char *why = NULL;

	(void)state;
	assert_true(fd >= 0);
	assert_false(file_read_fd(fd, FILE_TEXT_MAX, &b, &why));
	assert_string_equal(why, strerror(EFBIG));
	strbuf_release(&b);
	close(fd);
}

/* ------------------------------------------------------------- files that are written */

static char shared_dir[80], victim[80];

static void put_text(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
}

static char *shared_name(const char *file)
{
	static char name[160];

	snprintf(name, sizeof(name), "%s/%s", shared_dir, file);
	return name;
}

/* Makes a folder of mode @mode, and a file outside of it that only our user may write. */
static void share(mode_t mode)
{
	snprintf(shared_dir, sizeof(shared_dir), "%s/shared", dir);
	snprintf(victim, sizeof(victim), "%s/victim", dir);
	assert_int_equal(mkdir(shared_dir, 0700), 0);
	assert_int_equal(chmod(shared_dir, mode), 0);
	put_text(victim, "mine");
}

static void unshare_it(void)
{
	char command[200];

	snprintf(command, sizeof(command), "rm -rf %s %s", shared_dir, victim);
	assert_int_equal(system(command), 0);
}

static void holds(const char *name, const char *want)
{
	char text[64];

	read_file(name, text);
	assert_string_equal(text, want);
}

/* Checks that all functions that write files fail at @name with the error @want. */
static void all_refuse(const char *name, int want)
{
	errno = 0;
	assert_int_equal(file_open_output(name, O_APPEND), -1);
	assert_int_equal(errno, want);
	assert_int_equal(file_open_output(name, O_TRUNC), -1);
	assert_int_equal(file_replace(name, "theirs", 6, 0666, false), want);
	assert_int_equal(file_can_replace(name), want);
	assert_null(file_resolve_output(name));
	assert_int_equal(errno, want);
	holds(victim, "mine");
}

static void links_of_shared_folders_are_refused(void **state)
{
	static const mode_t modes[] = {01777, 0777, 0770};

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		share(modes[i]);
		assert_int_equal(chown(shared_dir, geteuid(), 12345), 0);
		assert_int_equal(symlink("../victim", shared_name("link")), 0);
		all_refuse(shared_name("link"), FILE_IS_LINK);
		assert_int_equal(symlink("..", shared_name("up")), 0);
		all_refuse(shared_name("up/victim"), FILE_IS_LINK);
		/*
		 * Our own folder inside the shared folder is safe only if the shared folder has the
		 * sticky bit.
		 */
		assert_int_equal(mkdir(shared_name("ours"), 0755), 0);
		assert_int_equal(symlink("../../victim", shared_name("ours/link")), 0);
		if (modes[i] & S_ISVTX) {
			assert_int_equal(file_replace(shared_name("ours/link"), "new", 3, 0666,
						      false),
					 0);
			holds(victim, "new");
		} else {
			all_refuse(shared_name("ours/link"), FILE_IS_LINK);
		}
		unshare_it();
	}
}

static void links_elsewhere_are_followed(void **state)
{
	int fd;

	(void)state;
	share(0755);
	assert_int_equal(symlink("../victim", shared_name("link")), 0);
	fd = file_open_output(shared_name("link"), O_APPEND);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "+", 1), 1);
	close(fd);
	holds(victim, "mine+");
	assert_int_equal(symlink("../made", shared_name("new")), 0);
	fd = file_open_output(shared_name("new"), O_TRUNC);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(unlink(name_of("made")), 0);
	unshare_it();
}

static void files_of_others_stay(void **state)
{
	(void)state;
	if (geteuid())
		skip();
	share(01777);
	put_text(shared_name("theirs"), "mine");
	assert_int_equal(chown(shared_name("theirs"), OTHER, OTHER), 0);
	all_refuse(shared_name("theirs"), FILE_NOT_OURS);
	assert_int_equal(mkfifo(shared_name("fifo"), 0666), 0);
	assert_int_equal(chown(shared_name("fifo"), OTHER, OTHER), 0);
	alarm(60);
	all_refuse(shared_name("fifo"), FILE_NOT_OURS);
	alarm(0);
	assert_int_equal(link(victim, shared_name("hard")), 0);
	all_refuse(shared_name("hard"), FILE_NOT_OURS);
	/* Files and links in a folder that belongs to the other user are refused. */
	assert_int_equal(mkdir(shared_name("home"), 0755), 0);
	put_text(shared_name("home/theirs"), "mine");
	assert_int_equal(symlink("../../victim", shared_name("home/link")), 0);
	assert_int_equal(chown(shared_name("home/theirs"), OTHER, OTHER), 0);
	assert_int_equal(chown(shared_name("home"), OTHER, OTHER), 0);
	all_refuse(shared_name("home/theirs"), FILE_NOT_OURS);
	all_refuse(shared_name("home/link"), FILE_IS_LINK);
	/* Under sudo, files of the user who called sudo are accepted. */
	setenv("SUDO_UID", "65534", 1);
	assert_int_equal(file_can_replace(shared_name("home/theirs")), 0);
	unsetenv("SUDO_UID");
	unshare_it();
}

/* An entry of an ACL, and its tags: acl(5). */
struct entry {
	uint16_t tag, rights;
	uint32_t id;
};

/* Gives the file an ACL with @rights for the user OTHER. */
static void set_acl(const char *name, uint16_t rights)
{
	const struct {
		uint32_t version;
		struct entry e[5];
	} acl = {2,
		 {{1, 7, ~0u},
		  {2, rights, OTHER},
		  {4, 5, ~0u},
		  {0x10, rights, ~0u},
		  {0x20, 5, ~0u}}};

	assert_int_equal(setxattr(name, "system.posix_acl_access", &acl, sizeof(acl), 0), 0);
}

/*
 * Who may write to a file or folder of root and of the user 1 (daemon), whose group is private, by
 * all bits of the mode.
 */
static void who_may_write(void **state)
{
	static const struct {
		uid_t uid;
		gid_t gid;
		bool private;
	} owners[] = {{0, 0, false}, {0, 1, false},         {1, 0, false},        {1, 1, true},
		      {1, 2, false}, {OTHER, 54321, false}, {54321, 54321, false}};

	(void)state;
	share(0755);
	put_text(shared_name("file"), "");
	assert_int_equal(mkdir(shared_name("folder"), 0755), 0);
	for (size_t i = 0; i < sizeof(owners) / sizeof(*owners) * 2 * 0100; i++) {
		const char *name = shared_name(i / 0100 % 2 ? "file" : "folder");
		size_t who = i / 0100 / 2;
		mode_t mode = 0700 | (i & 077);
		struct stat st;
		int fd;

		assert_int_equal(chown(name, owners[who].uid, owners[who].gid), 0);
		assert_int_equal(chmod(name, mode), 0);
		fd = open(name, O_PATH);
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(file_is_open_to_others(fd, &st),
				 mode & 002 || (mode & 020 && !owners[who].private));
		close(fd);
	}
	unshare_it();
}

static void an_acl_makes_a_group_shared(void **state)
{
	struct stat st;

	(void)state;
	share(0755);
	put_text(shared_name("file"), "");
	for (int rights = 7; rights >= 0; rights--) {
		int fd;

		set_acl(shared_name("file"), (uint16_t)rights);
		fd = open(shared_name("file"), O_PATH);
		for (uid_t id = 0; id < 2; id++) {
			assert_int_equal(chown(shared_name("file"), id, id), 0);
			assert_int_equal(fstat(fd, &st), 0);
			assert_int_equal(file_is_open_to_others(fd, &st), rights >> 1 & 1);
			assert_int_equal(file_check_owner(shared_name("file")),
					 id                ? FILE_NOT_OURS
					 : rights >> 1 & 1 ? FILE_IS_SHARED
							   : 0);
		}
		close(fd);
	}
	unshare_it();
}

static void ours_are_written(void **state)
{
	struct stat st;
	int fd;

	(void)state;
	share(01777);
	umask(022);
	fd = file_open_output(shared_name("new"), O_APPEND);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	close(fd);
	assert_int_equal(chmod(shared_name("new"), 0640), 0);
	assert_int_equal(file_replace(shared_name("new"), "one", 3, 0666, false), 0);
	holds(shared_name("new"), "one");
	assert_int_equal(stat(shared_name("new"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(file_replace(shared_name("another"), "two", 3, 0666, false), 0);
	assert_int_equal(stat(shared_name("another"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_int_equal(st.st_nlink, 1);
	unshare_it();
}

/* As another user, switches the name between our file and a link to the victim, forever. */
static _Noreturn void flip(void)
{
	char name[160], link[160];

	strcpy(name, shared_name("flips"));
	strcpy(link, shared_name("a-link"));
	/* the process ends when the test ends */
	if (setresuid(OTHER, OTHER, OTHER) || prctl(PR_SET_PDEATHSIG, SIGKILL))
		_exit(1);
	for (;;)
		if (renameat2(AT_FDCWD, link, AT_FDCWD, name, RENAME_EXCHANGE) &&
		    symlink("../victim", link))
			usleep(1000);
}

static void a_name_that_changes_meanwhile(void **state)
{
	char name[160];
	int written = 0;
	pid_t pid;

	(void)state;
	if (geteuid())
		skip();
	share(0777);
	strcpy(name, shared_name("flips"));
	put_text(name, "ours");
	pid = fork();
	if (!pid)
		flip();
	for (int i = 0; i < 3000; i++) {
		int fd = file_open_output(name, i & 1 ? O_APPEND : O_TRUNC);

		if (fd >= 0) {
			written++;
			assert_int_equal(write(fd, "x", 1), 1);
			close(fd);
		}
		if (!(i % 100))
			file_replace(name, "theirs", 6, 0666, false);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	holds(victim, "mine");
	assert_int_not_equal(written, 0);
	unshare_it();
}

static int begin(void **state)
{
	(void)state;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED || !mkdtemp(dir) || chmod(dir, 0755))
		return -1;
	snprintf(path, sizeof(path), "%s/file", dir);
	return 0;
}

static int end(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

/*
 * Starts a process, *@writer, which writes @head and then zeros without end. Returns the pipe from
 * it.
 */
static int endless(const char *head, pid_t *writer)
{
	static const char zeros[4096];
	int fd[2];

	assert_false(pipe(fd));
	*writer = fork();
	if (!*writer) {
		close(fd[0]);
		signal(SIGPIPE, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (file_write(fd[1], head, strlen(head)) && file_write(fd[1], zeros, 4096))
			head = "";
		_exit(0);
	}
	close(fd[1]);
	return fd[0];
}

/*
 * An endless pipe is read up to the limit. If the pipe does not begin like an aggregation file,
 * only its first bytes are read.
 */
static void an_endless_pipe_is_bounded(void **state)
{
	struct strbuf b = {0};
	const char *why = NULL;
	pid_t writer;
	int fd = endless("DTRAGG04", &writer);

	(void)state;
	assert_false(aggfile_read_fd(fd, 1 << 20, &b, &why));
	assert_string_equal(why, strerror(EFBIG));
	assert_true(b.len > 1 << 19 && b.len <= 1 << 20);
	close(fd);
	waitpid(writer, NULL, 0);
	strbuf_reset(&b);
	fd = endless("DTRACE", &writer);
	assert_true(aggfile_read_fd(fd, 1 << 20, &b, &why));
	assert_int_equal(b.len, 16);
	close(fd);
	waitpid(writer, NULL, 0);
	strbuf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_endless_pipe_is_bounded),
		cmocka_unit_test(lasting_is_on_the_disk_first),
		cmocka_unit_test(snapshots_wait_for_nobody),
		cmocka_unit_test(the_last_one_counts),
		cmocka_unit_test(only_regular_files_are_opened),
		cmocka_unit_test(their_size_is_bounded),
		cmocka_unit_test(nobody_waits_for_a_lease),
		cmocka_unit_test(a_folder_may_be_a_descriptor),
		cmocka_unit_test(a_listed_link_must_be_ours),
		cmocka_unit_test(a_text_is_bounded),
		cmocka_unit_test(links_of_shared_folders_are_refused),
		cmocka_unit_test(links_elsewhere_are_followed),
		cmocka_unit_test(files_of_others_stay),
		cmocka_unit_test(who_may_write),
		cmocka_unit_test(an_acl_makes_a_group_shared),
		cmocka_unit_test(ours_are_written),
		cmocka_unit_test(a_name_that_changes_meanwhile),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
