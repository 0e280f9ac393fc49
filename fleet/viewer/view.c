/* view.c - adds up the hosts' answers, and shows them by dtrace --merge. */
#include "fleet/viewer/view.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/spawn.h"
#include "base/vec.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "fleet/admins.h"
#include "fleet/files.h"
#include "fleet/viewer/census.h"
#include "fleet/viewer/follow.h"
#include "fleet/inventory.h"
#include "fleet/labels.h"
#include "fleet/confined.h"
#include "fleet/viewer/newest.h"
#include "fleet/viewer/rights.h"
#include "fleet/viewer/rollout.h"
#include "fleet/sign.h"
#include "fleet/viewer/verdict.h"

enum {
	RECEIVE_MS = 50,
	FOLLOW_MS = 1000,
	SILENT_S = 5,
	STOP_S = 5,
	READ_MS = 60000, /* time limit for reading the inventory */
	/*
	 * When the run is over, the viewer reads the remaining messages from the server: for at
	 * most LAST_S in all, and for at most STALLED_S after the last message.
	 */
	LAST_S = 300,
	STALLED_S = 10,
	AWAY_S = 5, /* used instead of STALLED_S while there is no connection to the server */
};

struct view {
	struct view_opts *o;
	struct net *net;
	struct net_reader *state, *out;
	struct strbuf of_state, of_out; /* subjects of states and output */
	struct hosts hosts;
	struct strbuf lines;
	struct inventory inventory;
	struct census census;         /* hosts that the run is for */
	struct rollout rollout;       /* parts of the run; dtrace-fleet show has none */
	size_t part;                  /* index of the current part */
	const char *id, *target;      /* ID and target of the whole run */
	struct strbuf of_id, of_part; /* ID and hosts of the current part */
	uint64_t asked;               /* when the viewer began to wait for answers, ns since boot */
	uint64_t shown;               /* time of the last output, ns since boot */
	uint64_t stopping;  /* time when the user ended the run, ns since boot; 0 if not */
	bool asked_to_stop; /* the server took the request to end the run */
	bool unread;        /* the server has messages that were not read */
	bool failed;        /* some results could not be shown */
	/*
	 * number of hosts, and number of snapshots that were left out (host_counts()), when the
	 * files were last written
	 */
	size_t nhosts, left_out;
	bool unwritten; /* the last files could not be written */
	bool terminal;
	bool over; /* no more answers are expected */
	/* the dtrace that shows the sum during the run, started by rights_follow() */
	struct follower follower;
	bool following; /* @follower is running */
	bool found;     /* another viewer began the run; o->ask has the members of its request */
	char dir[PATH_MAX];
};

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig)
{
	(void)sig;
	interrupted++;
}

/* ---------------------------------------------------------------------------- asking */

static bool read_seed(const char *path, uint8_t seed[SEED_SIZE])
{
	struct strbuf b = {0};
	bool ok = file_get(path, 0, 256, &b) && b.len;

	if (ok) {
		b.s[strcspn(b.s, "\n")] = '\0';
		ok = key_parse(b.s, seed);
	}
	strbuf_release(&b);
	return ok;
}

bool view_seed(const char *path, uint8_t *seed)
{
	const char *why = file_is_open_to(path, 077) ? "others may read this key (chmod 600)"
			  : !read_seed(path, seed)   ? "no key (dtrace-fleet keygen makes one)"
						     : NULL;

	if (why)
		fprintf(stderr, "dtrace-fleet: %s: %s\n", path, why);
	return !why;
}

/* Checks that the key can sign. The caller calls this before it sends the request. */
static bool has_key(const struct view *v)
{
	uint8_t seed[SEED_SIZE] = {0};
	bool ok = !v->o->key || view_seed(v->o->key, seed);

	memset(seed, 0, sizeof(seed));
	return ok;
}

/* Sends the request for the current part of the run, or a request to end it. */
static bool ask(struct view *v, bool stop)
{
	struct strbuf sealed = {0}, subject = {0};
	struct asking a = {.stop = stop};
	char token[TOKEN_SIZE];
	bool ok = false;

	if (v->rollout.v.n > 1) {
		const struct rollout_part *p = &v->rollout.v.v[v->part];

		a.part = v->part + 1;
		a.from = p->from;
		a.to = p->to;
	} else if (v->found) {
		a.fleet = v->o->ask.fleet;
		a.hosts = v->o->ask.hosts;
		a.until = v->o->ask.until;
		a.rate = v->o->ask.rate;
	}
	if (rights_sign(&a, &sealed, &v->o->ask.until)) {
		net_token(token);
		strbuf_addf(&subject, stop ? "fleet.stop.%s.%s" : "fleet.run.%s", v->o->ask.id,
			    token);
		ok = net_put(v->net, subject.s, sealed.s, sealed.len);
	}
	if (!ok)
		fprintf(stderr, "dtrace-fleet: the server did not accept the request\n");
	strbuf_release(&subject);
	strbuf_release(&sealed);
	return ok;
}

