/* rights.c - the process that keeps the rights, and the requests to it. */
#include "fleet/viewer/rights.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "fleet/files.h"
#include "fleet/labels.h"
#include "fleet/sign.h"
#include "fleet/viewer/census.h"
#include "fleet/viewer/follow.h"
#include "fleet/viewer/view.h"
#include "sandbox/rpc.h"

enum {
	KNOWN_READ = 16,
	KNOWN_KEY, /* a known key, for KNOWN_READ's answer and KNOWN_WRITE's request */
	KNOWN_WRITE,
	SIGN,
	PLAN,
	DATA, /* a piece of a file */
	PUT,
	FLUSH,
	CLEAR,
	MERGE,
	FOLLOW,
	FOLLOW_OVER,
	FOLLOW_END,
	ANSWER,
};

enum {
	PIECE = 64 << 10,
	WHO_MAX = 512,
	NAME_MAX_BYTES = 255,
	FILE_MAX = 256 << 20,
	PARTS = 1 << 20
};

static struct rpc_message message; /* the last message received */

/* ------------------------------------------------------- the process that keeps the rights */

static const struct rights_opts *opts;
static int peer;
static struct follower follower;
static struct known learned; /* keys to write */
static struct strbuf file;   /* the file that PUT writes */
static bool unwritten;       /* a file could not be written */
/* the last signed request: end of the run, and number of the part */
static uint64_t ends[2];
/* set by a signal of the terminal, which the other process handles */
static volatile sig_atomic_t pressed;

static void on_signal(int sig)
{
	(void)sig;
	pressed = 1;
}

/* Ends the dtrace that this process runs, removes the private folder, and ends this process. */
__attribute__((noreturn)) static void leave(int status)
{
	follow_end(&follower);
	if (opts->dir) {
		folder_empty(opts->dir);
		rmdir(opts->dir);
	}
	_exit(status);
}

static void reply(uint32_t type, const struct strbuf *b)
{
	if (!rpc_send(peer, type, message.head.serial, b->s, b->len, -1))
		leave(0);
}

static void reply_number(uint64_t v)
{
	struct strbuf b = {0};

	rpc_put_u64(&b, v);
	reply(ANSWER, &b);
	strbuf_release(&b);
}

static void send_known(void)
{
	struct known k = {0};
	struct strbuf b = {0};
	bool ok = !opts->known || known_read(&k, opts->known);
	uint64_t err = ok ? 0 : (uint64_t)errno;

	for (size_t i = 0; ok && i < k.v.n; i++) {
		rpc_put_text(&b, k.v.v[i].who);
		rpc_put_bytes(&b, k.v.v[i].key, KEY_SIZE);
		if (b.len > PIECE / 2 || i + 1 == k.v.n) {
			reply(KNOWN_KEY, &b);
			strbuf_reset(&b);
		}
	}
	strbuf_release(&b);
	known_release(&k);
	rpc_put_u64(&b, ok);
	rpc_put_u64(&b, err);
	reply(ANSWER, &b);
	strbuf_release(&b);
}

/* Reads keys from a message. Returns false if it is malformed. */
static bool take_keys(struct known *k, struct rpc_in *in, bool is_new)
{
	char who[WHO_MAX + 1];

	while (!in->bad && in->at < in->end) {
		size_t n, size;
		const char *p = rpc_text(in, WHO_MAX, &n);
		const uint8_t *key = rpc_bytes(in, KEY_SIZE, &size);

		memcpy(who, p, n);
		who[n] = '\0';
		if (in->bad || size != KEY_SIZE || !known_add(k, who, key, is_new))
			return false;
	}
	return !in->bad;
}

static void write_known(void)
{
	bool ok = !opts->known || known_write(&learned, opts->known);
	uint64_t err = ok ? 0 : (uint64_t)errno;
	struct strbuf b = {0};

	known_release(&learned);
	learned = (struct known){0};
	rpc_put_u64(&b, ok);
	rpc_put_u64(&b, err);
	reply(ANSWER, &b);
	strbuf_release(&b);
}

/* Makes the request that @a describes, from the command line. @id and @hosts own its texts. */
static struct request make_request(const struct asking *a, struct strbuf *id, struct strbuf *hosts)
{
	const struct view_opts *v = opts->view;
	struct request q = v->ask;

