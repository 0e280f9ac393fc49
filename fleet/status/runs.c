/* runs.c - lists the requests that the server has. */
#include "fleet/status/runs.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/vec.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "fleet/message.h"
#include "fleet/nats/net.h"
#include "fleet/host/policy.h"
#include "fleet/request.h"
#include "fleet/sign.h"
#include "fleet/when.h"

enum { READ_MS = 60000, KEY_SHOWN = 4, PROGRAM_SHOWN = 60 };

struct listed {
	/* safe to print; @hosts and @program are NULL for a request to end a run */
	char *id, *hosts, *program;
	uint8_t key[KEY_SIZE];
	uint64_t asked; /* when the server stored the request, ns since 1970 */
	uint64_t until; /* end of the run, in seconds since 1970 */
};

struct list {
	VEC(struct listed) run, stop;
};

/*
 * Adds a request to the list. Ignores requests with an invalid signature, because no host accepts
 * them.
 */
static void on_request(void *ctx, const struct net_message *from)
{
	struct list *l = ctx;
	struct listed one = {0};
	struct message m = {0};
	struct request q;
	const void *p;
	size_t size;

	if (sign_open(from->data, from->size, &p, &size, one.key) && message_parse(&m, p, size) &&
	    !request_read(&q, &m) && !q.census) {
		one.id = xstrdup(q.id);
		one.asked = from->time;
		one.until = q.until;
		if (q.stop) {
			vec_push(&l->stop, one);
		} else {
			one.hosts = visible_copy(*q.hosts ? q.hosts : "*");
			one.program = visible_copy(q.program);
			vec_push(&l->run, one);
		}
	}
	message_release(&m);
}

static bool was_stopped(const struct list *l, const struct listed *r)
{
	for (size_t i = 0; i < l->stop.n; i++)
		if (!strcmp(l->stop.v[i].id, r->id))
			return true;
	return false;
}

static void print_run(const struct list *l, const struct listed *r)
{
	char when[WHEN_SIZE], key[2 * KEY_SHOWN + 1];

	when_text(when, r->asked);
	for (int i = 0; i < KEY_SHOWN; i++)
		snprintf(key + (size_t)2 * i, 3, "%02x", r->key[i]);
	printf("%-28s %s  %-8s %s  %-12s %.*s%s\n", r->id, when,
	       was_stopped(l, r)                     ? "stopped"
	       : r->until > now_real() / 1000000000u ? "active"
						     : "ended",
	       key, r->hosts, PROGRAM_SHOWN, r->program,
	       strlen(r->program) > PROGRAM_SHOWN ? "..." : "");
}

static int compare(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	return x->asked < y->asked ? -1 : x->asked > y->asked;
}

static void release(struct listed *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		xfree(v[i].id);
		xfree(v[i].hosts);
		xfree(v[i].program);
	}
	xfree(v);
}

bool runs_print(struct net *n)
{
	struct list l = {0};
	bool ok = net_read_stream(n, STREAM_RUNS, "fleet.stop.*.*", 0, READ_MS, NULL, on_request,
				  &l) &&
		  net_read_stream(n, STREAM_RUNS, "fleet.run.*", 0, READ_MS, NULL, on_request, &l);

	if (l.run.n)
		qsort(l.run.v, l.run.n, sizeof(*l.run.v), compare);
	for (size_t i = 0; i < l.run.n; i++)
		print_run(&l, &l.run.v[i]);
	if (!ok)
		fprintf(stderr, "dtrace-fleet: the runs could not be read\n");
	release(l.run.v, l.run.n);
	release(l.stop.v, l.stop.n);
	return ok;
}
