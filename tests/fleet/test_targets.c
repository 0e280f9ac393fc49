/*
 * test_targets.c - checks which hosts a run asks: labels, targets, the inventory, and the parts of
 * a rollout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "fleet/admins.h"
#include "fleet/inventory.h"
#include "fleet/labels.h"
#include "fleet/message.h"
#include "fleet/nats/net.h"
#include "fleet/sign.h"
#include "fleet/viewer/census.h"
#include "fleet/viewer/newest.h"
#include "fleet/viewer/rollout.h"
#include "tests/check.h"

/* Labels are sorted, and a later value of a key replaces the earlier one. */
static void labels_are_parsed(void **state)
{
	static const char *const bad[] = {"role", "=web", "role=", "a=b=c", "a=b;c", "r\xc3\xb6=1"};
	struct strbuf l = {0}, wrong = {0};
	char text[2 * LABELS_MAX];
	size_t n = 0;

	(void)state;
	assert_true(labels_add(&l, "role=web # the first\n\n dc=fra,\tx=1\n#y=2\n", &wrong));
	assert_string_equal(l.s, "dc=fra,role=web,x=1");
	assert_true(labels_add(&l, "role=db,rol=1", &wrong));
	assert_string_equal(l.s, "dc=fra,rol=1,role=db,x=1");
	assert_true(are_labels(l.s) && are_labels(""));
	assert_false(are_labels("b=1,a=1"));
	assert_false(are_labels("a=1,a=2"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		strbuf_reset(&wrong);
		assert_false(labels_add(&l, bad[i], &wrong));
		assert_true(wrong.len);
	}
	for (int i = 0; i < 200; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "k%d=v ", i);
	assert_false(labels_add(&l, text, &wrong));
	strbuf_release(&l);
	strbuf_release(&wrong);
}

/* All terms of a target must hold. A malformed term selects no host. */
static void targets_select_hosts(void **state)
{
	static const char labels[] = "dc=fra,role=web";
	static const char *const yes[] = {"*",           "web1",        "role=web,dc=fra",
					  "w*,role!=db", "role=[vw]eb", "none!=1"};
	static const char *const no[] = {"db*",      "role=web,dc=ams",
					 "role=we",  "none=*",
					 "dc!=fra",  "=web",
					 "!=web",    "~x",
					 "ro*e=web", "~s/0-f"};
	struct strbuf share = {0}, wrong = {0};
	uint64_t v = target_share("seed", "web1");

	(void)state;
	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		assert_true(target_match(yes[i], "web1", labels) && target_check(yes[i], &wrong));
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		assert_false(target_match(no[i], "web1", labels));
	assert_true(target_match("*,role!=web", "web1", NULL));
	assert_true(v != target_share("other", "web1") && v != target_share("seed", "web2"));
	strbuf_adds(&share, "role=web");
	target_add_share(&share, "seed", v, v);
	assert_true(target_match(share.s, "web1", labels));
	assert_false(target_match(share.s, "web2", labels));
	strbuf_reset(&share);
	target_add_share(&share, "seed", 0, v - 1);
	assert_false(target_match(share.s, "web1", labels));
	assert_false(target_check("a b=c", &wrong));
	assert_true(target_match_name("*1,role=db,role!=web", "web1"));
	assert_false(target_match_name("db*,role=web", "web1"));
	assert_false(target_match_name(share.s, "web1")); /* the term "~SEED/..." needs no labels */
	strbuf_release(&share);
	strbuf_release(&wrong);
}

static bool enter(struct inventory *in, const char *host, const char *id, uint64_t time)
{
	struct strbuf subject = {0}, b = {0};
	bool ok;

	inventory_host(&subject, &b, host, id, "1.0", "", &(struct health){.runs = 2});
	ok = inventory_take(in, subject.s, b.s, b.len, time);
	strbuf_release(&subject);
	strbuf_release(&b);
	return ok;
}

static bool plan(struct inventory *in, const char *host, const char *id, enum plan what,
		 uint64_t time)
{
	struct strbuf subject = {0}, b = {0};
	bool ok;

	inventory_plan_subject(&subject, host, "0a");
	inventory_plan(&b, host, id, what, "default", 1);
	ok = inventory_take(in, subject.s, b.s, b.len, time);
	strbuf_release(&subject);
	strbuf_release(&b);
	return ok;
}

/* Returns "HOST/ID ..." of the expected members. */
static const char *expected(const struct inventory *in)
{
	static char text[256];
	size_t n = 0;

	*text = '\0';
	for (size_t i = 0; i < in->v.n; i++)
		if (inventory_expects(in, &in->v.v[i]))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s/%s", n ? " " : "",
					      in->v.v[i].host, in->v.v[i].id);
	return text;
}