	strbuf_adds(id, q.id);
	if (a->census) {
		strbuf_adds(hosts, q.hosts);
		strbuf_adds(id, "-0");
		q.census = q.id;
		q.seconds = CENSUS_S;
		q.until = now_real() / 1000000000u + q.seconds;
		q.program = "";
		q.replay = NULL;
	} else if (a->fleet) { /* a run that another viewer began; this viewer can only end it */
		q.fleet = a->fleet;
		strbuf_adds(hosts, a->hosts);
		q.until = a->until;
		q.rate = a->rate;
		q.seconds = 1;
		q.program = "";
		q.replay = NULL;
	} else {
		strbuf_adds(hosts, q.hosts);
		if (a->part) {
			strbuf_addf(id, "-%" PRIu64, a->part);
			target_add_share(hosts, q.id, a->from, a->to);
		}
		if (!a->stop || ends[1] != a->part)
			ends[0] = now_real() / 1000000000u + q.seconds;
		ends[1] = a->part;
		q.until = ends[0];
	}
	q.stop = a->stop;
	q.id = strbuf_text(id);
	q.hosts = strbuf_text(hosts);
	return q;
}

static bool read_asking(struct rpc_in *in, struct asking *a, char fleet[MESSAGE_LINE + 1],
			char hosts[MESSAGE_LINE + 1])
{
	char *to[] = {fleet, hosts};
	bool foreign;

	a->part = rpc_u64(in);
	a->from = rpc_u64(in);
	a->to = rpc_u64(in);
	a->stop = rpc_u32(in);
	a->census = rpc_u32(in);
	foreign = rpc_u32(in);
	for (int i = 0; i < 2; i++) {
		size_t n;
		const char *p = rpc_text(in, MESSAGE_LINE, &n);

		memcpy(to[i], p, n);
		to[i][n] = '\0';
	}
	a->until = rpc_u64(in);
	a->rate = rpc_u64(in);
	a->fleet = foreign ? fleet : NULL;
	a->hosts = hosts;
	/* Only a request to end a run may have another run's fleet and hosts. */
	return rpc_ended(in) && a->part < PARTS && (!foreign || a->stop) &&
	       (!a->census || !a->stop);
}

static void sign(struct rpc_in *in)
{
	char fleet[MESSAGE_LINE + 1], hosts_text[MESSAGE_LINE + 1];
	struct strbuf id = {0}, hosts = {0}, m = {0}, sealed = {0}, b = {0};
	uint8_t seed[SEED_SIZE];
	struct asking a;
	struct request q = {0};

	if (opts->view && opts->view->key && read_asking(in, &a, fleet, hosts_text) &&
	    view_seed(opts->view->key, seed)) {
		q = make_request(&a, &id, &hosts);
		request_write(&m, &q);
		if (!sign_seal(&sealed, seed, m.s, m.len))
			strbuf_reset(&sealed);
		memset(seed, 0, sizeof(seed));
	}
	rpc_put_u64(&b, q.until);
	rpc_put_bytes(&b, strbuf_text(&sealed), sealed.len);
	reply(ANSWER, &b);
	strbuf_release(&id);
	strbuf_release(&hosts);
	strbuf_release(&m);
	strbuf_release(&sealed);
	strbuf_release(&b);
}

/* Returns whether the command line asks for this plan. A relay may also be planned as expected. */
static bool is_planned(const struct planning *p, const char *host, const char *id, uint64_t plan)
{
	if (plan != p->plan && (plan != PLAN_EXPECTED || p->plan != PLAN_RELAY))
		return false;
	for (size_t i = 0; i < p->nhost; i++) {
		size_t n = strcspn(p->host[i], "/");

		if (strlen(host) == n && !memcmp(host, p->host[i], n) &&
		    (!p->host[i][n] || !strcmp(id, p->host[i] + n + 1)))
			return true;
	}
	return false;
}

/* Signs a plan. An empty answer is a failure. */
static void sign_plan(struct rpc_in *in)
{
	const struct planning *p = opts->planning;
	struct strbuf text[2] = {{0}}, m = {0}, sealed = {0};
	uint8_t seed[SEED_SIZE];
	uint64_t plan;
	size_t n;

	for (int i = 0; i < 2; i++) {
		const char *s = rpc_text(in, WHO_MAX, &n);

		strbuf_add(&text[i], s, n);
	}
	plan = rpc_u64(in);
	if (rpc_ended(in) && is_planned(p, strbuf_text(&text[0]), strbuf_text(&text[1]), plan) &&
	    view_seed(p->key, seed)) {
		inventory_plan(&m, text[0].s, strbuf_text(&text[1]), (enum plan)plan, p->fleet,
			       now_real());
		if (!sign_seal(&sealed, seed, m.s, m.len))
			strbuf_reset(&sealed);
		memset(seed, 0, sizeof(seed));
	}
	reply(ANSWER, &sealed);
	for (int i = 0; i < 2; i++)
		strbuf_release(&text[i]);
	strbuf_release(&m);
	strbuf_release(&sealed);
}

