/* agent.c - takes requests, starts and watches runs, and reports on them. */
#include "fleet/host/agent.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "fleet/host/always.h"
#include "fleet/host/group.h"
#include "fleet/answer.h"
#include "fleet/files.h"
#include "fleet/inventory.h"
#include "fleet/host/journal.h"
#include "fleet/host/keeper.h"
#include "fleet/host/messenger.h"
#include "fleet/labels.h"
#include "fleet/message.h"
#include "fleet/host/policy.h"
#include "fleet/request.h"
#include "fleet/host/run.h"
#include "fleet/sign.h"
#include "fleet/status/health.h"
#include "fleet/status/version.h"

enum {
	RECEIVE_MS = 100,   /* time between checks of the runs */
	REST_MS = 1000,     /* time between checks if all runs have ended */
	STOPPED_MAX = 1024, /* maximum number of stopped runs of one key that are remembered */
	REFUSED_MAX = 256,  /* maximum number of refusals that are remembered */
	STRANGERS_MAX = 4,  /* requests by unknown keys that get an answer in one second */
	RUNS_MAX = 64,      /* maximum number of runs in memory, current or ended */
	OUT_PIECE = 256 << 10,
	POLICY_MAX = 1 << 20,
	/*
	 * The agent keeps an ended run, and repeats its report, until KEPT_S seconds after
	 * run.until, the run's end time.
	 */
	KEPT_S = 60,
	UNSENT_S = 3600, /* used instead of KEPT_S if the run's last report could not be sent yet */
};

#define REGISTER_NS 600000000000ull /* shortest time between two registrations because of runs */
#define ERROR_NS 30000000000ull     /* shortest time between two registrations because of errors */
#define METRICS_NS 15000000000ull
#define RETRY_NS 1000000000ull
#define AGAIN_NS 2000000000ull /* time to the first repetition of a report */
#define OUT_NS 1000000000ull

/* A run that a request has ended, possibly before this host had the request to begin it. */
struct stopped {
	char id[RUN_ID_MAX + 1];
	uint8_t key[KEY_SIZE]; /* the key that has signed the request */
	uint64_t until;        /* end of the run, in seconds since 1970 */
};

struct agent {
	const struct agent_opts *o;
	struct policy policy;
	uint8_t seed[SEED_SIZE]; /* secret key that signs this host's messages */
	struct messenger *net;
	struct always *always;
	struct journal *journal; /* entries of the audit stream */
	struct groups *groups;   /* where runs get their control groups */
	VEC(struct stopped) stopped;
	char runs[PATH_MAX], lease[PATH_MAX];
	VEC(struct run *) v;
	struct strbuf labels; /* text of this host's labels (labels.h) */
	struct file_version policy_version, labels_version;
	/*
	 * when the agent last checked whether the policy and the labels have changed, seconds since
	 * 1970
	 */
	uint64_t policy_second;
	/* messenger_connections() when the agent registered; 0 if it has not */
	uint64_t registered;
	struct file_version names[2]; /* of the files that has_old_names() checks */
	bool old_names;
	uint64_t register_at;     /* when the agent may enter the inventory again, ns since boot */
	bool was_asked;           /* a run has begun since the agent registered */
	struct refusals refusals; /* messages that the server did not take */
	struct health health;
	struct program_file program; /* dtrace, as it was when the agent started */
	uint64_t errors_told;        /* health.errors when the agent last registered */
	bool metrics_failed;
	uint64_t metrics_at; /* when to write the metrics again, ns since boot */
	uint64_t second;     /* current second */
	unsigned stranger;   /* number of requests by unknown keys in @second */
};

static volatile sig_atomic_t ended, reload;

static void on_end(int sig)
{
	(void)sig;
	ended = 1;
}

static void on_reload(int sig)
{
	(void)sig;
	reload = 1;
}

__attribute__((format(printf, 2, 3))) static void log_line(const void *ctx, const char *fmt, ...)
{
	const struct agent *a = ctx;
	struct strbuf b = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&b, fmt, ap);
	va_end(ap);
	for (char *c = b.s; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	syslog(LOG_NOTICE, "%s", b.s);
	if (a->o->verbose)
		fprintf(stderr, "dtrace-fleet: %s\n", b.s);
	strbuf_release(&b);
}

/* -------------------------------------------------------------------------- sending */

/*
 * Renews the lease, the time that runs may continue without the server. The caller calls this when
 * the server has just answered, or has sent a request.
 */
static void renew_lease(const struct agent *a)
{
	file_put_number(a->lease, now_boot());
}

/*
 * Creates the host's streams on a server without certificates. On a server with permissions, only
 * an administrator may create them.
 */
static void create_streams(struct agent *a)
{
	if (!a->o->net.cert)
		messenger_admit(a->net);
}

static void note_refusal(struct agent *a, bool taken, const char *subject)
{
	struct strbuf line = {0};

	if (refusals_note(&a->refusals, taken, subject, now_boot(), &line))
		health_error(&a->health, line.s);
	if (line.len)
		log_line(a, "%s", line.s);
	strbuf_release(&line);
}

