/* main.c - the dtrace-fleet command. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "fleet/admins.h"
#include "fleet/confined.h"
#include "fleet/host/agent.h"
#include "fleet/files.h"
#include "fleet/identity.h"
#include "fleet/inventory.h"
#include "fleet/host/keeper.h"
#include "fleet/host/messenger.h"
#include "fleet/labels.h"
#include "fleet/viewer/look.h"
#include "fleet/permit.h"
#include "fleet/relay.h"
#include "fleet/setup/setup.h"
#include "fleet/sign.h"
#include "fleet/status/audit_log.h"
#include "fleet/status/runs.h"
#include "fleet/viewer/rights.h"
#include "fleet/viewer/view.h"
#include "fleet/when.h"

#define STATUS_USAGE 2
#define NO_TIME "not a time; write 10:30, -2h or 2026-11-26T10:30"
#define SETUP_S 10
#define REPLICAS_MAX 5

static const char default_fleet[] = FLEET_DEFAULT;   /* without --fleet */
static const char local[] = "nats://127.0.0.1:4222"; /* the server without -S */

struct args {
	struct net_opts net;
	const char *host, *policy, *dir, *dtrace, *key, *program, *file, *hosts, *replay, *keep,
		*fleet, *metrics, *labels, *hostkey, *always, *from, *to, *site, *admins;
	VEC(const char *) xopt, viewer, admin, label;
	uint64_t canary, batch, max_hosts; /* numbers of hosts; 0 if the option was not given */
	uint64_t days, audit_days, every;
	uint64_t replicas; /* number of copies of each stream; 0 if the option was not given */
	uint64_t seconds, rate, interval, grace;
	bool twice, verbose, is_relay;
	char *owned;      /* text of the -s script */
	const char *self; /* the path of this program */
};

static const char usage[] =
	"usage: dtrace-fleet agent [-S server] [-H name] [-p policy] [-D folder] [--label "
	"key=value]\n"
	"       dtrace-fleet run -k key [-S server] [-t hosts] [-d seconds] [-r file] [-i seconds] "
	"[-x opt[=val]]\n"
	"                    [--canary n] [--batch n] [--max-hosts n] -n program | -s script\n"
	"       dtrace-fleet setup [-D folder] [-S server] host ... [--viewer name] [--admin "
	"name]\n"
	"       dtrace-fleet setup [--replicas n] [--retain days] [--audit-days days]\n"
	"       dtrace-fleet permit host ... [--viewer name] [--admin name]\n"
	"       dtrace-fleet relay -H name -S server --site server [--admins file]\n"
	"       dtrace-fleet show program --from time [--to time]\n"
	"       dtrace-fleet audit [--from time] [--to time] [--key owner] [--host pattern]\n"
	"       dtrace-fleet show id | stop -k key id | keygen file\n"
	"       dtrace-fleet runs | health | hosts | expect [--relay] host ... | retire host[/id] "
	"...\n";

static int usage_error(void)
{
	fputs(usage, stderr);
	return STATUS_USAGE;
}

/*
 * Prints the version if @what is --version, or the help if it is --help or -h, and returns true.
 * Returns false for any other word.
 */
static bool print_help(const char *what)
{
	if (!strcmp(what, "--version"))
		puts("dtrace-fleet " DTRACE_VERSION "\nLicense: BSD-2-Clause");
	else if (!strcmp(what, "--help") || !strcmp(what, "-h"))
		printf("%s\nThe manual: man 8 dtrace-fleet.\n", usage);
	else
		return false;
	return true;
}

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "dtrace-fleet: %s: %s\n", what, why);
	return 1;
}

/* Prints why (@why) the word @word of the command line is wrong. Returns the exit status. */
static int misused(const char *word, const char *why)
{
	fprintf(stderr, "dtrace-fleet: %s: %s\n", word, why);
	return STATUS_USAGE;
}

/* Parses a time in seconds, such as "10" or "0.5". Returns milliseconds, or 0 if @s is invalid. */
static uint64_t milliseconds(const char *s)
{
	char *end;
	double v = strtod(s, &end);

	return *end || !(v > 0) || v > 1e9 ? 0 : (uint64_t)(v * 1000);
}

enum {
	OPT_CA = 256,
	OPT_CERT,
	OPT_CERTKEY,
	OPT_TWICE,
	OPT_DTRACE,
	OPT_KEEP,
	OPT_RATE,
	OPT_GRACE,
	OPT_VIEWER,
	OPT_ADMIN,
	OPT_FLEET,
	OPT_LABEL,
	OPT_LABELS,
	OPT_HOSTKEY,
	OPT_ALWAYS,
	OPT_FROM,
	OPT_TO,
	OPT_SITE,
	OPT_ADMINS,
	OPT_EVERY,
	OPT_CANARY,
	OPT_BATCH,
	OPT_MAX_HOSTS,
	OPT_RETAIN,
	OPT_AUDIT_DAYS,
	OPT_REPLICAS,
	OPT_METRICS,
	OPT_RELAY,
};

