/* request.c - reads and writes requests, and applies a policy to them. */
#include "fleet/request.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "fleet/labels.h"
#include "fleet/host/policy.h"
#include "fleet/sign.h"

enum {
	CLOCKS_S = 2,        /* allowed difference between clocks, in seconds */
	RATE_MAX_MS = 60000, /* longest time between snapshots; policies limit the shortest time */
};

void request_write(struct strbuf *out, const struct request *r)
{
	message_begin(out);
	message_head(out, "ask", r->stop ? "stop" : "run");
	message_head(out, "id", r->id);
	message_head(out, "fleet", r->fleet);
	message_head(out, "hosts", r->hosts);
	if (r->census)
		message_head(out, "census", r->census);
	if (r->replay)
		message_head(out, "replay", r->replay);
	message_head_number(out, "until", r->until);
	message_head_number(out, "seconds", r->seconds);
	message_head_number(out, "rate", r->rate);
	message_body(out, r->program, strlen(r->program));
}

const char *request_read(struct request *r, struct message *m)
{
	const char *ask = message_get(m, "ask");

	*r = (struct request){.id = message_get(m, "id"),
			      .fleet = message_get(m, "fleet"),
			      .hosts = message_get(m, "hosts"),
			      .replay = message_get(m, "replay"),
			      .census = message_get(m, "census")};
	if (!ask || (strcmp(ask, "run") && strcmp(ask, "stop")))
		return "it is neither run nor stop";
	r->stop = !strcmp(ask, "stop");
	if (!is_run_id(r->id) || !r->hosts || !r->fleet)
		return "its id, fleet or hosts are missing";
	if (r->census && (r->stop || !is_run_id(r->census)))
		return "its census has no seed";
	if (!message_number(m, "until", &r->until) || !message_number(m, "seconds", &r->seconds) ||
	    !message_number(m, "rate", &r->rate) || !r->rate || !r->seconds)
		return "its duration or rate is missing";
	if (m->len > PROGRAM_MAX || memchr(m->body, 0, m->len))
		return "its program is too long, or not text";
	r->program = arena_strndup(&m->mem, m->body, m->len);
	return NULL;
}

bool request_signed(struct request *r, struct message *m, const void *data, size_t size)
{
	*m = (struct message){0};
	return size > SIGNED_HEAD &&
	       message_parse(m, (const char *)data + SIGNED_HEAD, size - SIGNED_HEAD) &&
	       !request_read(r, m);
}

bool request_is_of(const struct request *r, const char *subject)
{
	const char *kind = r->stop ? "fleet.stop." : "fleet.run.", *end = r->stop ? "." : "";
	struct strbuf b = {0};
	bool same;

	strbuf_addf(&b, "%s%s%s", kind, r->id, end);
	same = r->stop ? !strncmp(subject, b.s, b.len) : !strcmp(subject, b.s);
	strbuf_release(&b);
	return same;
}

/* Returns whether the keys of this owner may be used at this host. */
static bool is_host_allowed(const struct policy_limit *l, const char *host, const char *labels)
{
	for (size_t i = 0; i < l->hosts.n; i++)
		if (target_match(l->hosts.v[i], host, labels))
			return true;
	return !l->hosts.n;
}

bool request_is_for_host(const struct policy *p, const char *signer, const char *host,
			 const char *labels)
{
	struct policy_limit l = policy_limit(p, signer);

	return is_host_allowed(&l, host, labels);
}

/*
 * Checks the duration and the end of the run, because a request may have a short duration and a
 * late end. Checks the end by the clock of this host, which may differ by CLOCKS_S from the
 * viewer's.
 */
bool request_allowed(const struct request *r, const struct policy *p, const char *signer,
		     const char *host, const char *labels, uint64_t now, struct strbuf *why)
{
	struct policy_limit l = policy_limit(p, signer);

	if (strcmp(r->fleet, p->fleet))
		strbuf_addf(why,
			    "policy: this host belongs to fleet %s, but the request is for fleet "
			    "%s",
			    p->fleet, r->fleet);
	else if (!is_host_allowed(&l, host, labels))
		strbuf_addf(why, "policy: the keys of %s are not for this host", signer);
	else if (r->seconds > l.seconds)
		strbuf_addf(why, "policy: a run may last %" PRIu64 " seconds, not %" PRIu64,
			    l.seconds, r->seconds);
	else if (r->until > now + l.seconds + CLOCKS_S)
		strbuf_addf(why,
			    "policy: a run may last %" PRIu64
			    " seconds, but by this host's clock it would end in %" PRIu64,
			    l.seconds, r->until - now);
	else if (r->rate < l.rate)
		strbuf_addf(why,
			    "policy: the interval between snapshots is at least %" PRIu64
			    " ms, not %" PRIu64,
			    l.rate, r->rate);
	else if (r->rate > RATE_MAX_MS)
		strbuf_addf(why, "the interval between snapshots is at most %d ms, not %" PRIu64,
			    RATE_MAX_MS, r->rate);
	else if (r->replay && !policy_replay(p, r->replay))
		strbuf_addf(why, "policy: the capture %s may not be replayed", r->replay);
	else
		return true;
	return false;
}

/* Stores the path of the file that is open as @fd, without links. Returns false on failure. */
static bool path_of(int fd, char link[32], char real[PATH_MAX])
{
	ssize_t n;

	snprintf(link, 32, "/proc/self/fd/%d", fd);
	n = readlink(link, real, PATH_MAX - 1);
	if (n < 0)
		return false;
	real[n] = '\0';
	return true;
}

/*
 * Opens the file of the O_PATH descriptor @at for reading, if it is allowed. Opening with O_PATH
 * first is safe: it does not wait for the other end of a FIFO or for the holder of a lease, and
 * does not affect a device.
 */
static int open_checked(const struct policy *p, int at, const char *path, struct strbuf *why)
{
	char link[32], real[PATH_MAX];
	const char *reason;
	int fd = -1;

	if (!path_of(at, link, real))
		strbuf_addf(why, "failed to open %s: %s", path, strerror(errno));
	else if (!policy_replay(p, real))
		strbuf_addf(why, "policy: the capture %s leads to a file that may not be replayed",
			    path);
	else if ((fd = file_open_foreign(AT_FDCWD, link, UINT64_MAX, &reason)) < 0)
		strbuf_addf(why, "failed to open %s: %s", path, reason);
	return fd;
}

int capture_open_allowed(const struct policy *p, const char *path, struct strbuf *why)
{
	int at, fd;

	if (!policy_replay(p, path)) {
		strbuf_addf(why, "policy: the capture %s may not be replayed", path);
		return -1;
	}
	at = open(path, O_PATH | O_CLOEXEC);
	if (at < 0) {
		strbuf_addf(why, "failed to open %s: %s", path, strerror(errno));
		return -1;
	}
	fd = open_checked(p, at, path, why);
	close(at);
	return fd;
}