static void on_member(void *ctx, const struct net_message *m)
{
	struct view *v = ctx;

	inventory_receive(&v->inventory, m->subject, m->data, m->size, m->time);
}

/* Prints each line of @b, and empties @b. */
static void print_lines(struct strbuf *b)
{
	char *rest = NULL;

	for (char *l = b->s ? strtok_r(b->s, "\n", &rest) : NULL; l;
	     l = strtok_r(NULL, "\n", &rest))
		fprintf(stderr, "dtrace-fleet: %s\n", l);
	strbuf_release(b);
}

/* Returns the path of the file of known keys, or NULL. */
static const char *known_path(char path[PATH_MAX])
{
	const char *set = getenv("DTRACE_FLEET_KNOWN"), *home = getenv("HOME");

	if (set)
		return *set ? set : NULL;
	if (!home)
		return NULL;
	snprintf(path, PATH_MAX, "%s/.dtrace-fleet", home);
	mkdir(path, 0700);
	snprintf(path, PATH_MAX, "%s/.dtrace-fleet/known-hosts", home);
	return path;
}

bool view_keep_keys(struct inventory *in)
{
	char buf[PATH_MAX];
	const char *path = known_path(buf);
	bool ok = !in->doubtful;

	for (size_t i = 0; path && i < in->known.v.n; i++) {
		const struct known_key *k = &in->known.v.v[i];

		if (!k->is_new || !k->other)
			continue;
		fprintf(stderr,
			"dtrace-fleet: %s: another machine uses this known name; its key is added "
			"to %s: remove the key's line if the machine is not yours\n",
			k->who, path);
		ok = false;
	}
	if (!path || rights_known_write(&in->known))
		return ok;
	fprintf(stderr, "dtrace-fleet: failed to write %s: %s\n", path, file_error(errno));
	return false;
}

/*
 * Returns the path of the file of administrators' keys, or NULL if there is none to read. It is no
 * error if the default file does not exist: a server without certificates needs no such file.
 */
static const char *admins_path(char path[PATH_MAX])
{
	const char *set = getenv("DTRACE_FLEET_ADMINS"), *home = getenv("HOME");

	if (set)
		return *set ? set : NULL;
	if (!home)
		return NULL;
	snprintf(path, PATH_MAX, "%s/.dtrace-fleet/admins", home);
	return access(path, F_OK) && errno == ENOENT ? NULL : path;
}

static bool read_admins(struct inventory *in, const char *fleet)
{
	static struct admins admins;
	struct strbuf wrong = {0};
	char buf[PATH_MAX];
	const char *path = admins_path(buf);
	bool ok = !path || admins_read(&admins, path, fleet, &wrong);

	if (!ok)
		fprintf(stderr, "dtrace-fleet: keys of administrators: %s\n", wrong.s);
	in->admins = path ? &admins : NULL;
	strbuf_release(&wrong);
	return ok;
}

bool view_known(struct inventory *in, const char *fleet)
{
	char buf[PATH_MAX];
	const char *path = known_path(buf);

	if (!read_admins(in, fleet))
		return false;
	if (!path || known_read(&in->known, path))
		return true;
	fprintf(stderr, "dtrace-fleet: failed to read %s: %s\n", path,
		errno ? file_error(errno) : "a line is not HOST.ID and a key");
	return false;
}

bool view_rights(const struct view_opts *o, const char *dir)
{
	static struct rights_opts r;
	static char path[PATH_MAX];

	r = (struct rights_opts){.known = known_path(path), .view = o, .dir = dir};
	return rights_start(&r);
}

bool view_inventory(struct net *n, struct inventory *in)
{
	struct view v = {.inventory = *in};
	bool ok = net_read_stream(n, STREAM_HOSTS, BUCKET_HOSTS ">", 0, READ_MS, &interrupted,
				  on_member, &v) &&
		  net_read_stream(n, STREAM_STATE, BUCKET_HOSTS "host.*.*", 0, READ_MS,
				  &interrupted, on_member, &v);

	inventory_note_loose(&v.inventory);
	v.inventory.doubtful = v.inventory.forged.len;
	print_lines(&v.inventory.forged);
	*in = v.inventory;
	if (!ok)
		fprintf(stderr, "dtrace-fleet: the inventory of hosts could not be read\n");
	return ok;
}

/*
 * Makes a state for each expected host that the request selects, so that the viewer notices hosts
 * that do not answer.
 */
