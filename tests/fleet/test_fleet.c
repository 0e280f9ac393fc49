/* test_fleet.c - checks the messages of a fleet and their order, policies, signatures and names. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agg/agg.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/sum.h"
#include "fleet/answer.h"
#include "fleet/files.h"
#include "fleet/history.h"
#include "fleet/identity.h"
#include "fleet/inventory.h"
#include "fleet/labels.h"
#include "fleet/message.h"
#include "fleet/viewer/newest.h"
#include "fleet/permit.h"
#include "fleet/host/policy.h"
#include "fleet/request.h"
#include "fleet/viewer/rollout.h"
#include "fleet/setup/setup.h"
#include "fleet/sign.h"
#include "fleet/status/health.h"
#include "fleet/viewer/verdict.h"
#include "fleet/when.h"
#include "tests/check.h"

/*
 * The output of "systemd-id128 machine-id -a IDENTITY_APP" on a machine with the ID
 * 0123456789abcdef0123456789abcdef.
 */
#define MACHINE_0123 "df053bba55374e72ad4e5a45876bbad5"
#define KEY_A "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

/*
 * A host can only send messages as itself. The server checks who may use a subject, and a message
 * counts only if it names the host in its subject.
 */
static void senders_are_who_they_say(void **state)
{
	static const char *const text = "DTFLEET1\nhost web1.x\nid 0a-1\nepoch 7\n\n";
	static const char *const upper = "DTFLEET1\nhost h\nid 0A\nepoch 7\n\n";
	static const char *const bad[] = {
		"fleet.state.r1.web2.0a-1.7",
		"fleet.state.r1.web1%2Ex.0a-1.8",
		"fleet.state.r1.web1%2Ex.0b-1.7",
		"fleet.state.r1.x.0a-1.7",
		"web1%2Ex.0a-1.7",
	};
	struct report_key k;
	struct message m;

	(void)state;
	assert_true(message_parse(&m, text, strlen(text)));
	assert_true(message_key(&m, "fleet.state.r1.web1%2Ex.0a-1.7", &k));
	assert_string_equal(k.host, "web1.x");
	assert_string_equal(k.id, "0a-1");
	assert_int_equal(k.epoch, 7);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(message_key(&m, bad[i], &k));
	message_release(&m);
	assert_true(message_parse(&m, upper, strlen(upper)));
	assert_false(message_key(&m, "fleet.state.r1.h.0A.7", &k));
	message_release(&m);
}

/* Control sequences are escaped before text is shown on a terminal. */
static void shown_text_is_plain(void **state)
{
	char many[2 * HEALTH_ERROR_MAX + 2] = "";
	struct health h = {0};

	(void)state;
	health_error(&h, "a\033]0;x\007\x7f\r\xc3\xa9\xc2\x9b\xe2\x80\xae\nnext");
	for (const char *p = h.error; *p; p++)
		assert_true((unsigned char)*p >= ' ' && *p != 0x7f);
	assert_non_null(strstr(h.error, "\xc3\xa9"));
	assert_null(strstr(h.error, "\xc2\x9b"));
	assert_null(strstr(h.error, "\xe2\x80\xae"));
	assert_null(strstr(h.error, "next"));
	many[0] = 'a';
	for (size_t i = 1; i + 2 < sizeof(many); i += 2)
		memcpy(many + i, "\xc3\xa9", 2);
	health_error(&h, many);
	assert_int_equal(strlen(h.error), HEALTH_ERROR_MAX - 1);
	assert_int_equal(h.errors, 2);
}

/*
 * A written message parses back to the same message. A line break in a value does not end a header.
 */
static void message_comes_back(void **state)
{
	struct strbuf b = {0};
	struct message m;
	uint64_t v;

	(void)state;
	message_begin(&b);
	message_head(&b, "one", "a b\nevil 1");
	message_head_number(&b, "two", UINT64_MAX);
	message_body(&b, "x\0\n", 3);
	assert_true(message_parse(&m, b.s, b.len));
	assert_int_equal(m.nhead, 2);
	assert_string_equal(message_get(&m, "one"), "a b evil 1");
	assert_null(message_get(&m, "evil"));
	assert_true(message_number(&m, "two", &v) && v == UINT64_MAX);
	assert_false(message_number(&m, "one", &v));
	assert_int_equal(m.len, 3);
	assert_memory_equal(m.body, "x\0\n", 3);
	message_release(&m);
	strbuf_release(&b);
}

static void message_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"DTFLEET",
		"DTFLEET2\n\n",
		"DTFLEET1\n",
		"DTFLEET1\na 1",
		"DTFLEET1\na 1\n",
		"DTFLEET1\nA 1\n\n",
		"DTFLEET1\na 1\na 2\n\n",
		"DTFLEET1\n 1\n\n",
		"DTFLEET1\nkey\n\n",
	};
	struct message m;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_false(message_parse(&m, bad[i], strlen(bad[i])));
		message_release(&m);
	}
	assert_false(message_parse(&m, "DTFLEET1\na \0b\n\n", 15));
	message_release(&m);
}

static void numbers_fit(void **state)
{
	static const char text[] =
		"DTFLEET1\nbig 18446744073709551616\nminus -1\nplus +1\nhex 0x1\n\n";
	struct message m;
	uint64_t v;

	(void)state;
	assert_true(message_parse(&m, text, sizeof(text) - 1));
	assert_false(message_number(&m, "big", &v));
	assert_false(message_number(&m, "minus", &v));
	assert_false(message_number(&m, "plus", &v));
	assert_false(message_number(&m, "hex", &v));
	assert_false(message_number(&m, "none", &v));
	message_release(&m);
}

static unsigned matched = 1; /* number of matched probes in the messages that say() makes */

/* Makes a host's message with the error text "abc" and the snapshot "EPOCH.SEQUENCE". */
static void say(struct strbuf *b, const char *host, uint64_t epoch, uint64_t sequence,
		const char *phase)
{
	char text[48];
	int n = snprintf(text, sizeof(text), "%llu.%llu", (unsigned long long)epoch,
			 (unsigned long long)sequence);

	strbuf_reset(b);
	message_begin(b);
	message_head(b, "run", "r1");
	message_head(b, "host", host);
	message_head(b, "id", "1d");
	message_head_number(b, "epoch", epoch);
	message_head_number(b, "sequence", sequence);
	message_head(b, "phase", phase);
	message_head(b, "end", "none");
	message_head_number(b, "matched", matched);
	message_head_number(b, "out", 0);
	message_head_number(b, "unsent", 0);
	message_head_number(b, "said", 3);
	message_body(b, "abc", 3);
	strbuf_add(b, text, (size_t)n);
}

