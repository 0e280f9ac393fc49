/* follow.c - runs dtrace --merge -x follow. */
#include "fleet/viewer/follow.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/spawn.h"
#include "base/vec.h"

static const struct kind {
	const char *opt;
	bool word; /* @opt is the whole option; if false, the option may go on after @opt */
	bool picture, screen;
} kinds[] = {
	{"view=", false, false, true},           {"listen=", false, false, false},
	{"oformat=heat", true, true, false},     {"oformat=heat-svg", true, true, false},
	{"oformat=time-svg", true, true, false},
};

static const struct kind *kind_of(const char *xopt)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const struct kind *k = &kinds[i];

		if (k->word ? !strcmp(xopt, k->opt) : !strncmp(xopt, k->opt, strlen(k->opt)))
			return k;
	}
	return NULL;
}

bool follow_asked(const char *xopt)
{
	return kind_of(xopt) != NULL;
}

/*
 * Starts dtrace. If dtrace draws no picture, -x aggoutonly makes it omit the final tables. The
 * caller prints them, because dtrace may end before the hosts' last messages have come.
 */
static bool start(struct follower *f, const char *dtrace, const char *const *xopt, size_t n,
		  const char *rate, const char *folder)
{
	VEC(const char *) argv = {0};
	int err;

	vec_push(&argv, dtrace);
	vec_push(&argv, "-qxfollow");
	vec_push(&argv, rate);
	for (size_t i = 0; i < n; i++) {
		vec_push(&argv, "-x");
		vec_push(&argv, xopt[i]);
	}
	if (!f->picture)
		vec_push(&argv, "-xaggoutonly");
	vec_push(&argv, "--merge");
	vec_push(&argv, folder);
	vec_push(&argv, NULL);
	fflush(stdout);
	err = spawn_command(&f->pid, dtrace, argv.v, -1, -1, f->screen ? 0 : SPAWN_GROUP);
	vec_free(&argv);
	if (err)
		fprintf(stderr, "dtrace-fleet: failed to run %s: %s\n", dtrace, strerror(err));
	return !err;
}

void follow_kinds(struct follower *f, const char *const *xopt, size_t n)
{
	*f = (struct follower){0};
	for (size_t i = 0; i < n; i++) {
		const struct kind *k = kind_of(xopt[i]);

		if (k) {
			f->asked = true;
			f->picture |= k->picture;
			f->screen |= k->screen;
		}
	}
}

bool follow_start(struct follower *f, const char *dtrace, const char *const *xopt, size_t n,
		  uint64_t rate_ms, const char *folder)
{
	char rate[48];

	follow_kinds(f, xopt, n);
	snprintf(rate, sizeof(rate), "-xaggrate=%" PRIu64 "ms", rate_ms);
	return !f->asked || start(f, dtrace, xopt, n, rate, folder);
}

bool follow_is_over(struct follower *f)
{
	if (!f->pid || waitpid(f->pid, NULL, WNOHANG) != f->pid)
		return false;
	f->pid = 0;
	return true;
}

bool follow_end(struct follower *f)
{
	int status = 0;

	if (!f->pid)
		return true;
	kill(f->pid, SIGTERM);
	waitpid(f->pid, &status, 0);
	f->pid = 0;
	return !status;
}