static void expect_hosts(struct view *v)
{
	for (size_t i = 0; i < v->inventory.v.n; i++) {
		const struct member *m = &v->inventory.v.v[i];
		struct report_key k = {m->host, m->id, 0};

		if ((inventory_is_relay(&v->inventory, m) ||
		     target_match(v->o->ask.hosts, m->host, m->labels)) &&
		    inventory_expects(&v->inventory, m))
			hosts_get(&v->hosts, &k)->seen = m->seen;
	}
}

/* ------------------------------------------------------------------------ receiving */

/*
 * Checks the signature of a host's message, and stores the message without the signature in @p and
 * @n. If the signature is wrong, notes that a message of this host did not count. Returns whether
 * the message counts.
 */
static bool open_answer(struct view *v, const struct net_message *from, const void **p, size_t *n)
{
	enum answer a = answer_open(&v->inventory.known, from->subject, 3, from->data, from->size,
				    p, n);

	if (a == ANSWER_UNSIGNED || a == ANSWER_FOREIGN)
		hosts_reject(&v->hosts, from->subject, answer_text(a));
	return a == ANSWER_GOOD;
}

/*
 * Returns whether the run is for this host. If not, notes that a message of the host did not count.
 * dtrace-fleet show compares only names, because the labels may have changed since the run.
 */
static bool is_asked(struct view *v, const struct net_message *from, const struct report_key *k)
{
	bool showing = !v->o->key, asked;

	asked = inventory_is_asked(&v->inventory, v->o->ask.hosts, k->host, k->id, !showing);
	if (!asked)
		hosts_reject(&v->hosts, from->subject, ANSWER_NOT_ASKED);
	return asked;
}

/*
 * The answer of a relay has the head "members". It counts if an administrator has named the relay,
 * whatever hosts the run is for.
 */
static void on_state(void *ctx, const struct net_message *from)
{
	struct view *v = ctx;
	struct message m;
	struct report_key k;
	struct host_state *h;
	const void *p;
	size_t n;

	if (!open_answer(v, from, &p, &n))
		return;
	if (message_parse(&m, p, n) && message_key(&m, from->subject, &k) &&
	    (message_get(&m, "members") || is_asked(v, from, &k))) {
		h = hosts_receive(&v->hosts, v->o->ask.id, &k, p, n);
		if (h)
			h->heard = now_boot();
		if (h && h->members && !inventory_names_relay(&v->inventory, h->host))
			host_reject_relay(h, relay_unnamed);
	}
	message_release(&m);
}

static void on_output(void *ctx, const struct net_message *from)
{
	struct view *v = ctx;
	struct message m;
	struct report_key k;
	uint64_t offset;
	const void *p;
	size_t n;

	if (!open_answer(v, from, &p, &n))
		return;
	if (message_parse(&m, p, n) && message_key(&m, from->subject, &k) &&
	    message_is_of(&m, v->o->ask.id) && message_number(&m, "offset", &offset) &&
	    is_asked(v, from, &k))
		hosts_lines(&v->hosts, &k, offset, m.body, m.len, &v->lines);
	message_release(&m);
}

static void start_reading(struct view *v)
{
	net_reader_free(v->state);
	net_reader_free(v->out);
	strbuf_reset(&v->of_state);
	strbuf_reset(&v->of_out);
	strbuf_addf(&v->of_state, "fleet.state.%s.*.*.*", v->o->ask.id);
	strbuf_addf(&v->of_out, "fleet.out.%s.*.*.*", v->o->ask.id);
	v->state = net_reader_new(v->net, STREAM_STATE, v->of_state.s, true);
	v->out = net_reader_new(v->net, STREAM_OUT, v->of_out.s, false);
}

/* Handles the reports and the output that have arrived. Returns the number of messages. */
static size_t receive(struct view *v)
{
	size_t n = net_reader_receive(v->state, RECEIVE_MS, on_state, v);

	return n + net_reader_receive(v->out, 1, on_output, v);
}

/* Returns whether the viewer has received all states and output of the run from the server. */
static bool is_all_read(struct view *v)
{
	return net_reader_is_done(v->state) && net_reader_is_done(v->out);
}

/* ---------------------------------------------------------------------------- showing */

static bool is_silent(const struct view *v, const struct host_state *h)
{
	if (h->phase == PHASE_ENDED || h->phase == PHASE_REFUSED)
		return false;
	return v->over || h->past || !h->sequence ||
	       now_boot() - h->heard > (SILENT_S + 3 * v->o->ask.rate / 1000) * 1000000000ull;
}

static struct verdicts judge(const struct view *v)
{
	struct verdicts c = {0};

	for (size_t i = 0; i < v->hosts.v.n; i++) {
		const struct host_state *h = v->hosts.v.v[i];

		verdicts_add(&c, h, verdict_of(h, is_silent(v, h)));
	}
	return c;
}

