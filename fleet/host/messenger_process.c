/* messenger_process.c - the messenger's side: gives up its rights, connects, and serves the agent.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "fleet/confined.h"
#include "fleet/host/messenger.h"
#include "fleet/message.h"
#include "sandbox/launch.h"

enum {
	PAUSE_MS = 100,
	/* time limit for reading the requests to end runs; must be less than ANSWER_S */
	READ_MS = 20000,
	OPTION_MAX = 4096,
	SUBJECT_SHOWN = 256,
	DATA_MAX = 256 << 20,
};

static struct net *net;
static struct net_reader *requests;
static uint64_t connections; /* net_connections() when the requests to end runs were last read */
static uint64_t skips[MESSENGER_SKIPS];
static char host[OPTION_MAX];
static struct strbuf data; /* the message that MESSENGER_PUT publishes */
static uint32_t serial;    /* number of the agent's request */

static void serve(const struct rpc_message *m);

static void send_message(uint32_t type, const struct strbuf *b)
{
	if (!rpc_send(SPAWNER_FD, type, serial, b->s, b->len, -1))
		_exit(0); /* the agent is gone */
}

/* Sends the state of the connection, and the result of the agent's request. */
static void send_state(uint32_t type, bool ok, bool answered)
{
	struct strbuf b = {0};

	rpc_put_u32(&b, net_connected(net));
	rpc_put_u32(&b, net_is_over(net));
	rpc_put_u64(&b, net_connections(net));
	rpc_put_u64(&b, net_max(net));
	rpc_put_u32(&b, ok);
	rpc_put_u32(&b, answered);
	send_message(type, &b);
	strbuf_release(&b);
}

/* -------------------------------------------------------------------------- requests */

static bool is_skipped(uint64_t seq)
{
	for (size_t i = 0; i < MESSENGER_SKIPS; i++)
		if (seq && skips[i] == seq)
			return true;
	return false;
}

static void send_bad(const char *subject, bool unsigned_one)
{
	struct strbuf b = {0};
	size_t n = strlen(subject);

	rpc_put_u32(&b, unsigned_one);
	rpc_put_bytes(&b, subject, n < SUBJECT_SHOWN ? n : SUBJECT_SHOWN);
	send_message(MESSENGER_BAD, &b);
	strbuf_release(&b);
}

/*
 * Tells the agent which message this process parses next. If this process dies, the agent then
 * knows the message that killed it.
 */
static void send_reads(uint64_t seq)
{
	struct strbuf b = {0};

	rpc_put_u64(&b, seq);
	send_message(MESSENGER_READS, &b);
	strbuf_release(&b);
}

/* Waits until the agent has handled the request. Meanwhile, the agent may publish messages. */
static void wait_for_agent(void)
{
	static struct rpc_message m;

	while (rpc_receive(SPAWNER_FD, &m, false, 0) == RPC_OK)
		if (m.head.type == MESSENGER_NEXT)
			return;
		else
			serve(&m);
	_exit(0); /* the agent is gone */
}

static void on_request(void *ctx, const struct net_message *from)
{
	uint8_t key[KEY_SIZE];
	struct message m = {0};
	struct request q;
	struct strbuf b = {0};
	const void *p;
	size_t size;
	bool ok;

	(void)ctx;
	if (is_skipped(from->seq))
		return;
	send_reads(from->seq);
	if (!sign_open(from->data, from->size, &p, &size, key)) {
		send_bad(from->subject, true);
		wait_for_agent();
		return;
	}
	ok = message_parse(&m, p, size) && !request_read(&q, &m) &&
	     request_is_of(&q, from->subject);
	if (ok && q.census) { /* this request is only for relays */
		message_release(&m);
		return;
	}
	if (ok) {
		request_put(&b, from->data, &q);
		send_message(MESSENGER_REQUEST, &b);
		strbuf_release(&b);
	} else {
		send_bad(from->subject, false);
	}
	message_release(&m);
	wait_for_agent();
}

/*
 * After a new connection, reads the requests to end runs (stops) that the agent has not seen. The
 * agent must see them before the requests to begin runs: otherwise it would begin a run that was
 * stopped already. Returns whether all stops were read.
 */
