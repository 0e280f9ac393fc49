/*
 * simulate.c - simulates many agents, which send snapshots to a real server as fast as possible.
 *
 *	fleet-simulate SERVER ID AGENTS ROUNDS SNAPSHOT [FIRST [SECONDS]]
 *
 * SNAPSHOT is a file that dtrace -x aggout has written. In each round, each agent sends a copy of
 * this file under its own name. FIRST is the number of the first agent, 0 by default. SECONDS is
 * the time after which the run ends. If ROUNDS is 0, the agents only enter themselves into the
 * inventory. If AGENTS is 0, only the request for the run is sent. bench/fleet and
 * bench/fleet-relays use this program.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "consumer/aggs/file.h"
#include "fleet/files.h"
#include "fleet/inventory.h"
#include "fleet/message.h"
#include "fleet/nats/net.h"
#include "fleet/viewer/newest.h"
#include "fleet/request.h"
#include "fleet/sign.h"
#include "fleet/status/health.h"

enum { HOST_AT = 16, AHEAD = 2000, DRAIN_MS = 60000 };

/*
 * Appends a copy of snapshot @from with the name @host in its header, and a new checksum, to @out.
 */
static void rename_host(struct strbuf *out, const struct strbuf *from, const char *host)
{
	uint32_t n = (uint32_t)strlen(host), old;
	uint64_t sum;
	size_t start = out->len;

	memcpy(&old, from->s + HOST_AT, sizeof(old));
	strbuf_add(out, from->s, HOST_AT);
	strbuf_add(out, &n, sizeof(n));
	strbuf_add(out, host, n);
	strbuf_add(out, from->s + HOST_AT + sizeof(old) + old,
		   from->len - HOST_AT - sizeof(old) - old - sizeof(sum));
	sum = aggfile_checksum(out->s + start, out->len - start);
	strbuf_add(out, &sum, sizeof(sum));
}

static const uint8_t hosts_seed[SEED_SIZE] = {1}; /* one key for all hosts */

static void name_agent(int agent, char host[32], char digits[32])
{
	snprintf(host, 32, "h%05d", agent);
	snprintf(digits, 32, "%d", agent);
}

static size_t put_state(struct net *n, const char *id, int agent, int round, int rounds,
			const struct strbuf *snapshot)
{
	struct strbuf subject = {0}, b = {0}, own = {0}, sealed = {0};
	char host[32], digits[32];
	struct report_key key = {host, digits, 1};
	size_t size;

	name_agent(agent, host, digits);
	strbuf_addf(&subject, "fleet.state.%s", id);
	subject_key(&subject, &key);
	rename_host(&own, snapshot, host);
	message_begin(&b);
	message_head(&b, "run", id);
	message_head(&b, "host", host);
	message_head(&b, "id", digits);
	message_head_number(&b, "epoch", 1);
	message_head_number(&b, "sequence", (uint64_t)round + 1);
	message_head(&b, "phase", round + 1 == rounds ? "ended" : "tracing");
	message_head(&b, "end", round + 1 == rounds ? "done" : "none");
	message_head_number(&b, "matched", 1);
	message_head_number(&b, "out", 0);
	message_head_number(&b, "unsent", 0);
	message_head_number(&b, "said", 0);
	message_body(&b, own.s, own.len);
	sign_seal(&sealed, hosts_seed, b.s, b.len);
	size = sealed.len;
	if (!net_put_async(n, subject.s, sealed.s, sealed.len))
		size = 0;
	strbuf_release(&sealed);
	strbuf_release(&subject);
	strbuf_release(&own);
	strbuf_release(&b);
	return size;
}

/*
 * Sends the request for the run, so that dtrace-fleet show finds the run. No policy lists the key
 * that signs the request. If the server has a request for this run already, it refuses the new one,
 * which counts as success.
 */