/* clang-format off */
static const struct option options[] = {
	{"server",   required_argument, NULL, 'S'},
	{"host",     required_argument, NULL, 'H'},
	{"policy",   required_argument, NULL, 'p'},
	{"folder",   required_argument, NULL, 'D'},
	{"key",      required_argument, NULL, 'k'},
	{"hosts",    required_argument, NULL, 't'},
	{"seconds",  required_argument, NULL, 'd'},
	{"interval", required_argument, NULL, 'i'},
	{"ca",       required_argument, NULL, OPT_CA},
	{"cert",     required_argument, NULL, OPT_CERT},
	{"certkey",  required_argument, NULL, OPT_CERTKEY},
	{"twice",    no_argument, NULL, OPT_TWICE},
	{"dtrace",   required_argument, NULL, OPT_DTRACE},
	{"keep",     required_argument, NULL, OPT_KEEP},
	{"rate",     required_argument, NULL, OPT_RATE},
	{"grace",    required_argument, NULL, OPT_GRACE},
	{"viewer",   required_argument, NULL, OPT_VIEWER},
	{"admin",    required_argument, NULL, OPT_ADMIN},
	{"fleet",    required_argument, NULL, OPT_FLEET},
	{"label",    required_argument, NULL, OPT_LABEL},
	{"labels",   required_argument, NULL, OPT_LABELS},
	{"hostkey",  required_argument, NULL, OPT_HOSTKEY},
	{"always",   required_argument, NULL, OPT_ALWAYS},
	{"every",    required_argument, NULL, OPT_EVERY},
	{"from",     required_argument, NULL, OPT_FROM},
	{"to",       required_argument, NULL, OPT_TO},
	{"site",     required_argument, NULL, OPT_SITE},
	{"admins",   required_argument, NULL, OPT_ADMINS},
	{"retain",   required_argument, NULL, OPT_RETAIN},
	{"audit-days", required_argument, NULL, OPT_AUDIT_DAYS},
	{"canary",   required_argument, NULL, OPT_CANARY},
	{"batch",    required_argument, NULL, OPT_BATCH},
	{"max-hosts", required_argument, NULL, OPT_MAX_HOSTS},
	{"metrics", required_argument, NULL, OPT_METRICS},
	{"replicas", required_argument, NULL, OPT_REPLICAS},
	{"relay", no_argument, NULL, OPT_RELAY},
	{NULL, 0, NULL, 0},
};
/* clang-format on */

static bool set_time(struct args *a, int c)
{
	uint64_t ms = milliseconds(optarg);

	switch (c) {
	case 'i':
		a->interval = ms;
		return ms;
	case OPT_RATE:
		a->rate = ms;
		return ms;
	default: /* OPT_EVERY */
		a->every = ms;
		return ms >= 1000;
	}
}

/* Reads a number from 1 to 999,999,999. Returns false if @s is not such a number. */
static bool set_count(uint64_t *v, const char *s)
{
	size_t n = strspn(s, "0123456789");

	*v = strtoull(s, NULL, 10);
	return n && !s[n] && n < 10 && *v;
}

static bool set(struct args *a, int c)
{
	const struct {
		int c;
		const char **to;
	} text[] = {
		{'S', &a->net.url},
		{'H', &a->host},
		{'p', &a->policy},
		{'D', &a->dir},
		{'k', &a->key},
		{'t', &a->hosts},
		{'n', &a->program},
		{'s', &a->file},
		{'r', &a->replay},
		{OPT_CA, &a->net.ca},
		{OPT_CERT, &a->net.cert},
		{OPT_CERTKEY, &a->net.key},
		{OPT_DTRACE, &a->dtrace},
		{OPT_METRICS, &a->metrics},
		{OPT_KEEP, &a->keep},
		{OPT_FLEET, &a->fleet},
		{OPT_HOSTKEY, &a->hostkey},
		{OPT_LABELS, &a->labels},
		{OPT_ALWAYS, &a->always},
		{OPT_FROM, &a->from},
		{OPT_TO, &a->to},
		{OPT_SITE, &a->site},
		{OPT_ADMINS, &a->admins},
	};

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		if (text[i].c == c) {
			*text[i].to = optarg;
			return true;
		}
	switch (c) {
	case 'x':
		vec_push(&a->xopt, optarg);
		return true;
	case OPT_VIEWER:
		vec_push(&a->viewer, optarg);
		return true;
	case OPT_ADMIN:
		vec_push(&a->admin, optarg);
		return true;
	case OPT_LABEL:
		vec_push(&a->label, optarg);
		return true;
	case OPT_CANARY:
		return set_count(&a->canary, optarg);
	case OPT_BATCH:
		return set_count(&a->batch, optarg);
	case OPT_MAX_HOSTS:
		return set_count(&a->max_hosts, optarg);
	case OPT_REPLICAS:
		return set_count(&a->replicas, optarg) && a->replicas <= REPLICAS_MAX;
	case 'v':
		return a->verbose = true;
	case OPT_TWICE:
		return a->twice = true;
	case OPT_RELAY:
		return a->is_relay = true;
	case 'd': /* requests have only whole seconds */
		return set_count(&a->seconds, optarg);
	case OPT_GRACE:
		return set_count(&a->grace, optarg);
	case 'i':
	case OPT_RATE:
	case OPT_EVERY:
		return set_time(a, c);
	case OPT_RETAIN:
		return set_count(&a->days, optarg);
	case OPT_AUDIT_DAYS:
		return set_count(&a->audit_days, optarg);
	}
	return false;
}

