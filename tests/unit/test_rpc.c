/* test_rpc.c - sends messages to a socket that nobody reads. */
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/rpc.h"
#include "tests/check.h"

/* A process that does not read its requests must not block the process that sends them. */
static void test_full(void **state)
{
	static char body[RPC_MAX];
	unsigned sent = 0;
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	alarm(20); /* ends the test if it blocks */
	while (sent < 1000000 && rpc_send_now(pair[0], 16, sent, body, sizeof(body), -1))
		sent++;
	assert_in_range(sent, 1, 999999);
	assert_int_equal(errno, EAGAIN);
	alarm(0);
	assert_false(rpc_send_now(pair[0], 16, 0, body, RPC_MAX + 1, -1));
	close(pair[1]);
	assert_false(rpc_send_now(pair[0], 16, 0, body, 1, -1));
	close(pair[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
