/* look.c - reads intervals from the server, adds them up, and lets dtrace show the sum. */
#include "fleet/viewer/look.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/sum.h"
#include "fleet/files.h"
#include "fleet/viewer/follow.h"
#include "fleet/history.h"
#include "fleet/inventory.h"
#include "fleet/labels.h"
#include "fleet/message.h"
#include "fleet/viewer/rights.h"
#include "fleet/viewer/view.h"

enum { RECEIVE_MS = 200, STALLED_S = 10, FOLLOW_MS = 1000 };

struct look {
	const struct view_opts *o;
	struct net *net;
	struct inventory inventory;
	struct history history;
	char dir[PATH_MAX];
	/* number of the last file for dtrace, and when it was written, ns since boot */
	uint64_t sequence, written;
	bool fresh; /* an interval was added since the file was written */
	bool failed;
	uint64_t rejected; /* number of messages without a valid signature of their host */
};

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig)
{
	(void)sig;
	interrupted = 1;
}

/* --------------------------------------------------------------------------- reading */

/*
 * Reads the inventory. Adds an empty history for each expected host that the target selects, so
 * that the output also names hosts without results. Returns false if the inventory cannot be read.
 */
static bool expect_hosts(struct look *l)
{
	if (!view_inventory(l->net, &l->inventory))
		return false;
	for (size_t i = 0; i < l->inventory.v.n; i++) {
		const struct member *m = &l->inventory.v.v[i];

		if (target_match(l->o->ask.hosts, m->host, m->labels) &&
		    inventory_expects(&l->inventory, m))
			history_of(&l->history, m->host, m->id)->relay = m->relay || m->named_relay;
	}
	return true;
}

/* Returns whether the target selects the host. Takes the host's labels from the inventory. */
static bool is_wanted(const struct look *l, const char *host, const char *id)
{
	const struct member *m = inventory_find(&l->inventory, host, id);

	return target_match(l->o->ask.hosts, host, m ? m->labels : NULL);
}

static void on_interval(void *ctx, const struct net_message *from)
{
	struct look *l = ctx;
	struct message m;
	struct interval i;
	const void *p;
	size_t n;
	enum answer a = answer_open(&l->inventory.known, from->subject, 2, from->data, from->size,
				    &p, &n);

	if (a == ANSWER_UNSIGNED || a == ANSWER_FOREIGN) {
		if (!l->rejected++) {
			char *subject = visible_copy(from->subject);

			fprintf(stderr, "dtrace-fleet: %s: left out: %s\n", subject,
				answer_text(a));
			xfree(subject);
		}
		l->failed = true;
	}
	if (a != ANSWER_GOOD)
		return;
	if (message_parse(&m, p, n) && interval_read(&i, &m, from->subject) &&
	    is_wanted(l, i.host, i.id))
		l->fresh |= history_add(&l->history, &i, m.body, m.len);
	message_release(&m);
}

/* Reads all intervals that the server has. Returns false if some were not read. */
static bool read_all(struct look *l, struct net_reader *r)
{
	uint64_t heard = now_boot();

	while (!interrupted && now_boot() - heard < STALLED_S * 1000000000ull) {
		if (net_reader_receive(r, RECEIVE_MS, on_interval, l))
			heard = now_boot();
		else if (net_reader_is_done(r))
			return true;
	}
	return false;
}

/* --------------------------------------------------------------------------- showing */

/* Writes a sum to the file that dtrace reads. */
static bool write_sum(struct look *l, const struct aggsum *sum)
{
	struct aggfile_id id = *aggsum_id(sum);
	struct strbuf b = {0};
	bool ok;

	id.host = l->o->ask.id;
	id.run = id.epoch = 1;
	id.sequence = ++l->sequence;
	aggsum_write(sum, &id, &b);
	rights_put(false, l->o->ask.id, b.s, b.len);
	ok = rights_flush();
	l->failed |= !ok;
	strbuf_release(&b);
	return ok;
}

