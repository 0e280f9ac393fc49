/* test_audit.c - checks how entries of the audit stream are written, read and shown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "fleet/audit.h"
#include "fleet/message.h"
#include "fleet/sign.h"
#include "tests/check.h"

#define SECOND 1000000000ull

static struct audit_entry example(void)
{
	struct audit_entry e = {.what = AUDIT_REFUSED,
				.host = "web1.example",
				.id = "0123-ab",
				.time = 1700000000 * SECOND,
				.run = "abc-1",
				.owner = "ann",
				.hosts = "web*",
				.replay = "",
				.seconds = 30,
				.program = "BEGIN { exit(0); }",
				.size = 18,
				.sha = "00",
				.end = "",
				.why = "policy: no"};

	memset(e.key, 0xab, sizeof(e.key));
	return e;
}

/* Writes the entry, and appends the message and its subject. */
static void write_entry(const struct audit_entry *e, struct strbuf *subject, struct strbuf *b)
{
	audit_write(subject, b, e);
	assert_true(SIGNED_HEAD + b->len < AUDIT_MAX);
}

static void an_entry_is_read_as_it_was_written(void **state)
{
	struct audit_entry e = example(), back;
	struct strbuf subject = {0}, b = {0};
	struct message m;

	(void)state;
	write_entry(&e, &subject, &b);
	assert_string_equal(subject.s, "fleet.audit.web1%2Eexample");
	assert_true(message_parse(&m, b.s, b.len));
	assert_true(audit_read(&back, &m, subject.s));
	assert_int_equal(back.what, AUDIT_REFUSED);
	assert_string_equal(back.host, "web1.example");
	assert_string_equal(back.id, "0123-ab");
	assert_string_equal(back.run, "abc-1");
	assert_string_equal(back.owner, "ann");
	assert_string_equal(back.hosts, "web*");
	assert_string_equal(back.why, "policy: no");
	assert_string_equal(back.end, "");
	assert_int_equal(back.time, e.time);
	assert_int_equal(back.seconds, 30);
	assert_int_equal(back.size, 18);
	assert_int_equal(back.start, 18);
	assert_memory_equal(back.program, e.program, 18);
	assert_memory_equal(back.key, e.key, KEY_SIZE);
	assert_false(audit_read(&back, &m, "fleet.audit.web2"));
	assert_false(audit_read(&back, &m, "fleet.audit.web1%2Eexample.x"));
	message_release(&m);
	strbuf_release(&subject);
	strbuf_release(&b);
}

/* Long texts of a request are cut, so that the server takes the entry. */
static void long_texts_are_cut(void **state)
{
	struct audit_entry e = example(), back;
	struct strbuf subject = {0}, b = {0};
	char text[5000], sha[AUDIT_HASH + 1];
	struct message m;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	e.owner = e.hosts = e.replay = e.why = e.program = e.end = text;
	e.size = strlen(text);
	audit_hash(sha, text);
	e.sha = sha;
	write_entry(&e, &subject, &b);
	assert_true(message_parse(&m, b.s, b.len));
	assert_true(audit_read(&back, &m, subject.s));
	assert_int_equal(strlen(back.why), AUDIT_TEXT);
	assert_string_equal(back.why + AUDIT_TEXT - 4, "x...");
	assert_int_equal(back.start, AUDIT_PROGRAM);
	assert_int_equal(back.size, sizeof(text) - 1);
	assert_string_equal(back.sha, sha);
	message_release(&m);
	strbuf_release(&subject);
	strbuf_release(&b);
}

static void wrong_entries_are_not_read(void **state)
{
	static const char *const bad[][2] = {
		{"what refused", "what forgiven"},
		{"run abc-1", "run ../abc"},
		{"id 0123-ab", "id 0123.ab"},
		{"time 1", "time x1"},
		{"key abab", "key ab"},
		{"size 18", "syze 18"},
	};
	struct audit_entry e = example(), back;
	struct strbuf subject = {0}, b = {0};

	(void)state;
	write_entry(&e, &subject, &b);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char *at = strstr(b.s, bad[i][0]);
		struct strbuf other = {0};
		struct message m;

		assert_non_null(at);
		strbuf_add(&other, b.s, (size_t)(at - b.s));
		strbuf_adds(&other, bad[i][1]);
		strbuf_adds(&other, at + strlen(bad[i][0]));
		assert_true(message_parse(&m, other.s, other.len));
		assert_false(audit_read(&back, &m, subject.s));
		message_release(&m);
		strbuf_release(&other);
	}
	strbuf_release(&subject);
	strbuf_release(&b);
}

static void lines_show_no_control_characters(void **state)
{
	struct audit_entry e = example();
	struct strbuf b = {0};

	(void)state;
	setenv("TZ", "UTC", 1);
	e.owner = "a\x1b[2Jn";
	e.program = "BEGIN\n{ }";
	e.start = e.size = 9;
	e.host = "web1";
	audit_line(&b, &e, e.time + SECOND);
	assert_string_equal(b.s, "2023-11-14 22:13:20 UTC  web1             refused   a\\x1b[2Jn  "
				 "abababab  abc-1                        "
				 "policy: no; hosts web*, 30 s: BEGIN\\n{ }\n");
	strbuf_reset(&b);
	e.what = AUDIT_ENDED;
	e.end = "done";
	e.why = "";
	e.owner = "";
	e.bytes = 100;
	e.cost = 7000000;
	audit_line(&b, &e, e.time + 90 * SECOND);
	assert_string_equal(b.s,
			    "2023-11-14 22:13:20 UTC  web1             ended     -          "
			    "abababab  abc-1                        done, 100 bytes, 7 ms of CPU "
			    "for its probes (stored 2023-11-14 22:14:50 UTC)\n");
	strbuf_release(&b);
}

static void the_hash_is_that_of_sha256sum(void **state)
{
	char sha[AUDIT_HASH + 1];

	(void)state;
	audit_hash(sha, "abc");
	assert_string_equal(sha,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_is_read_as_it_was_written),
		cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test(wrong_entries_are_not_read),
		cmocka_unit_test(lines_show_no_control_characters),
		cmocka_unit_test(the_hash_is_that_of_sha256sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