/* Signs and sends a message. Returns whether the server has stored it. */
static bool put(struct agent *a, const struct strbuf *subject, const struct strbuf *b)
{
	struct strbuf sealed = {0};
	bool answered, ok, was_refused = a->refusals.logged;

	sign_seal(&sealed, a->seed, b->s, b->len);
	ok = messenger_put(a->net, subject->s, sealed.s, sealed.len, &answered);
	if (messenger_connected(a->net) &&
	    (ok || a->registered)) /* a new host may have no streams yet */
		note_refusal(a, ok, subject->s);
	if (!ok && !was_refused && messenger_connected(a->net)) {
		create_streams(a);
		ok = messenger_put(a->net, subject->s, sealed.s, sealed.len, &answered);
		if (messenger_connected(a->net))
			note_refusal(a, ok, subject->s);
	}
	strbuf_release(&sealed);
	if (answered) /* even a refusal shows that the server can be reached */
		renew_lease(a);
	return ok;
}

static bool put_message(void *ctx, const struct strbuf *subject, const struct strbuf *b)
{
	return put(ctx, subject, b);
}

/* Returns the maximum size of a message before it is signed. */
static uint64_t get_max(void *ctx)
{
	const struct agent *a = ctx;
	uint64_t max = messenger_max(a->net);

	return max > SIGNED_HEAD ? max - SIGNED_HEAD : max;
}

/* Makes the state of the programs that always run (always.h). */
static struct always *new_always(struct agent *a)
{
	struct always_opts o = {.folder = a->o->always,
				.dir = a->o->dir,
				.host = a->o->host,
				.id = a->o->id,
				.dtrace = a->o->dtrace,
				.self = a->o->self,
				.groups = a->groups,
				.interval_ns = a->o->every_ns,
				.put = put_message,
				.max = get_max,
				.log = log_line,
				.ctx = a};

	return always_new(&o);
}

static struct journal *new_journal(struct agent *a)
{
	struct journal_opts o = {.dir = a->o->dir,
				 .host = a->o->host,
				 .id = a->o->id,
				 .put = put_message,
				 .log = log_line,
				 .ctx = a};

	return journal_new(&o);
}

/* Appends the subject of a run's reports (@kind is "state") or output ("out"). */
static void add_subject(const struct agent *a, const struct run *r, const char *kind,
			struct strbuf *b)
{
	struct report_key k = {a->o->host, a->o->id, r->epoch};

	strbuf_addf(b, "fleet.%s.%s", kind, r->id);
	subject_key(b, &k);
}

/*
 * Sends the report. If agent_opts.twice is set, also sends the previous report, and this report
 * again. For viewers, these repeated reports must not change any number.
 */
static bool put_state(struct agent *a, struct run *r, const struct strbuf *subject,
		      struct strbuf *b)
{
	bool ok = put(a, subject, b);

	if (!a->o->twice)
		return ok;
	ok = ok && (!r->before.len || put(a, subject, &r->before)) && put(a, subject, b);
	if (ok) {
		strbuf_reset(&r->before);
		strbuf_add(&r->before, b->s, b->len);
	}
	return ok;
}

static void send_state(struct agent *a, struct run *r)
{
	struct strbuf subject = {0}, b = {0};

	r->fresh = false;
	add_subject(a, r, "state", &subject);
	run_message(r, a->o->host, a->o->id, get_max(a) ? get_max(a) : UINT64_MAX, &b);
	if (put_state(a, r, &subject, &b)) {
		r->reported_at = now_boot();
		r->reported_on = messenger_connections(a->net);
	} else {
		r->fresh = true;
	}
	strbuf_release(&subject);
	strbuf_release(&b);
}

/* Sends a piece of the output. Returns false if the server did not take it. */
static bool send_output(struct agent *a, struct run *r)
{
	bool ok;
	char path[PATH_MAX];
	struct strbuf subject = {0}, b = {0}, piece = {0};
	uint64_t max = messenger_max(a->net);

	file_get(path_in(path, r->dir, "out"), r->sent,
		 max && max < OUT_PIECE ? max / 2 : OUT_PIECE, &piece);
	add_subject(a, r, "out", &subject);
	message_begin(&b);
	message_head(&b, "run", r->id);
	message_head(&b, "host", a->o->host);
	message_head(&b, "id", a->o->id);
	message_head_number(&b, "epoch", r->epoch);
	message_head_number(&b, "offset", r->sent);
	message_body(&b, piece.s, piece.len);
	ok = piece.len && put(a, &subject, &b) && (!a->o->twice || put(a, &subject, &b));
	if (ok) {
		r->sent += piece.len;
		r->output_sent_at = now_boot();
		file_put_number(path_in(path, r->dir, "sent"), r->sent);
	}
	strbuf_release(&subject);
	strbuf_release(&piece);
	strbuf_release(&b);
	return ok;
}

/*
 * Returns whether to send output now. The server keeps a limited number of messages per run, so
 * output is batched once a second.
 */
static bool is_output_due(const struct run *r)
{
	return r->phase != PHASE_TRACING || r->out - r->sent >= OUT_PIECE ||
	       now_boot() - r->output_sent_at > OUT_NS;
}

