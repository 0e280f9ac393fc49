/*
 * test_broker.c - checks the broker, the process that runs commands and opens files for a confined
 * replay. The broker carries out the program's actions, and refuses requests that the program
 * cannot make.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "consumer/broker.h"
#include "ir/format.h"
#include "ir/program.h"
#include "sandbox/rpc.h"
#include "tests/check.h"

/* types of messages, as in broker.c */
enum { ASK_RECORD = 1, ASK_COMMAND, ASK_REOPEN, ASK_TSHARK, ASK_END, ANSWER };

/* ------------------------------------------------------------------- a program */

/* Layout of the records of both clauses. */
struct recorded {
	struct record head;
	uint8_t reached, pad[3];
	int32_t number;
};

enum { NO_ACTION = 3 };
enum { COMMAND = 1, REOPEN, NEVER }; /* numbers of the clauses; NEVER is the number of no clause */

static struct field number = {.kind = FIELD_INT,
			      .off = offsetof(struct recorded, number),
			      .size = 4};
static struct action_info acts[] = {
	{.kind = ACT_SYSTEM,
	 .field = &number,
	 .nfield = 1,
	 .when = offsetof(struct recorded, reached)},
	{.kind = ACT_FREOPEN, .field = &number, .nfield = 1},
	{.kind = ACT_PCAP},
	{.kind = ACT_SYSTEM, .field = &number, .nfield = 1}, /* this action belongs to no clause */
};
static struct clause_info clauses[] = {
	{.rec_size = sizeof(struct recorded), .act = &acts[0], .nact = 1},
	{.rec_size = sizeof(struct recorded), .act = &acts[1], .nact = 2},
};
static const struct program prog = {.clause = clauses, .nclause = 2};

static struct arena arena;
/* actions make files with the names "@file.NUMBER" */
static char folder[] = "/tmp/test_broker.XXXXXX", file[64];

static const struct format *format(const char *before, const char *behind)
{
	const char *err;
	char *text = arena_alloc(&arena, 128);

	snprintf(text, 128, "%s%s%s", before, file, behind);
	return format_parse(&arena, text, &err);
}

static int begin(void **state)
{
	(void)state;
	arena_init(&arena);
	assert_non_null(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s/made", folder);
	acts[0].fmt = format("echo ran >", ".%d");
	acts[NO_ACTION].fmt = acts[0].fmt;
	acts[1].fmt = format("", ".%d");
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_release(&arena);
	return rmdir(folder);
}

/* Reads file @n into @text and removes the file. Returns false if there is no such file. */
static bool made(int n, char text[16])
{
	char path[80];
	FILE *f;

	snprintf(path, sizeof(path), "%s.%d", file, n);
	f = fopen(path, "r");
	if (!f)
		return false;
	text[fread(text, 1, 15, f)] = '\0';
	fclose(f);
	return !unlink(path);
}

/* ----------------------------------------------------------------- conversations */

static int pair[2];
static FILE *out;

static void open_pair(void)
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	out = tmpfile();
	assert_non_null(out);
}

static void send_piece(const void *p, size_t n)
{
	struct strbuf b = {0};

	rpc_put_bytes(&b, p, n);
	assert_true(rpc_send(pair[0], ASK_RECORD, 1, b.s, b.len, -1));
	strbuf_release(&b);
}

static struct recorded record_of(uint32_t epid)
{
	return (struct recorded){.head = {.epid = epid}, .reached = 1, .number = 7};
}

static void send_record(uint32_t epid)
{
	struct recorded r = record_of(epid);

	send_piece(&r, sizeof(r));
}

static void send_request(uint32_t type, uint32_t epid, uint32_t act)
{
	uint32_t body[] = {epid, act};

	assert_true(rpc_send(pair[0], type, 1, body, sizeof(body), -1));
}

/* Ends the requests and lets the broker answer them. Returns the result of the broker. */
static bool serve(void)
{
	bool ok;

	shutdown(pair[0], SHUT_WR);
	ok = broker_serve(pair[1], &prog, out);
	close(pair[1]);
	return ok;
}

/*
 * Returns the error in the next answer, or -1 if there is no answer. Stores the descriptor that
 * came with the answer in *@fd.
 */
static int answered(int *fd)
{
	static struct rpc_message m;
	struct rpc_in in;

	if (rpc_receive(pair[0], &m, true, 0) != RPC_OK)
		return -1;
	assert_int_equal(m.head.type, ANSWER);
	assert_int_equal(m.head.serial, 1);
	*fd = m.fd;
	in = rpc_open(&m);
	return (int)rpc_u32(&in);
}

static void close_pair(void)
{
	close(pair[0]);
	fclose(out);
}

static void test_command(void **state)
{
	char text[16];
	int fd;

	(void)state;
	open_pair();
	send_record(COMMAND);
	send_request(ASK_COMMAND, COMMAND, 0);
	assert_true(serve());
	assert_int_equal(answered(&fd), 0);
	assert_int_equal(fd, -1);
	assert_true(made(7, text));
	assert_string_equal(text, "ran\n");
	close_pair();
}

static void test_pieces(void **state)
{
	struct recorded r = record_of(COMMAND);
	char text[16];
	int fd;

	(void)state;
	open_pair();
	send_piece(&r, 9);
	send_piece((char *)&r + 9, sizeof(r) - 9);
	send_request(ASK_COMMAND, COMMAND, 0);
	assert_true(serve());
	assert_int_equal(answered(&fd), 0);
	assert_true(made(7, text));
	close_pair();
}