static bool read_stops(void)
{
	uint64_t n = net_connections(net);

	if (n == connections)
		return true;
	if (!net_read_stream(net, STREAM_RUNS, "fleet.stop.*.*", net_reader_at(requests), READ_MS,
			     NULL, on_request, NULL))
		return false;
	connections = n;
	return true;
}

static void receive_requests(uint32_t ms)
{
	static const struct timespec pause = {0, PAUSE_MS * 1000000};

	if (!requests)
		requests = net_reader_follow(net, STREAM_RUNS);
	if (!net_connected(net) || !read_stops())
		nanosleep(&pause, NULL);
	else
		net_reader_receive(requests, ms, on_request, NULL);
}

/* --------------------------------------------------------------------------- serving */

static void add_data(struct rpc_in *in)
{
	if (data.len + (size_t)(in->end - in->at) > DATA_MAX)
		_exit(1);
	strbuf_add(&data, in->at, (size_t)(in->end - in->at));
}

static void publish(struct rpc_in *in)
{
	struct strbuf subject = {0};
	bool answered, ok;
	size_t n;
	const char *p = rpc_text(in, OPTION_MAX, &n);

	strbuf_add(&subject, p, n);
	ok = net_try(net, strbuf_text(&subject), strbuf_text(&data), data.len, &answered);
	strbuf_reset(&data);
	strbuf_release(&subject);
	send_state(MESSENGER_DONE, ok, answered);
}

static void serve(const struct rpc_message *m)
{
	struct rpc_in in = rpc_open(m);
	struct strbuf wrong = {0};

	serial = m->head.serial;
	switch (m->head.type) {
	case MESSENGER_RECEIVE:
		receive_requests(rpc_u32(&in));
		send_state(MESSENGER_DONE, true, true);
		break;
	case MESSENGER_DATA:
		add_data(&in);
		break;
	case MESSENGER_PUT:
		publish(&in);
		break;
	case MESSENGER_ADMIT:
		net_admit(net, host, &wrong);
		strbuf_release(&wrong);
		send_state(MESSENGER_DONE, true, true);
		break;
	default:
		_exit(1);
	}
}

/* -------------------------------------------------------------------------- starting */

/* Reads an option into @buf. Returns NULL if it is not set. */
static const char *take_option(struct rpc_in *in, char buf[OPTION_MAX])
{
	bool there = rpc_u32(in);
	size_t n;
	const char *p = rpc_text(in, OPTION_MAX - 1, &n);

	memcpy(buf, p, n);
	buf[n] = '\0';
	return there ? buf : NULL;
}

static bool read_options(const struct rpc_message *m, struct net_opts *o)
{
	static char text[6][OPTION_MAX];
	const char **to[] = {&o->url, &o->ca, &o->cert, &o->key, &o->name, &o->inbox};
	struct rpc_in in = rpc_open(m);

	for (size_t i = 0; i < 6; i++)
		*to[i] = take_option(&in, text[i]);
	take_option(&in, host);
	o->api = rpc_u32(&in) ? API_HOSTS : NULL;
	for (size_t i = 0; i < MESSENGER_SKIPS; i++)
		skips[i] = rpc_u64(&in);
	return rpc_ended(&in) && o->url;
}

static void start(const struct rpc_message *m)
{
	static struct net_files files;
	struct net_opts o = {.files = &files};
	struct strbuf wrong = {0};

	if (read_options(m, &o) && net_files_read(&files, &o, &wrong) &&
	    confine_client(CONFINED_ALONE, &wrong) &&
	    /* must follow confine_client(): a change of the user clears PR_SET_PDEATHSIG */
	    !prctl(PR_SET_PDEATHSIG, SIGKILL))
		net = net_open(&o, false, &wrong);
	net_files_release(&files);
	if (!net) {
		send_message(MESSENGER_REFUSED, &wrong);
		_exit(1);
	}
	send_state(MESSENGER_READY, true, true);
}

void messenger_main(void)
{
	static struct rpc_message m;

	if (rpc_receive(SPAWNER_FD, &m, false, 0) != RPC_OK || m.head.type != MESSENGER_OPEN)
		_exit(1);
	start(&m);
	while (rpc_receive(SPAWNER_FD, &m, false, 0) == RPC_OK)
		serve(&m);
	_exit(0);
}
