/*
 * typed.c - compiles random programs from typegen.h, and then verifies or runs them.
 *
 *	typed [-l | -r CAPTURE] [-a] [-s SLIP] [-t SECONDS] [-v] FIRST COUNT
 *	typed -p [-l] [-a] [-s SLIP] FIRST      prints one program
 *
 * Compiles the programs of COUNT seeds for captures, or with -l for this kernel. With -a, many
 * arguments are pointers into the kernel's structs. A program that compiles is loaded by this
 * kernel's verifier (-l), or runs on CAPTURE in the checked machine (-r). A refusal by the compiler
 * must have a message. Each program gets a process of its own, forked after the library texts were
 * read, and at most SECONDS (by default 10) of CPU time.
 *
 * A program fails if it crashes or hangs, if the compiler refuses it without a message, or if the
 * verifier refuses it. If a clause is too long for the verifier, that is no failure, provided that
 * the message names the clause. Prints the failed programs and a summary; the status is 1 if any
 * failed.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "compiler/builtins/lang.h"
#include "compiler/compile.h"
#include "consumer/consumer.h"
#include "engine/kernel/kernel.h"
#include "engine/source.h"
#include "engine/replay/source.h"
#include "tests/fuzz/typegen.h"

/*
 * The exit status of a program's process. A process that a signal, a sanitizer or BUG() ends has a
 * different status.
 */
enum { RAN = 10, REFUSED, LONG, VERIFIER, MUTE, FAILED, NEND };

struct run {
	struct typegen_opts gen;
	const char *capture;
	unsigned seconds;
	bool verbose;
	struct compile_opts opts;
	struct compiler *c;
	struct diag d;
	unsigned long n[NEND], bad;
	double longest;
	uint64_t longest_seed;
};

/*
 * Returns whether the error is that a clause is too long for this kernel's verifier, and names the
 * clause.
 */
static bool names_long_clause(const struct diag *d)
{
	return d->tag == D_LIMIT && strstr(d->msg, "; the longest clause is that of ");
}

static int replay(struct run *r, const struct program *p)
{
	struct replay_opts o = {.path = r->capture, .mode = VM_CHECKED};
	struct consumer_opts co = {.out = fopen("/dev/null", "w"),
				   .err = fopen("/dev/null", "w"),
				   .quiet = true};
	volatile sig_atomic_t interrupted = 0;
	struct source *s = replay_source_new(&o);
	struct consumer *c;

	if (s->ops->start(s, p, &r->d))
		return FAILED;
	c = consumer_new(p, s, &co);
	return consumer_run(c, &r->d, &interrupted) ? FAILED : RAN;
}

/*
 * Compiles one text and returns the exit status. @src must outlive @r, because errors point into
 * its text.
 */
static int compile(struct run *r, const struct src *src)
{
	struct parse_opts o = {.right = PD_RIGHT_NAME};
	unsigned matched;
	const struct program *p = NULL;

	if (compiler_add(r->c, src, &o, &matched, NULL) == 0)
		p = compiler_finish(r->c, NULL);
	if (!p)
		return r->d.nerr ? REFUSED : MUTE;
	if (r->gen.live && kernel_verify(p, &r->d))
		return names_long_clause(&r->d) ? LONG : VERIFIER;
	if (r->gen.live)
		return RAN;
	return r->capture ? replay(r, p) : RAN;
}

static void child(struct run *r, const char *text)
{
	struct src src = {SRC_FILE, "typed.d", text, strlen(text), false};
	struct rlimit cpu = {r->seconds, r->seconds};
	struct strbuf why = {0};
	int end;

	setrlimit(RLIMIT_CPU, &cpu);
	end = compile(r, &src);
	if (r->d.nerr)
		diag_text(&r->d, true, &why);
	if (why.s && (end >= VERIFIER || r->verbose))
		fprintf(stderr, "%s\n", why.s);
	fflush(NULL);
	_exit(end);
}