/*
 * Returns whether to repeat the report. A server that fails may lose what it stored in its last
 * second, so the agent repeats the report after each new connection. Reports of an active run are
 * repeated every AGAIN_NS, which also renews the lease. Reports of an ended run do not change any
 * more, so the time between two repetitions doubles.
 */
static bool is_again_due(const struct agent *a, struct run *r)
{
	uint64_t now = now_boot();

	if (r->phase == PHASE_TRACING || r->reported_on != messenger_connections(a->net))
		r->again = AGAIN_NS;
	if (r->reported_on == messenger_connections(a->net) && now - r->reported_at <= r->again)
		return false;
	if (r->phase != PHASE_TRACING)
		r->again *= 2;
	return true;
}

/* Returns whether a run ended because something on this host failed. */
static bool is_fault(enum end end)
{
	return end == END_SIGNAL || end == END_FAILED || end == END_KEEPER || end == END_LATE;
}

/* Sends new output, and the report if it has changed or is_again_due(). */
static void send_news(struct agent *a, struct run *r)
{
	enum phase before = r->phase;

	run_look(r, a->policy.keys);
	if (r->phase != before) {
		log_line(a, "run %s %s: %s", r->id, r->phase == PHASE_REFUSED ? "refused" : "ended",
			 r->errors.len ? r->errors.s : "without messages");
		a->health.refused += r->phase == PHASE_REFUSED;
		if (r->phase == PHASE_ENDED && is_fault(r->end))
			health_error(&a->health, r->errors.len ? r->errors.s : end_name(r->end));
		journal_end(a->journal, r, policy_signer(&a->policy, r->key, 0));
	}
	if (!messenger_connected(a->net))
		return;
	if (r->out > r->sent && is_output_due(r))
		r->fresh |= send_output(a, r);
	if (r->fresh || is_again_due(a, r))
		send_state(a, r);
}

static size_t count_tracing(const struct agent *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->v.n; i++)
		n += a->v.v[i]->phase == PHASE_TRACING;
	return n;
}

static void look_at_health(struct agent *a)
{
	a->health.runs = count_tracing(a);
	health_look(&a->health, a->o->dir);
}

/*
 * Enters the host into the inventory: after each new connection, after a run has begun (at most
 * every REGISTER_NS), and after an error (at most every ERROR_NS). Viewers show the time of the
 * newest entry as the time when the host was last seen. While nothing happens on the host, the
 * server stores nothing.
 */
static void enter_inventory(struct agent *a)
{
	struct strbuf subject = {0}, b = {0};
	uint64_t now = now_boot(), n = messenger_connections(a->net);

	if (!messenger_connected(a->net))
		return;
	if (a->registered == n && !a->was_asked && a->health.errors == a->errors_told)
		return;
	if (a->registered && a->health.errors != a->errors_told)
		now += REGISTER_NS - ERROR_NS;
	if (now < a->register_at && (!a->registered || a->registered == n))
		return;
	look_at_health(a);
	inventory_host(&subject, &b, a->o->host, a->o->id, DTRACE_VERSION, strbuf_text(&a->labels),
		       &a->health);
	a->registered = put(a, &subject, &b) ? n : 0;
	if (a->registered)
		a->errors_told = a->health.errors;
	a->was_asked &= !a->registered;
	a->register_at = now_boot() + (a->registered ? REGISTER_NS : RETRY_NS);
	strbuf_release(&subject);
	strbuf_release(&b);
}

/* Writes the metrics every METRICS_NS. Logs a failure once. */
static void write_metrics(struct agent *a)
{
	uint64_t now = now_boot();

	if (!a->o->metrics || now < a->metrics_at)
		return;
	look_at_health(a);
	if (!health_metrics(&a->health, DTRACE_VERSION, messenger_connected(a->net),
			    a->o->metrics) &&
	    !a->metrics_failed) {
		a->metrics_failed = true;
		log_line(a, "failed to write %s: %s", a->o->metrics, file_error(errno));
	}
	a->metrics_at = now + METRICS_NS;
}

/* Does everything that loop() does in each round, except for receiving requests. */
static void serve(struct agent *a)
{
	enter_inventory(a);
	write_metrics(a);
	for (size_t i = 0; i < a->v.n; i++)
		send_news(a, a->v.v[i]);
	if (messenger_connected(a->net))
		journal_serve(a->journal);
	always_serve(a->always, &a->policy, messenger_connected(a->net));
}

/* ------------------------------------------------------------------------- starting */

/* Returns the name of a run's control group. The caller releases it. */
static struct strbuf group_name(const char *id)
{
	struct strbuf name = {0};

	strbuf_addf(&name, "run-%s", id);
	return name;
}

static struct group_bounds group_bounds(const struct policy_limit *l)
{
	return (struct group_bounds){l->use.cpu, l->use.memory, l->use.tasks};
}

/* Makes the control group of a run. Returns false, with the reason in @why, if it cannot. */
static bool make_group(const struct agent *a, const char *id, const struct policy_limit *l,
		       const char *dir, struct strbuf *why)
{
	struct strbuf name = group_name(id);
	struct group_bounds b = group_bounds(l);
	bool ok = groups_make(a->groups, name.s, &b, a->policy.groups_required, dir, why);

	strbuf_release(&name);
	return ok;
}

