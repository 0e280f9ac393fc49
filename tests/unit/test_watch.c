/*
 * test_watch.c - checks the recorded mappings of processes that have ended, and that had called
 * fork() but not execve(). The test includes watch.c, to check the memory that it uses.
 */
#include "procinfo/watch.c"

#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/check.h"

/* a file that the test itself does not map */
#define OTHER_FILE "/bin/cat"

static int start(void **state)
{
	(void)state;
	watch_start();
	return 0;
}

static int stop(void **state)
{
	(void)state;
	watch_stop();
	return 0;
}

/* Skips the test if this process may not record. */
static void need_records(void)
{
	if (!processes) {
		print_message("SKIP: no right to record mappings\n");
		skip();
	}
}

static bool maps_file(const struct process *p, const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	for (size_t i = 0; i < p->map.n; i++)
		if (p->map.v[i].exec && p->map.v[i].inode == st.st_ino)
			return true;
	return false;
}

static void map_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		_exit(1);
}

/* A process without execve() has the mappings of its parent, and its own. */
static void own_mappings_are_kept(void **state)
{
	struct process *p;
	pid_t child;
	int status;

	(void)state;
	need_records();
	child = fork();
	if (!child) {
		map_file(OTHER_FILE);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	p = watch_process(child);
	assert_non_null(p);
	assert_int_equal(p->pid, child);
	assert_true(maps_file(p, "/proc/self/exe"));
	assert_true(maps_file(p, OTHER_FILE));
	process_free(p);
}

/*
 * Creates a process with the PID of the ended process @pid, which ends at once. Returns whether
 * that worked.
 */
static bool use_again(pid_t pid)
{
	struct clone_args args = {.exit_signal = SIGCHLD,
				  .set_tid = (uintptr_t)&pid,
				  .set_tid_size = 1};
	long child = syscall(SYS_clone3, &args, sizeof(args));

	if (!child)
		_exit(0);
	return child == pid && waitpid(pid, NULL, 0) == pid;
}

/*
 * Process A creates B and ends, and B creates a process with the PID of A. So each of the two PIDs
 * is the parent of the other one.
 */
static void parents_in_a_circle(void **state)
{
	volatile struct {
		pid_t a, b;
		bool a_ended;
	} *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t a;
	int status;

	(void)state;
	need_records();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	a = fork();
	if (!a) {
		pid_t b = fork();

		if (b) {
			shared->b = b;
			_exit(0);
		}
		while (!shared->a_ended)
			usleep(1000);
		_exit(!use_again(shared->a));
	}
	assert_int_equal(waitpid(a, NULL, 0), a);
	shared->a = a;
	shared->a_ended = true;
	assert_int_equal(waitpid(shared->b, &status, 0), shared->b);
	if (status) {
		print_message("SKIP: no process with a PID of our choice\n");
		skip();
	}
	assert_null(watch_process(shared->b));
	assert_null(watch_process(a));
	munmap((void *)(uintptr_t)shared, 4096);
}

/* Folders with this length and depth give paths of nearly 4,096 bytes. */
#define FOLDER_NAME 250
#define FOLDER_DEPTH 15
#define LONG_MAPPINGS 40 /* fewer than fit in the ring of one CPU */

/* Creates two files in deep folders, and changes to the innermost folder. */
static void enter_deep_folder(char *top, char *name)
{
	assert_non_null(mkdtemp(top));
	assert_int_equal(chdir(top), 0);
	memset(name, 'd', FOLDER_NAME);
	name[FOLDER_NAME] = '\0';
	for (int i = 0; i < FOLDER_DEPTH; i++) {
		assert_int_equal(mkdir(name, 0700), 0);
		assert_int_equal(chdir(name), 0);
	}
	for (const char *f = "ab"; *f; f++) {
		int fd = open((char[]){*f, '\0'}, O_RDWR | O_CREAT | O_CLOEXEC, 0700);

		assert_int_equal(ftruncate(fd, 4096), 0);
		close(fd);
	}
}

static void remove_deep_folder(const char *top, const char *name)
{
	unlink("a");
	unlink("b");
	for (int i = 0; i < FOLDER_DEPTH; i++) {
		assert_int_equal(chdir(".."), 0);
		assert_int_equal(rmdir(name), 0);
	}
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(top), 0);
}

/* Creates a process that maps files and ends. Returns its number. */
static pid_t run_mapper(int n, const char *first, const char *second)
{
	pid_t child = fork();

	if (!child) {
		for (int i = 0; i < n; i++)
			map_file(i % 2 ? second : first);
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	watch_drain();
	return child;
}

/*
 * Many processes map files with long paths. The recorded paths need little memory, and a process
 * that maps a file with a short path afterwards is still recorded.
 */
static void memory_is_limited(void **state)
{
	char top[] = "/tmp/test_watch.XXXXXX", name[FOLDER_NAME + 1];
	struct process *p;
	size_t recorded = 0;

	(void)state;
	need_records();
	enter_deep_folder(top, name);
	for (int i = 0; i < 400; i++)
		run_mapper(LONG_MAPPINGS, "a", "b");
	print_message("%zu KB for mappings\n", processes_bytes / 1024);
	assert_true(processes_bytes > SHARED_BYTES_MAX / 2);
	/* other programs on the machine make processes, too */
	for (size_t i = 0; i < PROCESS_SLOTS; i++)
		recorded += processes[i].process != NULL;
	assert_true(recorded >= 400);
	assert_true(processes_bytes < SHARED_BYTES_MAX + recorded * 2 * RESERVED_BYTES);
	p = watch_process(run_mapper(1, OTHER_FILE, OTHER_FILE));
	assert_non_null(p);
	assert_true(maps_file(p, OTHER_FILE));
	process_free(p);
	remove_deep_folder(top, name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(own_mappings_are_kept, start, stop),
		cmocka_unit_test_setup_teardown(parents_in_a_circle, start, stop),
		cmocka_unit_test_setup_teardown(memory_is_limited, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