static double cpu_time(const struct rusage *u)
{
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
	       1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

static void one(struct run *r, uint64_t seed)
{
	struct strbuf text = {0};
	struct rusage u;
	int status;
	pid_t pid;

	typegen(seed, &r->gen, &text);
	pid = fork();
	if (pid == 0)
		child(r, text.s);
	if (pid < 0 || wait4(pid, &status, 0, &u) != pid) {
		perror("fork");
		exit(2);
	}
	if (cpu_time(&u) > r->longest) {
		r->longest = cpu_time(&u);
		r->longest_seed = seed;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) >= RAN && WEXITSTATUS(status) < NEND)
		r->n[WEXITSTATUS(status)]++;
	if (!WIFEXITED(status) || WEXITSTATUS(status) < RAN || WEXITSTATUS(status) >= VERIFIER) {
		static const char *const why[] = {[VERIFIER] =
							  "accepted, then refused by the verifier",
						  [MUTE] = "refused without a message",
						  [FAILED] = "failed while it ran"};

		r->bad++;
		printf("seed %llu: %s (status %#x)\n%s\n", (unsigned long long)seed,
		       WIFEXITED(status) && WEXITSTATUS(status) >= VERIFIER &&
				       WEXITSTATUS(status) < NEND
			       ? why[WEXITSTATUS(status)]
			       : "crashed, or took too long",
		       status, r->verbose ? text.s : "");
		fflush(stdout);
	} else if (r->verbose) {
		printf("seed %llu: %s\n", (unsigned long long)seed,
		       WEXITSTATUS(status) == RAN    ? "ran"
		       : WEXITSTATUS(status) == LONG ? "too long"
						     : "refused");
	}
	strbuf_release(&text);
}

static int usage(void)
{
	fprintf(stderr,
		"usage: typed [-l | -r CAPTURE] [-a] [-s SLIP] [-t SECONDS] [-v] FIRST COUNT\n"
		"       typed -p [-l] [-a] [-s SLIP] FIRST\n");
	return 2;
}

static int print(const struct run *r, uint64_t seed)
{
	struct strbuf text = {0};

	typegen(seed, &r->gen, &text);
	fputs(text.s, stdout);
	strbuf_release(&text);
	return 0;
}

static int all(struct run *r, uint64_t first, uint64_t count)
{
	r->opts.replay = !r->gen.live;
	r->opts.lang = dtrace_lang();
	r->opts.fentry = kernel_fentry;
	r->opts.stack_at = kernel_stack_at;
	r->c = compiler_new(&r->opts, &r->d);
	if (r->d.nerr)
		return 2;
	for (uint64_t i = 0; i < count; i++)
		one(r, first + i);
	printf("%llu programs: %lu %s, %lu refused with a message, %lu too long; %lu bad; longest "
	       "%.2f s (seed %llu)\n",
	       (unsigned long long)count, r->n[RAN],
	       r->gen.live  ? "verified"
	       : r->capture ? "run"
			    : "compiled",
	       r->n[REFUSED], r->n[LONG], r->bad, r->longest, (unsigned long long)r->longest_seed);
	compiler_free(r->c);
	return r->bad != 0;
}

int main(int argc, char **argv)
{
	struct run r = {.gen = {.slip = 10}, .seconds = 10};
	bool only = false;
	int opt;

	while ((opt = getopt(argc, argv, "alr:s:t:vp")) != -1) {
		switch (opt) {
		case 'a':
			r.gen.pointers = true;
			break;
		case 'l':
			r.gen.live = true;
			break;
		case 'r':
			r.capture = optarg;
			break;
		case 's':
			r.gen.slip = (unsigned)atoi(optarg);
			break;
		case 't':
			r.seconds = (unsigned)atoi(optarg);
			break;
		case 'v':
			r.verbose = true;
			break;
		case 'p':
			only = true;
			break;
		default:
			return usage();
		}
	}
	if (argc - optind != (only ? 1 : 2))
		return usage();
	if (only)
		return print(&r, strtoull(argv[optind], NULL, 10));
	return all(&r, strtoull(argv[optind], NULL, 10), strtoull(argv[optind + 1], NULL, 10));
}