static struct report_key key_of(const char *host, uint64_t epoch)
{
	return (struct report_key){host, "1d", epoch};
}

static bool heard(struct hosts *h, const char *host, uint64_t epoch, uint64_t sequence)
{
	struct report_key k = key_of(host, epoch);
	struct strbuf b = {0};
	bool is_new;

	say(&b, host, epoch, sequence, "tracing");
	is_new = hosts_receive(h, "r1", &k, b.s, b.len);
	strbuf_release(&b);
	return is_new;
}

static void snapshot_is(struct hosts *h, const char *host, uint64_t epoch, const char *want)
{
	struct report_key k = key_of(host, epoch);
	const struct strbuf *s = &hosts_get(h, &k)->snapshot;

	assert_int_equal(s->len, strlen(want));
	assert_memory_equal(s->s, want, s->len);
	assert_memory_equal(hosts_get(h, &k)->errors.s, "abc", 3);
}

/*
 * If messages are lost, duplicated, late or reordered, the newest one counts. A run that began
 * twice has two states, and neither replaces the other.
 */
static void newest_counts(void **state)
{
	struct hosts h = {0};

	(void)state;
	assert_true(heard(&h, "b", 5, 1));
	assert_false(heard(&h, "b", 5, 1));
	assert_true(heard(&h, "b", 5, 4));
	assert_false(heard(&h, "b", 5, 3));
	snapshot_is(&h, "b", 5, "5.4");
	assert_true(heard(&h, "a", 1, 1));
	assert_true(heard(&h, "b", 6, 1));
	assert_true(heard(&h, "b", 5, 5));
	snapshot_is(&h, "b", 5, "5.5");
	snapshot_is(&h, "b", 6, "6.1");
	snapshot_is(&h, "a", 1, "1.1");
	assert_int_equal(h.v.n, 3);
	assert_string_equal(h.v.v[0]->host, "a");
	assert_int_equal(h.v.v[1]->epoch, 5);
	assert_int_equal(h.stale, 2);
	hosts_release(&h);
}

/* A later answer goes into the existing state of a host that was expected or has refused. */
static void expected_hosts_answer(void **state)
{
	struct report_key known = {"a", "1d", 0}, named = {"b", "", 0}, away = {"c", "2d", 0};
	struct hosts h = {0};
	struct strbuf b = {0};

	(void)state;
	hosts_get(&h, &known)->seen = 3;
	hosts_get(&h, &named);
	hosts_get(&h, &away)->seen = 4;
	say(&b, "a", 0, 9, "refused");
	assert_non_null(hosts_receive(&h, "r1", &known, b.s, b.len));
	assert_int_equal(h.v.v[0]->phase, PHASE_REFUSED);
	assert_true(heard(&h, "a", 7, 1));
	assert_true(heard(&h, "b", 8, 1));
	assert_int_equal(h.v.n, 3);
	assert_int_equal(h.v.v[0]->epoch, 7);
	assert_int_equal(h.v.v[0]->seen, 3);
	assert_int_equal(h.v.v[0]->phase, PHASE_TRACING);
	assert_string_equal(h.v.v[1]->id, "1d");
	assert_int_equal(h.v.v[2]->sequence, 0);
	hosts_release(&h);
	strbuf_release(&b);
}

/* Hosts that share a name or an ID are reported, if both have answered. */
static void twins_are_reported(void **state)
{
	struct hosts h = {0};
	struct strbuf b = {0}, out = {0};
	struct report_key other = {"a", "2d", 5}, away = {"c", "1d", 0}, waiting = {"a", "1d", 0};

	(void)state;
	assert_true(heard(&h, "a", 5, 1));
	hosts_get(&h, &away);
	hosts_find_twins(&h, &out);
	assert_int_equal(out.len, 0);
	assert_true(heard(&h, "b", 5, 1));
	hosts_find_twins(&h, &out);
	assert_string_equal(out.s, "a, b: two hosts have the same ID (1d)\n");
	assert_true(h.v.v[0]->twin && h.v.v[1]->twin && !h.v.v[2]->twin);
	hosts_release(&h);
	h = (struct hosts){0};
	strbuf_reset(&out);
	assert_true(heard(&h, "a", 5, 1));
	assert_true(heard(&h, "a", 6, 1));
	hosts_lines(&h, &other, 0, "x\n", 2, &b);
	hosts_find_twins(&h, &out);
	assert_string_equal(out.s, "a: began the run twice: two agents have this host's ID, or the "
				   "agent lost the first run (IDs 1d, 1d)\n"
				   "a: two machines have this name (IDs 1d, 2d)\n");
	hosts_release(&h);
	/*
	 * A relay answers each part of a run. The second part has a state of its own, which has no
	 * answer yet.
	 */
	h = (struct hosts){.part = 1};
	strbuf_reset(&out);
	assert_true(heard(&h, "a", 5, 1));
	h.part = 2;
	assert_false(hosts_get(&h, &waiting)->sequence);
	assert_true(heard(&h, "a", 5, 1));
	assert_int_equal(h.v.n, 2);
	for (size_t i = 0; i < 2; i++)
		h.v.v[i]->members = xstrdup("whole=1");
	hosts_find_twins(&h, &out);
	assert_int_equal(out.len, 0);
	h.v.v[0]->part = 2; /* two answers to the same part are from two relays */
	hosts_find_twins(&h, &out);
	assert_true(out.len && h.v.v[0]->twin && h.v.v[1]->twin);
	hosts_release(&h);
	strbuf_release(&b);
	strbuf_release(&out);
}