/*
 * Sets the bounds of all current runs to the bounds of the policy. The caller calls this when the
 * policy has changed, and at the agent's start, because systemd may have lifted the bounds of
 * earlier runs.
 */
static void bound_groups(const struct agent *a)
{
	for (size_t i = 0; i < a->v.n; i++) {
		const struct run *r = a->v.v[i];
		const char *signer = policy_signer(&a->policy, r->key, now_real() / 1000000000u);
		struct policy_limit l;
		struct group_bounds b;
		struct strbuf name;

		if (!r->dir || r->phase != PHASE_TRACING || !signer)
			continue;
		l = policy_limit(&a->policy, signer);
		b = group_bounds(&l);
		name = group_name(r->id);
		groups_bound(a->groups, name.s, &b);
		strbuf_release(&name);
	}
}

/* Returns whether the group @name has a keeper: that of a run, or of a program that always runs. */
static bool group_is_used(void *ctx, const char *name)
{
	const struct agent *a = ctx;
	const char *id = strchr(name, '-');
	char dir[PATH_MAX + 256];

	if (!id)
		return false;
	snprintf(dir, sizeof(dir), "%s/%s/%s", a->o->dir, *name == 'r' ? "runs" : "always", id + 1);
	return !access(dir, F_OK) && keeper_lives(dir);
}

/* Finds the place for control groups, and removes groups that a killed agent has left. */
static void find_groups(struct agent *a)
{
	a->groups = groups_find(a->o->dir);
	if (groups_lack(a->groups))
		log_line(a,
			 "control groups cannot set some limits of runs, so only limits of "
			 "single processes apply there: %s",
			 groups_lack(a->groups));
	groups_clean(a->groups, group_is_used, a);
}

/*
 * Starts a keeper (keeper.h), which runs dtrace with the program of @q. @capture is the open
 * capture of @q, or -1 if @q traces live. Returns the keeper's process ID, or -1 with the error in
 * errno.
 */
static pid_t start(const struct agent *a, const struct request *q, const struct policy_limit *l,
		   const char *dir, int capture)
{
	uint64_t now = now_real() / 1000000u, until = q->until * 1000;
	VEC(const char *) argv = {0};
	struct keeper_opts k = {.self = a->o->self,
				.dir = dir,
				.lease = a->lease,
				.lease_s = a->policy.lease,
				.until = q->until,
				.bytes = a->policy.bytes,
				.memory = l->use.memory,
				.files = l->use.files,
				.input = capture,
				.cost = q->replay ? 0 : l->use.cost};
	struct arena mem;
	pid_t pid;

	if (now >= until) {
		errno = ETIME;
		return -1;
	}
	arena_init(&mem);
	vec_push(&argv, a->o->dtrace);
	vec_push(&argv, "-qxlocked");
	vec_push(&argv, "-xaggoutonly");
	vec_push(&argv, "-xsignalstatus"); /* the exit status shows that a signal ended dtrace */
	vec_push(&argv, arena_printf(&mem, "-xprobes=%s/probes", dir));
	vec_push(&argv, arena_printf(&mem, "-xhost=%s", a->o->host));
	vec_push(&argv, arena_printf(&mem, "-xaggout=%s/agg", dir));
	vec_push(&argv, arena_printf(&mem, "-xaggoutrate=%" PRIu64 "ms", q->rate));
	vec_push(&argv, arena_printf(&mem, "-xaggsize=%" PRIu64, a->policy.bytes));
	/* live runs only, because -x duration would count by the time in a capture */
	if (!q->replay)
		vec_push(&argv, arena_printf(&mem, "-xduration=%" PRIu64 "ms", until - now));
	else
		vec_push(&argv, "-r" KEEPER_INPUT);
	vec_push(&argv, "-n");
	vec_push(&argv, q->program);
	vec_push(&argv, NULL);
	k.argv = argv.v;
	renew_lease(a);
	pid = keeper_start(&k);
	vec_free(&argv);
	arena_release(&mem);
	return pid;
}

/* Writes the list of probes that the owner of the key may enable, for dtrace. */
static bool put_probes(const struct policy_limit *l, const char *path)
{
	struct strbuf b = {0};
	bool ok;

	for (size_t i = 0; i < l->probes.n; i++)
		strbuf_addf(&b, "%s\n", l->probes.v[i]);
	ok = file_put(path, strbuf_text(&b), b.len);
	strbuf_release(&b);
	return ok;
}

/* Removes the folder of a run, which must contain only files, and the run's control group. */
static void remove_folder(const char *dir)
{
	keeper_remove_group(dir);
	folder_empty(dir);
	rmdir(dir);
}

/*
 * Starts a run. From the time when the run's folder has the file "epoch", run_load() accepts it.
 * The file "out" means that the keeper has started dtrace. Returns the run, or NULL with the reason
 * in @why.
 */