static bool put_request(struct net *n, const char *id, int seconds)
{
	struct request q = {.id = id,
			    .fleet = "default",
			    .hosts = "*",
			    .program = "",
			    .until = now_real() / 1000000000u + (uint64_t)seconds,
			    .seconds = 1,
			    .rate = 1000};
	uint8_t seed[SEED_SIZE], key[KEY_SIZE];
	struct strbuf subject = {0}, m = {0}, sealed = {0};
	bool ok, answered;

	request_write(&m, &q);
	strbuf_addf(&subject, "fleet.run.%s", id);
	ok = sign_new(seed, key) && sign_seal(&sealed, seed, m.s, m.len) &&
	     (net_try(n, subject.s, sealed.s, sealed.len, &answered) || answered);
	strbuf_release(&subject);
	strbuf_release(&sealed);
	strbuf_release(&m);
	return ok;
}

/* Creates the streams of the agents. */
static bool admit(struct net *n, int agents, int first, struct strbuf *wrong)
{
	char host[32];

	for (int i = first; i < first + agents; i++) {
		snprintf(host, sizeof(host), "h%05d", i);
		if (!net_admit(n, host, wrong))
			return false;
	}
	return true;
}

/* Enters the agents into the inventory. */
static bool enter(struct net *n, int agents, int first)
{
	const struct health none = {0};
	bool ok = true;

	for (int i = first; ok && i < first + agents; i++) {
		struct strbuf subject = {0}, b = {0}, sealed = {0};
		char host[32], digits[32];

		name_agent(i, host, digits);
		inventory_host(&subject, &b, host, digits, "1", "", &none);
		ok = sign_seal(&sealed, hosts_seed, b.s, b.len) &&
		     net_put_async(n, subject.s, sealed.s, sealed.len) &&
		     (i % AHEAD != AHEAD - 1 || net_drain(n, DRAIN_MS));
		strbuf_release(&subject);
		strbuf_release(&sealed);
		strbuf_release(&b);
	}
	return net_drain(n, DRAIN_MS) && ok;
}

static bool simulate(struct net *n, const char *id, int agents, int first, int rounds,
		     const struct strbuf *snapshot)
{
	uint64_t began = now_boot(), bytes = 0;
	double s;

	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < agents; i++) {
			size_t size = put_state(n, id, first + i, r, rounds, snapshot);

			if (!size || (i % AHEAD == AHEAD - 1 && !net_drain(n, DRAIN_MS)))
				return false;
			bytes += size;
		}
	if (!net_drain(n, DRAIN_MS))
		return false;
	s = (double)(now_boot() - began) / 1e9;
	printf("%d messages, %" PRIu64 " bytes, %.2f s: %.0f messages/s, %.1f MB/s\n",
	       agents * rounds, bytes, s, agents * rounds / s, (double)bytes / s / 1e6);
	return true;
}

static bool work(struct net *n, const char *id, int agents, int first, int rounds, int seconds,
		 const struct strbuf *snapshot)
{
	if (agents && !rounds)
		return enter(n, agents, first);
	return put_request(n, id, seconds) &&
	       (!agents || simulate(n, id, agents, first, rounds, snapshot));
}

int main(int argc, char **argv)
{
	int first = argc > 6 ? atoi(argv[6]) : 0, seconds = argc > 7 ? atoi(argv[7]) : 0;
	struct strbuf wrong = {0}, snapshot = {0};
	struct net_opts o = {.url = argc > 1 ? argv[1] : ""};
	struct net *n;
	/* with FIRST and ROUNDS, an earlier call has created the streams of the agents */
	bool later = argc > 6 && atoi(argv[4]), ok;

	if (argc < 6 || argc > 8 || !file_get(argv[5], 0, 64 << 20, &snapshot) ||
	    snapshot.len < HOST_AT + 12) {
		fputs("usage: fleet-simulate server id agents rounds snapshot [first [seconds]]\n",
		      stderr);
		return 2;
	}
	n = net_open(&o, true, &wrong);
	ok = n && net_setup(n, &wrong) && (later || admit(n, atoi(argv[3]), first, &wrong)) &&
	     work(n, argv[2], atoi(argv[3]), first, atoi(argv[4]), seconds, &snapshot);
	if (!ok)
		fprintf(stderr, "fleet-simulate: %s\n",
			wrong.s ? wrong.s : "the server did not confirm all messages");
	net_close(n);
	strbuf_release(&wrong);
	strbuf_release(&snapshot);
	return !ok;
}