/* A host that invents runs takes a limited amount of memory, and does not count. */
static void invented_runs_are_bounded(void **state)
{
	struct hosts h = {0};
	struct strbuf out = {0};

	(void)state;
	for (uint64_t i = 1; i <= 300; i += 2) {
		struct report_key k = key_of("a", i + 1);

		heard(&h, "a", i, 1);
		hosts_lines(&h, &k, 0, "x\n", 2, &out);
	}
	assert_true(heard(&h, "b", 1, 2) && heard(&h, "a", 1, 2));
	assert_int_equal(h.v.n, 129);
	for (size_t i = 0; i < h.v.n; i++)
		assert_true(!h.v.v[i]->rejected == (*h.v.v[i]->host == 'b'));
	hosts_release(&h);
	strbuf_release(&out);
}

/* The final state does not depend on the order of messages. */
static void order_does_not_matter(void **state)
{
	static const uint64_t said[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 3}};
	uint32_t random = 1;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct hosts h = {0};

		for (int i = 0; i < 40; i++) {
			random = random * 1664525 + 1013904223;
			heard(&h, "x", said[random >> 16 & 3][0], said[random >> 16 & 3][1]);
			if (i == (int)(random >> 20) % 40)
				heard(&h, "x", 2, 3);
		}
		heard(&h, "x", 2, 3);
		heard(&h, "x", 1, 2);
		snapshot_is(&h, "x", 2, "2.3");
		snapshot_is(&h, "x", 1, "1.2");
		hosts_release(&h);
	}
}

static void others_are_not_believed(void **state)
{
	struct report_key a = key_of("a", 1), b = key_of("b", 1), other = {"a", "2d", 1},
			  later = key_of("a", 2), never = key_of("a", 0);
	struct hosts h = {0};
	struct strbuf m = {0};

	(void)state;
	say(&m, "a", 1, 1, "tracing");
	assert_null(hosts_receive(&h, "r2", &a, m.s, m.len));
	assert_null(hosts_receive(&h, "r1", &b, m.s, m.len));
	assert_null(hosts_receive(&h, "r1", &other, m.s, m.len));
	assert_null(hosts_receive(&h, "r1", &later, m.s, m.len));
	say(&m, "a", 0, 1, "tracing");
	assert_null(hosts_receive(&h, "r1", &never, m.s, m.len));
	say(&m, "a", 1, 1, "dancing");
	assert_null(hosts_receive(&h, "r1", &a, m.s, m.len));
	say(&m, "a", 1, 1, "ended");
	for (size_t n = 0; n + 10 < m.len; n++)
		assert_false(hosts_receive(&h, "r1", &a, m.s, n) &&
			     hosts_get(&h, &a)->errors.len != 3);
	hosts_release(&h);
	strbuf_release(&m);
}

static void lines_have_their_host(void **state)
{
	struct report_key a = key_of("a", 1), b = key_of("b", 1), again = key_of("a", 2);
	struct hosts h = {0};
	struct strbuf out = {0};

	(void)state;
	hosts_lines(&h, &a, 0, "one\ntw", 6, &out);
	hosts_lines(&h, &a, 0, "one\ntw", 6, &out);
	hosts_lines(&h, &b, 0, "b\n", 2, &out);
	hosts_lines(&h, &a, 4, "two\n\nx\nt", 8, &out);
	assert_string_equal(out.s, "a: one\nb: b\na: two\na: \na: x\n");
	hosts_lines(&h, &again, 0, "new\n", 4, &out);
	hosts_lines(&h, &a, 12, "ee\n", 3, &out);
	assert_string_equal(out.s, "a: one\nb: b\na: two\na: \na: x\na: new\na: tee\n");
	hosts_release(&h);
	strbuf_release(&out);
}

/* All bytes are shown, including NULs and text after the last line end. */
static void last_lines_are_shown(void **state)
{
	struct report_key a = key_of("a", 1), b = key_of("b", 1);
	struct hosts h = {0};
	struct strbuf out = {0};

	(void)state;
	hosts_lines(&h, &a, 0, "x\0y\nmore", 8, &out);
	hosts_lines(&h, &b, 0, "b\n", 2, &out);
	hosts_last_lines(&h, &out);
	hosts_last_lines(&h, &out);
	assert_int_equal(out.len, 20);
	assert_memory_equal(out.s, "a: x\0y\nb: b\na: more\n", 20);
	hosts_release(&h);
	strbuf_release(&out);
}

/*
 * If the server has dropped a message of output, the loss is reported once, and later messages are
 * read.
 */
static void lost_output_is_reported(void **state)
{
	struct report_key a = key_of("a", 1);
	struct hosts h = {0};
	struct strbuf out = {0};

	(void)state;
	hosts_lines(&h, &a, 0, "on", 2, &out);
	hosts_lines(&h, &a, 12, "end\n", 4, &out);
	hosts_lines(&h, &a, 12, "end\n", 4, &out);
	assert_string_equal(out.s, "a: on\na: 10 bytes of output lost\na: end\n");
	assert_int_equal(hosts_get(&h, &a)->lost, 10);
	hosts_release(&h);
	strbuf_release(&out);
}

/*
 * A host that sends only empty lines, or no line end, cannot fill the viewer's memory. The viewer
 * counts the bytes that it discards.
 */
static void endless_output_is_bounded(void **state)
{
	struct report_key a = key_of("a", 1);
	struct hosts h = {0};
	struct strbuf out = {0}, many = {0};
	uint64_t at = 0;

	(void)state;
	for (size_t i = 0; i < 1 << 16; i++)
		strbuf_addc(&many, '\n');
	hosts_lines(&h, &a, 0, many.s, many.len, &out);
	hosts_lines(&h, &a, many.len, "x\n", 2, &out);
	assert_int_equal(out.len, 1000 * 4 + strlen("a: x\na: 64536 bytes of output lost\n"));
	assert_int_equal(hosts_get(&h, &a)->lost, 64536);
	strbuf_reset(&out);
	memset(many.s, 'y', many.len);
	for (at = many.len + 2; at < 1 << 21; at += many.len)
		hosts_lines(&h, &a, at, many.s, many.len, &out);
	assert_int_equal(out.len, 0);
	assert_true(hosts_get(&h, &a)->line.len <= 1 << 20);
	hosts_lines(&h, &a, at, "\nz\n", 3, &out);
	assert_int_equal(hosts_get(&h, &a)->lost, 64536 + at - many.len - 2 - (1 << 20));
	assert_non_null(strstr(out.s, "bytes of output lost\na: z\n"));
	hosts_release(&h);
	strbuf_release(&out);
	strbuf_release(&many);
}