static bool is_file_name(const char *s)
{
	return *s && *s != '.' && !strchr(s, '/');
}

static void put(struct rpc_in *in)
{
	bool keep = rpc_u32(in);
	const char *dir = !opts->view ? NULL : keep ? opts->view->keep : opts->dir;
	struct strbuf path = {0}, name = {0};
	size_t n;
	const char *p = rpc_text(in, NAME_MAX_BYTES, &n);

	strbuf_add(&name, p, n);
	if (!rpc_ended(in) || !dir || !is_file_name(strbuf_text(&name)))
		leave(1);
	strbuf_addf(&path, "%s/%s", dir, name.s);
	if (!file_put(path.s, strbuf_text(&file), file.len)) {
		fprintf(stderr, "dtrace-fleet: failed to write %s: %s\n", path.s, strerror(errno));
		unwritten = true;
	}
	strbuf_reset(&file);
	strbuf_release(&path);
	strbuf_release(&name);
}

static void add_data(const struct rpc_in *in)
{
	if (file.len + (size_t)(in->end - in->at) > FILE_MAX)
		leave(1);
	strbuf_add(&file, in->at, (size_t)(in->end - in->at));
}

static void serve_viewer(const struct view_opts *v, struct rpc_in *in)
{
	switch (message.head.type) {
	case SIGN:
		sign(in);
		break;
	case DATA:
		add_data(in);
		break;
	case PUT:
		put(in);
		break;
	case FLUSH:
		reply_number(!unwritten);
		unwritten = false;
		break;
	case CLEAR:
		folder_empty(opts->dir);
		break;
	case MERGE:
		reply_number(view_merge(v, opts->dir));
		break;
	case FOLLOW:
		reply_number(follow_start(&follower, v->dtrace, v->xopt, v->nxopt, rpc_u64(in),
					  opts->dir));
		break;
	case FOLLOW_OVER:
		reply_number(follow_is_over(&follower));
		break;
	case FOLLOW_END:
		reply_number(follow_end(&follower));
		break;
	default:
		leave(1);
	}
}

static void serve(void)
{
	struct rpc_in in = rpc_open(&message);

	if (message.head.type == KNOWN_READ)
		send_known();
	else if (message.head.type == KNOWN_KEY && !take_keys(&learned, &in, true))
		leave(1);
	else if (message.head.type == KNOWN_WRITE)
		write_known();
	else if (message.head.type == PLAN && opts->planning)
		sign_plan(&in);
	else if (message.head.type != KNOWN_KEY && opts->view)
		serve_viewer(opts->view, &in);
}

/*
 * Serves the other process. A signal of the terminal reaches both processes, and the other process
 * decides what to do. This process has a handler instead of SIG_IGN, because commands that it
 * starts would inherit SIG_IGN.
 */
static void run(int sock)
{
	struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	peer = sock;
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	while (rpc_receive(peer, &message, false, 0) == RPC_OK)
		serve();
	leave(0);
}

/* ------------------------------------------------------------ the process without rights */

static int sock = -1;
static uint32_t serial;

bool rights_start(const struct rights_opts *o)
{
	int pair[2];
	pid_t pid;

	opts = o;
	fflush(NULL);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) || (pid = fork()) < 0) {
		fprintf(stderr, "dtrace-fleet: failed to start a process: %s\n", strerror(errno));
		return false;
	}
	if (!pid) {
		close(pair[0]);
		run(pair[1]);
	}
	close(pair[1]);
	sock = pair[0];
	return true;
}

void rights_stop(void)
{
	if (sock < 0)
		return;
	/*
	 * The filter of system calls does not allow waitpid(). So wait until the other process has
	 * closed its end of the socket.
	 */
	shutdown(sock, SHUT_WR);
	while (rpc_receive(sock, &message, false, 0) == RPC_OK)
		;
	close(sock);
	sock = -1;
}

/* Sends a message without waiting for an answer. */
static bool tell(uint32_t type, const void *p, size_t n)
{
	return sock >= 0 && rpc_send(sock, type, ++serial, p, n, -1);
}

/* Receives the answer to the last message. Returns false if the other process is gone. */
static bool hear(uint32_t type)
{
	return rpc_receive(sock, &message, false, 0) == RPC_OK && message.head.serial == serial &&
	       message.head.type == type;
}

