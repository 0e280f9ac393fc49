/*
 * fuzz_broker.c - checks that the broker does only actions of the D program, even for a hostile
 * replay. The broker is the process that runs commands and opens files for a confined replay.
 *
 * The input is the messages that the broker receives: any types and bodies, and records of the
 * program's clauses with hostile values. The broker's commands are formatted, but not run. Each
 * command must come from an action of the program, with a record of that action's clause.
 */
#define rpc_receive fuzz_receive
#define rpc_send fuzz_send
#define outside_self fuzz_outside
#include "consumer/broker.c"

#include <assert.h>
#include <stdlib.h>

#include "compiler/builtins/lang.h"
#include "compiler/compile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The D program. It uses values of every kind in commands and in names of files. */
static const char text[] =
	"ip:::receive { system(\"echo %s %d %x\", args[2]->ip_saddr, args[2]->ip_plength,"
	" args[4]->ipv4_ttl); freopen(\"/nowhere/%s.%d\", args[3]->if_name, args[2]->ip_ver);"
	" freopen(\"\"); }\n"
	"dns:::query, dns:::response { if (args[4]->dns_id & 1) system(\"echo '%S' %s\","
	" args[4]->dns_name, args[4]->dns_typestr); else system(\"%c %Y %i\", args[4]->dns_rcode,"
	" walltimestamp, args[4]->dns_latency); }\n"
	"tcp:::state-change { system(\"%s %s %-20.5s|\", args[1]->cs_execname, tcp_state_string["
	"args[3]->tcps_state], strjoin(args[3]->tcps_raddr, probename)); }\n"
	"tcp:::send, udp:::send { s = args[2]->ip_saddr; a[s] = s; system(\"%s %s %a %p %o\", a[s],"
	" s, arg0, arg0, args[2]->ip_plength); pcap((void *)args[0]->pkt_addr, 100); }\n"
	"BEGIN { system(\"true\"); freopen(\"%s%s\", probename, \"x\"); system(\"%I %A\","
	" strjoin(\"192.0.2.\", lltostr(7)), (uint64_t)1); }\n";

static const struct program *prog;
static struct diag d;
static const uint8_t *at, *end; /* the input that the broker has not received yet */
static unsigned long done;      /* number of actions that the broker carried out */

/* ---------------------------------------------------------------- requests */

static size_t take(void *to, size_t n)
{
	if (n > (size_t)(end - at))
		n = (size_t)(end - at);
	memcpy(to, at, n);
	at += n;
	return n;
}

static void put(struct rpc_message *m, uint32_t type, const void *body, size_t n)
{
	m->head = (struct rpc_head){RPC_VERSION, type, 1, (uint32_t)n};
	if (body)
		memcpy(m->body, body, n);
	m->fd = -1;
}

/* Adds a record of clause @epid in the program's layout, with values from the input. */
static void put_record(struct rpc_message *m, uint32_t epid)
{
	uint32_t size = prog->clause[epid - 1].rec_size, n;

	if (size > PIECE)
		size = PIECE;
	put(m, ASK_RECORD, &size, sizeof(size));
	memset(m->body + sizeof(size), *at & 1 ? 0xff : 0, size);
	n = (uint32_t)(end - at) < size ? (uint32_t)(end - at) : size;
	take(m->body + sizeof(size), n);
	if (size >= sizeof(struct record))
		memcpy(m->body + sizeof(size) + offsetof(struct record, epid), &epid, sizeof(epid));
	m->head.size += size;
}

static void put_request(struct rpc_message *m, uint32_t kind, uint32_t epid, uint32_t act)
{
	uint32_t body[2] = {epid, act};

	put(m, kind, body, sizeof(body));
}

/*
 * Returns the next message to the broker. The next byte of the input chooses its kind: a message of
 * any type with any body, a record, or a request for an action.
 */
enum rpc_result fuzz_receive(int sock, struct rpc_message *m, bool take_fd, uint64_t until)
{
	uint8_t head[3];
	uint32_t epid;