/*
 * If a program matches different numbers of probes on the hosts, there is a line for each number:
 * the hosts and the number.
 */
static void other_probes_are_reported(void **state)
{
	static const char *const host[] = {"a", "b", "c", "d"};
	static const unsigned n[] = {2, 1, 2, 2};
	struct report_key asked = key_of("asked", 0);
	struct hosts h = {0};
	struct strbuf out = {0};

	(void)state;
	hosts_matched(&h, &out);
	hosts_get(&h, &asked);
	assert_true(heard(&h, "x", 1, 1));
	hosts_matched(&h, &out);
	assert_int_equal(out.len, 0);
	hosts_release(&h);
	h = (struct hosts){0};
	for (int i = 0; i < 4; i++) {
		matched = n[i];
		assert_true(heard(&h, host[i], 1, 1));
	}
	matched = 1;
	hosts_get(&h, &asked);
	hosts_matched(&h, &out);
	assert_string_equal(out.s, "a and 2 more: 2 probes\nb: 1 probe\n");
	hosts_release(&h);
	strbuf_release(&out);
}

static void policy_is_read(void **state)
{
	static const char text[] = "# ours\nkey " KEY_A
				   " me # mine\nprobes tcp:*:*:* syscall:vmlinux:read:entry\n"
				   "probes mib:::*\n\nseconds 5\nkeys 7\nbytes 9\nlease 11\nrate "
				   "250\nreplay /var/cap/*.pcap\nruns 3\n";
	struct strbuf wrong = {0};
	struct policy p;
	uint8_t key[KEY_SIZE];

	(void)state;
	assert_true(policy_parse(&p, text, &wrong));
	assert_true(p.seconds == 5 && p.keys == 7 && p.bytes == 9 && p.lease == 11 &&
		    p.rate == 250 && p.runs == 3 && p.daily == 250);
	assert_true(key_parse(KEY_A, key));
	assert_string_equal(policy_signer(&p, key, 1), "me");
	key[31] ^= 1;
	assert_null(policy_signer(&p, key, 1));
	assert_int_equal(p.probes.n, 3);
	assert_string_equal(p.probes.v[1], "syscall:vmlinux:read:entry");
	assert_true(policy_replay(&p, "/var/cap/a.pcap"));
	assert_false(policy_replay(&p, "/var/cap/../../etc/x.pcap"));
	assert_false(policy_replay(&p, "/etc/passwd"));
	assert_false(policy_replay(&p, "eth0"));
	assert_false(policy_replay(&p, "/var/cap/sub/a.pcap"));
	assert_false(policy_replay(&p, "/var/cap/"));
	assert_false(policy_replay(&p, "/var/cap"));
	assert_false(policy_replay(&p, "//var/cap/a.pcap"));
	policy_release(&p);
	strbuf_release(&wrong);
}

/* A limit for the keys of one owner replaces the general bounds for this owner only. */
static void owners_have_limits(void **state)
{
	static const char text[] =
		"key " KEY_A " ann\nseconds 60\nrate 100\nprobes tcp:*:*:*\nlimit ann seconds 5\n"
		"limit ann hosts web* db1\nlimit ann until 1970-01-02\nlimit ann probes udp:*:*:*\n"
		"limit bob rate 500\nkey "
		"10112233445566778899aabbccddeeff00112233445566778899aabbccddeeff bob";
	struct request q = {.id = "1",
			    .fleet = "default",
			    .hosts = "*",
			    .program = "",
			    .seconds = 5,
			    .rate = 100};
	struct strbuf why = {0};
	struct policy_limit l;
	struct policy p;
	uint8_t key[KEY_SIZE];

	(void)state;
	assert_true(policy_parse(&p, text, &why));
	assert_true(key_parse(KEY_A, key));
	assert_string_equal(policy_signer(&p, key, 2 * 86400 - 1), "ann");
	assert_null(policy_signer(&p, key, 2 * 86400));
	l = policy_limit(&p, "ann");
	assert_true(l.seconds == 5 && l.rate == 100 && l.probes.n == 1);
	assert_string_equal(l.probes.v[0], "udp:*:*:*");
	l = policy_limit(&p, "bob");
	assert_true(l.seconds == 60 && l.rate == 500 && !l.until && !l.hosts.n);
	assert_string_equal(l.probes.v[0], "tcp:*:*:*");
	assert_true(request_allowed(&q, &p, "ann", "web7", "", 1, &why));
	assert_true(request_allowed(&q, &p, "ann", "db1", "", 1, &why));
	assert_false(request_allowed(&q, &p, "ann", "db2", "", 1, &why));
	assert_string_equal(why.s, "policy: the keys of ann are not for this host");
	assert_false(request_allowed(&q, &p, "bob", "db2", "", 1, &why));
	q.rate = 500;
	q.seconds = 6;
	assert_true(request_allowed(&q, &p, "bob", "db2", "", 1, &why));
	assert_false(request_allowed(&q, &p, "ann", "db1", "", 1, &why));
	policy_release(&p);
	strbuf_release(&why);
}