/* Sends a message whose answer is a number. Returns 0 on failure. */
static uint64_t ask(uint32_t type, const struct strbuf *b)
{
	struct rpc_in in;

	if (!tell(type, b ? b->s : NULL, b ? b->len : 0) || !hear(ANSWER))
		return 0;
	in = rpc_open(&message);
	return rpc_u64(&in);
}

/* Reads the result of KNOWN_READ and KNOWN_WRITE. */
static bool known_result(void)
{
	struct rpc_in in = rpc_open(&message);
	bool ok = rpc_u64(&in);

	errno = (int)rpc_u64(&in);
	return ok;
}

bool rights_known_read(struct known *k)
{
	struct rpc_in in;

	errno = EPIPE;
	if (!tell(KNOWN_READ, NULL, 0))
		return false;
	while (rpc_receive(sock, &message, false, 0) == RPC_OK) {
		if (message.head.type != KNOWN_KEY)
			return known_result();
		in = rpc_open(&message);
		if (!take_keys(k, &in, false))
			break;
	}
	return false;
}

bool rights_known_write(struct known *k)
{
	struct strbuf b = {0};
	bool any = false;

	errno = EPIPE;
	for (size_t i = 0; i < k->v.n; i++) {
		if (!k->v.v[i].is_new)
			continue;
		any = true;
		k->v.v[i].is_new = false;
		rpc_put_text(&b, k->v.v[i].who);
		rpc_put_bytes(&b, k->v.v[i].key, KEY_SIZE);
		if (b.len < PIECE / 2)
			continue;
		tell(KNOWN_KEY, b.s, b.len);
		strbuf_reset(&b);
	}
	if (b.len)
		tell(KNOWN_KEY, b.s, b.len);
	strbuf_release(&b);
	return !any || (tell(KNOWN_WRITE, NULL, 0) && hear(ANSWER) && known_result());
}

bool rights_sign(const struct asking *a, struct strbuf *sealed, uint64_t *until)
{
	struct strbuf b = {0};
	struct rpc_in in;
	const uint8_t *p;
	bool ok;
	size_t n;

	rpc_put_u64(&b, a->part);
	rpc_put_u64(&b, a->from);
	rpc_put_u64(&b, a->to);
	rpc_put_u32(&b, a->stop);
	rpc_put_u32(&b, a->census);
	rpc_put_u32(&b, a->fleet != NULL);
	rpc_put_text(&b, a->fleet ? a->fleet : "");
	rpc_put_text(&b, a->hosts ? a->hosts : "");
	rpc_put_u64(&b, a->until);
	rpc_put_u64(&b, a->rate);
	ok = tell(SIGN, b.s, b.len) && hear(ANSWER);
	strbuf_release(&b);
	if (!ok)
		return false;
	in = rpc_open(&message);
	*until = rpc_u64(&in);
	p = rpc_bytes(&in, RPC_MAX, &n);
	strbuf_add(sealed, p, n);
	return n;
}

bool rights_plan(const char *host, const char *id, enum plan plan, struct strbuf *sealed)
{
	struct strbuf b = {0};
	bool ok;

	rpc_put_text(&b, host);
	rpc_put_text(&b, id);
	rpc_put_u64(&b, plan);
	ok = tell(PLAN, b.s, b.len) && hear(ANSWER) && message.head.size;
	strbuf_release(&b);
	if (ok)
		strbuf_add(sealed, message.body, message.head.size);
	return ok;
}

void rights_put(bool keep, const char *name, const void *p, size_t n)
{
	struct strbuf b = {0};

	for (size_t at = 0, size; at < n; at += size) {
		size = n - at < PIECE ? n - at : PIECE;
		tell(DATA, (const char *)p + at, size);
	}
	rpc_put_u32(&b, keep);
	rpc_put_text(&b, name);
	tell(PUT, b.s, b.len);
	strbuf_release(&b);
}

bool rights_flush(void)
{
	return ask(FLUSH, NULL);
}

void rights_clear(void)
{
	tell(CLEAR, NULL, 0);
}

bool rights_merge(void)
{
	fflush(stdout);
	return ask(MERGE, NULL);
}

bool rights_follow(uint64_t rate_ms)
{
	struct strbuf b = {0};
	bool ok;

	fflush(stdout);
	rpc_put_u64(&b, rate_ms);
	ok = ask(FOLLOW, &b);
	strbuf_release(&b);
	return ok;
}

bool rights_follow_is_over(void)
{
	return ask(FOLLOW_OVER, NULL);
}

bool rights_follow_end(void)
{
	return ask(FOLLOW_END, NULL);
}
