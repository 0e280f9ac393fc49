/*
 * fault.c - reports faults.
 *
 * Repeated faults are counted and reported once a second. Otherwise a clause that causes a fault
 * for every packet would print a line for each packet.
 */
#include "consumer/fault.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "consumer/oformat/oformat.h"
#include "consumer/options.h"
#include "engine/source.h"

#define INTERVAL_NS 1000000000u

/* clang-format off */
static const char *const fault_text[] = {
    [FAULT_UNKNOWN] = "unknown fault",         [FAULT_BADADDR] = "invalid address",
    [FAULT_BADALIGN] = "invalid alignment",    [FAULT_ILLOP] = "illegal operation",
    [FAULT_DIVZERO] = "divide-by-zero",        [FAULT_NOSCRATCH] = "out of scratch space",
    [FAULT_KPRIV] = "invalid kernel access",   [FAULT_UPRIV] = "invalid user access",
    [FAULT_TUPOFLOW] = "tuple stack overflow", [FAULT_BADSTACK] = "bad stack",
    [FAULT_LIBRARY] = "library-level fault",
};
/* clang-format on */

void fault_where(FILE *to, const struct program *p, uint32_t epid)
{
	const struct probe_info *pi = &p->probe[p->clause[epid - 1].probe];

	fprintf(to, "dtrace: error on enabled probe ID %u (ID %u: %s:%s:%s:%s): ", epid, pi->id,
		pi->prov, pi->mod, pi->func, pi->name);
}

static bool has_address(uint32_t code)
{
	return code == FAULT_BADADDR || code == FAULT_BADALIGN || code == FAULT_BADSTACK;
}

static void print(FILE *to, const struct program *p, const struct oformat_fault *x)
{
	fault_where(to, p, x->epid);
	fputs(x->what, to);
	if (x->has_value)
		fprintf(to, " (0x%" PRIx64 ")", x->value);
	if (x->action)
		fprintf(to, " in action #%d", x->action);
	else
		fputs(" in predicate", to);
	if (x->offset >= 0)
		fprintf(to, " at DIF offset %d", x->offset);
	if (x->count > 1)
		fprintf(to, ", and %" PRIu64 " more", x->count - 1);
	fputc('\n', to);
}

static void report(struct faults *f, const struct fault_record *rec, uint64_t count)
{
	uint32_t code = rec->code > FAULT_LIBRARY ? FAULT_UNKNOWN : rec->code;
	struct oformat_fault x = {
		.epid = rec->clause,
		.cpu = rec->cpu,
		.time = oformat_now(f->oformat),
		.what = fault_text[code],
		.has_value = has_address(code),
		.value = rec->value,
		.action = rec->action,
		.offset = rec->offset,
		.count = count,
	};

	print(f->o->err, f->p, &x);
	if (f->oformat->ops->fault)
		f->oformat->ops->fault(f->oformat, &x);
}

/*
 * Returns true for a system call that has the descriptor of a directory in arg0 and a path in arg1.
 */
static bool takes_directory(const char *call)
{
	static const char *const calls[] = {
		"openat",   "openat2",   "newfstatat", "statx",    "unlinkat",
		"mkdirat",  "mknodat",   "readlinkat", "renameat", "renameat2",
		"linkat",   "faccessat", "faccessat2", "fchmodat", "fchmodat2",
		"fchownat", "utimensat", "futimesat",  "execveat", "name_to_handle_at",
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(call, calls[i]))
			return true;
	return false;
}

/*
 * Prints a hint if a clause used arg0 of openat(2) or a similar call as the path. The mistake is
 * common because open(2) has its path in arg0, but the C library opens files by openat(2). A number
 * below 4,096 is taken for a descriptor, because addresses that low are usually not mapped.
 */
static void hint_path(struct faults *f, const struct fault_record *rec)
{
	const struct probe_info *pi = &f->p->probe[f->p->clause[rec->clause - 1].probe];
	bool descriptor = (int32_t)rec->value == AT_FDCWD || (rec->value > 0 && rec->value < 4096);

	if (!f->o->nohint && rec->code == FAULT_BADADDR && descriptor &&
	    !strcmp(pi->prov, "syscall") && !strcmp(pi->name, "entry") && takes_directory(pi->func))
		fprintf(f->o->err,
			"    the path of %s( ) is arg1; arg0 is the descriptor of a directory\n",
			pi->func);
}

static struct fault_kind *find(struct faults *f, const struct fault_record *rec)
{
	for (size_t i = 0; i < f->kind.n; i++) {
		struct fault_kind *k = &f->kind.v[i];

		if (k->last.clause == rec->clause && k->last.action == rec->action &&
		    k->last.code == rec->code)
			return k;
	}
	return NULL;
}

static void report_more(struct faults *f, struct fault_kind *k, uint64_t now)
{
	if (k->unreported)
		report(f, &k->last, k->unreported);
	k->reported_at = k->unreported ? now : k->reported_at;
	k->unreported = 0;
}

void faults_add(struct faults *f, const struct fault_record *rec)
{
	struct fault_kind *k = find(f, rec);
	uint64_t now = f->src->ops->now(f->src);

	if (!k) {
		vec_push(&f->kind, ((struct fault_kind){.last = *rec, .reported_at = now}));
		report(f, rec, 1);
		hint_path(f, rec);
		return;
	}
	k->unreported++;
	k->last = *rec;
	if (now - k->reported_at >= INTERVAL_NS)
		report_more(f, k, now);
}

void faults_report(struct faults *f, bool all)
{
	uint64_t now = f->kind.n ? f->src->ops->now(f->src) : 0;

	for (size_t i = 0; i < f->kind.n; i++)
		if (all || now - f->kind.v[i].reported_at >= INTERVAL_NS)
			report_more(f, &f->kind.v[i], now);
}

void faults_release(struct faults *f)
{
	vec_free(&f->kind);
}