static struct verdicts print_counts(const struct view *v)
{
	struct verdicts c = judge(v);
	struct strbuf b = {0};

	verdicts_text(&c, &b);
	print_lines(&b);
	return c;
}

static bool same_errors(const struct host_state *a, const struct host_state *b)
{
	return a->errors.len == b->errors.len && !memcmp(a->errors.s, b->errors.s, a->errors.len);
}

/*
 * Prints the messages of host number @i, unless an earlier host has the same messages. The first
 * line has the number of other hosts with the same messages.
 */
static void print_shared_errors(const struct view *v, size_t i)
{
	const struct host_state *h = v->hosts.v.v[i];
	struct strbuf copy = {0};
	char *rest = NULL, others[32] = "";
	size_t n = 0;

	for (size_t k = 0; k < i; k++)
		if (same_errors(v->hosts.v.v[k], h))
			return;
	for (size_t k = i + 1; k < v->hosts.v.n; k++)
		n += same_errors(v->hosts.v.v[k], h);
	if (n)
		snprintf(others, sizeof(others), " and %zu more", n);
	visible_add_lines(&copy, h->errors.s, strlen(h->errors.s));
	for (char *l = strtok_r(copy.s, "\n", &rest); l; l = strtok_r(NULL, "\n", &rest))
		fprintf(stderr, "dtrace-fleet: %s%s: %s\n", h->host, others, l);
	strbuf_release(&copy);
}

/* Prints the differences between hosts, the messages of hosts, and the missing parts. */
static void print_problems(struct view *v)
{
	struct strbuf b = {0};

	hosts_matched(&v->hosts, &b);
	hosts_find_twins(&v->hosts, &b);
	print_lines(&b);
	for (size_t i = 0; i < v->hosts.v.n; i++) {
		const struct host_state *h = v->hosts.v.v[i];

		if (h->errors.len)
			print_shared_errors(v, i);
		verdict_lines(h, verdict_of(h, is_silent(v, h)), DTRACE_VERSION, &b);
		print_lines(&b);
	}
}

static void show_lines(struct view *v)
{
	if (!v->lines.len || v->follower.screen)
		return;              /* waits until the screen is free */
	if (isatty(STDOUT_FILENO)) { /* a terminal would execute control sequences */
		struct strbuf plain = {0};

		visible_add_lines(&plain, v->lines.s, v->lines.len);
		strbuf_release(&v->lines);
		v->lines = plain;
	}
	if (fwrite(v->lines.s, 1, v->lines.len, stdout) != v->lines.len || fflush(stdout)) {
		if (!v->failed)
			fprintf(stderr, "dtrace-fleet: failed to write output: %s\n",
				strerror(errno));
		v->failed = true;
	}
	strbuf_reset(&v->lines);
}

/* ---------------------------------------------------------------------------- adding up */

typedef VEC(const char *) words;

static bool run_dtrace(const char *const *argv, int out)
{
	int err, status = 0;
	pid_t pid;

	fflush(stdout);
	err = spawn_command(&pid, argv[0], argv, -1, out, 0);
	if (err)
		fprintf(stderr, "dtrace-fleet: failed to run %s: %s\n", argv[0], strerror(err));
	return !err && waitpid(pid, &status, 0) == pid && !status;
}

/*
 * Appends the name of the file of host number @i: the name of the host. If host number @i - 1 has
 * the same name, also appends the ID and the epoch.
 */
static void add_file(const struct view *v, size_t i, struct strbuf *name)
{
	const struct host_state *h = v->hosts.v.v[i];
	bool second = i && !strcmp(v->hosts.v.v[i - 1]->host, h->host);

	strbuf_adds(name, h->host);
	if (second)
		strbuf_addf(name, "@%s.%" PRIu64, h->id, h->epoch);
}

/*
 * Writes the snapshot of each host that counts to a file, in the private folder or, if @keep is
 * set, in the folder of --keep. Returns the number of files.
 */
static size_t write_files(struct view *v, bool keep)
{
	size_t n = 0;

	for (size_t i = 0; i < v->hosts.v.n; i++) {
		const struct host_state *h = v->hosts.v.v[i];
		struct strbuf name = {0};

		if (!host_counts(h))
			continue;
		n++;
		add_file(v, i, &name);
		rights_put(keep, name.s, h->snapshot.s, h->snapshot.len);
		strbuf_release(&name);
	}
	return n;
}

/*
 * Updates the private folder, so that it has the newest file of each host that counts, and nothing
 * else. Also updates the folder of --keep. Returns the number of files.
 */
