/*
 * prog.c - loads the units of a D program as eBPF programs. Resolves the references of their code,
 * has the kernel verify them, and reports in one line why a unit was refused.
 */
#include "engine/kernel/impl.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <linux/bpf.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/kernel/bpf.h"
#include "engine/kernel/btf.h"

enum {
	LOG_FIRST = 64 << 10,
	LOG_MAX = (16 << 20) - 1, /* largest log size that kernels before 5.16 accept */
};

/* ---------------------------------------------------- resolving references */

static bool is_map_ref(const struct insn *i)
{
	return i->code == (BPF_LD | BPF_IMM | BPF_DW) &&
	       (i->src == INSN_MAP || i->src == INSN_MAP_VALUE);
}

static bool is_kfunc_call(const struct insn *i)
{
	return i->code == (BPF_JMP | BPF_CALL) && i->src == INSN_KFUNC;
}

/*
 * Returns a copy of @u's code in which descriptors and BTF ids replace indices. If the kernel lacks
 * a function, returns NULL with the error in @d. The member src needs no change: INSN_MAP,
 * INSN_MAP_VALUE and INSN_KFUNC have the numbers of the kernel's BPF_PSEUDO_*.
 */
static struct insn *resolve(struct kernel *k, const struct unit *u, struct diag *d)
{
	struct insn *code = xcalloc(u->ninsn, sizeof(*code));

	_Static_assert(INSN_MAP == BPF_PSEUDO_MAP_FD && INSN_MAP_VALUE == BPF_PSEUDO_MAP_VALUE &&
			       INSN_LOCAL == BPF_PSEUDO_CALL && INSN_KFUNC == BPF_PSEUDO_KFUNC_CALL,
		       "INSN_* must equal the kernel's BPF_PSEUDO_*");
	memcpy(code, u->insn, u->ninsn * sizeof(*code));
	for (uint32_t i = 0; i < u->ninsn; i++) {
		struct insn *in = &code[i];

		if (is_map_ref(in)) {
			in->imm = k->map[in->imm].fd;
		} else if (is_kfunc_call(in)) {
			const struct kfunc *f = &k->p->kfunc[in->imm];

			if (!f->btf_id) {
				diag_error(d, D_VERIFY, NOLOC,
					   "failed to enable '%s': this kernel has no BPF "
					   "function '%s'",
					   u->target, f->name);
				xfree(code);
				return NULL;
			}
			in->imm = f->btf_id;
		}
		if (in->code == (BPF_LD | BPF_IMM | BPF_DW))
			i++; /* skip the second half of a 64-bit load */
	}
	return code;
}

uint32_t kprog_cgroup_type(const struct unit *u)
{
	if (u->hook == HOOK_SOCKOPS)
		return BPF_CGROUP_SOCK_OPS;
	if (u->hook == HOOK_CGROUP_SOCK)
		return strcmp(u->target, "create") ? BPF_CGROUP_INET_SOCK_RELEASE
						   : BPF_CGROUP_INET_SOCK_CREATE;
	return strcmp(u->target, "egress") ? BPF_CGROUP_INET_INGRESS : BPF_CGROUP_INET_EGRESS;
}

static struct kbpf_prog_spec prog_spec(const struct unit *u, const struct insn *code)
{
	struct kbpf_prog_spec s = {.insn = code, .ninsn = u->ninsn};