static void runs_are_for_hosts(void **state)
{
	struct strbuf subject = {0}, b = {0};
	struct inventory in = {0};

	(void)state;
	inventory_host(&subject, &b, "web1", "1a", "1.0", "role=web", &(struct health){0});
	assert_true(inventory_take(&in, subject.s, b.s, b.len, 1));
	assert_true(plan(&in, "fra", "", PLAN_RELAY, 1));
	assert_true(inventory_is_asked(&in, "web*,role=web", "web1", "1a", true));
	assert_false(inventory_is_asked(&in, "db*", "web1", "1a", true));
	assert_false(inventory_is_asked(&in, "role=db", "web1", "1a", true));
	/* A new ID of a known name has the labels of the known machine. */
	assert_true(inventory_is_asked(&in, "role=web", "web1", "2a", true));
	assert_false(inventory_is_asked(&in, "role=db", "web1", "2a", true));
	/*
	 * The labels of a host that has not registered are unknown, and so are the labels at the
	 * time of an earlier run.
	 */
	assert_true(inventory_is_asked(&in, "role=db", "new", "3a", true));
	assert_false(inventory_is_asked(&in, "role=db,web*", "new", "3a", true));
	assert_true(inventory_is_asked(&in, "role=db", "web1", "1a", false));
	assert_false(inventory_is_asked(&in, "db*", "web1", "1a", false));
	assert_true(inventory_is_asked(&in, "db*", "fra", "4a", true));
	strbuf_release(&subject);
	strbuf_release(&b);
	inventory_release(&in);
}

static void inventory_expects_hosts(void **state)
{
	static const char text[] = "DTFLEET1\nhost a\nid 1\nversion 1\n\n";
	struct inventory in = {0};

	(void)state;
	assert_true(plan(&in, "b", "", PLAN_EXPECTED, 1));
	assert_true(enter(&in, "a", "1", 10));
	assert_string_equal(expected(&in), "a/1 b/");
	/* Host b registers twice. */
	assert_true(enter(&in, "b", "2", 10));
	assert_true(enter(&in, "b", "2", 20));
	assert_string_equal(expected(&in), "a/1 b/2");
	/* Another machine with the name b registers. */
	assert_true(enter(&in, "b", "3", 30));
	assert_string_equal(expected(&in), "a/1 b/2 b/3");
	assert_true(plan(&in, "b", "2", PLAN_RETIRED, 1));
	assert_string_equal(expected(&in), "a/1 b/3");
	/* Host c has a new certificate. The order of its two entries does not matter. */
	assert_true(enter(&in, "c", "4-2", 50));
	assert_true(enter(&in, "c", "4-1", 40));
	assert_string_equal(expected(&in), "a/1 b/3 c/4-2");
	/*
	 * The plan with the newest time counts, not the plan that was received last. A plan is an
	 * entry that expects or retires a host.
	 */
	assert_true(plan(&in, "a", "1", PLAN_EXPECTED, 60));
	assert_true(plan(&in, "a", "1", PLAN_RETIRED, 50));
	assert_string_equal(expected(&in), "a/1 b/3 c/4-2");
	/*
	 * A host's entry does not count under the key of another host, or under the key of a plan.
	 */
	assert_false(inventory_take(&in, "$KV.FLEET_HOSTS.host.b.1", text, sizeof(text) - 1, 1));
	assert_false(inventory_take(&in, "$KV.FLEET_HOSTS.plan.a.1", text, sizeof(text) - 1, 1));
	assert_false(inventory_take(&in, "$KV.FLEET_HOSTS.host.a.1", "", 0, 1));
	inventory_release(&in);
}