/* Reports an option that getopt() does not know, or that has no value. */
static int wrong_option(int c, const char *word)
{
	char letter[] = {'-', (char)optopt, '\0'};

	if (optopt && word[0] == '-' && word[1] != '-')
		word = letter;
	return misused(word, c == ':' ? "needs a value"
				      : "there is no such option; see man dtrace-fleet");
}

/* Returns the message for a value of option @c that set() has refused. */
static const char *wrong_value(int c)
{
	if (c == 'd' || c == OPT_GRACE)
		return "not a number of whole seconds; write 10, for example";
	if (c == OPT_EVERY)
		return "not a time of at least a second; write 10, for example";
	if (c == OPT_REPLICAS)
		return "not a number of servers from 1 to 5";
	return c < OPT_CANARY ? "not a time in seconds; write 10 or 0.5, for example"
			      : "not a number; write 10, for example";
}

/* Returns 0, or the exit status after a message. */
static int parse(struct args *a, int argc, char **argv)
{
	int c;

	while ((c = getopt_long(argc, argv, ":S:H:p:D:k:t:d:i:n:s:r:x:v", options, NULL)) >= 0) {
		if (c == '?' || c == ':')
			return wrong_option(c, argv[optind - 1]);
		if (!set(a, c))
			return misused(optarg, wrong_value(c));
	}
	return 0;
}

/* Finds dtrace beside this program, or in PATH. */
static const char *find_dtrace(const char *self)
{
	static char path[PATH_MAX];
	const char *slash = strrchr(self, '/');

	snprintf(path, sizeof(path), "%.*sdtrace", slash ? (int)(slash + 1 - self) : 0, self);
	return access(path, X_OK) ? "dtrace" : path;
}

static int agent(struct args *a, int n, char **word)
{
	static struct utsname u;
	struct strbuf inbox = {0};
	struct agent_opts o = {.net = a->net,
			       .host = a->host,
			       .labels = a->labels ? a->labels : "/etc/dtrace-fleet/labels",
			       .label = a->label.v,
			       .nlabel = a->label.n,
			       .always = a->always ? a->always : "/etc/dtrace-fleet/always.d",
			       .every_ns = a->every * 1000000,
			       .policy = a->policy ? a->policy : "/etc/dtrace-fleet/policy",
			       .dir = a->dir ? a->dir : "/var/lib/dtrace-fleet",
			       .key = a->hostkey,
			       .dtrace = a->dtrace,
			       .metrics = a->metrics,
			       .self = a->self,
			       .twice = a->twice,
			       .verbose = a->verbose};
	struct strbuf name = {0}, id = {0}, wrong = {0};
	int status = 1;

	(void)n, (void)word;
	uname(&u);
	if (!o.host)
		o.host = u.nodename;
	if (!is_host_name(o.host))
		return fail(o.host, "not a name for a host: use letters, digits, - . and _");
	subject_host(&name, o.host);
	strbuf_addf(&inbox, "_INBOX_%s", name.s);
	o.net.name = o.host;
	o.net.inbox = inbox.s;
	o.net.api = API_HOSTS;
	if (identity_read(&id, "/etc/machine-id", o.net.cert, &wrong)) {
		o.id = id.s;
		status = agent_main(&o);
	} else {
		fprintf(stderr, "dtrace-fleet: %s\n", wrong.s);
	}
	strbuf_release(&id);
	strbuf_release(&wrong);
	strbuf_release(&inbox);
	strbuf_release(&name);
	return status;
}

