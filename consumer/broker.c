/*
 * broker.c - runs commands and opens files for a replay.
 *
 * A request begins with messages of type ASK_RECORD, which have no answer. Each has a piece of the
 * record as bytes, because the record may not fit in one message. The next message names the
 * action: u32 enabled probe ID (epid), u32 index of the action in the clause. The broker answers it
 * with the message ANSWER (u32 error), which carries a descriptor if the action opens a file or
 * starts tshark. ASK_TSHARK needs no record, and ASK_END has no body.
 */
#include "consumer/broker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/symbols/ksyms.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/outside.h"
#include "consumer/symbols/usyms.h"
#include "ir/program.h"
#include "procinfo/owner.h"
#include "sandbox/rpc.h"

enum { ASK_RECORD = 1, ASK_COMMAND, ASK_REOPEN, ASK_TSHARK, ASK_END, ANSWER };

#define PIECE (RPC_MAX - 64) /* maximum number of bytes of a record in one message */

/*
 * Returns whether the action runs a command or opens a file during the run. A run with such an
 * action keeps its rights or asks the broker. The switch has no default case, so that the compiler
 * warns if a new action is not listed.
 */
static bool is_outside(enum action_kind kind)
{
	switch (kind) {
	case ACT_SYSTEM:
	case ACT_FREOPEN:
	case ACT_PCAP:
		return true;
	case ACT_DEFAULT:
	case ACT_TRACE:
	case ACT_STACK:
	case ACT_TRACEMEM:
	case ACT_PRINT:
	case ACT_PRINTF:
	case ACT_PRINTA:
	case ACT_CLEAR:
	case ACT_TRUNC:
	case ACT_NORMALIZE:
	case ACT_DENORMALIZE:
	case ACT_EXIT:
	case ACT_SETOPT:
	case ACT_CAPTURE: /* the file of -x capture is opened before the run */
	case ACT_SAMPLE:
	case ACT_FTRUNCATE: /* the file is open already */
	case ACT_SPECULATE:
	case ACT_COMMIT:
	case ACT_DISCARD:
		return false;
	}
	BUG("action %d", kind);
}

bool broker_is_needed(const struct program *p)
{
	for (uint32_t i = 0; i < p->nclause; i++)
		for (uint32_t k = 0; k < p->clause[i].nact; k++)
			if (is_outside(p->clause[i].act[k].kind))
				return true;
	return false;
}

/* ---------------------------------------------------------------- the broker */

struct server {
	int sock;
	const struct program *p;
	struct output out; /* output of commands; freopen() redirects it */
	struct consumer_opts o;
	struct outside_self self;
	struct strbuf record; /* the pieces of the record received so far */
	size_t most;          /* size of the program's largest record */
	struct rpc_message m;
	struct rpc_in in;
};

static size_t largest_record(const struct program *p)
{
	size_t most = 0;

	for (uint32_t i = 0; i < p->nclause; i++)
		if (p->clause[i].rec_size > most)
			most = p->clause[i].rec_size;
	return most;
}

/* Sends the answer to a request. Returns false if the other end has closed the socket. */
static bool answer(struct server *s, int error, int fd)
{
	uint32_t e = (uint32_t)error;

	return rpc_send(s->sock, ANSWER, s->m.head.serial, &e, sizeof(e), fd);
}

static bool take_piece(struct server *s)
{
	size_t n;
	const uint8_t *p = rpc_bytes(&s->in, PIECE, &n);

	if (!rpc_ended(&s->in) || n > s->most - s->record.len)
		return false;
	strbuf_add(&s->record, p, n);
	return true;
}

/*
 * Reads the action of a request and sets *@epid to the number of its clause. Returns NULL if the
 * program has no such action, or if the action is not of kind @kind.
 */
static const struct action_info *read_action(struct server *s, enum action_kind kind,
					     uint32_t *epid)
{
	const struct clause_info *ci;
	uint32_t act;

	*epid = rpc_u32(&s->in);
	act = rpc_u32(&s->in);
	if (!rpc_ended(&s->in) || !*epid || *epid > s->p->nclause)
		return NULL;
	ci = &s->p->clause[*epid - 1];
	return act < ci->nact && ci->act[act].kind == kind ? &ci->act[act] : NULL;
}

/*
 * Returns the received record. Returns NULL if it is not a record of clause @epid, or if the clause
 * skipped the action @act.
 */
static const struct record *whole_record(const struct server *s, uint32_t epid,
					 const struct action_info *act)
{
	const struct record *rec = (const void *)s->record.s;

	if (s->record.len != s->p->clause[epid - 1].rec_size || s->record.len < sizeof(*rec) ||
	    rec->epid != epid)
		return NULL;
	return !act->when || s->record.s[act->when] ? rec : NULL;
}