static bool is_relay(const struct inventory *in, const char *host, const char *id)
{
	const struct member *m = inventory_find(in, host, id);

	return m && inventory_is_relay(in, m);
}

/* A host may register as a relay, but only an administrator's plan makes it one. */
static void relays_are_named(void **state)
{
	static const char text[] = "DTFLEET1\nhost fra\nid 1\nplan relay\n\n";
	struct strbuf subject = {0}, b = {0};
	struct inventory in = {0};

	(void)state;
	inventory_relay(&subject, &b, "fra", "1", "1.0");
	assert_true(inventory_take(&in, subject.s, b.s, b.len, 1));
	assert_true(inventory_find(&in, "fra", "1")->relay);
	assert_false(is_relay(&in, "fra", "1"));
	/*
	 * A host cannot write a plan under the key of its own entry. Only a relay plan for NAME
	 * makes the host a relay, not one for NAME/ID.
	 */
	assert_false(inventory_take(&in, subject.s, text, sizeof(text) - 1, 2));
	assert_true(plan(&in, "fra", "1", PLAN_RELAY, 2));
	assert_false(is_relay(&in, "fra", "1"));
	assert_true(plan(&in, "fra", "", PLAN_RELAY, 3));
	assert_true(is_relay(&in, "fra", "1"));
	assert_string_equal(expected(&in), "fra/1");
	/*
	 * The host ams has the name of the relay, but has not registered as a relay, so it is none.
	 * The relay ams is still expected.
	 */
	assert_true(enter(&in, "ams", "2", 1) && plan(&in, "ams", "", PLAN_RELAY, 2));
	assert_false(is_relay(&in, "ams", "2"));
	assert_true(is_relay(&in, "ams", ""));
	assert_string_equal(expected(&in), "ams/ ams/2 fra/1");
	/* The newest plan counts. */
	assert_true(plan(&in, "fra", "", PLAN_RETIRED, 5));
	assert_true(plan(&in, "fra", "", PLAN_RELAY, 4));
	assert_false(is_relay(&in, "fra", "1"));
	inventory_release(&in);
	strbuf_release(&subject);
	strbuf_release(&b);
}

/*
 * Receives a plan as a viewer does. The key with the seed byte @key has signed it; 0 means no
 * signature.
 */
static void receive_plan(struct inventory *in, const char *host, const char *id, enum plan what,
			 uint64_t time, const char *fleet, uint8_t key)
{
	uint8_t seed[SEED_SIZE] = {key};
	struct strbuf subject = {0}, b = {0}, sealed = {0};

	inventory_plan_subject(&subject, host, "0a");
	inventory_plan(&b, host, id, what, fleet, time);
	assert_true(sign_seal(&sealed, seed, b.s, b.len));
	if (key)
		inventory_receive(in, subject.s, sealed.s, sealed.len, 1000);
	else
		inventory_receive(in, subject.s, b.s, b.len, 1000);
	strbuf_release(&subject);
	strbuf_release(&b);
	strbuf_release(&sealed);
}

/*
 * A plan counts only if a listed administrator has signed it, for this fleet. The newest plan
 * counts.
 */