static int relay(struct args *a, int n, char **word)
{
	struct relay_opts o = {.upper = a->net,
			       .site = a->net,
			       .name = a->host,
			       .key = a->hostkey,
			       .dir = a->dir ? a->dir : "/var/lib/dtrace-fleet",
			       .admins = a->admins,
			       .fleet = a->fleet,
			       .grace_s = a->grace,
			       .verbose = a->verbose};
	struct strbuf inbox = {0}, id = {0}, wrong = {0};
	int status = 1;

	(void)n, (void)word;
	if (!a->site)
		return misused("relay", "needs --site, the address of the server that the hosts of "
					"the site use");
	if (!is_host_name(o.name))
		return misused("relay", "needs -H, the relay's name on the upper server");
	strbuf_adds(&inbox, "_INBOX_");
	subject_host(&inbox, o.name);
	o.upper.name = o.site.name = o.name;
	o.upper.inbox = inbox.s;
	o.upper.api = API_HOSTS;
	o.site.url = a->site;
	if (identity_read(&id, "/etc/machine-id", o.upper.cert, &wrong)) {
		/* a machine may have several relays, so the ID has a hash of the relay's name */
		strbuf_addf(&id, "-%08" PRIx64, target_share("relay", o.name) >> 32);
		o.id = id.s;
		status = relay_main(&o);
	} else {
		fprintf(stderr, "dtrace-fleet: %s\n", wrong.s);
	}
	strbuf_release(&id);
	strbuf_release(&wrong);
	strbuf_release(&inbox);
	return status;
}

/*
 * Makes the ID of a new run. The random part of the ID prevents others from guessing the ID and
 * storing a message under the subject of the request before the run begins.
 */
static void new_id(char *id, size_t size)
{
	char token[TOKEN_SIZE];

	net_token(token);
	snprintf(id, size, "%" PRIx64 "-%s", now_real() / 1000000000u, token);
}

static bool read_program(struct args *a)
{
	struct strbuf b = {0};

	if (!a->file)
		return true;
	if (!file_get(a->file, 0, PROGRAM_MAX + 1, &b)) {
		fail(a->file, strerror(errno));
		return false;
	}
	a->program = a->owned = b.s ? b.s : xstrdup("");
	return true;
}

static struct view_opts view_of(const struct args *a, const char *id)
{
	return (struct view_opts){.net = a->net,
				  .key = a->key,
				  .dtrace = a->dtrace,
				  .xopt = a->xopt.v,
				  .nxopt = a->xopt.n,
				  .keep = a->keep,
				  .interval_ms = a->interval,
				  .grace_s = a->grace,
				  .canary = a->canary,
				  .batch = a->batch,
				  .max_hosts = a->max_hosts,
				  .ask = {.id = id,
					  .fleet = a->fleet,
					  .hosts = a->hosts ? a->hosts : "*",
					  .replay = a->replay,
					  .program = "",
					  .seconds = a->seconds,
					  .rate = a->rate}};
}

static int no_key(void)
{
	return fail("-k", "programs must be signed: name the file of a key (dtrace-fleet keygen "
			  "FILE makes one)");
}

static int run(struct args *a, int n, char **word)
{
	char id[64];
	struct strbuf wrong = {0};
	struct view_opts o;

	(void)n, (void)word;
	if (!a->key)
		return no_key();
	if (!target_check(a->hosts ? a->hosts : "*", &wrong)) {
		misused("-t", wrong.s);
		strbuf_release(&wrong);
		return STATUS_USAGE;
	}
	if (!read_program(a))
		return 1;
	if (!a->program || strlen(a->program) > PROGRAM_MAX)
		return fail("-n",
			    a->program
				    ? "the program is too long"
				    : "there is no program: give it with -n, or a script with -s");
	new_id(id, sizeof(id));
	o = view_of(a, id);
	o.ask.program = a->program;
	o.ask.until = now_real() / 1000000000u + a->seconds;
	return view_main(&o);
}

static int show_history(const struct args *a, const struct view_opts *o)
{
	uint64_t now = now_real(), from, to;

	if (!when_parse(a->from ? a->from : "now", now, &from))
		return misused(a->from, NO_TIME);
	if (!when_parse(a->to ? a->to : "now", now, &to) || to < from)
		return misused(a->to ? a->to : a->from,
			       "--to must be a time after --from; the default of --to is now");
	return look_main(o, from, to);
}

static int show(struct args *a, int n, char **word)
{
	struct view_opts o = view_of(a, word[0]);

	(void)n;
	o.key = NULL;
	return a->from || a->to ? show_history(a, &o) : view_main(&o);
}