	switch (u->hook) {
	case HOOK_RUN:
		/*
		 * The program is never attached: dtrace runs it, so the current task is dtrace.
		 * Programs of this type may use all tracing helpers.
		 */
		s.type = BPF_PROG_TYPE_RAW_TRACEPOINT;
		break;
	case HOOK_PROFILE:
		s.type = BPF_PROG_TYPE_PERF_EVENT;
		break;
	case HOOK_RAWTP:
		s.type = BPF_PROG_TYPE_TRACING;
		s.attach_type = BPF_TRACE_RAW_TP;
		s.attach_btf_id = u->attach_btf_id;
		break;
	case HOOK_CGROUP_SOCK:
		s.type = BPF_PROG_TYPE_CGROUP_SOCK;
		s.attach_type = kprog_cgroup_type(u);
		break;
	case HOOK_ITER:
		s.type = BPF_PROG_TYPE_TRACING;
		s.attach_type = BPF_TRACE_ITER;
		s.attach_btf_id = u->attach_btf_id;
		break;
	case HOOK_CGROUP_SKB:
		s.type = BPF_PROG_TYPE_CGROUP_SKB;
		s.attach_type = kprog_cgroup_type(u);
		break;
	case HOOK_SOCKOPS:
		s.type = BPF_PROG_TYPE_SOCK_OPS;
		s.attach_type = kprog_cgroup_type(u);
		break;
	case HOOK_FENTRY:
	case HOOK_FEXIT:
		s.type = BPF_PROG_TYPE_TRACING;
		s.attach_type = u->hook == HOOK_FENTRY ? BPF_TRACE_FENTRY : BPF_TRACE_FEXIT;
		s.attach_btf_id = u->attach_btf_id;
		break;
	case HOOK_KPROBE:
	case HOOK_KRETPROBE:
		s.type = BPF_PROG_TYPE_KPROBE;
		s.attach_type = kernel_kprobes_at_once() ? BPF_TRACE_KPROBE_MULTI : 0;
		break;
	case HOOK_KINST:
		s.type = BPF_PROG_TYPE_KPROBE;
		break;
	case HOOK_UPROBE:
	case HOOK_URETPROBE:
		s.type = BPF_PROG_TYPE_KPROBE;
		s.attach_type = kuprobe_multi() ? KBPF_UPROBE_MULTI : 0;
		break;
	case HOOK_REPLAY:
		BUG("the hook of %s exists only in replay", u->target);
	}
	return s;
}

/* -------------------------------------------------------- refused programs */

static bool starts(const char *line, size_t n, const char *with)
{
	size_t len = strlen(with);

	return n >= len && !memcmp(line, with, len);
}

/*
 * Returns whether @line belongs to the verifier's trace of the code, such as "12: (85) call ..." or
 * "12: R0=...", and so not to its verdict.
 */
static bool is_trace(const char *line, size_t n)
{
	size_t i = 0;

	while (i < n && isdigit((unsigned char)line[i]))
		i++;
	if (i && i + 1 < n && line[i] == ':' && line[i + 1] == ' ')
		return true;
	/* "R1=ctx() R10=fp0" lists registers, but "R1 invalid mem access" is a verdict. */
	if (line[0] != 'R' || n < 2 || !isdigit((unsigned char)line[1]))
		return false;
	for (i = 1; i < n && isdigit((unsigned char)line[i]); i++)
		;
	return i < n && (line[i] == '=' || line[i] == '_');
}

static bool is_noise(const char *line, size_t n)
{
	static const char *const noise[] = {"processed ",
					    "verification time",
					    "stack depth ",
					    "from ",
					    ";",
					    "mark_precise",
					    "func#",
					    "last_idx ",
					    "regs=",
					    "parent ",
					    "caller:",
					    "callee:",
					    "returning from ",
					    "frame"};

	for (size_t i = 0; i < sizeof(noise) / sizeof(*noise); i++) {
		if (starts(line, n, noise[i]))
			return true;
	}
	return !n || is_trace(line, n);
}

/*
 * Returns the last line of @log that states a reason, with its length in *@n; *@n is 0 if there is
 * none.
 */
static const char *verdict(const char *log, size_t *n)
{
	const char *line = log, *found = log;

	for (*n = 0; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *text = line + strspn(line, " \t");
		const char *end = line + strcspn(line, "\n");
		size_t len = end > text ? end - text : 0;

		if (is_noise(text, len))
			continue;
		found = text;
		*n = len;
	}
	return found;
}

/*
 * The verifier's limits that a large D program may reach. @verdict is the start of the verifier's
 * message, and @text explains the limit to the author of the program.
 */
static const struct limit {
	const char *verdict, *text;
} limits[] = {
	{"BPF program is too large", "the verifier examines at most a million instructions, and "
				     "counts an instruction again for each path that reaches it"},
	{"The sequence of ", "the verifier can keep at most 8192 branches to examine later"},
};