static struct run *begin(struct agent *a, const struct request *q, const char *signer, int capture,
			 const void *sealed, size_t size, struct strbuf *why)
{
	char dir[PATH_MAX + 64], path[PATH_MAX];
	struct policy_limit l = policy_limit(&a->policy, signer);
	struct run *r = NULL;
	pid_t pid;

	snprintf(dir, sizeof(dir), "%s/%s", a->runs, q->id);
	if ((mkdir(dir, 0700) && errno != EEXIST) ||
	    !put_probes(&l, path_in(path, dir, "probes")) ||
	    !file_reserve(path_in(path, dir, "stop")) ||
	    !file_keep(path_in(path, dir, "request"), sealed, size)) {
		strbuf_addf(why, "failed to write to %s: %s", dir, strerror(errno));
		return NULL;
	}
	if (!make_group(a, q->id, &l, dir, why)) {
		remove_folder(dir);
		return NULL;
	}
	pid = file_keep_number(path_in(path, dir, "epoch"), now_real())
		      ? start(a, q, &l, dir, capture)
		      : -1;
	if (pid > 0)
		r = run_load(dir, q->id);
	if (r) {
		r->keeper = pid;
		return r;
	}
	if (errno == ETIME)
		strbuf_adds(why, "the time of the run was over before the run could start here");
	else
		strbuf_addf(why, "failed to start the run: %s", strerror(errno));
	remove_folder(dir);
	return NULL;
}

/* ------------------------------------------------------------------------- requests */

static struct run *find(struct agent *a, const char *id)
{
	for (size_t i = 0; i < a->v.n; i++)
		if (!strcmp(a->v.v[i]->id, id))
			return a->v.v[i];
	return NULL;
}

/* Counts the runs in memory that were refused (@refused) or were not (!@refused). */
static size_t count(const struct agent *a, bool refused)
{
	size_t n = 0;

	for (size_t i = 0; i < a->v.n; i++)
		n += (a->v.v[i]->phase == PHASE_REFUSED) == refused;
	return n;
}

/*
 * Counts a message that no listed key has signed. Returns true after STRANGERS_MAX of them in one
 * second, because strangers must not take time or memory.
 */
static bool too_many_strangers(struct agent *a)
{
	uint64_t now = now_boot() / 1000000000u;

	if (now != a->second) {
		a->second = now;
		a->stranger = 0;
	}
	return a->stranger++ >= STRANGERS_MAX;
}

#define STRANGE "policy: the key that signed the run is not on this host's list of keys"

static void refuse_stranger(struct agent *a, const struct request *q, const void *sealed)
{
	struct run *r;

	if (too_many_strangers(a))
		return;
	log_line(a,
		 "run %s refused: the key that signed the run is not in the policy's list of keys: "
		 "%.256s",
		 q->id, q->program);
	journal_refuse(a->journal, q, NULL, sealed, STRANGE);
	r = run_refused(q->id, q->until, STRANGE);
	send_state(a, r);
	run_free(r);
}

/*
 * Refuses a request: logs the refusal, and adds a run that stands for the refusal. The report on
 * this run is the answer. The agent remembers the refusal until the end of the run, or for the
 * policy's maximum duration if that is shorter. So the same request does not begin a run when it
 * comes again.
 */
static void refuse(struct agent *a, const struct request *q, const char *signer, const void *sealed,
		   const char *why)
{
	uint64_t longest = now_real() / 1000000000u + a->policy.seconds;

	log_line(a, "run %s of %s refused: %s: %s", q->id, signer, why, q->program);
	a->health.refused++;
	journal_refuse(a->journal, q, signer, sealed, why);
	if (count(a, true) < REFUSED_MAX)
		vec_push(&a->v, run_refused(q->id, q->until < longest ? q->until : longest, why));
}

/*
 * Stores the entry "accepted" of the request in the audit stream. Fails if the key has started too
 * many runs. Returns whether the entry is stored; without it, the run must not begin.
 */
static bool audit(struct agent *a, const struct request *q, const char *signer, const void *sealed,
		  struct strbuf *why)
{
	struct policy_limit l = policy_limit(&a->policy, signer);

	return journal_accept(a->journal, q, signer, sealed, l.daily, why);
}

static void take(struct agent *a, const struct request *q, const char *signer, const void *sealed,
		 size_t size)
{
	uint64_t now = now_real() / 1000000000u;
	struct strbuf why = {0};
	struct run *r = NULL;
	int capture = -1;

	if (count_tracing(a) >= a->policy.runs)
		strbuf_addf(&why, "policy: %" PRIu64 " runs are active, which is the maximum",
			    a->policy.runs);
	else if (count(a, false) >= RUNS_MAX || a->v.n >= RUNS_MAX + REFUSED_MAX)
		strbuf_addf(&why,
			    "%d runs are active or have just ended, which is the maximum; try "
			    "again in a minute",
			    RUNS_MAX);
	else if (request_allowed(q, &a->policy, signer, a->o->host, strbuf_text(&a->labels), now,
				 &why) &&
		 (!q->replay ||
		  (capture = capture_open_allowed(&a->policy, q->replay, &why)) >= 0) &&
		 program_check(&a->program, DTRACE_VERSION, a->o->dir, &why) &&
		 audit(a, q, signer, sealed, &why))
		r = begin(a, q, signer, capture, sealed, size, &why);
	if (capture >= 0)
		close(capture);
	if (r) {
		log_line(a, "run %s of %s for %" PRIu64 " s%s%s: %s", q->id, signer, q->until - now,
			 q->replay ? " of " : "", q->replay ? q->replay : "", q->program);
		vec_push(&a->v, r);
		a->was_asked = true;
		a->health.started++;
	} else {
		refuse(a, q, signer, sealed, why.len ? why.s : "for an unknown reason");
	}
	strbuf_release(&why);
}