static int stop(struct args *a, int n, char **word)
{
	struct view_opts o = view_of(a, word[0]);

	(void)n;
	return o.key ? view_stop(&o) : no_key();
}

/* Returns the time @seen, ns since 1970, as a text in @text, or "never seen" if @seen is 0. */
static const char *seen_text(char text[WHEN_SIZE], uint64_t seen)
{
	return seen ? when_text(text, seen) : "never seen";
}

/* Reads the files of known keys and of administrators' keys into @in, and connects to the server.
 */
static struct net *connect_knowing(const struct args *a, struct inventory *in)
{
	return view_known(in, a->fleet) ? view_connect(&a->net, true) : NULL;
}

static int hosts(struct args *a, int n, char **word)
{
	struct inventory in = {0};
	struct net *net = connect_knowing(a, &in);
	bool ok = net && view_inventory(net, &in);

	(void)n, (void)word;
	for (size_t i = 0; ok && i < in.v.n; i++) {
		const struct member *m = &in.v.v[i];
		char seen[WHEN_SIZE];

		/* A relay that has registered has another entry, for which the line is printed. */
		if (m->named_relay && !inventory_expects(&in, m))
			continue;
		printf("%-32s %-10s %-24s %-10s %s%s%s%s\n", m->host,
		       m->retired                  ? "retired"
		       : inventory_expects(&in, m) ? "expected"
						   : "replaced",
		       seen_text(seen, m->seen), m->version ? m->version : "-",
		       *m->id ? m->id : "-", m->labels ? " " : "", m->labels ? m->labels : "",
		       inventory_is_relay(&in, m) ? " (relay)"
		       : m->relay                 ? " (not named as a relay: expect --relay)"
						  : "");
	}
	ok &= !in.doubtful;
	inventory_release(&in);
	net_close(net);
	return !ok;
}

/*
 * Prints the health (status/health.h) of the agents of expected hosts. Returns 1 if one has a
 * problem.
 */
static int health(struct args *a, int n, char **word)
{
	struct inventory in = {0};
	struct net *net = connect_knowing(a, &in);
	bool ok = net && view_inventory(net, &in), well = ok;

	(void)n, (void)word;
	for (size_t i = 0; ok && i < in.v.n; i++) {
		const struct member *m = &in.v.v[i];
		struct strbuf wrong = {0};
		char seen[WHEN_SIZE];

		if (!inventory_expects(&in, m))
			continue;
		if (m->seen)
			health_problems(&m->health, m->version, DTRACE_VERSION,
					now_real() / 1000000000u, &wrong);
		else
			strbuf_adds(&wrong, "never seen");
		printf("%-32s %-24s %-10s %3" PRIu64 " runs %4" PRIu64 " errors %3" PRIu64
		       "%% free  %s\n",
		       m->host, seen_text(seen, m->seen), m->version ? m->version : "-",
		       m->health.runs, m->health.errors,
		       m->health.size ? m->health.free / (m->health.size / 100 + 1) : 0,
		       wrong.len ? wrong.s : "well");
		well &= !wrong.len;
		strbuf_release(&wrong);
	}
	well &= !in.doubtful;
	inventory_release(&in);
	net_close(net);
	return !well;
}

static int runs(struct args *a, int n, char **word)
{
	struct net *net = view_connect(&a->net, true);
	bool ok = net && runs_print(net);

	(void)n, (void)word;
	net_close(net);
	return !ok;
}

/*
 * Prints the audit stream. For this command, --key is the name of a key's owner, not a file, so
 * DTRACE_FLEET_KEY is ignored.
 */
static int audit(struct args *a, int n, char **word)
{
	uint64_t now = now_real();
	struct audit_query q = {.host = a->host,
				.owner = a->key == getenv("DTRACE_FLEET_KEY") ? NULL : a->key};
	struct net *net;
	struct inventory in = {0};
	bool ok;

	(void)n, (void)word;
	if (!when_parse(a->from ? a->from : "-1d", now, &q.from))
		return misused(a->from, NO_TIME);
	if (!when_parse(a->to ? a->to : "now", now, &q.to) || q.to < q.from)
		return misused(a->to ? a->to : a->from,
			       "--to must be a time after --from; the default of --to is now");
	net = connect_knowing(a, &in);
	ok = net && view_inventory(net, &in) && audit_print(net, &in.known, &q);
	inventory_release(&in);
	net_close(net);
	return !ok;
}

/* Cuts off the ID of "NAME/ID". Returns the ID, or "" if @word has none. */
static const char *split_id(char *word)
{
	char *slash = strchr(word, '/');

	if (!slash)
		return "";
	*slash = '\0';
	return slash + 1;
}