static void administrators_sign_plans(void **state)
{
	uint8_t seed[SEED_SIZE] = {5}, key[KEY_SIZE];
	char path[] = "/tmp/test_targets.XXXXXX";
	struct strbuf sealed = {0}, text = {0}, wrong = {0};
	struct inventory in = {0};
	struct admins admins;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0 && sign_seal(&sealed, seed, "x", 1));
	memcpy(key, sealed.s, KEY_SIZE); /* a signed message begins with the public key */
	assert_false(admins_read(&admins, path, "default", &wrong)); /* it lists no key */
	admins_release(&admins);
	strbuf_reset(&wrong);
	strbuf_adds(&text, "key ");
	key_text(&text, key);
	strbuf_adds(&text, " olga\n");
	assert_int_equal(write(fd, text.s, text.len), text.len);
	assert_true(admins_read(&admins, path, "default", &wrong));
	in.admins = &admins;
	assert_true(enter(&in, "a", "1", 1) && enter(&in, "b", "1", 1) && enter(&in, "c", "1", 1));
	/* An incomplete read reports nothing, because the next read may find a later plan. */
	receive_plan(&in, "a", "1", PLAN_RETIRED, 5, "default", 0);
	inventory_forget_notes(&in);
	inventory_note_loose(&in);
	assert_int_equal(in.forged.len, 0);
	receive_plan(&in, "a", "1", PLAN_RETIRED, 10, "default", 5);
	receive_plan(&in, "b", "1", PLAN_RETIRED, 10, "default", 0);
	receive_plan(&in, "b", "1", PLAN_RETIRED, 10, "default", 6);
	receive_plan(&in, "c", "1", PLAN_RETIRED, 10, "other", 5);
	receive_plan(&in, "ghost", "", PLAN_EXPECTED, 10, "default", 6);
	assert_string_equal(expected(&in), "b/1 c/1");
	inventory_note_loose(&in);
	assert_string_equal(in.forged.s,
			    "b and 2 more: its plan (expect, retire) is not signed by a "
			    "listed key of an administrator, so it does not count; repeat the "
			    "command "
			    "with such a key (-k)\n");
	/* A server that repeats an old plan has no effect, because a later plan has replaced it. */
	receive_plan(&in, "a", "1", PLAN_EXPECTED, 20, "default", 5);
	receive_plan(&in, "a", "1", PLAN_RETIRED, 10, "default", 5);
	assert_string_equal(expected(&in), "a/1 b/1 c/1");
	/*
	 * When the administrator repeats the plans, the unsigned plans of former versions are not
	 * reported any more.
	 */
	receive_plan(&in, "b", "1", PLAN_RETIRED, 2000, "default", 5);
	receive_plan(&in, "c", "1", PLAN_EXPECTED, 2000, "default", 5);
	receive_plan(&in, "ghost", "", PLAN_RETIRED, 2000, "default", 5);
	strbuf_reset(&in.forged);
	inventory_note_loose(&in);
	assert_int_equal(in.forged.len, 0);
	/* Without a list, all plans count. */
	in.admins = NULL;
	receive_plan(&in, "a", "1", PLAN_RETIRED, 3000, "other", 0);
	assert_string_equal(expected(&in), "c/1");
	/* Nobody else may write to the list. */
	admins_release(&admins);
	chmod(path, 0666);
	assert_false(admins_read(&admins, path, "default", &wrong));
	admins_release(&admins);
	chmod(path, 0600);
	strbuf_reset(&wrong);
	assert_int_equal(write(fd, "limit olga until 2020-01-01\n", 28), 28);
	assert_false(admins_read(&admins, path, "default", &wrong));
	assert_non_null(strstr(wrong.s, "limits have no effect here"));
	admins_release(&admins);
	unlink(path);
	close(fd);
	inventory_release(&in);
	strbuf_release(&sealed);
	strbuf_release(&text);
	strbuf_release(&wrong);
}

/* Every host is in exactly one part, and the parts have the requested sizes. */
static void parts_have_all_hosts(void **state)
{
	struct inventory in = {0};
	struct census c;
	struct strbuf target = {0}, text = {0};
	struct rollout r;
	size_t found[4] = {0};
	char host[16];

	(void)state;
	for (int i = 0; i < 10; i++) {
		snprintf(host, sizeof(host), "h%d", i);
		assert_true(enter(&in, host, "1", 1));
		assert_true(enter(&in, host, "2", 1));
	}
	assert_true(plan(&in, "h9", "1", PLAN_RETIRED, 2) && plan(&in, "h9", "2", PLAN_RETIRED, 2));
	census_begin(&c, &in, "h*", "seed");
	rollout_plan(&r, &c, 2, 3);
	assert_true(r.hosts == 9 && r.v.n == 4 && rollout_rest(&r, 0) == 7);
	assert_true(r.v.v[0].canary && r.v.v[0].hosts == 2 && r.v.v[3].hosts == 1);
	for (int i = 0; i < 9; i++)
		for (size_t p = 0; p < r.v.n; p++) {
			snprintf(host, sizeof(host), "h%d", i);
			strbuf_reset(&target);
			target_add_share(&target, "seed", r.v.v[p].from, r.v.v[p].to);
			found[p] += target_match(target.s, host, NULL);
		}
	for (size_t p = 0; p < r.v.n; p++)
		assert_int_equal(found[p], r.v.v[p].hosts);
	rollout_text(&r, 0, &text);
	assert_string_equal(text.s, "canary, 2 hosts");
	rollout_release(&r);
	/* If the canary would have all hosts, the run has one part, which is no canary. */
	rollout_plan(&r, &c, 20, 0);
	assert_true(r.v.n == 1 && !r.v.v[0].canary && !r.v.v[0].from && !~r.v.v[0].to);
	rollout_release(&r);
	census_release(&c);
	census_begin(&c, &in, "none", "seed");
	rollout_plan(&r, &c, 1, 1);
	assert_true(r.v.n == 1 && !r.hosts);
	rollout_release(&r);
	census_release(&c);
	inventory_release(&in);
	strbuf_release(&target);
	strbuf_release(&text);
}