static void wrong_policies_are_reported(void **state)
{
	static const char *const bad[][2] = {
		{"\nfoo 1", "line 2: foo: unknown setting"},
		{"key 12 me", "line 1: key: needs 64 hexadecimal digits"},
		{"key " KEY_A, "line 1: key: the name of the key's owner is missing"},
		{"probes tcp", "line 1: probes: probes are provider:module:function:name"},
		{"seconds x", "line 1: seconds: needs a number"},
		{"seconds 0", "line 1: seconds: must be at least 1"},
		{"seconds 1 2", "line 1: seconds: unexpected text follows the number"},
		{"replay eth0", "line 1: replay: captures need absolute paths"},
		{"limit me", "line 1: limit: needs the name of a key's owner, and a rule"},
		{"limit me keys 4", "line 1: limit: unknown rule"},
		{"limit me until tomorrow", "line 1: limit: needs a day, as in 2027-01-31"},
		{"limit me until 2027-01-31x", "line 1: limit: needs a day, as in 2027-01-31"},
		{"limit me seconds 4 5", "line 1: limit: unexpected text follows the rule"},
		{"limit me probes tcp", "line 1: limit: probes are provider:module:function:name"},
		{"limit me hosts a =b",
		 "line 1: limit: hosts are selected by NAME, KEY=VALUE or KEY!=VALUE"},
		{"fleet", "line 1: fleet: needs a name"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct strbuf wrong = {0};
		struct policy p;

		assert_false(policy_parse(&p, bad[i][0], &wrong));
		assert_string_equal(wrong.s, bad[i][1]);
		policy_release(&p);
		strbuf_release(&wrong);
	}
}

/* If one bit of the key, the signature or the message changes, the signature is invalid. */
static void signatures_hold(void **state)
{
	uint8_t seed[SEED_SIZE], key[KEY_SIZE], got[KEY_SIZE];
	struct strbuf b = {0};
	const void *p;
	size_t n;

	(void)state;
	assert_true(sign_new(seed, key));
	assert_true(sign_seal(&b, seed, "hello", 5));
	assert_true(sign_open(b.s, b.len, &p, &n, got));
	assert_int_equal(n, 5);
	assert_memory_equal(p, "hello", 5);
	assert_memory_equal(got, key, KEY_SIZE);
	for (size_t i = 0; i < b.len; i++) {
		b.s[i] ^= 1;
		assert_false(sign_open(b.s, b.len, &p, &n, got));
		b.s[i] ^= 1;
	}
	for (size_t i = 0; i < b.len; i++)
		assert_false(sign_open(b.s, i, &p, &n, got));
	strbuf_release(&b);
}

static void request_comes_back(void **state)
{
	struct request q = {.id = "1-a",
			    .fleet = "default",
			    .hosts = "web*",
			    .replay = "/x",
			    .program = "BEGIN\n{}",
			    .until = 9,
			    .seconds = 5,
			    .rate = 100},
		       r;
	struct strbuf b = {0}, why = {0}, wrong = {0};
	struct policy p;
	struct message m;

	(void)state;
	request_write(&b, &q);
	assert_true(message_parse(&m, b.s, b.len));
	assert_null(request_read(&r, &m));
	assert_string_equal(r.program, q.program);
	assert_string_equal(r.hosts, "web*");
	assert_true(r.until == 9 && r.seconds == 5 && r.rate == 100 && !r.stop);
	assert_true(policy_parse(&p, "seconds 5\nrate 100\nreplay /x", &wrong));
	assert_true(request_allowed(&r, &p, "me", "h", "", 4, &why));
	r.seconds = 6;
	assert_false(request_allowed(&r, &p, "me", "h", "", 4, &why));
	assert_string_equal(why.s, "policy: a run may last 5 seconds, not 6");
	strbuf_reset(&why);
	r.seconds = 5;
	r.fleet = "other";
	assert_false(request_allowed(&r, &p, "me", "h", "", 4, &why));
	assert_string_equal(why.s, "policy: this host belongs to fleet default, but the request is "
				   "for fleet other");
	r.fleet = "default";
	r.seconds = 5;
	r.rate = 99;
	assert_false(request_allowed(&r, &p, "me", "h", "", 4, &why));
	r.rate = 100;
	r.replay = "/y";
	assert_false(request_allowed(&r, &p, "me", "h", "", 4, &why));
	policy_release(&p);
	message_release(&m);
	strbuf_release(&b);
	strbuf_release(&why);
	strbuf_release(&wrong);
}

/* The policy bounds the end of a run, even if the request gives a short length. */
static void end_is_bounded(void **state)
{
	struct request q = {.id = "1",
			    .fleet = "default",
			    .hosts = "*",
			    .program = "",
			    .until = 108,
			    .seconds = 1,
			    .rate = 1000};
	struct strbuf why = {0}, wrong = {0};
	struct policy p;

	(void)state;
	assert_true(policy_parse(&p, "seconds 5", &wrong));
	assert_true(request_allowed(&q, &p, "me", "h", "", 101, &why));
	assert_false(request_allowed(&q, &p, "me", "h", "", 100, &why));
	assert_string_equal(why.s, "policy: a run may last 5 seconds, but by this host's clock it "
				   "would end in 8");
	q.until = UINT64_MAX;
	assert_false(request_allowed(&q, &p, "me", "h", "", 100, &why));
	strbuf_reset(&why);
	q.until = 101;
	q.rate = 60001;
	assert_false(request_allowed(&q, &p, "me", "h", "", 100, &why));
	assert_string_equal(why.s, "the interval between snapshots is at most 60000 ms, not 60001");
	policy_release(&p);
	strbuf_release(&why);
	strbuf_release(&wrong);
}

/* A program that exceeds its limit of written bytes, memory or descriptors fails. */
static void programs_have_bounds(void **state)
{
	static const char *const endless[] = {
		"exec cat /dev/zero",
		"exec 50</dev/null",
#ifndef __SANITIZE_ADDRESS__ /* see set_limits() */
		"x=$(head -c 100000000 /dev/zero | tr '\\0' a) && test $x",
#endif
	};
	struct limits l = {.file = 1 << 20, .memory = 32 << 20, .open = 40};
	char dir[] = "/tmp/test_fleet.XXXXXX", out[PATH_MAX];

	(void)state;
	assert_non_null(mkdtemp(dir));
	path_in(out, dir, "out");
	for (size_t i = 0; i < sizeof(endless) / sizeof(*endless); i++) {
		const char *argv[] = {"/bin/sh", "-c", endless[i], NULL};
		int status = 0;

		assert_true(waitpid(run_command(argv, out, NULL, &l), &status, 0) > 0);
		assert_int_not_equal(status, 0);
		assert_true(file_size(out) <= l.file);
	}
	unlink(out);
	assert_int_equal(rmdir(dir), 0);
}

/* A command that the agent runs inherits none of the agent's descriptors. */
static void programs_inherit_nothing(void **state)
{
	int fd = open("/dev/null", O_RDONLY), status = -1;
	const char *argv[] = {"/bin/sh", "-c", "test ! -e /proc/self/fd/200", NULL};
	struct limits none = {0};

	(void)state;
	assert_int_equal(dup2(fd, 200), 200);
	assert_int_equal(waitpid(run_command(argv, NULL, NULL, &none), &status, 0) > 0, 1);
	assert_int_equal(status, 0);
	close(200);
	close(fd);
}

/* A failed write leaves no partial file. */
static void no_half_files_stay(void **state)
{
	char dir[] = "/tmp/test_fleet.XXXXXX", path[PATH_MAX];

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(mkdir(path_in(path, dir, "there"), 0700), 0);
	assert_false(file_put(path, "x", 1));
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

/* The rights of a viewer do not include creating, changing or deleting streams. */
static void viewers_only_read(void **state)
{
	struct strbuf b = {0};

	(void)state;
	permit_viewer(&b, "ann");
	assert_null(strstr(b.s, "$JS.API.>"));
	assert_null(strstr(b.s, "STREAM.CREATE"));
	assert_non_null(strstr(b.s, "\"$JS.API.STREAM.INFO.FLEET_RUNS\", "
				    "\"$JS.API.CONSUMER.CREATE.FLEET_RUNS\""));
	strbuf_release(&b);
}

/*
 * Several servers form a cluster, in which each server has routes to the others. A single server
 * has no cluster.
 */
static void servers_know_each_other(void **state)
{
	static const char three[] = "tls://a.x:4223,tls://b,tls://c:5";
	struct strbuf one = {0}, b = {0}, wrong = {0};

	(void)state;
	assert_true(setup_server(&one, "tls://a", 0, &wrong));
	assert_string_equal(one.s, sample_server);
	assert_true(setup_server(&b, three, 1, &wrong));
	assert_non_null(strstr(b.s, "\nlisten: 0.0.0.0:4222\n"));
	assert_non_null(strstr(b.s, "\nserver_name: b\n"));
	assert_non_null(strstr(b.s, "\troutes: [nats-route://a.x:6222, nats-route://c:6222]\n"));
	strbuf_reset(&b);
	assert_true(setup_server(&b, three, 2, &wrong));
	assert_non_null(strstr(b.s, "\nlisten: 0.0.0.0:5\n"));
	assert_false(setup_server(&b, three, 3, &wrong));
	assert_int_equal(wrong.len, 0);
	assert_false(setup_server(&b, "tls://a,nats://b", 0, &wrong));
	assert_string_equal(wrong.s, "nats://b: not tls://NAME:PORT");
	strbuf_release(&one);
	strbuf_release(&b);
	strbuf_release(&wrong);
}

/* The policy that setup gives to hosts is valid, and lists no key. */
static void sample_policy_is_valid(void **state)
{
	struct strbuf wrong = {0};
	struct policy p;

	(void)state;
	assert_true(policy_parse(&p, sample_policy, &wrong));
	assert_int_equal(p.key.n, 0);
	assert_int_equal(p.probes.n, 5);
	policy_release(&p);
	strbuf_release(&wrong);
}

static void names(void **state)
{
	struct strbuf b = {0};

	(void)state;
	subject_host(&b, "web1.example.net");
	assert_string_equal(b.s, "web1%2Eexample%2Enet");
	strbuf_release(&b);
	assert_true(is_host_name("web-1.a_b"));
	assert_false(is_host_name("") || is_host_name(NULL) || is_host_name("..") ||
		     is_host_name(".web1") || is_host_name("a b") || is_host_name("a/b") ||
		     is_host_name("a*") || is_host_name("a>"));
	assert_true(is_run_id("6b-0A"));
	assert_false(is_run_id("") || is_run_id(NULL) || is_run_id("..") || is_run_id("a/b") ||
		     is_run_id("a.b") ||
		     is_run_id("0123456789012345678901234567890123456789012345678"));
}

/*
 * The ID of a host is the result of sd_id128_get_machine_app_specific(), which systemd-id128
 * prints. If the host has a certificate, a hash of the certificate follows.
 */
static void ids_are_of_machines(void **state)
{
	char dir[] = "/tmp/test_fleet.XXXXXX", machine[PATH_MAX], cert[PATH_MAX];
	static const char pem[] = "text\n-----BEGIN CERTIFICATE-----\naGVs\nbG8=\n"
				  "-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nAAAA\n";
	struct strbuf id = {0}, wrong = {0};

	(void)state;
	assert_non_null(mkdtemp(dir));
	path_in(machine, dir, "machine-id");
	path_in(cert, dir, "cert");
	assert_true(file_put(machine, "0123456789abcdef0123456789abcdef\n", 33));
	assert_true(file_put(cert, pem, sizeof(pem) - 1));
	assert_true(identity_read(&id, machine, NULL, &wrong));
	assert_string_equal(id.s, MACHINE_0123);
	strbuf_reset(&id);
	/* SHA-256 of "hello" */
	assert_true(identity_read(&id, machine, cert, &wrong));
	assert_string_equal(id.s, MACHINE_0123 "-2cf24dba5fb0a30e");
	assert_true(is_identity(id.s) && identity_same_machine(id.s, MACHINE_0123));
	assert_false(identity_same_machine("00-1", "01-1") || identity_same_machine("", ""));
	assert_false(identity_read(&id, cert, NULL, &wrong));
	assert_non_null(strstr(wrong.s, "no machine ID"));
	assert_false(identity_read(&id, machine, machine, &wrong));
	assert_true(file_put(machine, "0123456789abcdef0123456789abcdef0", 33));
	assert_false(identity_read(&id, machine, NULL, &wrong));
	unlink(machine);
	unlink(cert);
	rmdir(dir);
	strbuf_release(&id);
	strbuf_release(&wrong);
}

/* A request counts only if its subject has the ID of its run. */
static void requests_have_their_subject(void **state)
{
	struct request q = {.id = "r1"};

	(void)state;
	assert_true(request_is_of(&q, "fleet.run.r1"));
	assert_false(request_is_of(&q, "fleet.run.r12"));
	assert_false(request_is_of(&q, "fleet.stop.r1.x"));
	q.stop = true;
	assert_true(request_is_of(&q, "fleet.stop.r1.x"));
	assert_false(request_is_of(&q, "fleet.stop.r12.x"));
	assert_false(request_is_of(&q, "fleet.run.r1"));
}

/*
 * A relay counts as many hosts as it has, with the verdicts on them. A relay that does not answer
 * counts as one host.
 */
static void relays_count_as_their_hosts(void **state)
{
	static const char *const bad[] = {"whole",  "whole=", "whole=-1",        "whole=1;",
					  "none=1", "=1",     "whole=9999999999"};
	struct host_state h = {.sequence = 1, .members = (char *)"whole=3,silent=1"};
	struct verdicts v = {0}, read;
	struct strbuf b = {0};

	(void)state;
	verdicts_add(&v, &h, VERDICT_WHOLE);
	verdicts_add(&v, &h, VERDICT_SILENT);
	verdicts_write(&v, &b);
	assert_string_equal(b.s, "whole=3,silent=2");
	assert_true(verdicts_read(&read, b.s) && !memcmp(&read, &v, sizeof(v)));
	/* The relay's own answer is partial, although all of its hosts are whole. */
	h.members = (char *)"whole=3";
	v = (struct verdicts){0};
	verdicts_add(&v, &h, VERDICT_PARTIAL);
	assert_true(v.n[VERDICT_WHOLE] == 2 && v.n[VERDICT_PARTIAL] == 1);
	verdicts_add(&v, &h, VERDICT_OUT);
	assert_true(v.n[VERDICT_OUT] == 3 && !verdicts_whole(&v));
	/* No host of the relay's site was asked. */
	h.members = (char *)"";
	v = (struct verdicts){0};
	verdicts_add(&v, &h, VERDICT_PARTIAL);
	assert_true(!v.n[VERDICT_PARTIAL] && !v.n[VERDICT_WHOLE]);
	/*
	 * If the relay knows no hosts, and its answer is left out or incomplete, the relay itself
	 * counts.
	 */
	verdicts_add(&v, &h, VERDICT_OUT);
	assert_int_equal(v.n[VERDICT_OUT], 1);
	strbuf_adds(&h.lacks, "the site was not reached");
	verdicts_add(&v, &h, VERDICT_PARTIAL);
	assert_int_equal(v.n[VERDICT_PARTIAL], 1);
	strbuf_release(&h.lacks);
	h.out = 1;
	verdicts_add(&v, &h, VERDICT_PARTIAL);
	assert_int_equal(v.n[VERDICT_PARTIAL], 2);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(verdicts_read(&v, bad[i]));
	strbuf_release(&b);
}

/* A host is whole only if its run ended normally and all of its results have arrived. */
static void verdicts_are_strict(void **state)
{
	const struct host_state whole = {.host = (char *)"h",
					 .epoch = 1,
					 .phase = PHASE_ENDED,
					 .end = END_DONE,
					 .out = 5,
					 .shown = 5,
					 .snapshot = {.s = (char *)"x", .len = 1}};
	struct host_state h = whole;
	struct verdicts v = {{0}};
	struct strbuf out = {0};

	(void)state;
	assert_int_equal(verdict_of(&h, false), VERDICT_WHOLE);
	assert_int_equal(verdict_of(&h, true), VERDICT_SILENT);
	for (int e = END_NONE; e <= END_KEEPER; e++) {
		h.end = (enum end)e;
		assert_int_equal(verdict_of(&h, false),
				 e == END_DONE || e == END_ASKED ? VERDICT_WHOLE : VERDICT_PARTIAL);
	}
	h = whole;
	h.shown = 4;
	assert_int_equal(verdict_of(&h, false), VERDICT_PARTIAL);
	verdict_lines(&h, VERDICT_PARTIAL, "1", &out);
	assert_string_equal(out.s, "h: 1 bytes of output are missing\n");
	h = whole;
	h.lossy = true;
	assert_int_equal(verdict_of(&h, false), VERDICT_PARTIAL);
	h = whole;
	h.lost = 1;
	assert_int_equal(verdict_of(&h, false), VERDICT_PARTIAL);
	h = whole;
	h.snapshot.len = 0;
	assert_int_equal(verdict_of(&h, false), VERDICT_PARTIAL);
	h = whole;
	h.odd = true;
	assert_int_equal(verdict_of(&h, false), VERDICT_OUT);
	h = whole;
	h.phase = PHASE_TRACING;
	assert_int_equal(verdict_of(&h, false), VERDICT_RUNNING);
	h.phase = PHASE_REFUSED;
	assert_int_equal(verdict_of(&h, true), VERDICT_REFUSED);
	assert_false(verdicts_whole(&v));
	v.n[VERDICT_WHOLE] = 2;
	assert_true(verdicts_whole(&v));
	v.n[VERDICT_OUT] = 1;
	assert_false(verdicts_whole(&v));
	strbuf_reset(&out);
	verdicts_text(&v, &out);
	assert_string_equal(out.s, "3 hosts asked: 2 whole, 1 left out");
	strbuf_release(&out);
}

/* A message counts only if the host in its subject has signed it. */
static void answers_are_signed(void **state)
{
	static const char text[] = "DTFLEET1\nhost h1\n\n", subject[] = "fleet.state.r.h1.0a.1";
	uint8_t seed[SEED_SIZE] = {1}, other[SEED_SIZE] = {2};
	struct strbuf good = {0}, foreign = {0};
	struct known k = {0};
	const void *p;
	size_t n;

	(void)state;
	assert_true(sign_seal(&good, seed, text, sizeof(text) - 1));
	assert_true(sign_seal(&foreign, other, text, sizeof(text) - 1));
	assert_int_equal(answer_open(&k, subject, 3, good.s, good.len, &p, &n), ANSWER_GOOD);
	assert_int_equal(n, sizeof(text) - 1);
	assert_memory_equal(p, text, n);
	assert_string_equal(k.v.v[0].who, "h1.0a");
	assert_int_equal(answer_open(&k, subject, 3, foreign.s, foreign.len, &p, &n),
			 ANSWER_FOREIGN);
	assert_int_equal(answer_open(&k, "fleet.out.r.h2.0a.1", 3, foreign.s, foreign.len, &p, &n),
			 ANSWER_GOOD); /* this host had no known key before */
	assert_int_equal(answer_open(&k, subject, 3, text, sizeof(text) - 1, &p, &n),
			 ANSWER_UNSIGNED);
	assert_int_equal(answer_open(&k, subject, 3, "junk", 4, &p, &n), ANSWER_JUNK);
	good.s[good.len - 2] ^= 1;
	assert_int_equal(answer_open(&k, subject, 3, good.s, good.len, &p, &n), ANSWER_JUNK);
	good.s[good.len - 2] ^= 1;
	good.s[good.len - 4] ^= 1;
	assert_int_equal(answer_open(&k, subject, 3, good.s, good.len, &p, &n), ANSWER_UNSIGNED);
	strbuf_release(&good);
	strbuf_release(&foreign);
	known_release(&k);
}

/* Writes a message as a host signs it. */
static void add_signed(struct strbuf *b, const char *text)
{
	const uint8_t seed[SEED_SIZE] = {1};

	strbuf_reset(b);
	assert_true(sign_seal(b, seed, text, strlen(text)));
}

/* A viewer learns no keys for impossible subjects, and only a limited number for one name. */
static void few_keys_are_learned(void **state)
{
	static const char *const bad[] = {"fleet.state.r.h1.0A.1", "fleet.state.r.h\0331.0a.1",
					  "fleet.state.r.h1.\303\233.1", "fleet.state.r..0a.1"};
	struct strbuf b = {0};
	struct known k = {0};
	char subject[64];
	const void *p;
	size_t n;

	(void)state;
	add_signed(&b, "DTFLEET1\nrun r\n\n");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(answer_open(&k, bad[i], 3, b.s, b.len, &p, &n), ANSWER_JUNK);
	assert_int_equal(k.v.n, 0);
	for (int i = 0; i < 1000; i++) {
		snprintf(subject, sizeof(subject), "fleet.state.r.web1%%2Ex.%x.1", i);
		answer_open(&k, subject, 3, b.s, b.len, &p, &n);
	}
	assert_int_equal(k.v.n, 64);
	assert_int_equal(answer_open(&k, "fleet.state.r.h2.0a.1", 3, b.s, b.len, &p, &n),
			 ANSWER_GOOD);
	known_release(&k);
	strbuf_release(&b);
}

/*
 * If another machine (new ID and new key) uses a known name, the viewer reports it. A renewed
 * certificate (new ID, same key) is not reported.
 */
static void other_machines_are_noticed(void **state)
{
	const uint8_t seed[SEED_SIZE] = {2};
	static const char text[] = "DTFLEET1\nrun r\n\n";
	char path[] = "/tmp/known-XXXXXX";
	struct strbuf a = {0}, b = {0};
	struct known k = {0};
	const void *p;
	size_t n;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	add_signed(&a, text);
	assert_true(sign_seal(&b, seed, text, sizeof(text) - 1));
	answer_open(&k, "fleet.state.r.h1.0b.1", 3, a.s, a.len, &p, &n);
	assert_true(known_write(&k, path));
	known_release(&k);
	assert_true(known_read(&k, path));
	answer_open(&k, "fleet.state.r.h1.0c.1", 3, a.s, a.len, &p, &n);
	answer_open(&k, "fleet.state.r.h1.0a.1", 3, b.s, b.len, &p, &n);
	answer_open(&k, "fleet.state.r.h10.0a.1", 3, b.s, b.len, &p, &n);
	assert_int_equal(k.v.n, 4);
	assert_true(k.v.v[0].other);
	for (size_t i = 1; i < k.v.n; i++)
		assert_false(k.v.v[i].other);
	known_release(&k);
	strbuf_release(&a);
	strbuf_release(&b);
	unlink(path);
}

/*
 * A file of known keys counts only if all of it can be read. If its last line has no line end, a
 * new key still gets a line of its own.
 */
static void known_keys_are_read_whole(void **state)
{
	char dir[] = "/tmp/known-XXXXXX", path[PATH_MAX];
	struct known k = {0};
	const uint8_t key[KEY_SIZE] = {1};
	struct known_key one = {.is_new = true};

	(void)state;
	assert_non_null(mkdtemp(dir));
	path_in(path, dir, "known");
	assert_true(known_read(&k, path));
	assert_true(file_put(path, "h1.0a " KEY_A, strlen("h1.0a " KEY_A)));
	assert_true(known_read(&k, path));
	assert_int_equal(k.v.n, 1);
	one.who = xstrdup("h2.0b");
	memcpy(one.key, key, KEY_SIZE);
	vec_push(&k.v, one);
	assert_true(known_write(&k, path));
	known_release(&k);
	assert_true(known_read(&k, path));
	assert_int_equal(k.v.n, 2);
	known_release(&k);
	assert_true(file_put(path, "h1.0a\n", 6));
	assert_false(known_read(&k, path));
	assert_int_equal(errno, 0);
	assert_false(known_read(&k, dir)); /* reading a folder fails */
	known_release(&k);
	one.who = xstrdup("h2.0b");
	vec_push(&k.v, one);
	assert_false(known_write(&k, "/nowhere/known"));
	known_release(&k);
	folder_empty(dir);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(message_comes_back),
		cmocka_unit_test(message_is_refused),
		cmocka_unit_test(numbers_fit),
		cmocka_unit_test(newest_counts),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(others_are_not_believed),
		cmocka_unit_test(lines_have_their_host),
		cmocka_unit_test(policy_is_read),
		cmocka_unit_test(wrong_policies_are_reported),
		cmocka_unit_test(owners_have_limits),
		cmocka_unit_test(signatures_hold),
		cmocka_unit_test(request_comes_back),
		cmocka_unit_test(names),
		cmocka_unit_test(end_is_bounded),
		cmocka_unit_test(programs_have_bounds),
		cmocka_unit_test(last_lines_are_shown),
		cmocka_unit_test(lost_output_is_reported),
		cmocka_unit_test(endless_output_is_bounded),
		cmocka_unit_test(programs_inherit_nothing),
		cmocka_unit_test(no_half_files_stay),
		cmocka_unit_test(senders_are_who_they_say),
		cmocka_unit_test(shown_text_is_plain),
		cmocka_unit_test(viewers_only_read),
		cmocka_unit_test(other_probes_are_reported),
		cmocka_unit_test(verdicts_are_strict),
		cmocka_unit_test(requests_have_their_subject),
		cmocka_unit_test(expected_hosts_answer),
		cmocka_unit_test(twins_are_reported),
		cmocka_unit_test(invented_runs_are_bounded),
		cmocka_unit_test(ids_are_of_machines),
		cmocka_unit_test(servers_know_each_other),
		cmocka_unit_test(sample_policy_is_valid),
		cmocka_unit_test(relays_count_as_their_hosts),
		cmocka_unit_test(answers_are_signed),
		cmocka_unit_test(few_keys_are_learned),
		cmocka_unit_test(other_machines_are_noticed),
		cmocka_unit_test(known_keys_are_read_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