static const char *limit_of(const char *why, size_t n)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (starts(why, n, limits[i].verdict))
			return limits[i].text;
	return NULL;
}

static int too_long(const struct unit *u, const char *limit, struct diag *d)
{
	diag_error(d, D_LIMIT, NOLOC,
		   "failed to enable '%s': its clauses are too many or too long for the kernel: "
		   "%s%s%s",
		   u->target, limit, u->longest ? "; the longest clause is that of " : "",
		   u->longest ? u->longest : "");
	diag_hint(d,
		  "shorten the clauses, or assign the argument of an inline to a this-> variable "
		  "first: an inline evaluates its argument each time it uses that argument");
	return -1;
}

static void report(struct kernel *k, const struct unit *u, int err, const char *log, struct diag *d)
{
	size_t n;
	const char *why = verdict(log, &n), *limit = limit_of(why, n);

	if (k->opts.verbose_log && *log)
		fprintf(stderr, "%s\n", log);
	if (limit)
		too_long(u, limit, d);
	else if (n)
		diag_error(d, D_VERIFY, NOLOC,
			   "failed to enable '%s': the kernel refused the program: %.*s", u->target,
			   (int)n, why);
	else
		diag_error(d, D_VERIFY, NOLOC,
			   "failed to enable '%s': the kernel refused the program: %s", u->target,
			   kbpf_strerror(-err));
}

/*
 * Loads the program again to get the verifier's log. The first load asked for no log: logging is 8
 * times slower, and a log buffer that is too small makes a valid program fail with ENOSPC.
 * explain() calls this function only if it does not know why the kernel refused the program: the
 * log may have a million lines, and then each try takes ten seconds.
 */
static int load_loud(struct kernel *k, const struct unit *u, const char *name,
		     const struct kbpf_prog_spec *s, int err, struct diag *d)
{
	char *log = NULL;
	int fd = -ENOSPC;

	for (uint32_t size = LOG_FIRST; fd == -ENOSPC && size <= LOG_MAX; size = size * 4 - 1) {
		log = xrealloc(log, size);
		log[0] = '\0';
		fd = kbpf_prog_load(name, s, log, size);
	}
	if (fd < 0)
		report(k, u, err, log, d);
	xfree(log);
	return fd < 0 ? -1 : fd;
}

static int cannot_load(const struct unit *u, int err, struct diag *d)
{
	return diag_error(d, D_SYS, NOLOC, "failed to enable '%s': cannot load the program: %s",
			  u->target, kbpf_strerror(-err));
}

/* --------------------------------------------------------------- loading */

/* A unit that is being loaded. */
struct loading {
	const struct unit *unit;
	struct insn *code; /* the unit's code with its references resolved */
	char name[KBPF_NAME];
	struct kbpf_prog_spec spec;
	struct kbtf btf; /* describes the unit's functions if any is global */
	int fd;          /* the program, a negative errno, or NOT_TAKEN */
};

/*
 * Loads the unit's BTF into the kernel, if it has any. Returns 0 or a negative errno. The caller
 * calls forget_btf() when the program is loaded, also after an error.
 */
static int load_btf(struct loading *l)
{
	l->spec.btf = l->btf.nfunc ? kbpf_btf_load(l->btf.blob.s, (uint32_t)l->btf.blob.len) : 0;
	return l->spec.btf < 0 ? l->spec.btf : 0;
}

static void forget_btf(struct loading *l)
{
	if (l->spec.btf > 0)
		close(l->spec.btf); /* a program keeps its BTF */
}

static void load(struct loading *l)
{
	l->fd = load_btf(l);
	if (!l->fd)
		l->fd = kbpf_prog_load(l->name, &l->spec, NULL, 0);
	forget_btf(l);
}