/*
 * Reads the action of a request, which must be of kind @kind, and its record. Returns false if the
 * request is malformed.
 */
static bool read_request(struct server *s, enum action_kind kind, const struct action_info **act,
			 const struct record **rec)
{
	uint32_t epid;

	*act = read_action(s, kind, &epid);
	*rec = *act ? whole_record(s, epid, *act) : NULL;
	return *rec;
}

static bool serve_command(struct server *s)
{
	const struct action_info *act;
	const struct record *rec;

	if (!read_request(s, ACT_SYSTEM, &act, &rec))
		return false;
	answer(s, outside_self.command(&s->self, rec, act), -1);
	strbuf_reset(&s->record);
	return true;
}

/*
 * Opens the file of freopen(). Also redirects the broker's own output to that file, so that the
 * output of later commands goes there.
 */
static bool serve_reopen(struct server *s)
{
	const struct action_info *act;
	const struct record *rec;
	int fd = -1, error;

	if (!read_request(s, ACT_FREOPEN, &act, &rec))
		return false;
	error = outside_self.reopen(&s->self, rec, act, &fd);
	if (!error)
		error = output_redirect(&s->out, fd);
	answer(s, error, error ? -1 : fd);
	if (fd >= 0)
		close(fd);
	strbuf_reset(&s->record);
	return true;
}

static bool serve_tshark(struct server *s)
{
	uint32_t epid;
	const struct action_info *act = read_action(s, ACT_PCAP, &epid);
	int fd = -1, error;

	if (!act || s->self.tshark || s->out.reopened)
		return false;
	error = outside_self.tshark(&s->self, NULL, act, &fd);
	answer(s, error, error ? -1 : fd);
	if (!error)
		close(fd);
	return true;
}

static bool serve_end(struct server *s)
{
	if (!rpc_ended(&s->in) || !s->self.tshark)
		return false;
	answer(s, outside_self.tshark_end(&s->self), -1);
	return true;
}

static bool (*const serve[])(struct server *s) = {
	[ASK_RECORD] = take_piece,   [ASK_COMMAND] = serve_command, [ASK_REOPEN] = serve_reopen,
	[ASK_TSHARK] = serve_tshark, [ASK_END] = serve_end,
};

static bool serve_one(struct server *s)
{
	uint32_t type = s->m.head.type;

	s->in = rpc_open(&s->m);
	return type < sizeof(serve) / sizeof(*serve) && serve[type] && serve[type](s);
}

bool broker_serve(int sock, const struct program *p, FILE *out)
{
	struct server *s = xcalloc(1, sizeof(*s));
	enum rpc_result r;

	*s = (struct server){.sock = sock,
			     .p = p,
			     .out.f = out,
			     .o.out = out,
			     .most = largest_record(p)};
	s->self = (struct outside_self){.p = p, .o = &s->o};
	while ((r = rpc_receive(sock, &s->m, false, 0)) == RPC_OK)
		if (!serve_one(s)) {
			r = RPC_BAD;
			break;
		}
	strbuf_release(&s->record);
	output_release(&s->out);
	xfree(s);
	return r == RPC_CLOSED;
}

/*
 * Closes all descriptors that the broker inherited from dtrace, except the standard streams, @a and
 * @b. Otherwise a pipe that dtrace has closed would stay open in the broker.
 */
static void close_others(int a, int b)
{
	int kept[] = {a < b ? a : b, a < b ? b : a};
	unsigned from = STDERR_FILENO + 1;

	for (int i = 0; i < 2; i++)
		if (kept[i] >= (int)from) {
			if (kept[i] > (int)from)
				syscall(SYS_close_range, from, (unsigned)kept[i] - 1, 0u);
			from = (unsigned)kept[i] + 1;
		}
	syscall(SYS_close_range, from, ~0u, 0u);
}

static void on_signal(int sig)
{
	(void)sig;
}

/*
 * Catches the signals that end dtrace and its commands. They are caught and not ignored because a
 * command that the broker starts would inherit ignored signals. As in dtrace itself, SIGHUP stays
 * ignored if it was ignored before. SIGPIPE is ignored here, and reset for each command.
 */
static void outlive_signals(void)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, hup;

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/*
 * Makes the broker print numbers instead of names of this machine, because a capture can be from
 * another machine.
 */
static void use_numbers_only(void)
{
	ksyms_forget("/dev/null");
	owner_numbers_only();
	usyms_numbers_only();
}