static void print_time(uint64_t ns, const char *after)
{
	time_t t = (time_t)(ns / 1000000000u);
	struct tm tm;
	char text[64];

	strftime(text, sizeof(text), "%F %T", localtime_r(&t, &tm));
	printf("%s%s", text, after);
}

/* Lets dtrace show each sum: one for each step of the time, or one in all. */
static void show_sums(struct look *l)
{
	const struct history *h = &l->history;

	for (size_t i = 0; i < h->sum.n && !interrupted; i++) {
		if (!h->sum.v[i] || !aggsum_id(h->sum.v[i]))
			continue;
		if (h->step) {
			uint64_t from = h->from + i * h->step, to = from + h->step;

			print_time(from, " to ");
			print_time(to < h->to ? to : h->to, "\n");
		}
		if (write_sum(l, h->sum.v[i]))
			l->failed |= !rights_merge();
	}
}

/*
 * Adds intervals as they come and lets the follower show the sum, until the user ends the command.
 */
static void follow(struct look *l, struct net_reader *r)
{
	uint64_t rate = l->o->interval_ms ? l->o->interval_ms : FOLLOW_MS;

	if (!rights_follow(rate)) {
		l->failed = true;
		return;
	}
	while (!interrupted && !rights_follow_is_over()) {
		net_reader_receive(r, RECEIVE_MS, on_interval, l);
		if (!l->fresh || now_boot() - l->written < rate * 1000000)
			continue;
		l->fresh = false;
		l->written = now_boot();
		if (l->history.sum.n && aggsum_id(l->history.sum.v[0]))
			write_sum(l, l->history.sum.v[0]);
	}
	l->failed |= !rights_follow_end();
}

/* Prints the gaps in the hosts' histories. Returns whether nothing is missing. */
static bool report(const struct look *l, bool all_read)
{
	struct strbuf b = {0};
	size_t n = history_missing(&l->history, now_real(), &b), all = l->history.v.n;
	char *rest = NULL;

	for (char *line = b.s ? strtok_r(b.s, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest))
		fprintf(stderr, "dtrace-fleet: %s\n", line);
	if (!all_read)
		fprintf(stderr, "dtrace-fleet: partial: the server did not send everything\n");
	fprintf(stderr, "dtrace-fleet: %zu host%s: %zu complete\n", all, all == 1 ? "" : "s", n);
	strbuf_release(&b);
	return all_read && all && n == all;
}

static bool is_followed(const struct view_opts *o)
{
	for (size_t i = 0; i < o->nxopt; i++)
		if (follow_asked(o->xopt[i]))
			return true;
	return false;
}

static bool look(struct look *l)
{
	struct strbuf subject = {0};
	struct net_reader *r;
	bool live = is_followed(l->o), all;

	if (!expect_hosts(l))
		return false;
	if (live)
		l->history.to = UINT64_MAX;
	else
		l->history.step = l->o->interval_ms * 1000000;
	strbuf_addf(&subject, "fleet.history.%s.*.*", l->o->ask.id);
	r = net_reader_since(l->net, STREAM_HISTORY, subject.s, l->history.from);
	if (live)
		follow(l, r);
	all = live || read_all(l, r);
	if (!live)
		show_sums(l);
	net_reader_free(r);
	strbuf_release(&subject);
	return report(l, all) && !l->failed;
}

int look_main(const struct view_opts *o, uint64_t from, uint64_t to)
{
	struct look l = {.o = o, .history = {.from = from, .to = to}};
	bool ok;

	signal(SIGINT, on_interrupt);
	signal(SIGTERM, on_interrupt);
	if (view_folder(l.dir) && view_known(&l.inventory, o->ask.fleet) && view_rights(o, l.dir))
		l.net = view_connect(&o->net, false);
	ok = l.net && look(&l);
	net_close(l.net);
	ok &= view_keep_keys(&l.inventory);
	inventory_release(&l.inventory);
	history_release(&l.history);
	rights_stop();
	if (*l.dir)
		/*
		 * needed only if rights_start() failed: otherwise rights_stop() has removed the
		 * folder
		 */
		rmdir(l.dir);
	return !ok;
}
