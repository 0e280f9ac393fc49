/*
 * tracer.c - suggests D's probes for descriptions that are written as in bpftrace.
 *
 * In live tracing, a probe that is looked up by its name is suggested only if it exists.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/glob.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "providers/provider.h"

#define WORDS 5 /* maximum number of words in a description */
#define NEAR 3  /* maximum number of changed characters between two similar names */

/* A description, split at its colons. */
struct words {
	const char *w[WORDS];
	unsigned n;
};

#define LAST(words) ((words)->w[(words)->n - 1])

static struct words cut(struct compiler *c, const char *text)
{
	struct words d = {0};

	while (d.n < WORDS) {
		size_t n = strcspn(text, ":");

		d.w[d.n++] = arena_strndup(c->arena, text, n);
		if (!text[n])
			break;
		text += n + 1;
	}
	return d;
}

static bool exists(struct compiler *c, const struct host_provider *prov, const char *func,
		   const char *name)
{
	struct diag quiet = {0};
	struct host_probe *h = host_provider_find(prov, &c->probes->env, func, name, &quiet);

	diag_release(&quiet);
	return h;
}

/* Suggests @probe. In replay, adds that the probe is for live tracing, if @live is set. */
static bool suggest(struct compiler *c, bool live, const char *probe)
{
	diag_hint(c->d, "did you mean %s?%s", probe,
		  live && c->opt->replay ? " This probe exists only without -r" : "");
	return true;
}

/* ---------------------------------------------------------------- system calls */

/*
 * Sets @number to the index of system call @name in @names, or of the call with the most similar
 * name. Returns false if no name is similar.
 */
static bool find_call(const struct family_names *names, const char *name, uint32_t *number)
{
	unsigned least = NEAR + 1;

	for (uint32_t i = 0; i < names->n; i++) {
		unsigned far = names->func[i] ? hint_nearness(name, names->func[i]) : NEAR + 1;

		if (far < least) {
			least = far;
			*number = i;
		}
	}
	return least <= NEAR;
}

/*
 * Suggests a syscall probe for tracepoint sys_enter_CALL if @enter is set, else for sys_exit_CALL.
 */
static bool say_syscall(struct compiler *c, const char *call, bool enter)
{
	const struct family_names *names = family_names("syscall");
	const char *end = enter ? "entry" : "return";
	uint32_t i;

	if (!*call || glob_is_pattern(call))
		return suggest(c, true,
			       arena_printf(c->arena, "syscall::%s:%s",
					    strcmp(call, "*") ? call : "", end));
	if (names && find_call(names, call, &i))
		return suggest(c, true,
			       arena_printf(c->arena, "syscall::%s:%s", names->func[i], end));
	diag_hint(c->d, "there is no system call %s; 'dtrace -l -P syscall' lists the system calls",
		  call);
	return true;
}

/* ----------------------------------------------------------------- tracepoints */

struct near_point {
	const char *typed, *best;
	unsigned least;
};

static void try_point(void *ctx, struct host_probe *p)
{
	struct near_point *n = ctx;
	unsigned far = glob_is_pattern(n->typed) ? (glob_match(n->typed, p->name) ? 0 : NEAR + 1)
						 : hint_nearness(n->typed, p->name);

	if (far < n->least) {
		n->least = far;
		n->best = p->name;
	}
}

static bool say_point(struct compiler *c, const char *name)
{
	struct near_point n = {.typed = name, .least = NEAR + 1};

	host_provider_each(&provider_rawtp, &c->probes->env, try_point, &n);
	if (n.best)
		return suggest(c, false,
			       arena_printf(c->arena, "rawtp:::%s",
					    glob_is_pattern(name) ? name : n.best));
	if (c->opt->replay)
		diag_hint(c->d, "captures have no events of that tracepoint; 'dtrace -r FILE -l -P "
				"rawtp' lists the tracepoints of captures");
	else
		diag_hint(c->d,
			  "there is no tracepoint %s; 'dtrace -l -P rawtp' lists the tracepoints",
			  name);
	return true;
}

/* Suggests a probe for tracepoint:CATEGORY:NAME. */
static bool say_tracepoint(struct compiler *c, const struct words *d)
{
	const char *name = LAST(d);

	if (!strncmp(name, "sys_enter", 9) && (name[9] == '_' || !name[9]))
		return say_syscall(c, name + 9 + (name[9] == '_'), true);
	if (!strncmp(name, "sys_exit", 8) && (name[8] == '_' || !name[8]))
		return say_syscall(c, name + 8 + (name[8] == '_'), false);
	if (!strcmp(name, "*") && d->n > 2)
		return say_point(c, arena_printf(c->arena, "%s_*", d->w[1]));
	return say_point(c, name);
}

/* ------------------------------------------------------------------- functions */

/* Suggests a probe of function @func: at its entry, at its return, or at an offset in it. */
static bool say_in_function(struct compiler *c, const struct host_provider *prov, const char *func,
			    const char *name)
{
	const char *probe = arena_printf(c->arena, "%s::%s:%s", prov->name, func, name), *lacks;

	if (c->opt->replay || glob_is_pattern(func) || exists(c, prov, func, name))
		return suggest(c, true, probe);
	lacks = prov->lacks ? prov->lacks(&c->probes->env, func) : prov->missing;
	diag_hint(c->d, "in D this would be %s, but %s%s", probe,
		  lacks ? "this kernel lacks " : "there is no ", lacks ? lacks : func);
	return true;
}

static bool say_function(struct compiler *c, const struct words *d, const char *end)
{
	const char *func = LAST(d), *plus = strchr(func, '+');

	if (plus)
		return say_in_function(c, &provider_kinst,
				       arena_strndup(c->arena, func, (size_t)(plus - func)),
				       plus + 1);
	return say_in_function(c, &provider_fbt, func, end);
}