/* Reports why the kernel refused the unit. Returns what load_loud() returns. */
static int explain(struct kernel *k, struct loading *l, struct diag *d)
{
	int err = l->fd, fd;

	if (err == -EMFILE || err == -ENFILE)
		return cannot_load(l->unit, err, d);
	if (err == -E2BIG && !k->opts.verbose_log)
		return too_long(l->unit, limits[0].text, d);
	fd = load_btf(l);
	fd = fd ? cannot_load(l->unit, fd, d) : load_loud(k, l->unit, l->name, &l->spec, err, d);
	forget_btf(l);
	return fd;
}

/*
 * The verifier takes most of the time to start a large program, and holds no lock. So several
 * threads load the units. They take the units in order, until one is refused.
 */
struct loads {
	struct loading *v;
	uint32_t n, next; /* number of units; and the next one to take */
	bool refused;
};

enum {
	MANY_INSNS = 5000, /* one thread loads a program with fewer instructions */
	THREADS_MAX = 8,
	NOT_TAKEN = INT_MIN, /* no thread has taken the unit */
};

static void *load_some(void *ctx)
{
	struct loads *l = ctx;
	uint32_t i;

	while (!__atomic_load_n(&l->refused, __ATOMIC_RELAXED)) {
		i = __atomic_fetch_add(&l->next, 1, __ATOMIC_RELAXED);
		if (i >= l->n)
			break;
		load(&l->v[i]);
		if (l->v[i].fd < 0)
			__atomic_store_n(&l->refused, true, __ATOMIC_RELAXED);
	}
	return NULL;
}

static uint32_t threads_for(const struct loads *l)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t insns = 0, most = cpus < 1 ? 1 : cpus < THREADS_MAX ? (uint32_t)cpus : THREADS_MAX;

	for (uint32_t i = 0; i < l->n; i++)
		insns += l->v[i].spec.ninsn;
	return insns < MANY_INSNS ? 1 : most < l->n ? most : l->n;
}

static void load_all(struct loads *l)
{
	uint32_t want = threads_for(l) - 1, n = 0; /* beside this thread */
	pthread_t thread[THREADS_MAX];

	while (n < want && !kthread_start(&thread[n], load_some, l))
		n++;
	load_some(l);
	while (n--)
		pthread_join(thread[n], NULL);
}

static int prepare(struct kernel *k, struct loads *l, struct diag *d)
{
	for (uint32_t i = 0; i < l->n; i++) {
		struct loading *v = &l->v[i];

		v->fd = NOT_TAKEN;
		v->unit = &k->p->unit[i];
		v->code = resolve(k, v->unit, d);
		if (!v->code)
			return -1;
		kbpf_name(v->name, "dt_", v->unit->target);
		v->spec = prog_spec(v->unit, v->code);
		kbtf_make(v->unit, &v->btf);
		v->spec.func = v->btf.func;
		v->spec.nfunc = v->btf.nfunc;
	}
	return 0;
}

/* Reports the first unit that is refused, and loads those that no thread has taken. */
static int finish(struct kernel *k, struct loads *l, struct diag *d)
{
	for (uint32_t i = 0; i < l->n; i++)
		k->unit[i].prog = l->v[i].fd < 0 ? -1 : l->v[i].fd;
	for (uint32_t i = 0; i < l->n; i++) {
		struct loading *v = &l->v[i];

		if (v->fd == NOT_TAKEN)
			load(v);
		k->unit[i].prog = v->fd < 0 ? explain(k, v, d) : v->fd;
		if (k->unit[i].prog < 0)
			return -1;
	}
	return 0;
}

int kprogs_load(struct kernel *k, struct diag *d)
{
	struct loads l = {.v = xcalloc(k->p->nunit, sizeof(*l.v)), .n = k->p->nunit};
	int err = prepare(k, &l, d);

	if (!err) {
		load_all(&l);
		err = finish(k, &l, d);
	}
	for (uint32_t i = 0; i < l.n; i++) {
		kbtf_free(&l.v[i].btf);
		xfree(l.v[i].code);
	}
	xfree(l.v);
	return err;
}

void kprogs_close(struct kernel *k)
{
	for (uint32_t i = 0; k->unit && i < k->p->nunit; i++) {
		if (k->unit[i].prog >= 0)
			close(k->unit[i].prog);
		k->unit[i].prog = -1;
	}
}