/*
 * Returns whether viewers with the same list of administrators' keys would count the plan @b for
 * the host. If not, appends the reason to @why.
 */
static bool plan_counts(const struct inventory *in, const char *host, const char *id,
			const struct strbuf *b, struct strbuf *why)
{
	const struct member *m = inventory_find(in, host, id);
	uint64_t time = UINT64_MAX;
	char text[WHEN_SIZE];
	const void *p;
	size_t n;

	if (!admins_open(in->admins, b->s, b->len, &p, &n, &time))
		strbuf_adds(why, "no plan was stored: plans need a key (-k) that is listed in the "
				 "file of administrators' keys (DTRACE_FLEET_ADMINS)");
	else if (m && m->planned > time)
		strbuf_addf(why,
			    "no plan was stored: the time of an earlier plan for this host, %s, is "
			    "later than now; compare the clocks of the administrators",
			    when_text(text, m->planned));
	return !why->len;
}

/* Stores a plan. The plan is signed, unless the user has no key (a->key). */
static bool put_plan(struct net *net, const struct args *a, const struct inventory *in,
		     const char *host, const char *id, enum plan plan)
{
	struct strbuf subject = {0}, b = {0}, why = {0};
	char token[TOKEN_SIZE];
	bool made = true, ok;

	net_token(token);
	inventory_plan_subject(&subject, host, token);
	if (a->key)
		made = rights_plan(host, id, plan, &b);
	else
		inventory_plan(&b, host, id, plan, a->fleet, now_real());
	if (!made)
		strbuf_adds(&why, "the plan could not be signed");
	else if (plan_counts(in, host, id, &b, &why) && !net_put(net, subject.s, b.s, b.len))
		strbuf_adds(&why, "the server did not accept the plan");
	ok = !why.len;
	if (!ok)
		fail(host, why.s);
	strbuf_release(&subject);
	strbuf_release(&b);
	strbuf_release(&why);
	return ok;
}

/*
 * Stores plans for the host in @word, "NAME" or "NAME/ID". Each entry of the inventory with this
 * name (and this ID, if given) gets a plan. If there is no entry, the name gets a plan. A relay
 * also gets a plan for its name. Retiring fails if the inventory has no entry, and no plan to
 * replace. Cuts the ID off @word.
 */
static bool plan_host(struct net *net, const struct args *a, const struct inventory *in, char *word,
		      enum plan plan)
{
	const char *id = split_id(word);
	size_t n = 0;

	if (!is_host_name(word) || (*id && !is_identity(id)))
		return fail(word, "must be the name of a host, or NAME/ID"), false;
	if (*id && plan == PLAN_RELAY)
		return fail(word, "--relay needs the name of a relay, without an ID"), false;
	for (size_t i = 0; i < in->v.n; i++) {
		const struct member *m = &in->v.v[i];

		if (strcmp(m->host, word) || (*id && strcmp(m->id, id)))
			continue;
		if (!put_plan(net, a, in, word, m->id, plan == PLAN_RELAY ? PLAN_EXPECTED : plan))
			return false;
		n++;
	}
	if (!n && plan == PLAN_RETIRED && !inventory_has_loose(in, word))
		return fail(word, "no host of the inventory has this name"), false;
	return (n && plan != PLAN_RELAY) || put_plan(net, a, in, word, id, plan);
}

static bool admit(struct net *net, const char *host)
{
	struct strbuf wrong = {0};
	bool ok = net_admit(net, host, &wrong);

	if (!ok)
		fail(host, wrong.s);
	strbuf_release(&wrong);
	return ok;
}

static int plan(struct args *a, int n, char **word, enum plan plan)
{
	struct inventory in = {0};
	static struct planning planning;
	static struct rights_opts rights = {.planning = &planning};
	uint8_t seed[SEED_SIZE] = {0};
	struct net *net = NULL;
	bool ok;

	planning = (struct planning){a->key, a->fleet, plan, word, (size_t)n};
	if (!a->key || (view_seed(a->key, seed) && rights_start(&rights)))
		net = connect_knowing(a, &in);
	memset(seed, 0, sizeof(seed));
	ok = net && view_inventory(net, &in);
	for (int i = 0; ok && i < n; i++)
		ok = plan_host(net, a, &in, word[i], plan) &&
		     (plan == PLAN_RETIRED ||
		      admit(net, word[i])); /* plan_host() has cut off the ID */
	inventory_release(&in);
	net_close(net);
	rights_stop();
	return !ok;
}

static int expect(struct args *a, int n, char **word)
{
	return plan(a, n, word, a->is_relay ? PLAN_RELAY : PLAN_EXPECTED);
}

static int retire(struct args *a, int n, char **word)
{
	return plan(a, n, word, PLAN_RETIRED);
}

