/*
 * test_usyms.c - checks that the copies of processes' mappings use limited memory.
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mappings_read_again_are_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