static void enter_relay(struct inventory *in, const char *name, const char *id)
{
	struct strbuf subject = {0}, b = {0};

	if (*id) {
		inventory_relay(&subject, &b, name, id, "1.0");
		assert_true(inventory_take(in, subject.s, b.s, b.len, 1));
	}
	assert_true(plan(in, name, "", PLAN_RELAY, 2));
	strbuf_release(&subject);
	strbuf_release(&b);
}

/*
 * Passes the hosts of @from to @to, as the answer of relay @name, signed with the seed byte @key.
 * Returns whether @to took the answer.
 */
static bool answer(struct census *to, struct inventory *in, const struct census *from,
		   const char *run, const char *name, uint64_t sequence, uint8_t key)
{
	uint8_t seed[SEED_SIZE] = {key};
	struct report_key k = {name, "1", 7};
	struct strbuf subject = {0}, b = {0}, sealed = {0};
	struct net_message m;
	bool taken;

	strbuf_addf(&subject, "fleet.state.%s", run);
	subject_key(&subject, &k);
	census_write(from, run, &k, sequence, "1.0", NULL, 4096 + 8 * 100, &b);
	assert_true(sign_seal(&sealed, seed, b.s, b.len));
	m = (struct net_message){.subject = subject.s, .data = sealed.s, .size = sealed.len};
	taken = census_receive(to, in, "run-0", &m);
	strbuf_release(&subject);
	strbuf_release(&b);
	strbuf_release(&sealed);
	return taken;
}

static const char *lacks(const struct census *c)
{
	static char text[256];
	struct strbuf b = {0};

	census_lacks(c, &b);
	snprintf(text, sizeof(text), "%s", strbuf_text(&b));
	strbuf_release(&b);
	return text;
}