/*
 * Creates the streams and their replicas. If there are several servers, prints how many of them
 * have a copy of each stream. Returns false, with the reason in @wrong, on failure.
 */
static bool try_streams(const struct args *a, const struct net_opts *o, struct strbuf *wrong)
{
	struct net *net = net_open(o, true, wrong);
	int got = net && net_renew(net, wrong) && net_setup(net, wrong) &&
				  net_setup_history(net, (unsigned)a->days, wrong) &&
				  net_setup_audit(net, (unsigned)a->audit_days, wrong)
			  ? net_replicate(net, (int)a->replicas, wrong)
			  : 0;

	net_close(net);
	if (got > 1)
		fprintf(stderr, "dtrace-fleet: each stream is stored on %d servers\n", got);
	return got;
}

/*
 * Tries to create the streams for SETUP_S seconds, because the server may have just been started,
 * or the servers may be electing a leader. Returns the exit status.
 */
static int create_streams(const struct args *a)
{
	static const struct timespec pause = {0, 200000000};
	uint64_t end = now_boot() + SETUP_S * 1000000000ull;
	struct strbuf wrong = {0};
	struct net_files files;
	struct net_opts o = a->net;
	bool able = net_files_read(&files, &o, &wrong) && confine_client(CONFINED_FREE, &wrong);
	bool ok = false;

	o.files = &files;
	while (able && !ok) {
		ok = try_streams(a, &o, &wrong);
		if (!ok && now_boot() > end)
			break;
		if (!ok) {
			strbuf_reset(&wrong);
			nanosleep(&pause, NULL);
		}
	}
	if (!ok)
		fprintf(stderr, "dtrace-fleet: %s\n", wrong.s);
	net_files_release(&files);
	strbuf_release(&wrong);
	return !ok;
}

/*
 * If the command line has names, makes the files of these hosts, viewers and administrators.
 * Otherwise creates the streams of the server.
 */
static int setup(struct args *a, int n, char **word)
{
	struct setup_opts o = {.dir = a->dir ? a->dir : "fleet",
			       .url = a->net.url == local ? NULL : a->net.url,
			       .fleet = a->fleet == default_fleet ? NULL : a->fleet,
			       .hosts = {(const char *const *)word, (size_t)n},
			       .viewers = {a->viewer.v, a->viewer.n},
			       .admins = {a->admin.v, a->admin.n}};

	return n || a->viewer.n || a->admin.n ? !setup_files(&o) : create_streams(a);
}

/*
 * Returns whether the name is valid and no user in @all has it. Otherwise prints a message. Two
 * users with the same name would have the rights of both.
 */
static bool is_new_name(const struct strbuf *all, const char *name)
{
	struct strbuf user = {0};
	bool is_new;

	if (!is_host_name(name)) {
		fail(name, "not a name: use letters, digits, - . and _");
		return false;
	}
	strbuf_addf(&user, "user: \"%s\"", name);
	is_new = !(all->s && strstr(all->s, user.s));
	strbuf_release(&user);
	if (!is_new)
		fail(name, "the name is given twice");
	return is_new;
}

typedef void permit_fn(struct strbuf *out, const char *name);

/*
 * Appends the permissions of the users @name to @to and to @all. @all has all users so far, so that
 * no name is used twice.
 */
static bool permit_all(struct strbuf *to, struct strbuf *all, permit_fn *fn, size_t n,
		       const char *const *name)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_new_name(all, name[i]))
			return false;
		fn(to, name[i]);
		fn(all, name[i]);
	}
	return true;
}

/* Prints the users and their permissions. nats-server.conf includes a file with this text. */
static int permit(struct args *a, int n, char **host)
{
	struct strbuf h = {0}, v = {0}, o = {0}, all = {0}, b = {0};
	bool ok;

	ok = permit_all(&h, &all, permit_host, (size_t)n, (const char *const *)host) &&
	     permit_all(&v, &all, permit_viewer, a->viewer.n, a->viewer.v) &&
	     permit_all(&o, &all, permit_admin, a->admin.n, a->admin.v);
	permit_accounts(&b, strbuf_text(&h), strbuf_text(&v), strbuf_text(&o));
	if (ok)
		fputs(b.s, stdout);
	strbuf_release(&h);
	strbuf_release(&v);
	strbuf_release(&o);
	strbuf_release(&all);
	strbuf_release(&b);
	return !ok;
}

/*
 * Makes a new key pair. Writes the secret key to the file, and the line for policies, which has the
 * public key, to standard output.
 */