static bool say_entry(struct compiler *c, const struct words *d)
{
	return say_function(c, d, "entry");
}

static bool say_return(struct compiler *c, const struct words *d)
{
	return say_function(c, d, "return");
}

/* ---------------------------------------------------------------------- clocks */

/*
 * Suggests a probe for interval:s:1, interval:1s or profile:hz:99. @form is the word that begins
 * the probe's name in D, @usual a probe that always exists.
 */
static bool say_clock(struct compiler *c, const struct words *d, const char *form,
		      const char *usual)
{
	static const char *const units[] = {"hz", "s", "ms", "us"};
	const char *unit = d->n > 2 ? d->w[1] : "", *name;
	bool known = d->n == 2;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		known |= !strcmp(unit, units[i]);
	name = arena_printf(c->arena, "%s-%s%s", form, LAST(d), unit);
	return suggest(c, false, known && exists(c, &provider_profile, "", name) ? name : usual);
}

static bool say_interval(struct compiler *c, const struct words *d)
{
	return say_clock(c, d, "tick", "tick-1s");
}

static bool say_profile(struct compiler *c, const struct words *d)
{
	return say_clock(c, d, "profile", "profile-997");
}

/* ------------------------------------------------------------------- processes */

static bool say_process(struct compiler *c, const struct words *d, const char *end)
{
	const char *mod = d->n > 2 ? d->w[1] : "", *plus = strchr(LAST(d), '+');

	diag_hint(c->d, "did you mean pid$target:%s:%.*s:%s with -p PID or -c COMMAND?", mod,
		  (int)(plus ? plus - LAST(d) : (long)strlen(LAST(d))), LAST(d),
		  plus ? plus + 1 : end);
	return true;
}

static bool say_uprobe(struct compiler *c, const struct words *d)
{
	return say_process(c, d, "entry");
}

static bool say_uretprobe(struct compiler *c, const struct words *d)
{
	return say_process(c, d, "return");
}

static bool say_usdt(struct compiler *c, const struct words *d)
{
	if (d->n > 3)
		diag_hint(c->d, "did you mean %s$target:::%s with -p PID or -c COMMAND?", d->w[2],
			  d->w[3]);
	else
		diag_hint(c->d,
			  "a static probe is PROVIDER$target:::NAME, with -p PID or -c COMMAND");
	return true;
}

/* ---------------------------------------------------------------------- others */

static bool say_iterator(struct compiler *c, const struct words *d)
{
	if (c->opt->replay || exists(c, &provider_iter, "", LAST(d)))
		return suggest(c, true, arena_printf(c->arena, "iter:::%s", LAST(d)));
	diag_hint(c->d, "there is no iterator %s; 'dtrace -l -P iter' lists the iterators",
		  LAST(d));
	return true;
}

static bool say_software(struct compiler *c, const struct words *d)
{
	static const char *const events[][2] = {
		{"context-switches", "sched:::off-cpu"},
		{"cs", "sched:::off-cpu"},
		{"cpu-clock", "profile-997"},
		{"cpu", "profile-997"},
		{"faults", "vminfo:::as_fault"},
		{"major-faults", "vminfo:::maj_fault"},
		{"page-faults", "vminfo:::as_fault"},
		{"task-clock", "profile-997"},
	};

	for (size_t i = 0; d->n > 1 && i < sizeof(events) / sizeof(*events); i++)
		if (!strcmp(d->w[1], events[i][0]))
			return suggest(c, strcmp(events[i][1], "profile-997"), events[i][1]);
	return suggest(c, false, "profile-997");
}

static bool say_hardware(struct compiler *c, const struct words *d)
{
	(void)d;
	diag_hint(c->d, "counters of the CPU are not probes here; profile-997 samples what each "
			"CPU runs");
	return true;
}

static bool say_watchpoint(struct compiler *c, const struct words *d)
{
	(void)d;
	diag_hint(c->d, "no probe fires when memory is written to; kinst::FUNCTION:OFFSET fires at "
			"one instruction");
	return true;
}

static const struct {
	const char *word, *abbr; /* the type of a probe, as bpftrace spells and abbreviates it */
	bool (*say)(struct compiler *c, const struct words *d);
} types[] = {
	{"tracepoint", "t", say_tracepoint},
	{"rawtracepoint", "rt", say_tracepoint},
	{"kprobe", "k", say_entry},
	{"kretprobe", "kr", say_return},
	{"kfunc", "f", say_entry},
	{"kretfunc", "fr", say_return},
	{"fentry", "f", say_entry},
	{"fexit", "fr", say_return},
	{"interval", "i", say_interval},
	{"profile", "p", say_profile},
	{"uprobe", "u", say_uprobe},
	{"uretprobe", "ur", say_uretprobe},
	{"usdt", "U", say_usdt},
	{"iter", "it", say_iterator},
	{"software", "s", say_software},
	{"hardware", "h", say_hardware},
	{"watchpoint", "w", say_watchpoint},
	{"asyncwatchpoint", "aw", say_watchpoint},
};

bool hint_tracer(struct compiler *c, const struct probe_desc *d)
{
	struct words words = cut(c, d->text);

	if (words.n == 1 && !c->opt->replay && provider_fbt.knows(&c->probes->env, d->text))
		return say_in_function(c, &provider_fbt, d->text, "entry");
	if (words.n < 2 || !*words.w[1])
		return false;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(words.w[0], types[i].word) || !strcmp(words.w[0], types[i].abbr))
			return types[i].say(c, &words);
	return false;
}
