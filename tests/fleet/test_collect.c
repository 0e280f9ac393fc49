/*
 * test_collect.c - checks that collect.c works if the NATS library's thread delivers an answer
 * late, and if the clock is set. The test replaces the functions of the library.
 */
#include <nats/nats.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "fleet/nats/collect.h"
#include "fleet/nats/net_state.h"
#include "tests/check.h"

static natsMsgHandler deliver;
static natsOnCompleteCB complete;
static void *deliver_to, *complete_to;
static unsigned destroyed;    /* number of destroyed messages */
static int64_t clock_error_s; /* error of CLOCK_REALTIME */

/* ------------------------------------------------------------------- the C library */

int clock_gettime(clockid_t id, struct timespec *t)
{
	int failed = (int)syscall(SYS_clock_gettime, id, t);

	if (id == CLOCK_REALTIME)
		t->tv_sec += clock_error_s;
	return failed;
}

/* ---------------------------------------------------------------- the NATS library */

natsStatus natsConnection_Subscribe(natsSubscription **sub, natsConnection *nc, const char *subject,
				    natsMsgHandler cb, void *ctx)
{
	static char one;

	(void)nc, (void)subject;
	*sub = (natsSubscription *)&one;
	deliver = cb;
	deliver_to = ctx;
	return NATS_OK;
}

natsStatus natsSubscription_SetOnCompleteCB(natsSubscription *sub, natsOnCompleteCB cb, void *ctx)
{
	(void)sub;
	complete = cb;
	complete_to = ctx;
	return NATS_OK;
}

natsStatus natsSubscription_Unsubscribe(natsSubscription *sub)
{
	(void)sub;
	return NATS_OK;
}

void natsSubscription_Destroy(natsSubscription *sub)
{
	(void)sub;
}

void natsMsg_Destroy(natsMsg *msg)
{
	destroyed += msg != NULL;
}

const char *natsMsg_GetSubject(const natsMsg *msg)
{
	(void)msg;
	return "";
}

const char *natsMsg_GetData(const natsMsg *msg)
{
	(void)msg;
	return "";
}

int natsMsg_GetDataLength(const natsMsg *msg)
{
	(void)msg;
	return 0;
}

natsStatus natsMsgHeader_Values(natsMsg *msg, const char *key, const char ***values, int *count)
{
	(void)msg, (void)key, (void)values, (void)count;
	return NATS_NOT_FOUND;
}

natsStatus natsConnection_PublishRequest(natsConnection *nc, const char *subject, const char *reply,
					 const void *data, int size)
{
	(void)nc, (void)subject, (void)reply, (void)data, (void)size;
	return NATS_OK;
}

natsStatus js_StreamNames(jsStreamNamesList **list, jsCtx *js, jsOptions *o, jsErrCode *code)
{
	(void)list, (void)js, (void)o, (void)code;
	return NATS_NOT_FOUND;
}

void jsStreamNamesList_Destroy(jsStreamNamesList *list)
{
	(void)list;
}

/* --------------------------------------------------------------------------- net.c */

bool net_connected(struct net *n)
{
	(void)n;
	return true;
}

uint64_t net_connections(struct net *n)
{
	(void)n;
	return 1;
}

void net_token(char token[TOKEN_SIZE])
{
	strcpy(token, "token");
}

/* --------------------------------------------------------------------------- tests */

static void no_message(void *ctx, const struct net_message *m)
{
	(void)ctx, (void)m;
	fail();
}

/* The library's thread delivers an answer, and ends the subscription, when the reader is gone. */
static void answers_may_come_late(void **state)
{
	static char msg[2];
	struct net n = {0};
	struct collect *c = collect_new(&n, "S_", ">", 10);

	(void)state;
	collect_receive(c, 1, no_message, NULL);
	assert_non_null(complete);
	deliver(NULL, NULL, (natsMsg *)&msg[0], deliver_to);
	collect_free(c);
	deliver(NULL, NULL, (natsMsg *)&msg[1], deliver_to);
	complete(complete_to);
	assert_int_equal(destroyed, 2);
}

/* The time that a reader waits does not depend on the time of day, which may be set. */
static void the_clock_may_be_set(void **state)
{
	struct net n = {0};
	struct collect *c = collect_new(&n, "S_", ">", 10);
	uint64_t began = now_boot();

	(void)state;
	alarm(20); /* If the reader waits for too long, this ends the test. */
	clock_error_s = 3600;
	collect_receive(c, 100, no_message, NULL);
	assert_true(now_boot() - began >= 100000000u);
	clock_error_s = 0;
	alarm(0);
	collect_free(c);
	complete(complete_to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_may_come_late),
		cmocka_unit_test(the_clock_may_be_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
