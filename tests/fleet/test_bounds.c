/* test_bounds.c - tests what a policy lets one run use. */
#include "base/strbuf.h"
#include "fleet/host/policy.h"
#include "tests/check.h"

static struct policy parse(const char *text)
{
	struct strbuf wrong = {0};
	struct policy p;

	assert_true(policy_parse(&p, text, &wrong));
	strbuf_release(&wrong);
	return p;
}

static void mistake(const char *text, const char *expected)
{
	struct strbuf wrong = {0};
	struct policy p;

	assert_false(policy_parse(&p, text, &wrong));
	assert_string_equal(wrong.s, expected);
	policy_release(&p);
	strbuf_release(&wrong);
}

static void a_policy_without_bounds_has_the_usual_ones(void **state)
{
	struct policy p = parse("");
	struct policy_limit l = policy_limit(&p, "ann");

	(void)state;
	assert_int_equal(l.use.cpu, 100);
	assert_int_equal(l.use.memory, 1 << 30);
	assert_int_equal(l.use.tasks, 128);
	assert_int_equal(l.use.files, 65536);
	assert_false(p.groups_required);
	policy_release(&p);
}

static void the_bounds_of_a_key_replace_the_general_ones(void **state)
{
	struct policy p = parse("cpu 30\nmemory 1000\ntasks 7\nfiles 99\ngroups required\n"
				"limit ann memory 5000\nlimit ann files 3\nlimit bob cpu 1");
	struct policy_limit ann = policy_limit(&p, "ann"), bob = policy_limit(&p, "bob");

	(void)state;
	assert_true(p.groups_required);
	assert_int_equal(ann.use.cpu, 30);
	assert_int_equal(ann.use.memory, 5000);
	assert_int_equal(ann.use.tasks, 7);
	assert_int_equal(ann.use.files, 3);
	assert_int_equal(bob.use.cpu, 1);
	assert_int_equal(bob.use.memory, 1000);
	assert_int_equal(bob.use.files, 99);
	policy_release(&p);
}

static void mistakes_are_named(void **state)
{
	(void)state;
	mistake("cpu 0", "line 1: cpu: must be at least 1");
	mistake("memory 1G", "line 1: memory: needs a number");
	mistake("tasks 1 2", "line 1: tasks: something follows the number");
	mistake("groups", "line 1: groups: is required or optional");
	mistake("groups maybe", "line 1: groups: is required or optional");
	mistake("groups required now", "line 1: groups: something follows the word");
	mistake("limit ann files x", "line 1: limit: needs a number");
	mistake("limit ann groups required", "line 1: limit: unknown rule");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_policy_without_bounds_has_the_usual_ones),
		cmocka_unit_test(the_bounds_of_a_key_replace_the_general_ones),
		cmocka_unit_test(mistakes_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