static size_t renew_files(struct view *v)
{
	size_t out = 0, n;

	hosts_find_odd(&v->hosts);
	for (size_t i = 0; i < v->hosts.v.n; i++)
		out += v->hosts.v.v[i]->snapshot.len && !host_counts(v->hosts.v.v[i]);
	if (out != v->left_out || v->hosts.v.n != v->nhosts)
		rights_clear(); /* the names of files may have changed (add_file()) */
	v->nhosts = v->hosts.v.n;
	v->left_out = out;
	if (v->o->keep)
		write_files(v, true);
	n = write_files(v, false);
	v->unwritten = !rights_flush();
	return n;
}

/*
 * Returns the beginning of a dtrace command line: the command and the options for the output. If
 * @once is set, omits the options for output during the run (follow_asked()).
 */
static words showing(const struct view_opts *o, bool once)
{
	words argv = {0};

	vec_push(&argv, o->dtrace);
	vec_push(&argv, "-q");
	for (size_t i = 0; i < o->nxopt; i++) {
		if (once && follow_asked(o->xopt[i]))
			continue;
		vec_push(&argv, "-x");
		vec_push(&argv, o->xopt[i]);
	}
	return argv;
}

/*
 * Lets dtrace check the options for the output. The caller calls this before it sends the request.
 * Otherwise dtrace would report a wrong option only after the run.
 */
static bool are_options(const struct view_opts *o)
{
	words argv = showing(o, false);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	bool ok;

	vec_push(&argv, "-V");
	vec_push(&argv, NULL);
	ok = !o->nxopt || run_dtrace(argv.v, null);
	close(null);
	vec_free(&argv);
	return ok;
}

bool view_merge(const struct view_opts *o, const char *folder)
{
	words argv = showing(o, true);
	bool ok;

	vec_push(&argv, "--merge");
	vec_push(&argv, folder);
	vec_push(&argv, NULL);
	ok = run_dtrace(argv.v, -1);
	vec_free(&argv);
	return ok;
}

static void show_merged(struct view *v)
{
	if (renew_files(v))
		v->failed |= !rights_merge();
}

static uint64_t interval(const struct view *v)
{
	return v->o->interval_ms ? v->o->interval_ms : FOLLOW_MS;
}

static void show_now(struct view *v)
{
	if ((!v->o->interval_ms && !v->follower.asked) ||
	    now_boot() - v->shown < interval(v) * 1000000)
		return;
	v->shown = now_boot();
	if (v->follower.asked) {
		renew_files(v);
		return;
	}
	if (v->terminal)
		printf("\033[H\033[J");
	fflush(stdout);
	print_counts(v);
	show_merged(v);
}

/* ----------------------------------------------------------------------- main loop */

/*
 * Returns whether all hosts that have answered have also ended and sent their output. At least one
 * host must have answered; during the grace period, all expected hosts must have answered. Ignores
 * hosts whose answers do not count, because they cannot count later.
 */
static bool have_ended(const struct view *v)
{
	bool late = now_boot() - v->asked > v->o->grace_s * 1000000000ull;
	size_t n = 0;

	for (size_t i = 0; i < v->hosts.v.n; i++) {
		const struct host_state *h = v->hosts.v.v[i];

		if (h->past || (h->rejected && !h->sequence))
			continue;
		if (h->sequence ? h->phase < PHASE_ENDED || h->unsent : !late)
			return false;
		n += h->sequence > 0;
	}
	return n;
}

static bool is_output_shown(const struct view *v)
{
	for (size_t i = 0; i < v->hosts.v.n; i++) {
		const struct host_state *h = v->hosts.v.v[i];

		if (!h->past && h->phase == PHASE_ENDED && h->shown < h->out)
			return false;
	}
	return true;
}

/*
 * Returns whether all hosts have ended, and the viewer has read everything from the server. Does
 * not wait for output that a host has sent and the server lacks, because such output is lost.
 */
static bool all_ended(struct view *v)
{
	return have_ended(v) && (is_output_shown(v) || is_all_read(v));
}

/*
 * Returns whether the viewer must end without waiting for the hosts: the user has pressed Ctrl-C a
 * second time, or no request to end was sent.
 */
static bool is_urgent(const struct view *v)
{
	return interrupted > 1 || (v->stopping && !v->asked_to_stop);
}

static bool is_over(struct view *v)
{
	uint64_t now = now_boot();

	if (v->following && rights_follow_is_over()) {
		/* the user has ended the screen, which has the same effect as Ctrl-C */
		v->following = false;
		interrupted += !interrupted;
	}
	if (interrupted && !v->stopping) {
		v->stopping = now;
		v->asked_to_stop = v->o->key && ask(v, true);
	}
	if (is_urgent(v) || (v->stopping && now - v->stopping > STOP_S * 1000000000ull))
		return true;
	if (!v->stopping && now_real() / 1000000000u >= v->o->ask.until + v->o->grace_s)
		return true;
	return all_ended(v);
}