static bool was_stopped(const struct agent *a, const char *id)
{
	for (size_t i = 0; i < a->stopped.n; i++)
		if (!strcmp(a->stopped.v[i].id, id))
			return true;
	return false;
}

/*
 * Remembers that the run must not begin on this host later. If this key has sent many stops,
 * forgets its oldest stop. So no key can make the host forget the stops of other keys.
 */
static void remember_stop(struct agent *a, const struct request *q, const void *sealed)
{
	struct stopped one = {.until = q->until}, *v = a->stopped.v;
	size_t n = 0, oldest = 0;

	snprintf(one.id, sizeof(one.id), "%s", q->id);
	memcpy(one.key, sealed, KEY_SIZE); /* a signed message begins with the key (sign.h) */
	for (size_t i = a->stopped.n; i-- > 0;) {
		if (memcmp(v[i].key, one.key, KEY_SIZE))
			continue;
		if (!strcmp(v[i].id, one.id)) {
			v[i].until = v[i].until > q->until ? v[i].until : q->until;
			return;
		}
		oldest = i;
		n++;
	}
	if (n >= STOPPED_MAX) {
		memmove(v + oldest, v + oldest + 1, (a->stopped.n - 1 - oldest) * sizeof(one));
		a->stopped.n--;
	}
	vec_push(&a->stopped, one);
}

/* Ends the run if it is active, and remembers that it must not begin on this host later. */
static void stop(struct agent *a, const struct request *q, const char *signer, const void *sealed)
{
	struct run *r = find(a, q->id);
	bool again = was_stopped(a, q->id);

	remember_stop(a, q, sealed);
	if (again)
		return;
	log_line(a, "run %s: ended by %s", q->id, signer);
	journal_stop(a->journal, q, signer, sealed, r && r->dir);
	if (r)
		run_stop(r, END_ASKED, "the viewer ended the run");
}

/* Returns whether @signer may end runs on this host. */
static bool may_stop(const struct agent *a, const struct request *q, const char *signer)
{
	return signer && !strcmp(q->fleet, a->policy.fleet) &&
	       request_is_for_host(&a->policy, signer, a->o->host, strbuf_text(&a->labels));
}

static void decide(struct agent *a, const struct request *q, const char *signer, const void *sealed,
		   size_t size)
{
	struct run *r = find(a, q->id);

	if (!target_match(q->hosts, a->o->host, strbuf_text(&a->labels)))
		return;
	if (q->until <= now_real() / 1000000000u && !(q->stop && r))
		return;
	if (q->stop && may_stop(a, q, signer))
		stop(a, q, signer, sealed);
	else if (q->stop && signer)
		log_line(a,
			 "run %s: a request to end it is ignored: the keys of %s are not for "
			 "this host, or not for its fleet",
			 q->id, signer);
	if (q->stop || r)
		return;
	if (signer && was_stopped(a, q->id))
		refuse(a, q, signer, sealed, "the viewer ended the run before it began here");
	else if (signer)
		take(a, q, signer, sealed, size);
	else
		refuse_stranger(a, q, sealed);
}

/*
 * Handles a message that the messenger (messenger.h) has read: the request @r, or, if @r is NULL, a
 * message that is no request.
 */
static void on_request(void *ctx, const struct signed_request *r, const char *bad)
{
	struct agent *a = ctx;

	if (r)
		decide(a, &r->q, policy_signer(&a->policy, r->key, now_real() / 1000000000u),
		       r->sealed, r->size);
	else if (!too_many_strangers(a))
		log_line(a, "%s", bad);
}

/*
 * Forgets ended runs KEPT_S or UNSENT_S seconds after their end times, and removes their folders.
 * Forgets stopped runs at their end times.
 */
static void forget(struct agent *a)
{
	uint64_t now = now_real() / 1000000000u;
	size_t n = 0;

	for (size_t i = 0; i < a->v.n; i++) {
		struct run *r = a->v.v[i];

		if (r->phase < PHASE_ENDED || now < r->until + (r->fresh ? UNSENT_S : KEPT_S)) {
			a->v.v[n++] = r;
			continue;
		}
		if (r->dir)
			remove_folder(r->dir);
		run_free(r);
	}
	a->v.n = n;
	n = 0;
	for (size_t i = 0; i < a->stopped.n; i++)
		if (now < a->stopped.v[i].until)
			a->stopped.v[n++] = a->stopped.v[i];
	a->stopped.n = n;
}

/* ----------------------------------------------------------------------- main loop */

