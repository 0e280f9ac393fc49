/* messenger.c - the agent's side: starts the messenger and asks it. */
#include "fleet/host/messenger.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "sandbox/launch.h"

enum {
	ANSWER_S = 60, /* a messenger that takes longer than this to answer is killed */
	SEND_S = 10,   /* a messenger that does not read a message for this time is killed, too */
	SLICE_MS = 200,
	SUBJECT_MAX = 512,
	PIECE = 64 << 10,
};

struct messenger {
	int sock;
	pid_t pid;
	uint32_t serial;
	bool dead; /* the process has ended, or was killed */
	bool connected, over;
	uint64_t connections, max;
	uint64_t reads; /* number of the message that it parses, or 0 */
	const volatile sig_atomic_t *stop;
	log_fn *log;
	void *ctx;
};

static struct rpc_message message; /* the last message received */

/* Sequence numbers of the messages that have killed a messenger. Later messengers skip these. */
static uint64_t skips[MESSENGER_SKIPS];
static size_t nskip;
static uint64_t earlier; /* connections of earlier messengers */

static void log_skip(const struct messenger *m)
{
	m->log(m->ctx,
	       "the process that reads messages has ended while it read message %" PRIu64
	       ", which is not read again",
	       m->reads);
}

/* Kills the process. If it was parsing a message, that message is not read again. */
static void end_process(struct messenger *m)
{
	if (m->dead)
		return;
	m->dead = true;
	m->connected = false;
	kill(m->pid, SIGKILL);
	while (waitpid(m->pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (!m->reads || *m->stop)
		return;
	log_skip(m);
	skips[nskip++ % MESSENGER_SKIPS] = m->reads;
}

/*
 * Receives the next message of the process into the variable `message`. Kills the process if it
 * does not answer in time, or sends something malformed.
 */
static bool receive(struct messenger *m)
{
	uint64_t end = now_monotonic() + ANSWER_S * 1000000000ull;
	enum rpc_result r = RPC_TIMEOUT;

	while (!m->dead && r == RPC_TIMEOUT && !*m->stop && now_monotonic() < end)
		r = rpc_receive(m->sock, &message, false, now_monotonic() + SLICE_MS * 1000000ull);
	if (r == RPC_OK)
		return true;
	end_process(m);
	return false;
}

static bool send_message(struct messenger *m, uint32_t type, const struct strbuf *b)
{
	if (m->dead || !rpc_send(m->sock, type, m->serial, b->s, b->len, -1)) {
		end_process(m);
		return false;
	}
	return true;
}

/* Reads MESSENGER_DONE or MESSENGER_READY: the state of the connection, and the result. */
static bool read_state(struct messenger *m, bool *ok, bool *answered)
{
	struct rpc_in in = rpc_open(&message);

	m->connected = rpc_u32(&in);
	m->over = rpc_u32(&in);
	m->connections = rpc_u64(&in);
	m->max = rpc_u64(&in);
	*ok = rpc_u32(&in);
	*answered = rpc_u32(&in);
	m->reads = 0;
	if (rpc_ended(&in))
		return true;
	end_process(m);
	return false;
}

/* Sends a request of type @type, and reads its answer: MESSENGER_DONE. */
static bool ask(struct messenger *m, uint32_t type, const struct strbuf *b, bool *ok,
		bool *answered)
{
	*ok = *answered = false;
	m->serial++;
	if (!send_message(m, type, b) || !receive(m))
		return false;
	if (message.head.type == MESSENGER_DONE && message.head.serial == m->serial)
		return read_state(m, ok, answered);
	end_process(m);
	return false;
}

/* -------------------------------------------------------------------------- starting */

static void put_option(struct strbuf *b, const char *s)
{
	rpc_put_u32(b, s != NULL);
	rpc_put_text(b, s ? s : "");
}

static bool launch(struct messenger *m, struct strbuf *wrong)
{
	char *argv[] = {(char *)(uintptr_t)"dtrace-fleet", (char *)(uintptr_t)"messenger", NULL};
	struct timeval patience = {SEND_S, 0};
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		strbuf_addf(wrong, "cannot make a socket pair: %s", strerror(errno));
		return false;
	}
	m->pid = launch_self(argv, pair[1]);
	if (m->pid < 0)
		strbuf_addf(wrong, "cannot execute dtrace-fleet again: %s", strerror(errno));
	close(pair[1]);
	m->sock = pair[0];
	m->dead = m->pid < 0;
	setsockopt(m->sock, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	return !m->dead;
}

static bool open_connection(struct messenger *m, const struct net_opts *o, const char *host,
			    struct strbuf *wrong)
{
	const char *option[] = {o->url, o->ca, o->cert, o->key, o->name, o->inbox, host};
	struct strbuf b = {0};
	bool ok = false, answered;

	for (size_t i = 0; i < sizeof(option) / sizeof(*option); i++)
		put_option(&b, option[i]);
	rpc_put_u32(&b, o->api != NULL);
	for (size_t i = 0; i < MESSENGER_SKIPS; i++)
		rpc_put_u64(&b, skips[i]);
	if (!send_message(m, MESSENGER_OPEN, &b) || !receive(m))
		strbuf_adds(wrong, "the process that reads messages ended while it started");
	else if (message.head.type == MESSENGER_READY)
		ok = read_state(m, &ok, &answered);
	else
		visible_add(wrong, (const char *)message.body, message.head.size);
	strbuf_release(&b);
	return ok;
}

struct messenger *messenger_open(const struct net_opts *o, const char *host,
				 const volatile sig_atomic_t *stop, log_fn *log, void *ctx,
				 struct strbuf *wrong)
{
	struct messenger *m = xcalloc(1, sizeof(*m));

	*m = (struct messenger){.sock = -1, .stop = stop, .log = log, .ctx = ctx};
	if (launch(m, wrong) && open_connection(m, o, host, wrong))
		return m;
	messenger_close(m);
	return NULL;
}

void messenger_close(struct messenger *m)
{
	if (!m)
		return;
	m->reads = 0;
	end_process(m);
	earlier += m->connections;
	if (m->sock >= 0)
		close(m->sock);
	xfree(m);
}

bool messenger_is_over(const struct messenger *m)
{
	return m->dead || m->over;
}

bool messenger_connected(const struct messenger *m)
{
	return m->connected;
}

uint64_t messenger_max(const struct messenger *m)
{
	return m->max;
}

uint64_t messenger_connections(const struct messenger *m)
{
	return earlier + m->connections;
}

/* --------------------------------------------------------------------------- sending */

bool messenger_put(struct messenger *m, const char *subject, const void *p, size_t size,
		   bool *answered)
{
	struct strbuf b = {0};
	bool ok = false, sent = m->connected;

	*answered = false;
	for (size_t at = 0, n; sent && at < size; at += n) {
		n = size - at < PIECE ? size - at : PIECE;
		sent = rpc_send(m->sock, MESSENGER_DATA, 0, (const char *)p + at, n, -1);
	}
	rpc_put_text(&b, subject);
	if (sent)
		ask(m, MESSENGER_PUT, &b, &ok, answered);
	else if (m->connected)
		end_process(m);
	strbuf_release(&b);
	return ok;
}

void messenger_admit(struct messenger *m)
{
	bool ok, answered;

	ask(m, MESSENGER_ADMIT, &(struct strbuf){0}, &ok, &answered);
}

/* ------------------------------------------------------------------------- receiving */

void request_put(struct strbuf *b, const void *head, const struct request *q)
{
	strbuf_add(b, head, SIGNED_HEAD);
	rpc_put_u32(b, q->stop);
	rpc_put_text(b, q->id);
	rpc_put_text(b, q->fleet);
	rpc_put_text(b, q->hosts);
	rpc_put_u32(b, q->replay != NULL);
	rpc_put_text(b, q->replay ? q->replay : "");
	rpc_put_u64(b, q->until);
	rpc_put_u64(b, q->seconds);
	rpc_put_u64(b, q->rate);
	rpc_put_text(b, q->program);
}

static const char *take_text(struct rpc_in *in, struct arena *mem, size_t most)
{
	size_t n;
	const char *p = rpc_text(in, most, &n);

	return arena_strndup(mem, p, n);
}

/*
 * Takes the request @q from the text whose signature has been checked. The parts that the messenger
 * sent may differ from it, because request_write() changes values that no line can hold.
 */
static bool take_signed(struct request *q, struct arena *mem, const struct strbuf *sealed)
{
	struct message m;
	bool ok = request_signed(q, &m, sealed->s, sealed->len);
	const char **text[] = {&q->id, &q->fleet, &q->hosts, &q->replay, &q->program};

	for (size_t i = 0; ok && i < sizeof(text) / sizeof(*text); i++)
		*text[i] = *text[i] ? arena_strdup(mem, *text[i]) : NULL;
	message_release(&m);
	return ok;
}

bool request_take(struct rpc_in *in, struct arena *mem, struct signed_request *r,
		  struct strbuf *sealed)
{
	uint8_t head[SIGNED_HEAD] = {0};
	struct request *q = &r->q;
	const void *p;
	bool replay;
	size_t n;

	*q = (struct request){0};
	for (size_t i = 0; i < sizeof(head) && in->at < in->end; i++)
		head[i] = *in->at++;
	q->stop = rpc_u32(in);
	q->id = take_text(in, mem, RUN_ID_MAX);
	q->fleet = take_text(in, mem, MESSAGE_LINE);
	q->hosts = take_text(in, mem, MESSAGE_LINE);
	replay = rpc_u32(in);
	q->replay = take_text(in, mem, MESSAGE_LINE);
	q->until = rpc_u64(in);
	q->seconds = rpc_u64(in);
	q->rate = rpc_u64(in);
	q->program = take_text(in, mem, PROGRAM_MAX);
	if (!replay)
		q->replay = NULL;
	if (!rpc_ended(in) || !is_run_id(q->id) || !q->seconds || !q->rate)
		return false;
	strbuf_add(sealed, head, sizeof(head));
	request_write(sealed, q);
	r->sealed = sealed->s;
	r->size = sealed->len;
	return sign_open(sealed->s, sealed->len, &p, &n, r->key) && take_signed(q, mem, sealed);
}

static void take_request(struct rpc_in *in, request_fn *fn, void *ctx)
{
	struct signed_request r;
	struct strbuf sealed = {0};
	struct arena mem;

	arena_init(&mem);
	if (request_take(in, &mem, &r, &sealed))
		fn(ctx, &r, NULL);
	else
		fn(ctx, NULL, "a message is not a request in the form of this version");
	strbuf_release(&sealed);
	arena_release(&mem);
}

static void take_bad(struct rpc_in *in, request_fn *fn, void *ctx)
{
	struct strbuf b = {0};
	bool unsigned_one = rpc_u32(in);
	size_t n;
	const char *subject = rpc_text(in, SUBJECT_MAX, &n);

	visible_add(&b, subject, n);
	strbuf_adds(&b, unsigned_one ? ": its signature is invalid" : ": not a request");
	if (rpc_ended(in))
		fn(ctx, NULL, b.s);
	strbuf_release(&b);
}

void messenger_receive(struct messenger *m, int64_t ms, request_fn *fn, void *ctx)
{
	struct strbuf b = {0};
	bool ok, answered;

	rpc_put_u32(&b, (uint32_t)ms);
	m->serial++;
	send_message(m, MESSENGER_RECEIVE, &b);
	strbuf_release(&b);
	while (receive(m)) {
		struct rpc_in in = rpc_open(&message);

		if (message.head.type == MESSENGER_READS) {
			m->reads = rpc_u64(&in);
		} else if (message.head.type == MESSENGER_REQUEST) {
			m->reads = 0;
			take_request(&in, fn, ctx);
			send_message(m, MESSENGER_NEXT, &(struct strbuf){0});
		} else if (message.head.type == MESSENGER_BAD) {
			m->reads = 0;
			take_bad(&in, fn, ctx);
			send_message(m, MESSENGER_NEXT, &(struct strbuf){0});
		} else if (message.head.type == MESSENGER_DONE) {
			read_state(m, &ok, &answered);
			return;
		} else {
			end_process(m);
		}
	}
}