	assert(sock == 77 && !take_fd && !until);
	if (end - at < 4)
		return RPC_CLOSED;
	take(head, sizeof(head));
	epid = head[1] % prog->nclause + 1;
	switch (head[0] % 4) {
	case 0:
		put(m, head[0] >> 2 & 7, NULL, 0);
		m->head.size = (uint32_t)take(m->body, head[1] | (size_t)head[2] << 8);
		return RPC_OK;
	case 1:
		put_record(m, epid);
		return RPC_OK;
	default:
		put_request(m, ASK_COMMAND + head[2] % 4, epid, (uint32_t)(head[2] >> 4));
		return RPC_OK;
	}
}

bool fuzz_send(int sock, uint32_t type, uint32_t serial, const void *body, size_t size, int fd)
{
	assert(sock == 77 && type == ANSWER && serial == 1 && body && size == 4);
	(void)fd;
	return true;
}

/* ----------------------------------------------------------------- actions */

/* Checks that the action is of kind @kind, and belongs to the clause that wrote the record. */
static void check(const struct outside_self *s, const struct record *rec,
		  const struct action_info *act, enum action_kind kind)
{
	const struct clause_info *ci;

	assert(s->p == prog && rec->epid && rec->epid <= prog->nclause);
	ci = &prog->clause[rec->epid - 1];
	assert(act >= ci->act && act < ci->act + ci->nact && act->kind == kind);
	assert(!act->when || ((const char *)rec)[act->when]);
	done++;
}

/* Checks the size of the action's text. Without values, the text must be "true" or empty. */
static void check_text(const struct outside_self *s, const struct record *rec,
		       const struct action_info *act)
{
	char *made = outside_text(s->p, s->o, rec, act);

	assert(made && strlen(made) < (1u << 20));
	if (!act->nfield)
		assert(!strcmp(made, "true") || !*made);
	xfree(made);
}

static int run_command(void *ctx, const struct record *rec, const struct action_info *act)
{
	check(ctx, rec, act, ACT_SYSTEM);
	check_text(ctx, rec, act);
	return 0;
}

static int open_file(void *ctx, const struct record *rec, const struct action_info *act, int *fd)
{
	check(ctx, rec, act, ACT_FREOPEN);
	*fd = -1;
	if (act->fmt)
		check_text(ctx, rec, act);
	return ENOENT;
}

static int start_tshark(void *ctx, const struct record *rec, const struct action_info *act, int *fd)
{
	struct outside_self *s = ctx;

	assert(!rec && act->kind == ACT_PCAP && !s->tshark);
	s->tshark = 1;
	*fd = dup(STDERR_FILENO);
	return 0;
}

static int end_tshark(void *ctx)
{
	struct outside_self *s = ctx;

	assert(s->tshark);
	s->tshark = 0;
	return 0;
}

const struct outside_ops fuzz_outside = {run_command, open_file, start_tshark, end_tshark};

/* -------------------------------------------------------------------------- */

static void begin(void)
{
	static const struct src src = {SRC_CMDLINE, "fuzz", text, sizeof(text) - 1, false};
	static struct compiler *c; /* owns the program */
	struct compile_opts o = {.lang = dtrace_lang(), .replay = true};
	struct parse_opts po = {.right = PD_RIGHT_NAME};
	unsigned matched;
	struct strbuf why = {0};

	c = compiler_new(&o, &d);
	if (c && !compiler_add(c, &src, &po, &matched, NULL))
		prog = compiler_finish(c, NULL);
	if (!prog) {
		diag_text(&d, true, &why);
		fprintf(stderr, "cannot compile: %s\n", why.s);
		abort();
	}
	assert(broker_is_needed(prog));
	use_numbers_only();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *out;

	if (!prog)
		begin();
	if (!out && !(out = fopen("/dev/null", "w")))
		abort();
	at = data;
	end = data + size;
	broker_serve(77, prog, out);
	return 0;
}