/*
 * Returns whether an earlier agent was killed before it started dtrace for the run in folder @dir.
 */
static bool never_began(const char *dir)
{
	char path[PATH_MAX];

	return !keeper_lives(dir) && access(path_in(path, dir, "out"), F_OK) &&
	       access(path_in(path, dir, "end"), F_OK);
}

/*
 * Loads the runs that an earlier agent left. Removes the folder of each run that had not started.
 * This agent starts such a run when it reads the run's request again.
 */
static void load(struct agent *a)
{
	char dir[PATH_MAX + 256];
	DIR *d = opendir(a->runs);
	struct run *r;

	for (const struct dirent *e; d && (e = readdir(d));) {
		if (!is_run_id(e->d_name))
			continue;
		snprintf(dir, sizeof(dir), "%s/%s", a->runs, e->d_name);
		r = never_began(dir) ? NULL : run_load(dir, e->d_name);
		if (r)
			vec_push(&a->v, r);
		else if (!keeper_lives(dir))
			remove_folder(dir);
	}
	if (d)
		closedir(d);
}

/*
 * Returns whether the files for looking up names have changed since the messenger was started. The
 * messenger uses copies of these files, so if it has no connection, a new messenger must replace
 * it. For example, an agent may start before the network of its machine.
 */
static bool has_old_names(struct agent *a)
{
	bool changed = file_has_changed("/etc/resolv.conf", &a->names[0]);

	changed |= file_has_changed("/etc/hosts", &a->names[1]);
	a->old_names |= changed;
	return a->old_names;
}

static bool connect_server(struct agent *a)
{
	struct strbuf wrong = {0};

	has_old_names(a);
	a->old_names = false;
	a->net = messenger_open(&a->o->net, a->o->host, &ended, log_line, a, &wrong);
	if (!a->net) {
		syslog(LOG_ERR, "%s", wrong.s);
		fprintf(stderr, "dtrace-fleet: %s\n", wrong.s);
	}
	strbuf_release(&wrong);
	return a->net;
}

static void disconnect(struct agent *a)
{
	messenger_close(a->net);
	a->net = NULL;
	a->registered = 0;
	a->register_at = 0;
}

/*
 * Starts a new messenger if the connection of this one is over, or if it has no connection and
 * has_old_names(). Returns false if the agent must end.
 */
static bool see_connection(struct agent *a)
{
	static const struct timespec pause = {1, 0};

	if (ended ||
	    (!messenger_is_over(a->net) && (!has_old_names(a) || messenger_connected(a->net))))
		return !ended;
	disconnect(a);
	while (!ended && !connect_server(a))
		nanosleep(&pause, NULL);
	return !ended;
}

/*
 * Reads the policy's file into @p, and reports an error. Refuses a file that other users may write
 * to, because these users could give themselves all rights of this agent.
 */
static bool read_policy(struct agent *a, struct policy *p)
{
	struct strbuf text = {0}, wrong = {0};
	const char *path = a->o->policy;
	bool ok = file_get(path, 0, POLICY_MAX + 1, &text);

	memset(p, 0, sizeof(*p));
	if (!ok)
		strbuf_adds(&wrong, strerror(errno));
	else if (file_weakness(path))
		strbuf_adds(&wrong, file_weakness(path));
	else if (text.len > POLICY_MAX || strlen(strbuf_text(&text)) != text.len)
		strbuf_adds(&wrong, "the file is too long, or is not text");
	else
		policy_parse(p, strbuf_text(&text), &wrong);
	ok = !wrong.len;
	if (!ok) {
		health_error(&a->health, wrong.s);
		fprintf(stderr, "dtrace-fleet: policy %s: %s\n", path, wrong.s);
		syslog(LOG_ERR, "policy %s: %s", path, wrong.s);
	}
	strbuf_release(&text);
	strbuf_release(&wrong);
	return ok;
}

/*
 * Reads the labels of this host, and reports an error. Refuses a file that other users may write
 * to, because a policy may give keys rights on hosts with certain labels. Returns false after an
 * error.
 */
static bool read_labels(const struct agent *a, struct strbuf *labels)
{
	struct strbuf text = {0}, wrong = {0};
	bool ok;

	if (file_weakness(a->o->labels))
		strbuf_adds(&wrong, file_weakness(a->o->labels));
	else if (file_get(a->o->labels, 0, POLICY_MAX + 1, &text) &&
		 (text.len > POLICY_MAX || strlen(strbuf_text(&text)) != text.len))
		strbuf_adds(&wrong, "the file is too long, or is not text");
	else
		labels_add(labels, strbuf_text(&text), &wrong);
	for (size_t i = 0; i < a->o->nlabel && !wrong.len; i++)
		labels_add(labels, a->o->label[i], &wrong);
	ok = !wrong.len;
	if (!ok) {
		fprintf(stderr, "dtrace-fleet: labels: %s\n", wrong.s);
		syslog(LOG_ERR, "labels: %s", wrong.s);
	}
	strbuf_release(&text);
	strbuf_release(&wrong);
	return ok;
}