static void broker_main(int sock, const struct program *p, FILE *out) __attribute__((noreturn));

static void broker_main(int sock, const struct program *p, FILE *out)
{
	outlive_signals();
	close_others(sock, fileno(out));
	use_numbers_only();
	_exit(!broker_serve(sock, p, out));
}

/* -------------------------------------------------------------- its client */

struct broker {
	pid_t pid;
	int sock;
	const struct program *p;
	uint32_t serial;
	struct outside outside;
	struct rpc_message m;
};

/* Sends the record in pieces. Returns false if the broker has ended. */
static bool send_record(struct broker *b, const struct record *rec)
{
	size_t size = b->p->clause[rec->epid - 1].rec_size, n;
	struct strbuf body = {0};
	bool sent = true;

	for (size_t at = 0; sent && at < size; at += n) {
		n = size - at < PIECE ? size - at : PIECE;
		strbuf_reset(&body);
		rpc_put_bytes(&body, (const char *)rec + at, n);
		sent = rpc_send(b->sock, ASK_RECORD, b->serial, body.s, body.len, -1);
	}
	strbuf_release(&body);
	return sent;
}

/*
 * Receives the broker's answer, and returns the error in it. Returns OUTSIDE_GONE if the broker has
 * ended, or has sent something else. Unless @fd is NULL, sets *@fd to the descriptor that came with
 * the answer and that the caller closes, or to -1.
 */
static int take_answer(struct broker *b, int *fd)
{
	struct rpc_in in;
	uint32_t error;

	if (rpc_receive(b->sock, &b->m, fd != NULL, 0) != RPC_OK)
		return OUTSIDE_GONE;
	in = rpc_open(&b->m);
	error = rpc_u32(&in);
	if (fd)
		*fd = b->m.fd;
	return rpc_ended(&in) && b->m.head.type == ANSWER && b->m.head.serial == b->serial
		       ? (int)error
		       : OUTSIDE_GONE;
}

static int ask(struct broker *b, uint32_t type, const struct record *rec,
	       const struct action_info *act, int *fd)
{
	uint32_t body[2] = {rec->epid, (uint32_t)(act - b->p->clause[rec->epid - 1].act)};

	b->serial++;
	if (type != ASK_TSHARK && !send_record(b, rec))
		return OUTSIDE_GONE;
	if (!rpc_send(b->sock, type, b->serial, body, sizeof(body), -1))
		return OUTSIDE_GONE;
	return take_answer(b, fd);
}

static int ask_command(void *ctx, const struct record *rec, const struct action_info *act)
{
	return ask(ctx, ASK_COMMAND, rec, act, NULL);
}

static int ask_reopen(void *ctx, const struct record *rec, const struct action_info *act, int *fd)
{
	int err = ask(ctx, ASK_REOPEN, rec, act, fd);

	return !err && act->fmt && *fd < 0 ? OUTSIDE_GONE : err;
}

static int ask_tshark(void *ctx, const struct record *rec, const struct action_info *act, int *fd)
{
	int err = ask(ctx, ASK_TSHARK, rec, act, fd);

	return !err && *fd < 0 ? OUTSIDE_GONE : err;
}

static int ask_end(void *ctx)
{
	struct broker *b = ctx;

	return rpc_send(b->sock, ASK_END, ++b->serial, NULL, 0, -1) ? take_answer(b, NULL)
								    : OUTSIDE_GONE;
}

static const struct outside_ops asking = {ask_command, ask_reopen, ask_tshark, ask_end};

const struct outside *broker_outside(const struct broker *b)
{
	return &b->outside;
}

struct broker *broker_start(const struct program *p, FILE *out, struct diag *d)
{
	struct broker *b = xcalloc(1, sizeof(*b));
	int pair[2];

	*b = (struct broker){.p = p, .outside = {&asking, b}};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		diag_error(d, D_SYS, NOLOC,
			   "cannot start the process that runs system(), freopen() and pcap(): %s",
			   strerror(errno));
		xfree(b);
		return NULL;
	}
	b->pid = fork();
	if (!b->pid)
		broker_main(pair[1], p, out);
	b->sock = pair[0];
	close(pair[1]);
	if (b->pid > 0)
		return b;
	diag_error(d, D_SYS, NOLOC,
		   "cannot start the process that runs system(), freopen() and pcap(): %s",
		   strerror(errno));
	close(b->sock);
	xfree(b);
	return NULL;
}

void broker_stop(struct broker *b)
{
	if (!b)
		return;
	close(b->sock);
	while (waitpid(b->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	xfree(b);
}