static int keygen(struct args *a, int n, char **word)
{
	uint8_t seed[SEED_SIZE], key[KEY_SIZE];
	struct strbuf text = {0};
	const char *name = getenv("USER"), *path = word[0];
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	(void)a, (void)n;
	if (fd < 0)
		return fail(path, strerror(errno));
	if (!sign_new(seed, key))
		return fail(path, "libsodium does not work here");
	key_text(&text, seed);
	dprintf(fd, "%s\n", text.s);
	close(fd);
	memset(text.s, 0, text.len);
	strbuf_reset(&text);
	key_text(&text, key);
	printf("key %s %s\n", text.s, name && *name ? name : "somebody");
	strbuf_release(&text);
	return 0;
}

/* The commands and their arguments. */
static const struct command {
	const char *name;
	int (*fn)(struct args *a, int n, char **word); /* returns the exit status */
	int least, most; /* minimum and maximum number of words after the command */
	bool id;         /* the word must be the ID of a run, or the name of a program */
	const char *why; /* message for a wrong number of words, or a wrong ID */
} commands[] = {
	{"agent", agent, 0, 0, false, "agent takes only options"},
	{"relay", relay, 0, 0, false, "relay takes only options"},
	{"run", run, 0, 0, false,
	 "run takes only options: -s FILE for a script, -n TEXT for a program"},
	{"show", show, 1, 1, true,
	 "needs the ID of one run, which 'dtrace-fleet run' printed; or, with --from, the name of "
	 "a program"},
	{"stop", stop, 1, 1, true, "needs the ID of one run, which 'dtrace-fleet run' printed"},
	{"hosts", hosts, 0, 0, false, "hosts takes only options"},
	{"health", health, 0, 0, false, "health takes only options"},
	{"runs", runs, 0, 0, false, "runs takes only options"},
	{"audit", audit, 0, 0, false, "audit takes only options"},
	{"expect", expect, 1, INT_MAX, false, "needs names of hosts"},
	{"retire", retire, 1, INT_MAX, false, "needs names of hosts"},
	{"permit", permit, 0, INT_MAX, false, NULL},
	{"setup", setup, 0, INT_MAX, false, NULL},
	{"keygen", keygen, 1, 1, false, "needs one file, for the key"},
};

#define NCOMMAND (sizeof(commands) / sizeof(*commands))

static int no_command(const char *what)
{
	fprintf(stderr, "dtrace-fleet: %s: no such command; the commands are ", what);
	for (size_t i = 0; i < NCOMMAND; i++)
		fprintf(stderr, "%s%s", i ? ", " : "", commands[i].name);
	fputc('\n', stderr);
	return STATUS_USAGE;
}

static const struct command *command_find(const char *what)
{
	for (size_t i = 0; i < NCOMMAND; i++)
		if (!strcmp(what, commands[i].name))
			return &commands[i];
	return NULL;
}

static int obey(const struct command *c, struct args *a, int n, char **word)
{
	if (n < c->least || n > c->most)
		return misused(n > c->most ? word[c->most] : c->name, c->why);
	if (c->id && !is_run_id(word[0]))
		return misused(word[0], c->why);
	return c->fn(a, n, word);
}

/* Returns the value of an environment variable, or NULL if it is unset or empty. */
static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static int command_main(const struct command *c, int argc, char **argv)
{
	static char self[PATH_MAX];
	const char *server = environment("DTRACE_FLEET_SERVER");
	struct args a = {.seconds = 10, .rate = 1000, .grace = 10, .every = 60000, .self = self};
	int status;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return fail("/proc/self/exe", strerror(errno));
	a.net.url = server ? server : local;
	a.net.ca = environment("DTRACE_FLEET_CA");
	a.net.cert = environment("DTRACE_FLEET_CERT");
	a.net.key = environment("DTRACE_FLEET_CERTKEY");
	a.dtrace = find_dtrace(self);
	a.key = getenv("DTRACE_FLEET_KEY");
	a.fleet = environment("DTRACE_FLEET_NAME");
	if (!a.fleet)
		a.fleet = default_fleet;
	status = parse(&a, argc, argv);
	if (!status)
		status = obey(c, &a, argc - optind, argv + optind);
	vec_free(&a.xopt);
	vec_free(&a.viewer);
	vec_free(&a.admin);
	vec_free(&a.label);
	xfree(a.owned);
	return status;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const struct command *c = command_find(what);

	if (!strcmp(what, "keep"))
		return keeper_main(argc, argv);
	if (!strcmp(what, "messenger"))
		messenger_main();
	if (print_help(what))
		return fflush(stdout) ? fail("standard output", strerror(errno)) : 0;
	if (argc < 2)
		return usage_error();
	file_keep_standard();
	file_close_inherited(argv);
	return c ? command_main(c, argc - 1, argv + 1) : no_command(what);
}