/* Reads the labels again. If they have changed, the host registers again. */
static void renew_labels(struct agent *a)
{
	struct strbuf labels = {0};

	if (!read_labels(a, &labels)) {
		strbuf_release(&labels);
		return;
	}
	if (strcmp(strbuf_text(&labels), strbuf_text(&a->labels))) {
		log_line(a, "labels: %s", strbuf_text(&labels));
		a->registered = a->register_at = 0;
	}
	strbuf_release(&a->labels);
	a->labels = labels;
}

/*
 * Reads the policy and the labels again if their files have changed or SIGHUP has come. If a
 * file has a mistake, the agent keeps the previous policy or labels. Ends runs whose keys are not
 * listed any more, or have expired.
 */
static void renew_policy(struct agent *a)
{
	uint64_t now = now_real() / 1000000000u;
	struct policy p;

	if (now == a->policy_second && !reload)
		return;
	a->policy_second = now;
	if (file_has_changed(a->o->labels, &a->labels_version) || reload)
		renew_labels(a);
	if (file_has_changed(a->o->policy, &a->policy_version) || reload) {
		reload = 0;
		if (read_policy(a, &p)) {
			policy_release(&a->policy);
			a->policy = p;
			bound_groups(a);
			log_line(a, "policy %s was read", a->o->policy);
		} else {
			policy_release(&p);
		}
	}
	for (size_t i = 0; i < a->v.n; i++) {
		struct run *r = a->v.v[i];

		if (r->dir && r->phase == PHASE_TRACING && !policy_signer(&a->policy, r->key, now))
			run_stop(r, END_POLICY, "policy: the key that signed the run is revoked");
	}
}

/* Returns whether all runs have ended, and their reports were sent. */
static bool is_at_rest(const struct agent *a)
{
	for (size_t i = 0; i < a->v.n; i++)
		if (a->v.v[i]->phase < PHASE_ENDED || a->v.v[i]->fresh)
			return false;
	return true;
}

static void loop(struct agent *a)
{
	while (see_connection(a)) {
		renew_policy(a);
		messenger_receive(a->net, is_at_rest(a) ? REST_MS : RECEIVE_MS, on_request, a);
		serve(a);
		forget(a);
	}
}

static bool read_key(struct agent *a)
{
	char path[PATH_MAX];
	struct strbuf wrong = {0};
	bool ok = answer_key(a->seed, a->o->key ? a->o->key : path_in(path, a->o->dir, "hostkey"),
			     &wrong);

	if (!ok)
		fprintf(stderr, "dtrace-fleet: %s\n", wrong.s);
	strbuf_release(&wrong);
	return ok;
}

/* Prepares the folder, and makes sure that only one agent uses it. */
static bool prepare(struct agent *a)
{
	snprintf(a->runs, sizeof(a->runs), "%s/runs", a->o->dir);
	path_in(a->lease, a->o->dir, "lease");
	if ((mkdir(a->o->dir, 0700) && errno != EEXIST) ||
	    (mkdir(a->runs, 0700) && errno != EEXIST)) {
		fprintf(stderr, "dtrace-fleet: failed to create %s: %s\n", a->runs,
			strerror(errno));
		return false;
	}
	/*
	 * In a folder that another user made, that user could have chosen the secret key and the
	 * requests.
	 */
	if (file_weakness(a->o->dir)) {
		fprintf(stderr, "dtrace-fleet: %s: %s\n", a->o->dir, file_weakness(a->o->dir));
		return false;
	}
	if (folder_lock(a->o->dir) < 0) {
		fprintf(stderr, "dtrace-fleet: another agent uses %s\n", a->o->dir);
		return false;
	}
	file_has_changed(a->o->policy, &a->policy_version);
	file_has_changed(a->o->labels, &a->labels_version);
	return read_key(a) && read_policy(a, &a->policy) && read_labels(a, &a->labels);
}

int agent_main(const struct agent_opts *o)
{
	struct agent a = {.o = o, .health.began = now_real() / 1000000000u};
	bool ok;

	program_note(&a.program, o->dtrace);
	openlog("dtrace-fleet", LOG_PID, LOG_DAEMON);
	signal(SIGTERM, on_end);
	signal(SIGINT, on_end);
	signal(SIGHUP, on_reload);
	signal(SIGPIPE, SIG_IGN);
	if (!prepare(&a))
		return 1;
	a.journal = new_journal(&a);
	find_groups(&a); /* before the connection has threads */
	ok = connect_server(&a);
	if (ok) {
		load(&a);
		bound_groups(&a);
		a.always = new_always(&a);
		log_line(&a, "agent %s, %zu runs", o->host, a.v.n);
		if (!messenger_connected(a.net))
			fprintf(stderr, "dtrace-fleet: %s does not answer yet; waiting for it\n",
				o->net.url);
		loop(&a);
	}
	disconnect(&a);
	for (size_t i = 0; i < a.v.n; i++)
		run_free(a.v.v[i]);
	always_free(a.always);
	groups_free(a.groups);
	journal_free(a.journal);
	vec_free(&a.v);
	vec_free(&a.stopped);
	policy_release(&a.policy);
	strbuf_release(&a.labels);
	return !ok;
}