bool view_folder(char dir[PATH_MAX])
{
	const char *tmp = getenv("TMPDIR");
	bool ok;

	snprintf(dir, PATH_MAX, "%s/dtrace-fleet.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	ok = mkdtemp(dir);
	if (!ok)
		fprintf(stderr, "dtrace-fleet: failed to create %s: %s\n", dir, strerror(errno));
	return ok;
}

/*
 * Creates the private folder and the folder of --keep. Returns false, after a message, on failure.
 */
static bool make_folders(struct view *v)
{
	const char *keep = v->o->keep;
	bool ok = view_folder(v->dir);

	if (ok && keep && mkdir(keep, 0777) && errno != EEXIST) {
		fprintf(stderr, "dtrace-fleet: failed to create %s: %s\n", keep, strerror(errno));
		ok = false;
	}
	return ok;
}

/*
 * Takes the request of the run, for dtrace-fleet show. The signature must be valid, but the key may
 * be any key.
 */
static void on_request(void *ctx, const struct net_message *from)
{
	struct view *v = ctx;
	uint8_t key[KEY_SIZE];
	struct message m = {0};
	struct request q;
	const void *p;
	size_t size;

	if (sign_open(from->data, from->size, &p, &size, key) && message_parse(&m, p, size) &&
	    !request_read(&q, &m) && !strcmp(q.id, v->o->ask.id) && !q.stop && !q.census) {
		v->o->ask.until = q.until;
		v->o->ask.rate = q.rate;
		v->o->ask.hosts = xstrdup(q.hosts);
		v->o->ask.fleet = xstrdup(q.fleet);
		v->found = true;
	}
	message_release(&m);
}

static bool find_request(struct view *v)
{
	struct strbuf subject = {0};

	strbuf_addf(&subject, "fleet.run.%s", v->o->ask.id);
	net_read_stream(v->net, STREAM_RUNS, subject.s, 0, READ_MS, &interrupted, on_request, v);
	strbuf_release(&subject);
	if (!v->o->ask.until)
		fprintf(stderr, "dtrace-fleet: there is no run %s\n", v->o->ask.id);
	return v->o->ask.until;
}

struct net *view_connect(const struct net_opts *o, bool streams)
{
	struct strbuf wrong = {0};
	struct net_files files;
	struct net_opts opts = *o;
	struct net *n = NULL;

	opts.files = &files;
	if (net_files_read(&files, o, &wrong) && confine_client(CONFINED_FREE, &wrong))
		n = net_open(&opts, true, &wrong);
	net_files_release(&files);
	if (n && streams && !net_setup(n, &wrong)) {
		net_close(n);
		n = NULL;
	}
	if (!n)
		fprintf(stderr, "dtrace-fleet: %s\n", wrong.s);
	strbuf_release(&wrong);
	return n;
}

static void on_census(void *ctx, const struct net_message *m)
{
	struct view *v = ctx;

	census_receive(&v->census, &v->inventory, v->of_id.s, m);
}

/* Sends the request that asks the relays for their hosts. It has the ID of part number 0. */
static bool ask_relays(struct view *v)
{
	struct asking a = {.census = true};
	struct strbuf sealed = {0}, subject = {0};
	uint64_t until;
	bool ok;

	strbuf_addf(&v->of_id, "%s-0", v->id);
	strbuf_addf(&subject, "fleet.run.%s", v->of_id.s);
	ok = rights_sign(&a, &sealed, &until) && net_put(v->net, subject.s, sealed.s, sealed.len);
	if (!ok)
		fprintf(stderr, "dtrace-fleet: the server did not accept the request\n");
	strbuf_release(&subject);
	strbuf_release(&sealed);
	return ok;
}

/* Waits for the answers of all relays. If some are missing, prints why. */
static bool hear_relays(struct view *v)
{
	uint64_t end = now_boot() + CENSUS_S * 1000000000ull;
	struct net_reader *r;
	struct strbuf b = {0};

	strbuf_addf(&b, "fleet.state.%s.*.*.*", v->of_id.s);
	r = net_reader_new(v->net, STREAM_STATE, b.s, true);
	while (!census_is_complete(&v->census) && !interrupted && now_boot() < end)
		net_reader_receive(r, RECEIVE_MS, on_census, v);
	net_reader_free(r);
	strbuf_reset(&b);
	census_lacks(&v->census, &b);
	print_lines(&b);
	if (census_is_complete(&v->census))
		return true;
	fprintf(stderr, "dtrace-fleet: nobody was asked: --canary, --batch and --max-hosts need to "
			"know all hosts\n");
	return false;
}

/*
 * Finds the hosts that the run is for. If an option needs their number, also asks the relays.
 * Returns false, after a message, if a relay has not answered completely.
 */
static bool count_hosts(struct view *v)
{
	bool counts = v->o->canary || v->o->batch || v->o->max_hosts;

	census_begin(&v->census, &v->inventory, v->target, v->id);
	return !counts || !v->census.relays.n || (ask_relays(v) && hear_relays(v));
}

/*
 * Returns whether the target of a part of the run would be longer than hosts accept: each part adds
 * a term to the target (target_add_share()). If so, prints an error.
 */
static bool has_long_target(const struct view *v)
{
	struct strbuf b = {0};
	bool too_long;

	strbuf_adds(&b, v->target);
	if (v->rollout.v.n > 1)
		target_add_share(&b, v->id, 0, UINT64_MAX);
	too_long = b.len > TARGET_MAX;
	if (too_long)
		fprintf(stderr,
			"dtrace-fleet: nobody was asked: with --canary or --batch, -t may have at "
			"most %zu bytes, not %zu\n",
			TARGET_MAX - (b.len - strlen(v->target)), strlen(v->target));
	strbuf_release(&b);
	return too_long;
}

/* Returns whether the run is for more hosts than --max-hosts allows. If so, prints an error. */
static bool has_too_many(const struct view *v)
{
	bool over = v->o->max_hosts && v->rollout.hosts > v->o->max_hosts;

	if (over)
		fprintf(stderr,
			"dtrace-fleet: nobody was asked: %zu hosts match %s, and --max-hosts is "
			"%zu\n",
			v->rollout.hosts, v->target, v->o->max_hosts);
	return over;
}

static void begin_reading(struct view *v)
{
	expect_hosts(v);
	start_reading(v);
	v->asked = now_boot();
}

/* Sets the ID and the target of the current part of the run. */
static void name_part(struct view *v)
{
	const struct rollout_part *p = &v->rollout.v.v[v->part];

	strbuf_reset(&v->of_id);
	strbuf_reset(&v->of_part);
	strbuf_addf(&v->of_id, "%s-%zu", v->id, v->part + 1);
	strbuf_adds(&v->of_part, v->target);
	target_add_share(&v->of_part, v->id, p->from, p->to);
	v->o->ask.id = v->of_id.s;
	v->o->ask.hosts = v->of_part.s;
}

/* Sends the request for the current part of the run. */
static bool begin_part(struct view *v)
{
	struct strbuf b = {0};

	if (v->rollout.v.n > 1) {
		name_part(v);
		strbuf_adds(&b, ": ");
		rollout_text(&v->rollout, v->part, &b);
	}
	begin_reading(v);
	if (!v->hosts.v.n)
		fprintf(stderr, "dtrace-fleet: no host matches %s; waiting for one\n",
			*v->target ? v->target : "*");
	fprintf(stderr, "dtrace-fleet: run %s%s\n", v->o->ask.id, strbuf_text(&b));
	strbuf_release(&b);
	return ask(v, false);
}

/* Reads the inventory for the hosts that are expected to answer, and sends the request. */
static bool begin(struct view *v)
{
	bool showing = !v->o->key;

	if (!has_key(v) || !make_folders(v) || !view_known(&v->inventory, v->o->ask.fleet) ||
	    !view_rights(v->o, v->dir))
		return false;
	v->net = view_connect(&v->o->net, true);
	if (!v->net || (showing && !find_request(v)))
		return false;
	if (!view_inventory(v->net, &v->inventory))
		return false;
	v->id = v->o->ask.id;
	v->target = v->o->ask.hosts;
	if (!showing) {
		if (!count_hosts(v))
			return false;
		rollout_plan(&v->rollout, &v->census, v->o->canary, v->o->batch);
		return !has_too_many(v) && !has_long_target(v) && begin_part(v);
	}
	begin_reading(v);
	return true;
}

static void release(struct view *v)
{
	net_reader_free(v->state);
	net_reader_free(v->out);
	net_close(v->net);
	inventory_release(&v->inventory);
	census_release(&v->census);
	rollout_release(&v->rollout);
	strbuf_release(&v->of_id);
	strbuf_release(&v->of_part);
	hosts_release(&v->hosts);
	strbuf_release(&v->of_state);
	strbuf_release(&v->of_out);
	strbuf_release(&v->lines);
	rights_stop();
	if (*v->dir)
		/*
		 * needed only if rights_start() failed: otherwise the other process removes the
		 * folder
		 */
		rmdir(v->dir);
}

/* Ends the follower, and shows the last output and the final sum. */
static void show_last(struct view *v)
{
	bool picture = v->following && v->follower.picture;

	if (v->following) {
		renew_files(v);
		v->failed |= !rights_follow_end();
	}
	v->following = false;
	v->follower.screen = false;
	hosts_last_lines(&v->hosts, &v->lines);
	show_lines(v);
	if (v->terminal && !picture)
		printf("\033[H\033[J");
	if (!picture)
		show_merged(v);
}

/*
 * Reads the messages of the server that the viewer has not read yet. Returns true when everything
 * was read. Returns false after a time limit, or when the user presses Ctrl-C again.
 */
static bool read_rest(struct view *v)
{
	uint64_t began = now_boot(), heard = began;
	int pressed = interrupted;

	while (!is_urgent(v) && interrupted == pressed) {
		uint64_t now = now_boot();

		if (receive(v))
			heard = now;
		else if (is_all_read(v))
			return true;
		else if (now - heard > (net_connected(v->net) ? STALLED_S : AWAY_S) * 1000000000ull)
			return false;
		if (now - began > LAST_S * 1000000000ull)
			return false;
		show_lines(v);
	}
	return false;
}

/*
 * Returns whether the current part of the run is the canary, and at least one of its hosts is not
 * whole. If so, prints a message: the run must not begin on the other hosts.
 */
static bool canary_failed(struct view *v)
{
	struct strbuf twins = {0}; /* unused here: finish() prints the lines about twins */
	struct verdicts c;

	if (!v->rollout.v.v[v->part].canary)
		return false;
	hosts_find_odd(&v->hosts);
	hosts_find_twins(&v->hosts, &twins);
	strbuf_release(&twins);
	c = judge(v);
	/* a relay may have fewer hosts now than during the census */
	if (verdicts_whole(&c) && c.n[VERDICT_WHOLE] >= v->rollout.v.v[v->part].hosts)
		return false;
	fprintf(stderr, "dtrace-fleet: the canary is not whole: %zu hosts were not asked\n",
		rollout_rest(&v->rollout, v->part));
	v->failed = true;
	return true;
}

/* Ends the current part of the run, and begins the next one. Returns false if there is none. */
static bool next_part(struct view *v)
{
	if (v->part + 1 >= v->rollout.v.n)
		return false;
	v->unread |= !read_rest(v);
	for (size_t i = 0; i < v->hosts.v.n; i++)
		v->hosts.v.v[i]->past = true;
	if (interrupted) {
		fprintf(stderr, "dtrace-fleet: interrupted: %zu hosts were not asked\n",
			rollout_rest(&v->rollout, v->part));
		v->failed = true;
		return false;
	}
	if (canary_failed(v))
		return false;
	v->hosts.part = ++v->part;
	if (begin_part(v))
		return true;
	v->failed = true;
	return false;
}

/*
 * Reads the messages that are left, and shows the final result and all problems. Returns the exit
 * status, which is 0 only if all hosts are whole and everything was shown.
 */
static int finish(struct view *v)
{
	struct verdicts c;
	struct strbuf cut = {0};

	v->unread |= !read_rest(v);
	v->over = true;
	show_last(v);
	print_problems(v);
	v->failed |= net_reader_cut(v->state, &cut);
	v->failed |= net_reader_cut(v->out, &cut);
	print_lines(&cut);
	if (v->unread)
		fprintf(stderr, "dtrace-fleet: partial: %s\n",
			interrupted ? "interrupted before everything was read"
				    : "the server did not send everything that it has");
	c = print_counts(v);
	return !verdicts_whole(&c) || v->failed || v->unwritten || v->unread;
}

/* Starts the dtrace that shows the sum during the run, if an option asks for that. */
static bool start_following(struct view *v)
{
	follow_kinds(&v->follower, v->o->xopt, v->o->nxopt);
	v->following = v->follower.asked;
	return !v->following || rights_follow(interval(v));
}

int view_main(struct view_opts *o)
{
	struct view v = {.o = o, .terminal = o->interval_ms && isatty(STDOUT_FILENO)};
	int status = 1;

	if (!are_options(o))
		return 2;
	signal(SIGINT, on_interrupt);
	signal(SIGTERM, on_interrupt);
	if (begin(&v) && start_following(&v)) {
		do {
			while (!is_over(&v)) {
				receive(&v);
				show_lines(&v);
				show_now(&v);
			}
		} while (next_part(&v));
		status = finish(&v);
	}
	if (!view_keep_keys(&v.inventory))
		status = 1;
	release(&v);
	return status;
}

int view_stop(struct view_opts *o)
{
	struct view v = {.o = o};
	int status = 1;

	if (has_key(&v) && view_rights(o, NULL))
		v.net = view_connect(&o->net, false);
	if (v.net && find_request(&v))
		status = !ask(&v, true);
	release(&v);
	return status;
}