/* A census is complete when each relay has answered with the hosts of its site. */
static void relays_give_their_hosts(void **state)
{
	struct inventory in = {0}, below = {0}, large = {0};
	struct census c, site, many;
	uint64_t *share;
	char host[16];
	size_t n;

	(void)state;
	assert_true(enter(&in, "a", "1", 1) && enter(&in, "b", "1", 1));
	enter_relay(&in, "ams", "1");
	enter_relay(&in, "new", "");
	census_begin(&c, &in, "[ax]", "seed");
	assert_true(c.own.n == 1 && c.relays.n == 2 && !census_is_complete(&c));
	assert_string_equal(lacks(&c), "ams: has not said which hosts it has\n"
				       "new: has not said which hosts it has\n");
	/*
	 * The site of relay ams has the hosts x, b (which the target does not select), and another
	 * host a.
	 */
	assert_true(enter(&below, "a", "5", 1) && enter(&below, "b", "5", 1));
	assert_true(enter(&below, "x", "5", 1));
	census_begin(&site, &below, "[ax]", "seed");
	/* answer of a host that is no relay */
	assert_false(answer(&c, &in, &site, "run-0", "a", 1, 1));
	assert_false(answer(&c, &in, &site, "run-1", "ams", 9, 1));
	assert_true(answer(&c, &in, &site, "run-0", "ams", 5, 1));
	assert_false(answer(&c, &in, &site, "run-0", "ams", 6, 2)); /* signed by another key */
	assert_false(answer(&c, &in, &site, "run-0", "ams", 4, 1)); /* older */
	share = census_shares(&c, &n);
	assert_true(n == 3 && share[0] <= share[1] && share[1] <= share[2]);
	assert_true(share[0] == target_share("seed", "a") || share[2] == share[1]);
	xfree(share);
	assert_false(census_is_complete(&c));
	assert_true(answer(&c, &in, &site, "run-0", "new", 5, 3));
	assert_true(census_is_complete(&c));
	assert_string_equal(lacks(&c), "");
	/*
	 * Relay ams reports that a relay below it has not answered, and that its message has no
	 * room for all hosts.
	 */
	enter_relay(&below, "eu", "1");
	census_release(&site);
	census_begin(&site, &below, "*", "seed");
	assert_true(answer(&c, &in, &site, "run-0", "ams", 7, 1));
	assert_string_equal(lacks(&c), "ams: eu: has not said which hosts it has\n");
	for (int i = 0; i < 101; i++) {
		snprintf(host, sizeof(host), "h%d", i);
		assert_true(enter(&large, host, "1", 1));
	}
	census_begin(&many, &large, "*", "seed");
	assert_true(answer(&c, &in, &many, "run-0", "ams", 8, 1));
	assert_string_equal(lacks(&c),
			    "ams: the relay has more hosts than one message of the upper "
			    "server can list\n");
	census_release(&many);
	census_release(&site);
	census_release(&c);
	inventory_release(&in);
	inventory_release(&below);
	inventory_release(&large);
}

/* Hosts with the same name at different sites have the same share, and are in the same part. */
static void same_names_are_in_one_part(void **state)
{
	static uint64_t one[] = {1, 5, 5, 5}, two[] = {5, 9};
	struct census_relay relay[] = {{.sequence = 1}, {.sequence = 1}};
	struct census c = {.relays = {relay, 2, 2}};
	struct rollout r;

	(void)state;
	relay[0].shares.v = one;
	relay[0].shares.n = 4;
	relay[1].shares.v = two;
	relay[1].shares.n = 2;
	rollout_plan(&r, &c, 2, 2);
	assert_true(r.hosts == 6 && r.v.n == 3);
	assert_true(r.v.v[0].hosts == 1 && r.v.v[0].canary && r.v.v[0].to == 1);
	assert_true(r.v.v[1].hosts == 4 && r.v.v[1].from == 2 && r.v.v[1].to == 5);
	assert_true(r.v.v[2].hosts == 1 && r.v.v[2].from == 6 && !~r.v.v[2].to);
	rollout_release(&r);
}

static void patterns_match_subjects(void **state)
{
	(void)state;
	assert_true(subject_matches("fleet.stop.*.*", "fleet.stop.a.b"));
	assert_true(subject_matches("fleet.run.a", "fleet.run.a"));
	assert_true(subject_matches("*", "a"));
	assert_false(subject_matches("fleet.stop.*.*", "fleet.run.a.b"));
	assert_false(subject_matches("fleet.stop.*.*", "fleet.stop.a"));
	assert_false(subject_matches("fleet.stop.*.*", "fleet.stop.a.b.c"));
	assert_false(subject_matches("fleet.stop.*.*", "fleet.stop..b"));
	assert_false(subject_matches("fleet.run.a*", "fleet.run.ab"));
	assert_false(subject_matches("fleet.run", "fleet.run."));
	assert_false(subject_matches("", "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_are_parsed),
		cmocka_unit_test(targets_select_hosts),
		cmocka_unit_test(inventory_expects_hosts),
		cmocka_unit_test(runs_are_for_hosts),
		cmocka_unit_test(relays_are_named),
		cmocka_unit_test(parts_have_all_hosts),
		cmocka_unit_test(administrators_sign_plans),
		cmocka_unit_test(relays_give_their_hosts),
		cmocka_unit_test(same_names_are_in_one_part),
		cmocka_unit_test(patterns_match_subjects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