static void test_reopen(void **state)
{
	char text[16];
	int fd = -1;

	(void)state;
	open_pair();
	send_record(REOPEN);
	send_request(ASK_REOPEN, REOPEN, 0);
	assert_true(serve());
	assert_int_equal(answered(&fd), 0);
	assert_true(fd >= 0);
	assert_true(file_write(fd, "one\n", 4));
	/* The broker's own output goes to the file of freopen(), too. */
	assert_true(file_write(fileno(out), "two\n", 4));
	close(fd);
	assert_true(made(7, text));
	assert_string_equal(text, "one\ntwo\n");
	close_pair();
}

/* ------------------------------------------------------------------- refusals */

static void no_record(void)
{
	send_request(ASK_COMMAND, COMMAND, 0);
}

static void short_record(void)
{
	struct recorded r = record_of(COMMAND);

	send_piece(&r, sizeof(r) - 1);
	send_request(ASK_COMMAND, COMMAND, 0);
}

static void long_record(void)
{
	send_record(COMMAND);
	send_piece("", 1);
	send_request(ASK_COMMAND, COMMAND, 0);
}

static void more_than_any_record(void)
{
	send_record(COMMAND);
	send_piece("", 1);
}

static void other_record(void)
{
	send_record(REOPEN);
	send_request(ASK_COMMAND, COMMAND, 0);
}

static void not_reached(void)
{
	struct recorded r = record_of(COMMAND);

	r.reached = 0;
	send_piece(&r, sizeof(r));
	send_request(ASK_COMMAND, COMMAND, 0);
}

static void no_clause(void)
{
	send_record(0);
	send_request(ASK_COMMAND, 0, 0);
}

static void unknown_clause(void)
{
	send_record(NEVER);
	send_request(ASK_COMMAND, NEVER, 0);
}

static void unknown_action(void)
{
	send_record(COMMAND);
	send_request(ASK_COMMAND, COMMAND, NO_ACTION);
}

static void other_kind(void)
{
	send_record(REOPEN);
	send_request(ASK_COMMAND, REOPEN, 0);
}

static void tshark_of_no_packet(void)
{
	send_request(ASK_TSHARK, COMMAND, 0);
}

static void end_of_nothing(void)
{
	assert_true(rpc_send(pair[0], ASK_END, 1, NULL, 0, -1));
}

static void long_request(void)
{
	uint32_t body[] = {COMMAND, 0, 0};

	send_record(COMMAND);
	assert_true(rpc_send(pair[0], ASK_COMMAND, 1, body, sizeof(body), -1));
}

static void short_request(void)
{
	uint32_t body[] = {COMMAND};

	send_record(COMMAND);
	assert_true(rpc_send(pair[0], ASK_COMMAND, 1, body, sizeof(body), -1));
}

static void short_piece(void)
{
	uint32_t size = 100; /* size of the record in the message; the message has fewer bytes */

	assert_true(rpc_send(pair[0], ASK_RECORD, 1, &size, sizeof(size), -1));
}

static void type_0(void)
{
	send_record(COMMAND);
	send_request(0, COMMAND, 0);
}

static void unknown_type(void)
{
	send_record(COMMAND);
	send_request(ANSWER, COMMAND, 0);
}

static void descriptor(void)
{
	uint32_t body[] = {COMMAND, 0};

	send_record(COMMAND);
	assert_true(rpc_send(pair[0], ASK_COMMAND, 1, body, sizeof(body), 0));
}

static void no_message(void)
{
	send_record(COMMAND);
	assert_int_equal(send(pair[0], "x", 1, 0), 1);
}

static const struct {
	const char *name;
	void (*ask)(void);
} refused[] = {
#define ROW(name) {#name, name}
	ROW(no_record),   ROW(short_record),  ROW(long_record),          ROW(other_record),
	ROW(not_reached), ROW(no_clause),     ROW(unknown_clause),       ROW(unknown_action),
	ROW(other_kind),  ROW(short_request), ROW(long_request),         ROW(short_piece),
	ROW(type_0),      ROW(unknown_type),  ROW(tshark_of_no_packet),  ROW(end_of_nothing),
	ROW(descriptor),  ROW(no_message),    ROW(more_than_any_record),
#undef ROW
};

static void test_refused(void **state)
{
	char text[16];
	int fd;

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		open_pair();
		refused[i].ask();
		if (serve())
			fail_msg("%s: not refused", refused[i].name);
		if (answered(&fd) != -1)
			fail_msg("%s: answered", refused[i].name);
		if (made(7, text))
			fail_msg("%s: done", refused[i].name);
		close_pair();
	}
}

/* A record is good for one request: the broker refuses a second request after the same record. */
static void test_record_used_once(void **state)
{
	char text[16];
	int fd;

	(void)state;
	open_pair();
	send_record(COMMAND);
	send_request(ASK_COMMAND, COMMAND, 0);
	send_request(ASK_COMMAND, COMMAND, 0);
	assert_false(serve());
	assert_int_equal(answered(&fd), 0);
	assert_int_equal(answered(&fd), -1);
	assert_true(made(7, text));
	close_pair();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command),          cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_reopen),           cmocka_unit_test(test_refused),
		cmocka_unit_test(test_record_used_once),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
