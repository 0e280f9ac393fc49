/*
 * test_usyms.c - checks that the copies of processes' mappings use limited memory, and that changes
 * of these mappings give each address the file of its time.
 */
#include "consumer/symbols/usyms.c"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"

#define PROCESSES 80
#define MAPPINGS 15000 /* these need nearly 1 MB in the cache */
#define NO_ADDRESS 16  /* an address that no process maps */

/* A process that waits for a byte, then maps memory, and reports that. */
static void child(int from, int to)
{
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(from, &c, 1) != 1)
		_exit(1);
	for (int i = 0; i < MAPPINGS; i++)
		/* the kernel cannot join neighbours with different rights */
		mmap(NULL, 4096, PROT_EXEC | (i % 2 ? PROT_READ : 0), MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (write(to, &c, 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* dtrace reads processes again that have mapped much memory since. Old copies are forgotten. */
static void mappings_read_again_are_limited(void **state)
{
	struct strbuf text = {0};
	int go[2], done[2];
	pid_t pid[PROCESSES];
	char c[PROCESSES] = {0};

	(void)state;
	assert_int_equal(pipe(go) | pipe(done), 0);
	for (int i = 0; i < PROCESSES; i++) {
		pid[i] = fork();
		if (!pid[i])
			child(go[0], done[1]);
		usyms_remember((uint64_t)pid[i]);
	}
	assert_int_equal(write(go[1], c, PROCESSES), PROCESSES);
	for (int i = 0; i < PROCESSES; i++)
		assert_int_equal(read(done[0], c, 1), 1);
	usleep(REREAD_NS / 1000);
	for (int i = 0; i < PROCESSES; i++) {
		usym_text((uint64_t)pid[i], NO_ADDRESS, USYM_OFFSET, &text);
		assert_true(cache_size <= CACHE_MAX);
		assert_non_null(find_process((uint64_t)pid[i]));
	}
	assert_true(cache_size > CACHE_MAX / 2);
	/* a forgotten process is read again when it is needed */
	assert_null(find_process((uint64_t)pid[0]));
	usym_text((uint64_t)pid[0], NO_ADDRESS, USYM_OFFSET, &text);
	assert_non_null(find_process((uint64_t)pid[0]));
	assert_true(cache_size <= CACHE_MAX);
	for (int i = 0; i < PROCESSES; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	for (size_t i = 0; i < processes.n; i++)
		if (processes.v[i])
			forget(i);
	vec_free(&processes);
	strbuf_release(&text);
}

#define CODE 0x700000000000u /* an address that this process does not map */

static void map_at(uint64_t time, uint64_t inode, const char *path)
{
	struct mapping m = {.from = CODE,
			    .to = CODE + 4096,
			    .since = time,
			    .inode = inode,
			    .exec = true};

	note_change(getpid(), time, &m, path);
}

/* Returns whether the object of CODE is @name, or whether it is a number if @name is NULL. */
static bool is_object(uint32_t mark, uint64_t from, const char *name)
{
	struct strbuf text = {0};
	bool is;

	usyms_window(from);
	usym_text((uint64_t)getpid() | (uint64_t)mark << 32, CODE, USYM_OBJECT, &text);
	is = !strcmp(strbuf_text(&text), name ? name : "0x700000000000");
	strbuf_release(&text);
	return is;
}

static void files_have_their_time(void **state)
{
	uint64_t now;
	uint32_t mark;
	struct process *p;

	(void)state;
	usyms_remember((uint64_t)getpid());
	p = *find_process((uint64_t)getpid());
	mark = p->mark;
	assert_int_not_equal(mark, 0);
	now = now_monotonic();
	assert_true(is_object(mark, 0, NULL));
	map_at(now, 1, "/lib/first.so");
	assert_true(is_object(mark, 0, "first.so"));
	assert_true(is_object(0, 0, "first.so"));
	map_at(now + 1000, 1, "/lib/first.so");
	assert_true(is_object(mark, 0, "first.so"));
	map_at(now + 2000, 2, "/lib/second.so");
	assert_true(is_object(mark, now + 2000, "second.so"));
	assert_true(is_object(mark, now + 1999, NULL));
	assert_true(is_object(mark, 0, NULL));
	/* an address of an unknown program has no name */
	assert_true(is_object(mark + 1, now + 2000, NULL));
}

/* The process executes another program, of which only the later mappings are known. */
static void programs_have_their_time(void **state)
{
	struct process *p = *find_process((uint64_t)getpid()), *next;
	uint64_t now = now_monotonic();

	(void)state;
	p->map.n = 0;
	map_at(p->read_ns + 1, 1, "/lib/first.so");
	note_change(getpid(), now, NULL, "");
	usyms_remember((uint64_t)getpid());
	next = *find_process((uint64_t)getpid());
	assert_ptr_equal(next->older, p);
	p->mark = 5;
	next->mark = 6;
	map_at(now_monotonic(), 2, "/lib/second.so");
	assert_true(is_object(5, 0, "first.so"));
	assert_true(is_object(6, 0, "second.so"));
	assert_true(is_object(0, 0, NULL));
	assert_true(is_object(0, now_monotonic(), "second.so"));
	for (int i = 0; i < 20; i++) {
		note_change(getpid(), now_monotonic(), NULL, "");
		usyms_remember((uint64_t)getpid());
	}
	assert_true(is_object(5, 0, NULL)); /* only OLDER_MAX programs are remembered */
	assert_int_equal(cache_size, process_size(*find_process((uint64_t)getpid())));
}

/* After the second signal, addresses are numbers. */
static void signals_end_look_ups(void **state)
{
	volatile sig_atomic_t signals = 1;
	uint64_t now = now_monotonic();

	(void)state;
	map_at(now, 3, "/lib/third.so");
	usyms_interrupt(&signals);
	assert_true(is_object(0, now, "third.so"));
	signals = 2;
	assert_true(is_object(0, now, NULL));
	usyms_interrupt(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mappings_read_again_are_limited),
		cmocka_unit_test(files_have_their_time),
		cmocka_unit_test(programs_have_their_time),
		cmocka_unit_test(signals_end_look_ups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
